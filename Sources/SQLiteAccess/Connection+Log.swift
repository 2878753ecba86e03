import KymographCSQLite

extension Connection {
  /// Counts the pages of the log from now on, and leaves it to the caller to move them into the database.
  ///
  /// - Parameter length: A number that is kept up to date at each commit. It must outlive the connection.
  package func watchLog(_ length: LogLength) {
    // SQLite's own automatic checkpoint is such a hook too, and this one takes its place.
    sqlite3_wal_hook(
      handle,
      { length, _, _, pages in
        if let length {
          Unmanaged<LogLength>.fromOpaque(length).takeUnretainedValue().pages = Int(pages)
        }
        return SQLITE_OK
      }, Unmanaged.passUnretained(length).toOpaque())
  }

  /// Moves the content of the log into the database, as far as readers let it.
  ///
  /// - Parameter truncating: Whether to wait for readers, and to leave an empty log.
  /// - Returns: whether everything was moved.
  @discardableResult
  package func checkpoint(truncating: Bool) throws(SQLiteError) -> Bool {
    var inLog: Int32 = 0
    var moved: Int32 = 0
    let code = sqlite3_wal_checkpoint_v2(
      handle, nil, truncating ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_PASSIVE, &inLog,
      &moved)
    guard code == SQLITE_OK else { throw .last(of: handle, code: code) }
    return inLog == moved
  }
}

extension Connection {
  /// Moves everything out of the log into the database, and waits for readers of older states.
  ///
  /// - Returns: whether the database has everything. The log may still be there.
  package func emptyLog() throws(SQLiteError) -> Bool {
    var (inLog, moved): (Int32, Int32) = (0, 0)
    let code = sqlite3_wal_checkpoint_v2(
      handle, nil, SQLITE_CHECKPOINT_TRUNCATE, &inLog, &moved)
    guard code != SQLITE_OK else { return true }
    let error = SQLiteError.last(of: handle, code: code)
    guard error.kind == .busy else { throw error }
    // Another connection may hold the log without keeping its pages.
    return inLog >= 0 && inLog == moved
  }
}

/// How many pages the write-ahead log has, as the last commit of a connection left it.
///
/// Not Sendable: it belongs to its connection.
package final class LogLength {
  package var pages = 0

  package init() {}
}

@available(*, unavailable, message: "it belongs to its connection")
extension LogLength: Sendable {}
