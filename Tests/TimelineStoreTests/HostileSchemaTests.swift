import Foundation
import KymographCSQLite
import RecordingRepair
import TestSupport
import Testing
import TimelineModel
import TimelineStore

/// Files whose schema was made to do harm: whoever opens them for reading or writing gets one clear
/// sentence, and soon.
@Suite struct HostileSchemaTests {
  let folder: TemporaryFolder
  let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("hostile.kymo")
    try Recordings.make(path)
  }

  /// A query that never ends.
  static let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"

  static let reversals: [(change: String, word: String)] = [
    ("ALTER TABLE plain_sample RENAME TO s; CREATE VIEW plain_sample AS SELECT * FROM s", "view"),
    (
      "DROP TABLE session; CREATE VIEW session AS \(endless) SELECT i AS session FROM n",
      "view instead of a table"
    ),
    (
      "DROP TABLE key; CREATE VIRTUAL TABLE key USING fts5(name, role)",
      "not a plain table"
    ),
    (
      "CREATE TRIGGER t AFTER INSERT ON session BEGIN DELETE FROM plain_sample; END",
      "has a trigger"
    ),
    (
      "DROP TABLE touch; CREATE TABLE touch (session, t_ns AS (hex(zeroblob(1000000))))",
      "a column that is computed"
    ),
    ("ALTER TABLE event ADD COLUMN more INTEGER AS (abs(t_ns)) VIRTUAL", "column that is computed"),
    ("CREATE VIEW sealed_attribute AS \(endless) SELECT i FROM n", "is not free"),
    ("CREATE TABLE pragma_page_count (page_count)", "is not free"),
  ]

  @Test(arguments: reversals.indices)
  func `what is no plain table in a table's place is refused by readers and writers`(
    index: Int
  ) throws {
    let (change, word) = Self.reversals[index]
    try Recordings.run(change, on: path)
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let error = #expect(throws: StoreError.self) { try RecordingReader(path: path) }
    #expect(error?.code == .damaged)
    #expect(error?.message.contains(word) == true, "\(String(describing: error))")
    #expect(error?.message.contains(path) == true)
    #expect(error?.message.hasSuffix(".") == true)
    #expect(throws: StoreError.self) { try RecordingEditor(path: path) }
    #expect(throws: (any Error).self) { try Recordings.open(path) }
    #expect(throws: StoreError.self) { try RecordingExamination.examine(path) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
  }

  @Test func `views of the contract are the program's own, whatever the file has in their place`()
    throws
  {
    let before = try rows("SELECT * FROM samples")
    #expect(!before.isEmpty)
    try Recordings.run(
      "DROP VIEW samples; CREATE VIEW samples AS \(Self.endless) SELECT i AS key FROM n; "
        + "DROP VIEW touches; CREATE TABLE touches (a); DROP VIEW events", on: path)
    #expect(try rows("SELECT * FROM samples") == before)
    #expect(try rows("SELECT * FROM touches").count == 1)
    #expect(try rows("SELECT * FROM events").count == 1)
    #expect(try Recordings.readEverything(path) > 20)
  }

  @Test func `tables, views and indexes of somebody's own harm nobody`() throws {
    let count = try Recordings.readEverything(path)
    try Recordings.run(
      """
      CREATE TABLE note (text); CREATE VIEW forever AS \(Self.endless) SELECT i FROM n;
      CREATE INDEX quick ON plain_sample (abs(value)); CREATE TRIGGER t AFTER INSERT ON note
      BEGIN INSERT INTO note SELECT 'again' FROM forever; END;
      """, on: path)
    #expect(try Recordings.readEverything(path) == count)
    let store = try RecordingStore(
      path: path, description: Recordings.description("two"), uuid: "two")
    try store.begin(isDurable: true)
    try store.insert(
      KeyRecord(handle: KeyHandle(rawValue: 0), name: "x", role: .animated, unit: "pt"))
    try store.insert(
      SampleRecord(
        key: KeyHandle(rawValue: 0), sample: Sample(time: .zero, value: -2), phase: .idle,
        ordinal: 0))
    try store.commit()
    try store.settleIntoOneFile()
    #expect(try rows("SELECT value FROM samples WHERE session = 2") == [[.real(-2)]])
  }

  @Test func `a schema of a hundred thousand tables is refused`() throws {
    // Every one with the pages of another, so that the file stays small.
    try Recordings.run(
      """
      PRAGMA writable_schema = ON;
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 100000)
      INSERT INTO sqlite_schema (type, name, tbl_name, rootpage, sql)
      SELECT 'table', 't' || i, 't' || i, 2, 'CREATE TABLE t' || i || '(a)' FROM n;
      """, on: path)
    let error = #expect(throws: StoreError.self) { try RecordingReader(path: path) }
    #expect(error?.code == .damaged)
    #expect(error?.message.contains("more work") == true, "\(String(describing: error))")
    #expect(throws: StoreError.self) { try RecordingEditor(path: path) }
  }

  @Test func `a tree of pages that leads to one page again and again is given up`() throws {
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    let root = try rootPage(of: "session")
    let start = (root - 1) * 1_024
    let leaf = Array(bytes[start..<start + 1_024])
    // Eight pages of 120 children each, all of them the next page, the last of them the leaf.
    let first = bytes.count / 1_024 + 1
    for level in 0..<8 {
      let page = Self.interior(leadingTo: UInt32(first + level))
      if level == 0 {
        bytes.replaceSubrange(start..<start + 1_024, with: page)
      } else {
        bytes += page
      }
    }
    bytes += leaf
    bytes.replaceSubrange(28..<32, with: Self.bigEndian(UInt32(bytes.count / 1_024)))
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let error = #expect(throws: StoreError.self) { try Recordings.readEverything(path) }
    #expect(error?.code == .damaged)
    #expect(error?.message.contains("more work") == true, "\(String(describing: error))")
    #expect(try RecordingExamination.examine(path).contains { $0.severity == .damage })
  }

  @Test func `names and texts of any length are read, or refused with a sentence`() throws {
    try Recordings.run(
      """
      UPDATE key SET name = replace(hex(zeroblob(4000000)), '0', 'k');
      UPDATE item SET id = replace(hex(zeroblob(1000000)), '0', 'i');
      UPDATE event SET fields = replace(hex(zeroblob(1000000)), '0', '[');
      """, on: path)
    #expect(try Recordings.readEverything(path) > 20)
    #expect(try RecordingReader(path: path).keys(in: 1)[0].name.utf8.count == 8_000_000)
    try Recordings.run(
      "UPDATE session SET name = replace(hex(zeroblob(70000000)), '0', 'n')", on: path)
    let error = #expect(throws: StoreError.self) { try Recordings.readEverything(path) }
    #expect(error?.message.contains("134217728 bytes") == true, "\(String(describing: error))")
  }

  @Test func `a recording that is moved away while it is open is read to its end`() throws {
    let rows = 300_000
    try Recordings.run(
      """
      DELETE FROM plain_sample;
      WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n LIMIT \(rows))
      INSERT INTO plain_sample (session, t_ns, slot, value) SELECT 1, i, 0, 0.5 FROM n;
      """, on: path)
    let reader = try RecordingReader(path: path)
    try FileManager.default.moveItem(atPath: path, toPath: path + ".moved")
    #expect(try reader.samples(in: 1).rest().count == rows)
  }

  @Test func `a query of the caller's may take longer than ours may`() throws {
    let count = try rows(
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 3000000) "
        + "SELECT count(*) FROM n AS a WHERE i >= 0")
    #expect(count == [[.integer(3_000_000)]])
  }

  @Test func `a rollback journal that was left behind is explained, and undone by a writer`() throws
  {
    // What a commit without a log leaves when it is killed: the page's old content in a journal.
    let whole = try Data(contentsOf: URL(fileURLWithPath: path))
    let name = path
    try Recordings.run(
      """
      PRAGMA cache_size = 2; PRAGMA cache_spill = 1; BEGIN;
      UPDATE event SET fields = hex(randomblob(200000)); UPDATE touch SET x = 9.0;
      """, on: path
    ) {
      for (file, copy) in [("", ".kept"), ("-journal", ".kept-journal")] {
        try FileManager.default.copyItem(atPath: name + file, toPath: name + copy)
      }
    }
    let kept = path + ".kept"
    for ending in ["", "-journal"] {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: kept + ending))
      #expect(!bytes.isEmpty)
    }
    let before = try Data(contentsOf: URL(fileURLWithPath: kept))
    #expect(before != whole)
    let journal = try Data(contentsOf: URL(fileURLWithPath: kept + "-journal"))
    let reader = try RecordingReader(path: kept)
    #expect(reader.isRolledBack)
    #expect(try !RecordingReader(path: path).isRolledBack)
    #expect(try Recordings.readEverything(kept) == Recordings.readEverything(path))
    #expect(reader.fileSizes.databaseBytes == Int64(before.count))
    #expect(
      try RecordingExamination.examine(kept).map(\.what) == ["unfinishedChange"])
    #expect(try Data(contentsOf: URL(fileURLWithPath: kept)) == before)
    #expect(try Data(contentsOf: URL(fileURLWithPath: kept + "-journal")) == journal)
    // The change may have been one of the mode: the header tells of a log, and there is none.
    var inLogMode = before
    inLogMode[18] = 2
    inLogMode[19] = 2
    try inLogMode.write(to: URL(fileURLWithPath: kept))
    #expect(try RecordingReader(path: kept).isRolledBack)
    #expect(try Recordings.readEverything(kept) == Recordings.readEverything(path))
    try RecordingEditor(path: kept).settleIntoOneFile()
    #expect(try Recordings.readEverything(kept) == Recordings.readEverything(path))
    #expect(try RecordingReader(path: kept).touches(in: 1).rest()[0].position.x == 1)
  }

  private func rows(_ query: String) throws -> [[SQLValue]] {
    try RecordingReader(path: path).query(query).rest()
  }

  private func rootPage(of table: String) throws -> Int {
    let found = try rows("SELECT rootpage FROM sqlite_schema WHERE name = '\(table)'")
    return Int(try #require(found[0][0].integer))
  }

  private static func bigEndian(_ number: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
  }

  /// An interior page of a table (SQLite file format, section 1.6): 120 cells of a child and a key.
  private static func interior(leadingTo child: UInt32) -> [UInt8] {
    var page = [UInt8](repeating: 0, count: 1_024)
    page[0] = 5
    page.replaceSubrange(3..<5, with: [0, 120])
    var end = 1_024
    for cell in 0..<120 {
      end -= 5
      page.replaceSubrange(end..<end + 5, with: bigEndian(child) + [1])
      let place = 12 + 2 * cell
      page[place] = UInt8(end >> 8)
      page[place + 1] = UInt8(end & 0xff)
    }
    page.replaceSubrange(5..<7, with: [UInt8(end >> 8), UInt8(end & 0xff)])
    page.replaceSubrange(8..<12, with: bigEndian(child))
    return page
  }
}
