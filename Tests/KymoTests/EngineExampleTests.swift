import TestSupport
import Testing
import TimelineModel
import TimelineStore

/// What README's Swift records, when it is run.
@Suite struct EngineExampleTests {
  @Test func `the engine of README records a transition that finishes, with the values it got`()
    throws
  {
    let folder = try TemporaryFolder()
    try recordTransition(into: folder.path("run.kymo"))
    let reader = try RecordingReader(path: folder.path("run.kymo"))
    let session = try #require(try reader.lastSession())
    #expect(session.isClean && session.outcome == .finished)
    #expect((session.counts?.frames ?? 0) > 12)
    let items = try reader.items(in: session.number)
    #expect(Set(items.map(\.identity.id)) == ["apple", "pear", "plum"])
    let position = try #require(
      try reader.keys(in: session.number).first { $0.name == "PositionX" })
    #expect(position.role == .animated)
    let driven = try reader.samples(of: position.handle, in: session.number).rest()
      .filter { $0.phase == .driving }
    #expect(driven.map(\.sample.value) == (1...12).map { Double($0) * 15 })
    let last = try #require(try reader.foldedFrames(in: session.number).rest().last)
    #expect(last.elements.allSatisfy { $0.pose.size == Size2D(width: 300, height: 200) })
  }
}
