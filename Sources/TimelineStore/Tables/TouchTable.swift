import SQLiteAccess
import TimelineModel

/// The table `touch`: reports of contacts, in the order recorded.
struct TouchTable: RecordingTable, ~Copyable {
  static let name = "touch"
  static let columns = [
    "session", "sequence", "t_ns", "contact", "slot", "tracking_id", "phase", "x", "y",
    "resampled",
  ]
  static let ofSession = selectText + " WHERE session = ?1 ORDER BY sequence"
  /// Landings and lifts.
  static let ends = selectText + " WHERE session = ?1 AND phase <> 'moved' ORDER BY sequence"
  static var texts: [String] { [insertText, ofSession, ends] }

  private let row: Statement

  init(_ connection: borrowing Connection) throws(SQLiteError) {
    row = try connection.prepare(Self.insertText)
  }

  func insert(_ touch: TouchSample, sequence: Int64, session: Int64) throws(SQLiteError) {
    row.bind(session, at: 1)
    row.bind(sequence, at: 2)
    row.bind(touch.time.nanoseconds, at: 3)
    row.bind(Int64(touch.contact), at: 4)
    row.bind(touch.slot.map(Int64.init), at: 5)
    row.bind(touch.trackingID.map(Int64.init), at: 6)
    try row.bind(touch.phase.rawValue, at: 7)
    row.bind(touch.position.x, at: 8)
    row.bind(touch.position.y, at: 9)
    row.bind(Int64(touch.isResampled ? 1 : 0), at: 10)
    try row.run()
  }

  static func read(_ row: borrowing Statement) throws(BadValue) -> TouchSample {
    TouchSample(
      time: try row.instant(2), contact: try row.int(3), slot: try row.optionalInt(4),
      trackingID: try row.optionalInt(5), phase: try row.name(6, as: TouchPhase.self),
      position: Point(x: try row.real(7), y: try row.real(8)), isResampled: try row.flag(9))
  }
}
