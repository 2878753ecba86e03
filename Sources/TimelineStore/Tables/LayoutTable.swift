import SQLiteAccess
import TimelineModel

/// The table `layout`: the named layouts of a session.
struct LayoutTable: ReadableTable, ~Copyable {
  static let name = "layout"
  static let columns = ["session", "position", "name", "type", "parameters"]
  static let ofSession = selectText + " WHERE session = ?1 ORDER BY position"
  static var texts: [String] { [insertText, ofSession] }

  static func insert(
    _ layouts: [LayoutDescription], session: Int64, into connection: borrowing Connection
  ) throws(SQLiteError) {
    let row = try connection.prepare(insertText)
    for (position, layout) in layouts.enumerated() {
      try row.run(session, position, layout.name, layout.type, layout.parameters)
    }
  }

  static func read(_ row: borrowing Statement) throws(BadValue) -> LayoutDescription {
    LayoutDescription(
      name: try row.string(2), type: try row.string(3), parameters: try row.string(4))
  }
}
