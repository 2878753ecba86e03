import SQLiteAccess
public import TimelineModel

/// A key as it stands in the file.
public struct KeyRecord: Hashable, Sendable {
  /// Its number in the session.
  package var handle: KeyHandle
  /// Its name. Unique together with the role.
  public var name: String
  /// What sort of key it is.
  public var role: KeyRole
  /// The unit of its values. "1" for none.
  public var unit: String

  package init(handle: KeyHandle, name: String, role: KeyRole, unit: String) {
    self.handle = handle
    self.name = name
    self.role = role
    self.unit = unit
  }
}

/// The table `key`.
struct KeyTable: ReadableTable, ~Copyable {
  static let name = "key"
  static let columns = ["session", "key", "name", "role", "unit"]
  /// The table's rows, in which the name `progress` is the progress, unless a key of that role is there.
  static func asRead(_ rows: String = name) -> String {
    """
    SELECT session, key, name, CASE WHEN name = '\(progressKeyName)' AND NOT EXISTS (SELECT 1
        FROM \(rows) AS other WHERE other.session = own.session AND other.role = 'progress')
      THEN 'progress' ELSE role END AS role, unit FROM \(rows) AS own
    """
  }
  static let ofSession = asRead() + " WHERE session = ?1 ORDER BY key"
  /// What queries see of a session's keys. See ``ReadingViews/hasReleases``.
  static let textsOfSession = "SELECT key, name, role, unit FROM key WHERE session = ?1"
  static var texts: [String] { [insertText, ofSession, textsOfSession] }

  private let row: Statement

  init(_ connection: borrowing Connection) throws(SQLiteError) {
    row = try connection.prepare(Self.insertText)
  }

  func insert(_ key: KeyRecord, session: Int64) throws(SQLiteError) {
    try row.run(session, key.handle, key.name, key.role.rawValue, key.unit)
  }

  static func read(_ row: borrowing Statement) throws(BadValue) -> KeyRecord {
    KeyRecord(
      handle: KeyHandle(rawValue: try row.handle(1)), name: try row.string(2),
      role: try row.name(3, as: KeyRole.self), unit: try row.string(4))
  }
}
