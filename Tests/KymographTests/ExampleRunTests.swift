import Foundation
import KymographAnalysis
import KymographEngine
import TestSupport
import Testing

/// What the manual's examples do when they are run.
@Suite struct ExampleRunTests {
  @Test func `the example without the engine records what an app gives, and it can be read again`()
    throws
  {
    let folder = try TemporaryFolder()
    try recordFade(into: folder.path("fade.kymo"))
    let reader = try RecordingReader(path: folder.path("fade.kymo"))
    let session = try #require(try reader.lastSession())
    #expect(session.isClean)
    #expect(session.outcome == SessionOutcome.none)
    #expect(session.end == Instant(nanoseconds: 119 * 8_333_333))
    #expect(!session.description.software.isEmpty)
    #expect(session.counts?.lost == 0)
    let key = try #require(try reader.keys(in: session.number).first)
    #expect(key.name == "alpha")
    #expect(key.unit == "1")
    let values = try reader.samples(of: key.handle, in: session.number).rest()
    #expect(values.map(\.sample.value) == (0..<120).map { Double($0) / 119 })
    #expect(values.last?.sample.time == Instant(nanoseconds: 119 * 8_333_333))
    #expect(values.allSatisfy { $0.phase == .driving })
  }

  @Test
  func
    `the example of the engine records a transition that finishes, and the reader shows each frame`()
    throws
  {
    let folder = try TemporaryFolder()
    try recordTransition(into: folder.path("run.kymo"))
    let reader = try RecordingReader(path: folder.path("run.kymo"))
    let session = try #require(try reader.lastSession())
    #expect(session.isClean && session.outcome == .finished)
    #expect((session.counts?.frames ?? 0) > 12)
    var shown: [(id: String, pose: Pose, time: Instant)] = []
    try replay(folder.path("run.kymo")) { shown.append(($0, $1, $2)) }
    #expect(Set(shown.map(\.id)) == ["apple", "pear", "plum"])
    #expect(shown.last?.pose.size == Size2D(width: 300, height: 200))
    #expect(Set(shown.map(\.time)).count > 12)
    try writePage(of: folder.path("run.kymo"), to: folder.path("run.html"))
    #expect(FileManager.default.fileExists(atPath: folder.path("run.html")))
  }

  @Test func `a key that is given by its name is recorded at the moment of the call`() throws {
    let folder = try TemporaryFolder()
    let session = SessionDescription(software: "MyApp 1.0", clock: "app")
    let recorder = try Recorder(path: folder.path("names.kymo"), session: session, policy: .wait)
    recordByName(with: recorder)
    try recorder.finish(at: recorder.now, outcome: .none)
    let reader = try RecordingReader(path: folder.path("names.kymo"))
    let keys = try reader.keys(in: 1)
    #expect(keys.map(\.name) == ["speed", "item.photos/7.cornerRadius"])
    #expect(keys.map(\.unit) == ["pt/s", "pt"])
  }

  @Test func `the products give every public library`() throws {
    // A value of each public library, so that a missing export does not compile.
    #expect(Estimator.lsq2.rawValue == "lsq2")
    #expect(Rect2D(x: 0, y: 0, width: 1, height: 1).maxX == 1)
    #expect(try DisplayClock(refreshRate: 60).now == .zero)
    #expect(GestureFormat.allCases.count == 8)
    #expect(RecordingPolicy.live != .wait)
    #expect(RunComparison.Alignment.allCases.count == 5)
    #expect(!Scenario.schema.isEmpty)
  }
}
