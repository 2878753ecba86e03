import SQLiteAccess
import TimelineSchema

/// What this program knows of recording files.
public enum RecordingFormat: Sendable {
  /// The newest schema version that can be read and written.
  public static var schemaVersion: Int { Int(Schema.version) }

  /// The version of the SQLite library in use, as "3.40.1".
  public static var sqliteVersion: String { libraryVersion }
}
