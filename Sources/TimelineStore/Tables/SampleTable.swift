import SQLiteAccess
public import TimelineModel
import TimelineSchema

/// A value of a key as it stands in the file.
public struct SampleRecord: Hashable, Sendable {
  // In this order it takes 32 bytes.
  /// Instant and value.
  package var sample: Sample
  /// 0, 1, … in the order given, for values of one key at one instant.
  package var ordinal: Int64
  /// The key.
  package var key: KeyHandle
  /// What the session was doing.
  public var phase: MotionPhase

  /// When the key had the value.
  public var time: Instant { sample.time }
  /// The value, in the key's unit.
  public var value: Double { sample.value }

  package init(key: KeyHandle, sample: Sample, phase: MotionPhase, ordinal: Int64) {
    self.key = key
    self.sample = sample
    self.phase = phase
    self.ordinal = ordinal
  }
}

/// The column `slot` of a value: its ordinal, key and phase in one number, by which values of one instant are in
/// order.
enum SampleSlot {
  @inline(__always)
  static func of(ordinal: Int64, key: Int32, phase: Int64) -> Int64 {
    ordinal << 32 | Int64(key) << 2 | phase
  }

  @inline(__always)
  static func ordinal(_ slot: Int64) -> Int64 { slot >> 32 }

  @inline(__always)
  static func key(_ slot: Int64) -> Int32 { Int32(truncatingIfNeeded: slot >> 2 & 0x3fff_ffff) }

  /// 0, 1, 2 as ``MotionPhase`` counts. 3 is none.
  @inline(__always)
  static func phase(_ slot: Int64) -> UInt8 { UInt8(truncatingIfNeeded: slot & 3) }
}

extension SampleRecord {
  var slot: Int64 { SampleSlot.of(ordinal: ordinal, key: key.rawValue, phase: phase.stored) }
}

/// The table `plain_sample`: every value of every key, in the order of time.
struct SampleTable: ReadableTable, ~Copyable {
  static let name = "plain_sample"
  static let columns = ["session", "t_ns", "slot", "value"]
  /// What a virtual table of the same columns is declared by.
  static let declaration =
    "CREATE TABLE x (session INTEGER, t_ns INTEGER, slot INTEGER, value)"
  static let nextOrdinal = """
    SELECT coalesce(max(slot) >> 32, -1) + 1 FROM plain_sample
    WHERE session = ?1 AND t_ns = ?2 AND slot >> 2 & 1073741823 = ?3
    """
  static let inRange =
    selectText + " WHERE session = ?1 AND t_ns BETWEEN ?2 AND ?3 ORDER BY t_ns, slot"
  static let ofKeyInRange =
    selectText
    + " WHERE session = ?1 AND t_ns BETWEEN ?2 AND ?3 AND slot >> 2 & 1073741823 = ?4"
    + " ORDER BY t_ns, slot"
  static let ofKeyBackwards =
    selectText + " WHERE session = ?1 AND t_ns <= ?2 AND slot >> 2 & 1073741823 = ?3"
    + " ORDER BY t_ns DESC, slot DESC LIMIT ?4"
  static let backwards =
    selectText + " WHERE session = ?1 AND t_ns BETWEEN ?2 AND ?3 ORDER BY t_ns DESC, slot DESC"
  /// The samples behind one, up to an instant.
  static let behind =
    selectText
    + " WHERE session = ?1 AND (t_ns, slot) > (?2, ?3) AND t_ns <= ?4 ORDER BY t_ns, slot"
  static let ofKeyBehind = behind.substituting(
    " ORDER", with: " AND slot >> 2 & 1073741823 = ?5 ORDER")
  /// The first page of the rows, if they lie in the file with these columns in this order.
  static let firstPage = """
    SELECT rootpage FROM main.sqlite_schema WHERE type = 'table' AND name = 'plain_sample'
      AND (SELECT group_concat(name || desc) FROM pragma_index_xinfo('sqlite_autoindex_plain_sample_1', 'main'))
        = 'session0,t_ns0,slot0,value0'
    """
  /// The number of plain samples of a session, counted up to a limit.
  static let countUpTo =
    "SELECT count(*) FROM (SELECT 1 FROM plain_sample WHERE session = ?1 LIMIT ?2)"
  /// A row of no session, where samples are sealed: the table is then never empty, which SQLite from 3.51 on would
  /// look at before it asks the view's guard.
  static let addRowOfNoSession =
    "INSERT OR IGNORE INTO plain_sample SELECT 0, 0, 0, 0 FROM sample_segment LIMIT 1"
  /// Takes it out where nothing is sealed any more.
  static let removeRowOfNoSession = """
    DELETE FROM plain_sample WHERE session = 0 AND NOT EXISTS (SELECT 1 FROM sample_segment)
    """
  static let removeOne = "DELETE FROM plain_sample WHERE session = ?1 AND t_ns = ?2 AND slot = ?3"
  static let insertMissing = insertText.substituting("INSERT", with: "INSERT OR IGNORE")
  static var texts: [String] {
    [
      insertText, nextOrdinal, inRange, ofKeyInRange, ofKeyBackwards, backwards, behind,
      ofKeyBehind,
      firstPage, countUpTo, removeOne, insertMissing, addRowOfNoSession, removeRowOfNoSession,
    ]
  }

  private let row: Statement
  private let ordinal: Statement

  init(_ connection: borrowing Connection) throws(SQLiteError) {
    let row = try connection.prepare(Self.insertText)
    let ordinal = try connection.prepare(Self.nextOrdinal)
    self.row = row
    self.ordinal = ordinal
  }

  func insert(_ record: SampleRecord, session: Int64) throws(SQLiteError) {
    setSession(session)
    try insert(at: record.sample.time.nanoseconds, slot: record.slot, record.sample.value)
  }

  /// Writes a value as it stands in the table. The session counts from the first call.
  @inline(__always)
  func insert(at nanoseconds: Int64, slot: Int64, _ value: Double) throws(SQLiteError) {
    row.bind(nanoseconds, at: 2)
    row.bind(slot, at: 3)
    row.bindCompact(value, at: 4)
    try row.run()
  }

  /// Says whose values the next ones are.
  func setSession(_ session: Int64) { row.bind(session, at: 1) }

  /// The ordinal of the next value of a key at an instant.
  func nextOrdinal(
    of key: KeyHandle, at time: Instant, session: Int64
  ) throws(SQLiteError) -> Int64 {
    try ordinal.bind(session, time, key)
    defer { ordinal.reset() }
    return try ordinal.step() ? ordinal.int64(at: 0) : 0
  }

  static func read(_ row: borrowing Statement) throws(BadValue) -> SampleRecord {
    let slot = try row.natural(2)
    guard let phase = MotionPhase(stored: Int64(SampleSlot.phase(slot))) else {
      throw BadValue(column: "slot", found: "the unknown phase 3")
    }
    return SampleRecord(
      key: KeyHandle(rawValue: SampleSlot.key(slot)),
      sample: Sample(time: try row.instant(1), value: try row.compactReal(3)), phase: phase,
      ordinal: SampleSlot.ordinal(slot))
  }
}
