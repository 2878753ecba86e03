import TimelineSchema

/// The texts about the file itself: what its header says, and whether it holds anything.
enum FileHeader {
  static let applicationID = "PRAGMA application_id"
  static let version = "PRAGMA user_version"
  static let pageBytes = "PRAGMA page_size"
  static let definitionCount = "SELECT count(*) FROM sqlite_schema"
  static func mark(version: Int64) -> String {
    "PRAGMA application_id = \(Schema.applicationID); PRAGMA user_version = \(version)"
  }
}
