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
    try recordAndPrint(in: folder.path("."))
    let session = try RecordingReader(path: folder.path("fruit.kymo")).session(
      named: "grid to detail")
    #expect(session.isClean)
    #expect(session.outcome == .finished)
    #expect((session.counts?.frames ?? 0) > 12)
    #expect(Set(try session.elements.map(\.id)) == ["apple", "pear", "plum"])
    #expect(try session.keys.first { $0.name == "PositionX" }?.role == .animated)
    let driven = try session.samples(of: "PositionX").rest().filter { $0.phase == .driving }
    #expect(driven.map(\.value) == Array(stride(from: 15, through: 180, by: 15)))
    let last = try #require(try session.frames.rest().last)
    #expect(last.allSatisfy { $0.pose.size == Size2D(width: 300, height: 200) })
  }
}
