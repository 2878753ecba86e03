import SQLiteAccess

/// Settings of SQLite that hold for the whole process, so that only a program's own main part may
/// decide about them, never a library that is a guest in an app.
public enum ProcessSettings: Sendable {
  /// Leaves out the counting of memory, which speeds writing up. Call it before anything else uses
  /// SQLite.
  ///
  /// - Returns: false when SQLite was in use already; then nothing has changed.
  @discardableResult
  public static func turnOffMemoryStatistics() -> Bool {
    SQLiteAccess.turnOffMemoryStatistics()
  }
}
