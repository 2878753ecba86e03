import Foundation
import TestSupport
import Testing
import TimelineModel
import TimelineRecorder
import TimelineStore

/// A disk that fails, and a power that goes, while the log is moved into the database in the midst of a
/// recording.
@Suite struct CheckpointFaultTests {
  private let earlier = KnownSession(number: 1, steps: 5)
  private let known = KnownSession(number: 2)
  private let later = KnownSession(number: 3, steps: 5)

  /// Every commit is followed by a checkpoint.
  private func settings(_ policy: RecordingPolicy) -> RecorderSettings {
    var settings = RecorderSettings.drivenByHand(policy)
    settings.checkpointBytes = 1
    return settings
  }

  private func template() throws -> Data {
    let folder = try TemporaryFolder()
    let path = folder.path("run.kymo")
    #expect(Trial.recording(earlier, policy: .wait, at: path).isFinished)
    return try Data(contentsOf: URL(fileURLWithPath: path))
  }

  @Test func `any call may fail while the log is moved under live`() throws { try walk(.live) }

  @Test func `any call may fail while the log is moved under wait`() throws { try walk(.wait) }

  private func walk(_ policy: RecordingPolicy) throws {
    let file = try template()
    try FaultLoop(
      name: "moving the log after each commit under \(policy)",
      prepare: { try file.write(to: URL(fileURLWithPath: $0)) },
      work: { Trial.recording(known, policy: policy, at: $0, settings: settings(policy)) },
      problems: { path, trial in trial.problems(at: path, earlier: earlier, known: known) },
      problemsLater: { path, trial in
        let next = Trial.recording(later, policy: .wait, at: path)
        return next.errors.map { "the next recording fails: \($0)" }
          + next.problems(at: path, earlier: earlier, known: later)
          + trial.problems(at: path, earlier: earlier, known: known)
      }
    ).run()
  }

  @Test func `a log that cannot be moved is told once, in the recording too, and nothing is lost`()
    throws
  {
    let folder = try TemporaryFolder()
    let path = folder.path("run.kymo")
    let disk = FaultDisk(folder.url.path)
    let failures = FailureLog()
    var settings = settings(.live)
    // No commit waits for the disk, so a sync is a checkpoint's.
    settings.commitsPerDurable = .max
    let recorder = try Recorder(
      path: path, session: known.description, policy: .live, settings: settings,
      onTrouble: { failures.add($0) })
    let handles = known.handles(of: recorder)
    disk.fail(FaultDisk.Fault(kind: .sync, nth: 1, isForGood: true, reason: .inputOutput))
    for step in 0..<known.steps {
      if step == known.steps / 2 { disk.heal() }
      known.record(step, into: recorder, handles)
      recorder.writeBatch()
    }
    try recorder.finish(at: known.end, outcome: .finished)
    #expect(failures.allCodes == ["checkpointFailed"])
    let reader = try RecordingReader(path: path)
    let found = try FoundSession(known, in: reader)
    #expect(found?.problems == [])
    #expect(found?.rows == known.rowCount)
    let warnings = try reader.events(in: 1).rest().filter { $0.kind == .warning }
    #expect(warnings.count == 1)
    #expect(warnings.allSatisfy { $0.fieldsJSON.contains("checkpointFailed") })
  }

  /// Cuts after a write to the database that a checkpoint made, each with so many seeds; a usual run cuts after every
  /// third write.
  private static let seedsPerWrite: UInt64 = TestRounds.isLong ? 3 : 1

  @Test func `a cut in the midst of a checkpoint loses at most a second`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("run.kymo")
    #expect(Trial.recording(earlier, policy: .wait, at: path).isFinished)
    var known = KnownSession(number: 2, steps: 200)
    known.itemCount = 2
    var settings = settings(.live)
    // A checkpoint every few commits, so that each has several pages to move.
    settings.checkpointBytes = 124_000
    let disk = FaultDisk(folder.url.path)
    disk.beginLog()
    #expect(
      Trial.recording(known, policy: .live, at: path, settings: settings, marking: disk).isFinished)
    let writes = disk.writes(to: "run.kymo", from: disk.firstOperation)
    #expect(writes.count > 40)
    var cuts = PowerCut("moving the log", earlier: [earlier], known: known)
    for (index, write) in writes.enumerated() where TestRounds.isLong || index % 3 == 0 {
      for seed in 0..<Self.seedsPerWrite {
        try cuts.cut(
          disk, after: write + 1, seed: UInt64(write) &* 31 &+ seed, goesOn: write % 5 == 0)
      }
    }
    cuts.printCounts()
    #expect(cuts.worstSeconds <= 1)
  }
}
