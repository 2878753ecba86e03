import SQLiteAccess
import TimelineSchema

/// What this program knows of recording files.
package enum RecordingFormat: Sendable {
  /// The newest schema version that can be read and written.
  package static var schemaVersion: Int { Int(Schema.version) }

  /// The version of the SQLite library in use, as "3.40.1".
  package static var sqliteVersion: String { libraryVersion }

  /// How long a statement waits while another program holds a lock, in milliseconds. Five seconds,
  /// the value that Python's sqlite3 module takes too: a person's query, or a recorder's checkpoint and
  /// its last commit, is over by then.
  package static let busyTimeoutMilliseconds: Int32 = 5_000
}

/// Settings of SQLite and memory that hold for the whole process, so that only a program's own main part may
/// decide about them, never a library that is a guest in an app.
package enum ProcessSettings: Sendable {
  /// Leaves out the counting of memory, which speeds writing up, and the pages that each cache takes before it needs
  /// them, which speeds a short run up. All threads then share one heap, which saves the memory that other heaps would
  /// keep. Call it before anything else uses SQLite.
  ///
  /// - Returns: false when SQLite was in use already. Then nothing of it has changed.
  @discardableResult
  package static func saveMemoryWork() -> Bool {
    SQLiteAccess.saveMemoryWork()
  }
}
