import SQLiteAccess

/// The table `journal`: how much of a session's crash journal is in the tables.
package struct JournalTable: ReadableTable, ~Copyable {
  /// Under this lane `journal` tells how many rows came out of a crash journal. No lane of a recorder
  /// has a number so high.
  package static let recoveredLane: Int64 = 1_024

  /// Under this one, that a part of what the session's recorder had stored is known to be lost: so many
  /// words of its crash journal held no record, or 0.
  package static let lostLane = recoveredLane + 1

  static let name = "journal"
  static let columns = ["session", "lane", "consumed"]
  static let upsert = insertText + " ON CONFLICT DO UPDATE SET consumed = excluded.consumed"
  static let ofSession = selectText + " WHERE session = ?1 ORDER BY lane"
  static let deleteText = "DELETE FROM journal WHERE session = ?1"
  /// How many rows came out of a session's crash journal. No row: none was folded in.
  static let recovered =
    "SELECT consumed FROM journal WHERE session = ?1 AND lane = \(recoveredLane)"
  /// A row where a part of a session is known to be lost.
  static let lost =
    "SELECT 1 FROM journal WHERE session = ?1 AND lane = \(lostLane)"
  static var texts: [String] { [upsert, ofSession, deleteText, recovered, lost] }

  private let row: Statement

  init(_ connection: borrowing Connection) throws(SQLiteError) {
    row = try connection.prepare(Self.upsert)
  }

  /// Writes down up to which word a lane is in the tables, in the transaction that holds its rows.
  func set(_ consumed: UInt64, lane: Int64, session: Int64) throws(SQLiteError) {
    try row.run(session, lane, Int64(bitPattern: consumed))
  }

  /// Forgets the lanes of a session.
  static func delete(
    session: Int64, in connection: borrowing Connection
  ) throws(SQLiteError) {
    try connection.run(deleteText, [session])
  }

  /// Reads a row of ``ofSession``.
  static func read(_ row: borrowing Statement) throws(BadValue) -> (lane: Int64, consumed: UInt64) {
    (try row.natural(1), UInt64(bitPattern: try row.natural(2)))
  }
}
