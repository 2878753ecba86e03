import Foundation
import TestSupport
import Testing
import TimelineModel
import TimelineRecorder
import TimelineStore

/// The power goes at any moment of a recording: what is left is whole, in order, and at most a second
/// short.
@Suite struct PowerCutTests {
  /// Half a minute with enough rows for checkpoints.
  private func longSession() -> KnownSession {
    var known = KnownSession(number: 2, steps: 1_200)
    known.intervalNanoseconds = 25_000_000
    known.keyCount = 6
    known.itemCount = 2
    return known
  }

  private func fileWithEarlierSession(_ folder: TemporaryFolder) -> KnownSession {
    let earlier = KnownSession(number: 1, steps: 5)
    let trial = Trial.recording(earlier, policy: .wait, at: folder.path("run.kymo"))
    #expect(trial.isFinished)
    return earlier
  }

  private func recordedDisk(
    _ known: KnownSession, _ policy: RecordingPolicy, in folder: TemporaryFolder,
    copying journals: JournalCopies? = nil
  ) -> FaultDisk {
    let disk = FaultDisk(folder.url.path)
    disk.beginLog()
    let trial = Trial.recording(
      known, policy: policy, at: folder.path("run.kymo"), marking: disk, copying: journals)
    #expect(trial.isFinished, "\(trial.errors)")
    return disk
  }

  /// Cuts of the long recordings under each policy. The 600 that are promised are those of a long run; in a
  /// usual one they are made by all suites together.
  private static let cutsPerPolicy = TestRounds.isLong ? 300 : 50

  private func longRecording(_ name: String, _ policy: RecordingPolicy) throws -> PowerCut {
    let folder = try TemporaryFolder()
    let earlier = fileWithEarlierSession(folder)
    let known = longSession()
    let journals = JournalCopies()
    let disk = recordedDisk(known, policy, in: folder, copying: journals)
    var cuts = PowerCut(name, earlier: [earlier], known: known)
    var generator = SplitMix(seed: 5)
    for seed in 0..<UInt64(PowerCutTests.cutsPerPolicy) {
      let operations = Int64.random(in: disk.firstOperation...disk.operations, using: &generator)
      try cuts.cut(
        disk, after: operations, seed: seed, goesOn: seed % 10 == 0,
        journals: seed % 2 == 0 ? journals : nil)
    }
    cuts.printCounts()
    return cuts
  }

  @Test func `a cut under live loses at most a second`() throws {
    let cuts = try longRecording("recording under live", .live)
    #expect(cuts.worstSeconds <= 1)
  }

  @Test func `a cut under wait leaves a whole beginning`() throws {
    _ = try longRecording("recording under wait", .wait)
  }

  @Test func `a cut at any operation of a short recording, from opening to closing`() throws {
    for policy in [RecordingPolicy.live, .wait] {
      let folder = try TemporaryFolder()
      let earlier = fileWithEarlierSession(folder)
      let known = KnownSession(number: 2, steps: 20)
      let journals = JournalCopies()
      let disk = recordedDisk(known, policy, in: folder, copying: journals)
      var cuts = PowerCut(
        "opening, recording and closing under \(policy)", earlier: [earlier], known: known)
      for operations in disk.cutPoints {
        try cuts.cut(
          disk, after: operations, seed: UInt64(operations), goesOn: operations % 5 == 0,
          journals: operations % 2 == 0 ? journals : nil)
      }
      cuts.printCounts()
    }
  }

  @Test func `a cut while a new file is made leaves no file, or one that can be recorded into`()
    throws
  {
    let folder = try TemporaryFolder()
    let known = KnownSession(number: 2, steps: 5)
    let disk = recordedDisk(known, .wait, in: folder)
    var cuts = PowerCut("making a file", earlier: [], known: known)
    for operations in disk.firstOperation...disk.operations {
      try cuts.cut(disk, after: operations, seed: UInt64(operations), goesOn: true)
    }
    cuts.printCounts()
  }

  @Test func `what a cut leaves of a recorder's first commit is an empty recording`() throws {
    let folder = try TemporaryFolder()
    let disk = recordedDisk(KnownSession(number: 2, steps: 5), .wait, in: folder)
    for operations in disk.firstOperation...disk.operations {
      let cut = try TemporaryFolder()
      #expect(disk.cut(after: operations, seed: UInt64(operations), into: cut.url.path) >= 0)
      let path = cut.path("run.kymo")
      guard FileManager.default.fileExists(atPath: path) else { continue }
      do {
        _ = try RecordingReader(path: path)
      } catch {
        #expect([.notADatabase, .unfinishedChange].contains(error.code), "cut \(operations)")
      }
      _ = try RecordingEditor(path: path)
    }
  }
}
