import Foundation
import TestSupport
import Testing
import TimelineStore

/// Whatever a file holds, a reader gives rows or a ``StoreError``: it never traps and never hangs.
@Suite struct HostileFileTests {
  let folder: TemporaryFolder
  let path: String
  let valid: [UInt8]

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("hostile.kymo")
    try Recordings.make(path)
    valid = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  /// Whether the bytes are refused rather than read.
  private func isRefused(_ bytes: [UInt8]) throws -> Bool {
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    do {
      try Recordings.readEverything(path)
      return false
    } catch {
      #expect(error.message.contains(path))
      return true
    }
  }

  @Test func `a recording that was cut off anywhere is refused or read`() throws {
    var refused = 0
    let lengths = Array(0..<700) + stride(from: 700, to: valid.count, by: 509)
    for length in lengths {
      if try isRefused(Array(valid[..<length])) { refused += 1 }
    }
    #expect(refused > lengths.count * 9 / 10, "a file that is cut off is rarely whole")
    #expect(try !isRefused(valid))
  }

  @Test func `flipped bits anywhere are refused or read`() throws {
    var generator = SplitMix(seed: 7)
    var refused = 0
    for _ in 0..<1_500 {
      var bytes = valid
      for _ in 0..<(1 + generator.next() % 4) {
        bytes[Int(generator.next() % UInt64(bytes.count))] ^= 1 << UInt8(generator.next() % 8)
      }
      if try isRefused(bytes) { refused += 1 }
    }
    // Flips in the header, the schema and the rows must be noticed now and then.
    #expect(refused > 20)
  }

  @Test func `pages of noise are refused or read`() throws {
    var generator = SplitMix(seed: 8)
    for page in 0..<(valid.count / 4_096) {
      var bytes = valid
      for index in page * 4_096..<(page + 1) * 4_096 where page > 0 || index >= 100 {
        bytes[index] = UInt8(truncatingIfNeeded: generator.next())
      }
      _ = try isRefused(bytes)
    }
  }

  @Test(arguments: [
    "UPDATE plain_sample SET slot = 3", "UPDATE plain_sample SET value = 'far'",
    "UPDATE plain_sample SET value = 9e999", "UPDATE plain_sample SET slot = -1",
    "UPDATE session SET precision = 'odd'", "UPDATE key SET role = 'odd'",
    "UPDATE item SET category = 'odd'", "UPDATE item SET item = -7",
    "UPDATE session SET outcome = 'odd'", "UPDATE session SET outcome = NULL",
    "UPDATE session SET end_ns = 3, sample_count = NULL",
    "UPDATE session SET uuid = CAST(x'ff' AS TEXT)",
    "UPDATE frame SET phase = -1", "UPDATE frame SET is_key = 5",
    "UPDATE frame SET content_width = x'00'", "UPDATE plain_attribute SET change = 7",
    "UPDATE plain_attribute SET center_x = NULL", "UPDATE plain_attribute SET hidden = 4",
    "UPDATE plain_attribute SET transform_a = 1.0",
    "UPDATE plain_attribute SET transform_3d = '[1,2'",
    "UPDATE plain_attribute SET transform_3d = '[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,inf]'",
    "UPDATE plain_attribute SET item = -1", "DELETE FROM frame WHERE frame = 2",
    "UPDATE touch SET phase = 'odd'", "UPDATE touch SET x = 1",
    "UPDATE event SET kind = CAST(x'fe' AS TEXT)", "UPDATE decision SET outcome = 'maybe'",
    "UPDATE decision SET threshold = 'high'", "UPDATE estimate SET sample_count = -1",
    "UPDATE estimate SET velocity = 'fast'", "UPDATE estimate SET left_out_gap = -1",
    "UPDATE estimate SET lift_artefact = 2", "UPDATE estimate SET confidence = 'high'",
    "UPDATE decision SET margin_sigma = 3", "UPDATE decision SET rule_parameters = x'00'",
    "UPDATE touch SET resampled = 2", "UPDATE loss SET what = 'nothing'",
    "UPDATE loss SET key = -2", "UPDATE key_summary SET sample_count = -1",
    "UPDATE key_summary SET min_interval_ns = 0", "UPDATE session SET lost_count = -1",
    "UPDATE key_summary SET first_value = NULL", "DROP TABLE frame",
    "ALTER TABLE plain_sample RENAME COLUMN value TO worth",
  ])
  func `a value that no recorder writes is called damage`(sql: String) throws {
    let loose = """
      PRAGMA ignore_check_constraints = ON; PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = replace(replace(sql, 'STRICT', ''), ' NOT NULL', '')
      WHERE type = 'table' AND sql NOT LIKE '%STRICT, WITHOUT%';
      UPDATE sqlite_schema SET sql =
        replace(replace(sql, 'STRICT, WITHOUT', 'WITHOUT'), ' NOT NULL', '')
      WHERE type = 'table' AND sql LIKE '%STRICT, WITHOUT%';
      """
    try Recordings.run(loose, on: path)
    #expect(try Recordings.readEverything(path) > 20, "so far only the rules are gone")
    try Recordings.run("PRAGMA ignore_check_constraints = ON;" + sql, on: path)
    let error = #expect(throws: StoreError.self) { try Recordings.readEverything(path) }
    #expect(error?.code == .damaged, "\(String(describing: error))")
    #expect(error?.isAboutTheFile == true)
  }

  @Test func `a log that was cut off or flipped is refused or read`() throws {
    let live = folder.path("live.kymo")
    let store = try Recordings.open(live)
    let database = try Data(contentsOf: URL(fileURLWithPath: live))
    let log = [UInt8](try Data(contentsOf: URL(fileURLWithPath: live + "-wal")))
    store.rollBack()
    var generator = SplitMix(seed: 9)
    var lengths = Set<Int>()
    for round in 0..<150 {
      let copy = folder.path("copy \(round).kymo")
      try database.write(to: URL(fileURLWithPath: copy))
      var bytes = log
      if round % 2 == 0 {
        bytes.removeLast(Int(generator.next() % UInt64(bytes.count)))
      } else {
        bytes[Int(generator.next() % UInt64(bytes.count))] ^= 1 << UInt8(generator.next() % 8)
      }
      try Data(bytes).write(to: URL(fileURLWithPath: copy + "-wal"))
      do {
        lengths.insert(try Recordings.readEverything(copy))
      } catch {
        #expect(error.message.contains(copy))
      }
      #expect(try Data(contentsOf: URL(fileURLWithPath: copy)) == database)
      #expect([UInt8](try Data(contentsOf: URL(fileURLWithPath: copy + "-wal"))) == bytes)
    }
    // A damaged log gives a state that was committed once, never half of one.
    #expect(lengths.isSubset(of: [0, 1, try Recordings.readEverything(live)]))
  }

  @Test func `counts beyond all reason are numbers like any other`() throws {
    try Recordings.run(
      """
      PRAGMA ignore_check_constraints = ON;
      UPDATE session SET session = 9223372036854775807; UPDATE touch SET contact = -9223372036854775808;
      UPDATE frame SET frame = frame + 200000000000000;
      UPDATE plain_sample SET session = 9223372036854775807; UPDATE frame SET session = 9223372036854775807;
      """, on: path)
    #expect(try Recordings.readEverything(path) > 5)
  }
}
