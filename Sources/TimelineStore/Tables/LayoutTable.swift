import SQLiteAccess
import TimelineModel

/// The table `layout`: the named layouts of a session.
struct LayoutTable: RecordingTable, ~Copyable {
  static let name = "layout"
  static let columns = ["session", "position", "name", "type", "parameters"]
  static let ofSession = selectText + " WHERE session = ?1 ORDER BY position"
  static var texts: [String] { [insertText, ofSession] }

  static func insert(
    _ layouts: [LayoutDescription], session: Int64, into connection: borrowing Connection
  ) throws(SQLiteError) {
    let row = try connection.prepare(insertText)
    for (position, layout) in layouts.enumerated() {
      row.bind(session, at: 1)
      row.bind(Int64(position), at: 2)
      try row.bind(layout.name, at: 3)
      try row.bind(layout.type, at: 4)
      try row.bind(layout.parameters, at: 5)
      try row.run()
    }
  }

  static func read(_ row: borrowing Statement) throws(BadValue) -> LayoutDescription {
    LayoutDescription(
      name: try row.string(2), type: try row.string(3), parameters: try row.string(4))
  }
}
