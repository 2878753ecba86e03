import SQLiteAccess
import TimelineModel

/// The table `touch`: reports of contacts, in the order recorded.
struct TouchTable: ReadableTable, ~Copyable {
  static let name = "touch"
  static let columns = [
    "session", "sequence", "t_ns", "contact", "slot", "tracking_id", "phase", "x", "y",
    "resampled", "heard_ns", "touch_heard_ns",
  ]
  /// What later versions added, in the order of the columns.
  static let added = [
    AddedColumn("resampled", absent: "0"), AddedColumn("heard_ns", since: 6),
    AddedColumn("touch_heard_ns", since: 6),
  ]
  static let ofSession = selectText + " WHERE session = ?1 ORDER BY sequence"
  /// Landings and lifts.
  static let ends = selectText + " WHERE session = ?1 AND phase <> 'moved' ORDER BY sequence"
  /// The earliest and the latest instant.
  static let extent = "SELECT min(t_ns), max(t_ns) FROM touch WHERE session = ?1"
  static var texts: [String] { [insertText, ofSession, ends, extent] }

  private let row: Statement

  init(_ connection: borrowing Connection) throws(SQLiteError) {
    row = try connection.prepare(Self.insertText)
  }

  func insert(_ touch: TouchSample, sequence: Int64, session: Int64) throws(SQLiteError) {
    try row.run(
      session, sequence, touch.time, touch.contact, touch.slot, touch.trackingID,
      touch.phase.rawValue, touch.position.x, touch.position.y, touch.isResampled,
      touch.heard, touch.touchHeard)
  }

  static func read(_ row: borrowing Statement) throws(BadValue) -> TouchSample {
    TouchSample(
      time: try row.instant(2), contact: try row.int(3), slot: try row.optionalInt(4),
      trackingID: try row.optionalInt(5), phase: try phase(row),
      position: Point2D(x: try row.real(7), y: try row.real(8)), isResampled: try row.flag(9),
      heard: try row.optionalInstant(10), touchHeard: try row.optionalInstant(11))
  }

  /// The column `phase`, which is nearly always the same.
  private static func phase(_ row: borrowing Statement) throws(BadValue) -> TouchPhase {
    row.text(at: 6, is: "moved") ? .moved : try row.name(6, as: TouchPhase.self)
  }
}
