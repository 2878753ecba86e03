import TestSupport
import Testing
import TimelineModel
import TimelineRecorder
import TimelineStore

/// What a recorder does that is given a path and nothing else.
@Suite struct RecorderDefaultsTests {
  let folder: TemporaryFolder
  var path: String { folder.path("run.kymo") }

  init() throws { folder = try TemporaryFolder() }

  /// The session that a recorder leaves which is given some events and no outcome.
  private func session(of kinds: [TimelineEvent.Kind]) throws -> SessionRecord {
    let recorder = try Recorder(path: path)
    for (index, kind) in kinds.enumerated() {
      recorder.record(TimelineEvent(time: Instant(nanoseconds: Int64(index)), kind: kind))
    }
    try recorder.finish()
    return try #require(try RecordingReader(path: path).lastSessionRecord())
  }

  @Test func `a session without anything is clean, and has the program's name`() throws {
    let session = try session(of: [])
    #expect(session.isClean)
    #expect(session.outcome == SessionOutcome.none)
    #expect(session.end == .zero)
    #expect(session.description.clock == "app")
    let program = try #require(CommandLine.arguments.first?.split(separator: "/").last)
    #expect(session.description.software == String(program))
  }

  @Test(
    arguments: zip(
      [
        [.start, .finish], [.start, .cancel], [.start], [.start, .finish, .start, .cancel],
        [.start, .cancel, .start], [.mark], [.finish],
      ] as [[TimelineEvent.Kind]],
      [.finished, .cancelled, .open, .cancelled, .open, .none, .finished] as [SessionOutcome]))
  func `a session ends as its last transition did`(
    kinds: [TimelineEvent.Kind], outcome: SessionOutcome
  ) throws {
    #expect(try session(of: kinds).outcome == outcome)
  }

  @Test func `a session ends with its latest record, whatever came after it`() throws {
    let recorder = try Recorder(path: path)
    let alpha = recorder.key("alpha", unit: "1")
    #expect(recorder.key("alpha").handle == alpha.handle)
    for time in [3, 9, 5] as [Int64] {
      alpha.record(0.5, at: Instant(nanoseconds: time), phase: .driving)
    }
    try recorder.finish()
    let session = try #require(try RecordingReader(path: path).lastSessionRecord())
    #expect(session.end == Instant(nanoseconds: 9))
    #expect(session.counts?.samples == 3)
    #expect(session.counts?.lost == 0)
  }

  @Test func `an end that is given counts, and the outcome is still the last transition's`() throws
  {
    let recorder = try Recorder(path: path)
    recorder.record(TimelineEvent(time: .zero, kind: .start))
    recorder.record(TimelineEvent(time: .zero, kind: .finish))
    try recorder.finish(at: Instant(nanoseconds: 700))
    let session = try #require(try RecordingReader(path: path).lastSessionRecord())
    #expect(session.end == Instant(nanoseconds: 700))
    #expect(session.outcome == .finished)
    #expect(throws: StoreError.self) { try recorder.finish() }
  }

  @Test func `a sink that redacts writes no touch and no name into the same recording`() throws {
    let redaction = Redaction(leavesOutTouches: true, hashesItems: true, salt: "s")
    let recorder = try Recorder(
      path: path, session: redaction.redacted(SessionDescription(name: "alice's sheet")))
    let sink = recorder.redacting(redaction)
    let handle = sink.keyHandle(for: "item.alice.corner", role: .custom, unit: "pt")
    sink.record(12, for: handle, at: .zero, phase: .idle)
    sink.record(TouchSample(time: .zero, contact: 0, phase: .began, position: .zero))
    try recorder.finish()
    let reader = try RecordingReader(path: path)
    let session = try #require(try reader.lastSessionRecord())
    #expect(session.description.name?.contains("alice") == false)
    #expect(session.counts?.touches == 0)
    #expect(session.counts?.samples == 1)
    #expect(try reader.keys(in: session.number).allSatisfy { !$0.name.contains("alice") })
  }
}
