import Kymograph
import TestSupport
import Testing

@Suite struct RecordWithoutTheEngineTests {
  @Test func `the README's example records what an app gives, and it can be read again`() throws {
    let folder = try TemporaryFolder()
    try recordFade(into: folder.path("fade.kymo"))
    let reader = try RecordingReader(path: folder.path("fade.kymo"))
    let session = try reader.session(selectedBy: "last")
    #expect(session.isClean)
    #expect(session.description.name == "fade")
    #expect(session.description.software == "MyApp 1.0")
    #expect(session.counts?.lost == 0)
    let key = try #require(try reader.keys(in: session.number).first)
    #expect(key.name == "alpha")
    #expect(key.unit == "1")
    let values = try reader.samples(of: key.handle, in: session.number).rest()
    #expect(values.map(\.sample.value) == (0..<120).map { Double($0) / 119 })
    #expect(values.last?.sample.time == Instant(nanoseconds: 119 * 8_333_333))
    #expect(values.allSatisfy { $0.phase == .driving })
  }

  @Test func `the README's example of the engine records a transition that finishes`() throws {
    let folder = try TemporaryFolder()
    try recordTransition(into: folder.path("run.kymo"))
    let reader = try RecordingReader(path: folder.path("run.kymo"))
    let session = try reader.session(selectedBy: "last")
    #expect(session.isClean && session.outcome == .finished)
    #expect((session.counts?.frames ?? 0) > 12)
  }

  @Test func `one import gives every room`() throws {
    // A value of each public library, so that a missing export does not compile.
    #expect(Estimator.lsq2.rawValue == "lsq2")
    #expect(Rect(x: 0, y: 0, width: 1, height: 1).maxX == 1)
    #expect(try DisplayClock(refreshRate: 60).now == .zero)
    #expect(GestureFormat.allCases.count == 4)
    #expect(RecordingFormat.schemaVersion >= 1)
    #expect(RecordingPolicy.live != .wait)
    #expect(RunComparison.Alignment.allCases.count == 5)
    #expect(OutputFormat.allCases.count == 5)
    #expect(!Scenario.schema.isEmpty)
  }
}
