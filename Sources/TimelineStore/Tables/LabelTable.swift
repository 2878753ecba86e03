import SQLiteAccess
import TimelineModel
import TimelineSchema

/// The table `label`: what a person says that a gesture meant.
enum LabelTable: ReadableTable {
  static let name = "label"
  static let columns = ["session", "transition", "label", "note", "at_ns"]
  static let ofSession = selectText + " WHERE session = ?1 ORDER BY transition"
  /// Writes what was said of a transition, in place of what was said before.
  static let replacement = insertText.substituting("INSERT INTO", with: "INSERT OR REPLACE INTO")
  static let removal = "DELETE FROM label WHERE session = ?1 AND transition = ?2"
  /// Takes out what was said of transitions of which the session ?1 has neither a row nor a decision any more.
  static let removeLoose = """
    DELETE FROM label WHERE session = ?1 AND transition NOT IN (
      SELECT number FROM transition WHERE session = ?1
      UNION ALL SELECT transition FROM decision WHERE session = ?1)
    """
  static var texts: [String] { [insertText, ofSession, replacement, removal, removeLoose] }

  static func write(
    _ label: ReleaseLabel, session: Int64, into connection: borrowing Connection
  ) throws(SQLiteError) {
    try connection.prepare(replacement).run(
      session, label.transition, label.meaning.rawValue, label.note, label.wallClockNanoseconds)
  }

  static func read(_ row: borrowing Statement) throws(BadValue) -> ReleaseLabel {
    ReleaseLabel(
      transition: try row.int(1), meaning: try row.name(2, as: GestureMeaning.self),
      note: try row.optionalString(3), wallClockNanoseconds: try row.integer(4))
  }
}
