import SQLiteAccess
import TimelineModel

/// The table `origin`: what a session was run again from.
struct OriginTable: ReadableTable, ~Copyable {
  static let name = "origin"
  static let columns = ["session", "uuid", "file", "engine_version", "changes"]
  static let ofSession = selectText + " WHERE session = ?1"
  static var texts: [String] { [insertText, ofSession] }

  static func insert(
    _ origin: SessionOrigin, session: Int64, into connection: borrowing Connection
  ) throws(SQLiteError) {
    try connection.prepare(insertText).run(
      session, origin.uuid, origin.file, origin.engineVersion, origin.changesJSON)
  }

  static func read(_ row: borrowing Statement) throws(BadValue) -> SessionOrigin {
    guard let changes = SessionOrigin.changes(json: try row.string(4)) else {
      throw BadValue(column: "changes", found: "no JSON array of texts")
    }
    return SessionOrigin(
      uuid: try row.string(1), file: try row.optionalString(2),
      engineVersion: try row.optionalString(3), changes: changes)
  }
}
