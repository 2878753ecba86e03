import Foundation
import TestSupport
import Testing
import TimelineModel
import TimelineRecorder
import TimelineStore

/// A disk that fails while a session is recorded into a file that has one already.
@Suite struct RecordingFaultTests {
  private let earlier = KnownSession(number: 1, steps: 5)
  private let known = KnownSession(number: 2)
  private let later = KnownSession(number: 3, steps: 5)

  /// A file with one finished session.
  private func template() throws -> Data {
    let folder = try TemporaryFolder()
    let path = folder.path("run.kymo")
    let trial = Trial.recording(earlier, policy: .wait, at: path)
    #expect(trial.isFinished)
    return try Data(contentsOf: URL(fileURLWithPath: path))
  }

  /// Once the disk works again, so does recording, and what lay in the journal is in the tables.
  private func problemsLater(_ path: String, _ trial: Trial, earlier: KnownSession?) -> [String] {
    let next = Trial.recording(later, policy: .wait, at: path)
    return next.errors.map { "the next recording fails: \($0)" }
      + next.problems(at: path, earlier: earlier, known: later)
      + trial.problems(at: path, earlier: earlier, known: known)
  }

  private func loop(_ name: String, _ policy: RecordingPolicy) throws -> FaultLoop {
    let file = try template()
    return FaultLoop(
      name: name,
      prepare: { try file.write(to: URL(fileURLWithPath: $0)) },
      work: { Trial.recording(known, policy: policy, at: $0) },
      problems: { path, trial in
        trial.problems(at: path, earlier: earlier, known: known)
      },
      problemsLater: { problemsLater($0, $1, earlier: earlier) })
  }

  @Test func `any call may fail while the caller waits`() throws {
    try loop("recording under wait", .wait).run()
  }

  @Test func `any call may fail while the caller does not wait`() throws {
    try loop("recording under live", .live).run()
  }

  @Test func `any call may fail while a new file is recorded`() throws {
    try FaultLoop(
      name: "recording a new file",
      work: { Trial.recording(known, policy: .wait, at: $0) },
      problems: { path, trial in
        trial.problems(at: path, earlier: nil, known: known)
      },
      problemsLater: { problemsLater($0, $1, earlier: nil) }
    ).run()
  }

  @Test func `any call may fail while a recorder is suspended and resumed`() throws {
    let file = try template()
    try FaultLoop(
      name: "suspending and resuming",
      // The writer's thread is woken on the way back, and commits once more if it is quick. A commit whose
      // sync fails for good is in the file after all when it is opened again.
      callsVary: true,
      prepare: { try file.write(to: URL(fileURLWithPath: $0)) },
      work: { Trial.suspending(known, at: $0) },
      problems: { path, trial in trial.problems(at: path, earlier: earlier, known: known) },
      problemsLater: { problemsLater($0, $1, earlier: earlier) }
    ).run()
  }
}
