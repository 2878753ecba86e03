package import SQLiteAccess
package import TimelineModel

/// What was taken out of a recording on purpose.
package struct RemovalRecord: Hashable, Sendable {
  /// Why it was taken out.
  package enum Reason: String, Hashable, Sendable, CaseIterable {
    /// The recording had reached the size or age that was asked for.
    case limit
    /// Somebody deleted the session.
    case delete
    /// Somebody cut a part of the session away.
    case trim
  }

  /// Why.
  package var reason: Reason
  /// Whether all of the session went.
  package var isWhole: Bool
  /// The session's number. It is never given again.
  package var session: Int64
  /// The session's identity.
  package var uuid: String
  /// The session's name.
  package var name: String?
  /// The session's start, in nanoseconds since 1970-01-01T00:00:00Z.
  package var wallClockStartNanoseconds: Int64?
  /// The earliest instant that was taken out.
  package var first: Instant
  /// The latest instant that was taken out.
  package var last: Instant
  /// How many samples, frames, attributes, touches and events were taken out.
  package var rowCount: Int64
}

extension RemovalRecord: ResultRow {
  package static var fields: [ResultField<RemovalRecord>] {
    [
      ResultField("session", "The session's number.", \.session),
      ResultField("name", "The session's name.", \.name),
      ResultField("uuid", "The session's identity.", \.uuid),
      ResultField("reason", "Why it was removed: limit, delete or trim.", \.reason.rawValue),
      ResultField("whole", "Whether the whole session was removed.", \.isWhole),
      ResultField("rows", "The number of removed rows.", \.rowCount),
    ]
  }
}

/// The table `removal`.
package struct RemovalTable: ReadableTable {
  static let name = "removal"
  static let columns = [
    "sequence", "reason", "is_whole", "session", "uuid", "name", "wall_clock_ns", "first_ns",
    "last_ns",
    "row_count",
  ]
  static let all = selectText + " ORDER BY sequence"
  static var texts: [String] { [insertText, all] }

  static func insert(
    _ removal: RemovalRecord, into connection: borrowing Connection
  ) throws(SQLiteError) {
    try connection.prepare(insertText).run(
      nil as Int64?, removal.reason.rawValue, removal.isWhole, removal.session, removal.uuid,
      removal.name, removal.wallClockStartNanoseconds, removal.first, removal.last, removal.rowCount
    )
  }

  /// Adds to what was taken out of the session for the same reason, where there is a row.
  static func add(
    _ removal: RemovalRecord, into connection: borrowing Connection
  ) throws(SQLiteError) {
    try connection.prepare(MaintenanceTexts.addToRemoval).run(
      removal.session, removal.isWhole, removal.first, removal.last, removal.rowCount,
      removal.reason.rawValue)
    if connection.changeCount == 0 { try insert(removal, into: connection) }
  }

  /// Reads a row of ``all``.
  /// What was taken out of a part of a session. Rows that cannot be read are passed over.
  package static func parts(
    of session: Int64, in connection: borrowing Connection
  ) throws(SQLiteError) -> [RemovalRecord] {
    var removals: [RemovalRecord] = []
    let rows = try connection.prepare(all)
    while try rows.step() {
      guard let removal = try? read(rows), removal.session == session, !removal.isWhole else {
        continue
      }
      removals.append(removal)
    }
    return removals
  }

  static func read(_ row: borrowing Statement) throws(BadValue) -> RemovalRecord {
    RemovalRecord(
      reason: try row.name(1, as: RemovalRecord.Reason.self), isWhole: try row.flag(2),
      session: try row.integer(3), uuid: try row.string(4), name: try row.optionalString(5),
      wallClockStartNanoseconds: try row.optionalInteger(6), first: try row.instant(7),
      last: try row.instant(8), rowCount: try row.rowNumber(9))
  }
}
