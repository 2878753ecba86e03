import Foundation
import RecordingRepair
import TestSupport
import Testing
import TimelineModel

@testable import TimelineStore

/// A recording that was not finished: most of it lies in its log.
@Suite struct LogSalvageTests {
  let folder: TemporaryFolder
  let database: Data
  let log: [UInt8]

  /// Forty transactions in the log.
  init() throws {
    folder = try TemporaryFolder()
    let path = folder.path("live.kymo")
    let store = try Recordings.open(path)
    for commit in 0..<40 {
      try store.begin(isDurable: false)
      for step in 0..<100 {
        try store.insert(
          SampleRecord(
            key: KeyHandle(rawValue: 0),
            sample: Sample(
              time: Instant(nanoseconds: Int64(1_000 + commit * 100 + step)),
              value: Double(step) / 3), phase: .idle, ordinal: 0))
      }
      try store.commit()
    }
    database = try Data(contentsOf: URL(fileURLWithPath: path))
    log = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path + "-wal")))
    store.rollBack()
  }

  private func salvage(
    _ log: [UInt8]?, _ name: String
  ) throws -> (report: SalvageReport, samples: Int64, throughSQLite: Int64) {
    let path = folder.path("\(name).kymo")
    let output = folder.path("\(name) recovered.kymo")
    try database.write(to: URL(fileURLWithPath: path))
    if let log { try Data(log).write(to: URL(fileURLWithPath: path + "-wal")) }
    let report = try RecordingSalvage.recover(path, into: output, replacing: true)
    if let log {
      #expect([UInt8](try Data(contentsOf: URL(fileURLWithPath: path + "-wal"))) == log)
    }
    let samples = try Recordings.number("SELECT count(*) FROM plain_sample", on: output)
    let read = try? Recordings.number("SELECT count(*) FROM plain_sample", on: path)
    return (report, samples, read ?? 0)
  }

  @Test func `a sound log is read to its end`() throws {
    let (report, samples, _) = try salvage(log, "sound")
    #expect(samples == 4_005)
    #expect(report.isWhole)
    #expect(!report.sessions[0].isClean)
  }

  @Test func `one flipped bit in the log costs a page, not all that follows`() throws {
    var generator = SplitMix(seed: 41)
    var ours: Int64 = 0
    var theirs: Int64 = 0
    for _ in 0..<20 {
      var damaged = log
      damaged[32 + Int(generator.next() % UInt64(log.count - 32))] ^= 1 << (generator.next() % 8)
      let (report, samples, read) = try salvage(damaged, "flipped")
      #expect(report.damagedLogFrames >= 1)
      #expect(!report.isWhole)
      #expect(samples >= read)
      ours += samples
      theirs += read
    }
    print(
      "20 logs with one flipped bit: \(ours * 100 / (20 * 4_005)) % of samples salvaged, "
        + "\(theirs * 100 / (20 * 4_005)) % read by SQLite")
    #expect(ours * 100 > 90 * 20 * 4_005)
  }

  @Test func `a log that was cut off or zeroed gives what was committed before`() throws {
    var generator = SplitMix(seed: 42)
    for round in 0..<12 {
      let cut = 32 + Int(generator.next() % UInt64(log.count - 32))
      var damaged = Array(log[..<cut])
      if round.isMultiple(of: 2) { damaged += [UInt8](repeating: 0, count: log.count - cut) }
      let (_, samples, read) = try salvage(damaged, "cut \(round)")
      #expect(samples >= read)
      #expect(samples < 4_005)
    }
  }

  @Test func `a recording without the log that belongs to it says so`() throws {
    let path = folder.path("alone.kymo")
    try database.write(to: URL(fileURLWithPath: path))
    try Data(log).write(to: URL(fileURLWithPath: path + "-wal"))
    // The last to close takes everything out of the log and deletes it.
    try Recordings.run("PRAGMA wal_checkpoint", on: path)
    let report = try RecordingSalvage.recover(path, into: folder.path("alone recovered.kymo"))
    #expect(report.isWithoutLog)
    #expect(!report.isWhole)
    let found = try RecordingExamination.examine(path)
    #expect(found.contains { $0.what == "missingLog" && $0.severity == .warning })
  }
}
