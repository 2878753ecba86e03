import TimelineSchema

/// The texts about the file itself: what its header says, and whether it holds anything.
enum FileHeader {
  static let applicationID = "PRAGMA application_id"
  static let version = "PRAGMA user_version"
  static let pageBytes = "PRAGMA page_size"
  /// The pages of a new file, in bytes. Each table and index takes one at least, so that pages of 4,096 bytes would make
  /// 160 kB of a recording of five values. A commit writes the pages that it touches, which is less with small ones, too.
  static let newPageBytes = 1_024
  /// Sets the size of pages, which a file keeps from its first page on.
  static let useNewPages = "PRAGMA page_size = \(newPageBytes)"
  /// Keeps the file locked from its first row until it is reset.
  static let look = "SELECT 1 FROM sqlite_schema"
  static let definitionCount = "SELECT count(*) FROM sqlite_schema"
  /// Type, name, table and text of every definition that ``FileSchema`` looks at.
  static let definitions =
    "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE type <> 'index'"
  /// A row for each column of a table. The seventh value is 2 or 3 for one that is computed.
  static func columns(of table: String) -> String { "PRAGMA main.table_xinfo(\(table))" }
  /// Whether giving a table another name leaves the texts of views and triggers as they are.
  static func leaveViewsAlone(_ isOn: Bool) -> String { "PRAGMA legacy_alter_table = \(isOn)" }
  static func mark(version: Int64) -> String {
    "PRAGMA application_id = \(Schema.applicationID); PRAGMA user_version = \(version)"
  }
}
