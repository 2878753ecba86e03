import Foundation
import KymographCSQLite
import TestSupport
import Testing
import TimelineModel
import TimelineStore

/// Long walks over plain samples are read off the pages of the file: SQLite's own answer is the measure.
@Suite struct SamplePagesTests {
  let folder: TemporaryFolder
  let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("long.kymo")
    try Recordings.make(path)
  }

  /// Instants before and after zero of one to eight bytes, seven keys, two values of a key at one instant, and values of each
  /// type: a tree of four levels.
  private static let rows = """
    DELETE FROM plain_sample;
    WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n LIMIT 60000)
    INSERT INTO plain_sample
    SELECT 1 + i % 2,
      CASE WHEN i < 59000 THEN (i / 16 - 1000) * 40 ELSE (i / 16) * (1 << (i - 59000) / 25) END,
      (i / 14 % 2) << 32 | (i / 2 % 7) << 2 | i / 7 % 3,
      CASE i % 5 WHEN 0 THEN i % 3 WHEN 1 THEN i / 3.0 WHEN 2 THEN -i * 70000 WHEN 3 THEN 1 << i % 63 ELSE -0.5 END
    FROM n WHERE true ON CONFLICT DO NOTHING;
    """

  /// The plain samples of session 1 by SQLite alone.
  private func rows(_ condition: String = "true") throws -> [SampleRecord] {
    var database: OpaquePointer?
    var statement: OpaquePointer?
    defer {
      sqlite3_finalize(statement)
      sqlite3_close_v2(database)
    }
    let sql = """
      SELECT t_ns, slot >> 2 & 1073741823, slot & 3, slot >> 32, value FROM plain_sample
      WHERE session = 1 AND \(condition) ORDER BY t_ns, slot
      """
    try #require(sqlite3_open(path, &database) == SQLITE_OK)
    try #require(sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK)
    var rows: [SampleRecord] = []
    while sqlite3_step(statement) == SQLITE_ROW, sqlite3_column_int(statement, 2) < 3 {
      rows.append(
        SampleRecord(
          key: KeyHandle(rawValue: sqlite3_column_int(statement, 1)),
          sample: Sample(
            time: Instant(nanoseconds: sqlite3_column_int64(statement, 0)),
            value: sqlite3_column_double(statement, 4)),
          phase: [.idle, .driving, .settling][Int(sqlite3_column_int(statement, 2))],
          ordinal: sqlite3_column_int64(statement, 3)))
    }
    return rows
  }

  @Test(arguments: [512, 1_024, 65_536])
  func `pages give what SQLite gives, of all keys or one, in any range`(pageBytes: Int) throws {
    try Recordings.run("PRAGMA page_size = \(pageBytes); VACUUM;" + Self.rows, on: path)
    let reader = try RecordingReader(path: path)
    let all = try reader.samples(in: 1).rest()
    #expect(all.count > 25_000)
    #expect(all == (try rows()))
    for range in [-20_000...70_000, 0...0, 147_000...4_000_000] {
      let instants =
        Instant(
          nanoseconds: Int64(range.lowerBound))...Instant(
          nanoseconds: Int64(range.upperBound))
      let times = "t_ns BETWEEN \(range.lowerBound) AND \(range.upperBound)"
      #expect(try reader.samples(in: 1, from: instants).rest() == (try rows(times)))
      let key = KeyHandle(rawValue: 3)
      #expect(
        try reader.samples(of: key, in: 1, from: instants).rest()
          == (try rows(times + " AND slot >> 2 & 1073741823 = 3")))
    }
  }

  @Test func `a table of other columns in other places is read by its names`() throws {
    try Recordings.run(
      Self.rows + """
        CREATE TABLE other (value ANY NOT NULL, slot INTEGER NOT NULL, t_ns INTEGER NOT NULL,
          session INTEGER NOT NULL, PRIMARY KEY (session, slot, t_ns)) STRICT, WITHOUT ROWID;
        INSERT INTO other SELECT value, slot, t_ns, session FROM plain_sample;
        DROP TABLE plain_sample;
        PRAGMA legacy_alter_table = ON;
        ALTER TABLE other RENAME TO plain_sample;
        """, on: path)
    let all = try RecordingReader(path: path).samples(in: 1).rest()
    #expect(all.count > 25_000)
    #expect(all == (try rows()))
  }

  @Test func `rows in a log are read, and of one state`() throws {
    try Recordings.run("PRAGMA journal_mode = WAL;" + Self.rows, on: path) {
      let before = try rows()
      let reader = try RecordingReader(path: path)
      let cursor = try reader.samples(in: 1)
      #expect(try cursor.next() == before.first)
      try Recordings.run("DELETE FROM plain_sample WHERE t_ns > 0", on: path)
      #expect(try cursor.rest() == Array(before.dropFirst()))
      #expect(try reader.samples(in: 1).rest() == (try rows()))
    }
  }

  @Test func `nobody changes a file without a log while its pages are read`() throws {
    try Recordings.run(Self.rows, on: path)
    let cursor = try RecordingReader(path: path).samples(in: 1)
    for _ in 0..<5_000 { _ = try cursor.next() }
    #expect(throws: Recordings.RawError.self) {
      try Recordings.run("DELETE FROM plain_sample", on: path)
    }
    #expect(try cursor.rest().count == (try rows().count) - 5_000)
    try Recordings.run("DELETE FROM plain_sample", on: path)
  }

  @Test(arguments: [
    "slot = slot | 3 WHERE session = 1 AND t_ns = 40000 AND slot >> 32 = 0",
    "value = 'far' WHERE session = 1 AND t_ns = 40000",
    "value = 9e999 WHERE session = 1 AND t_ns = 40000",
  ])
  func `a row that no recorder writes is damage, behind all rows before it`(change: String) throws {
    try Recordings.run(
      Self.rows + """
        PRAGMA writable_schema = ON; PRAGMA ignore_check_constraints = ON;
        UPDATE sqlite_schema SET sql = replace(sql, 'STRICT, WITHOUT', 'WITHOUT') WHERE name = 'plain_sample';
        """, on: path)
    try Recordings.run(
      "PRAGMA ignore_check_constraints = ON; UPDATE OR REPLACE plain_sample SET " + change, on: path
    )
    let cursor = try RecordingReader(path: path).samples(in: 1)
    var found: [SampleRecord] = []
    let error = #expect(throws: StoreError.self) {
      while let row = try cursor.next() { found.append(row) }
    }
    #expect(error?.code == .damaged)
    let before = try rows("t_ns < 40000")
    #expect(before.count > 10_000)
    #expect(Array(found.prefix(before.count)) == before)
    #expect(found.count < before.count + 16)
  }

  @Test func `a damaged page ends the rows as it does in SQLite, without a gap`() throws {
    try Recordings.run(Self.rows, on: path)
    var generator = SplitMix(seed: 5)
    let whole = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    var damaged = 0
    for _ in 0..<60 {
      var bytes = whole
      let page = 300 + Int(generator.next() % UInt64(bytes.count / 1_024 - 300))
      for _ in 0..<3 {
        bytes[page * 1_024 + Int(generator.next() % 64)] = UInt8(
          truncatingIfNeeded: generator.next())
      }
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      let cursor = try RecordingReader(path: path).samples(in: 1)
      var found: [SampleRecord] = []
      do {
        while let row = try cursor.next() { found.append(row) }
      } catch {
        damaged += 1
        #expect(error.code == .damaged, "\(error)")
      }
      // Of a page that SQLite refuses, the rows before the damage may be given.
      let ofSQLite = try rows()
      #expect(found.count > 1_000)
      #expect(found.count < ofSQLite.count + 100)
      #expect(zip(found, ofSQLite).allSatisfy { $0 == $1 })
    }
    #expect(damaged > 5)
  }
}
