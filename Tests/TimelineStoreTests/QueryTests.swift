import Foundation
import TestSupport
import Testing
import TimelineModel
import TimelineStore

@Suite struct QueryTests {
  let folder: TemporaryFolder
  let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("run.kymo")
    try Recordings.make(path)
  }

  @Test func `a query gives names and values of every type`() throws {
    let cursor = try RecordingReader(path: path).query(
      "SELECT 1 AS one, 2.5, 'text' AS t, x'00ff' AS b, NULL AS missing, CAST(x'ff' AS TEXT) AS odd;"
    )
    #expect(cursor.columns == ["one", "2.5", "t", "b", "missing", "odd"])
    #expect(
      try cursor.rest() == [
        [.integer(1), .real(2.5), .text("text"), .blob([0, 255]), .null, .blob([255])]
      ])
    #expect(try cursor.next() == nil)
  }

  @Test(arguments: [
    "SELECT count(*) FROM samples", "SELECT 1; -- done", "  SELECT 1 ;; /* over */ ",
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5) SELECT i FROM n",
    "SELECT json_extract(fields, '$.to') FROM events", "EXPLAIN QUERY PLAN SELECT 1",
    "SELECT * FROM pragma_table_info('plain_sample')", "PRAGMA table_info(plain_sample)",
    "SELECT value FROM json_each('[1,2]')", "SELECT key, avg(value) FROM samples GROUP BY key",
  ])
  func `reading is allowed`(sql: String) throws {
    #expect(try RecordingReader(path: path).query(sql).rest().isEmpty == false)
  }

  @Test(arguments: [
    "", " -- nothing\n", "SELEKT 1", "SELECT nothing FROM samples", "SELECT 1; SELECT 2",
    "SELECT 1; and more", "SELECT \u{0} 1", "SELECT \"no such column\"",
    "INSERT INTO event VALUES (1, 9, 0, 'x', '{}')", "UPDATE plain_sample SET value = 0.5",
    "DELETE FROM plain_sample", "DROP TABLE plain_sample", "CREATE TABLE t (a)",
    "CREATE TEMP TABLE t (a)",
    "ATTACH 'other.db' AS o", "ATTACH ':memory:' AS o", "DETACH main", "VACUUM",
    "VACUUM INTO 'copy.db'", "REINDEX", "ANALYZE", "BEGIN", "SAVEPOINT s",
    "PRAGMA journal_mode = DELETE", "PRAGMA query_only = OFF", "PRAGMA writable_schema = ON",
    "PRAGMA user_version = 9", "PRAGMA application_id = 1", "PRAGMA wal_checkpoint",
    "PRAGMA temp_store_directory = '/'", "SELECT load_extension('x')",
    "SELECT * FROM pragma_user_version(9)",
    "UPDATE sqlite_schema SET sql = ''", "SELECT abs(-9223372036854775808)",
    "SELECT length(zeroblob(99999999999))", "SELECT ?1, ",
  ])
  func `anything else is refused, and is no fault of the file`(sql: String) throws {
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let error = #expect(throws: StoreError.self) {
      try RecordingReader(path: path).query(sql).rest()
    }
    #expect(error?.code == .query, "\(String(describing: error))")
    #expect(error?.isAboutTheFile == false)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["run.kymo"])
  }

  @Test func `a cursor outlives the variable that held its reader`() throws {
    func cursor() throws -> QueryCursor {
      try RecordingReader(path: path).query("SELECT t_ns FROM samples ORDER BY t_ns")
    }
    let rows = try cursor()
    #expect(try rows.next() == [.integer(0)])
    #expect(try rows.rest().count == 4)
  }

  @Test func `several cursors of one reader run side by side`() throws {
    let reader = try RecordingReader(path: path)
    let samples = try reader.samples(in: 1)
    let frames = try reader.foldedFrames(in: 1)
    var count = 0
    while let sample = try samples.next(), let frame = try frames.next() {
      #expect(sample.sample.time == frame.frame.state.time)
      count += 1
    }
    #expect(count == 5)
  }
}
