import Foundation
import TestSupport
import Testing
import TimelineModel
import TimelineRecorder
import TimelineSchema
import TimelineStore

/// A disk that fails, and a power that goes, while a recording of an older program is brought to the
/// newest schema: the old file stays whole, or the new one is.
@Suite struct MigrationFaultTests {
  private let old = KnownSession(number: 1, steps: 20)
  private let known = KnownSession(number: 2, steps: 4)

  private static let olderVersions = Array(1..<Int(Schema.version))
  /// The versions whose migrations are broken at each point: in a usual run the first, which takes every step, and the
  /// newest, which takes one.
  private static let brokenVersions = olderVersions.filter {
    TestRounds.isLong || $0 == olderVersions.first || $0 == olderVersions.last
  }

  private func oldFile(version: Int) throws -> Data {
    let folder = try TemporaryFolder()
    let path = folder.path("run.kymo")
    try OldRecording.make(old, version: version, at: path)
    return try Data(contentsOf: URL(fileURLWithPath: path))
  }

  @Test(arguments: MigrationFaultTests.brokenVersions)
  func `any call may fail during a migration`(version: Int) throws {
    let file = try oldFile(version: version)
    try FaultLoop(
      name: "migrating from version \(version)",
      prepare: { try file.write(to: URL(fileURLWithPath: $0)) },
      work: { Trial.recording(known, policy: .wait, at: $0) },
      problems: { path, trial in
        var problems = trial.problems(at: path, earlier: old, known: known)
        if let found = try? RecordingReader(path: path).schemaVersion(),
          found != Int64(version), found != Int64(Schema.version)
        {
          problems.append("the file is of version \(found), between old and new")
        }
        return problems
      },
      problemsLater: { path, _ in
        Trial.recording(KnownSession(number: 3, steps: 4), policy: .wait, at: path)
          .errors.map { "the next recording fails: \($0)" }
      }
    ).run()
  }

  @Test(arguments: MigrationFaultTests.brokenVersions)
  func `a cut at any operation of a migration`(version: Int) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("run.kymo")
    try oldFile(version: version).write(to: URL(fileURLWithPath: path))
    let disk = FaultDisk(folder.url.path)
    disk.beginLog()
    let trial = Trial.recording(known, policy: .wait, at: path, marking: disk)
    #expect(trial.isFinished)
    var cuts = PowerCut("migrating from version \(version)", earlier: [old], known: known)
    for operations in disk.cutPoints {
      for seed in 0..<(TestRounds.isLong ? 2 : 1) as Range<UInt64> {
        try cuts.cut(
          disk, after: operations, seed: UInt64(operations) * 2 + seed,
          goesOn: seed == 0 && (TestRounds.isLong || operations % 5 == 0))
      }
    }
    cuts.printCounts()
  }

  @Test(arguments: MigrationFaultTests.olderVersions)
  func `a step that cannot be run leaves the old file as it was, byte for byte`(
    version: Int
  ) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("run.kymo")
    try OldRecording.make(old, version: version, at: path)
    // A row that claims the last step's place, so that every statement before its bookkeeping runs.
    try PlainDatabase(path).run(
      "INSERT INTO migration VALUES (\(Schema.version), 'somebody else''s', '0')")
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let trial = Trial.recording(known, policy: .wait, at: path)
    #expect(trial.thrown.count == 1)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    let found = try FoundSession(old, in: RecordingReader(path: path))
    #expect(found?.problems == [])
    #expect(found?.isClean == true)
  }
}
