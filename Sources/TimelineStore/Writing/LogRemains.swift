import SQLiteAccess

/// The remains of a recording's log after its writer has ended.
package enum LogRemains: Sendable {
  /// None: the recording is one file.
  case nothing
  /// An empty log, which another program has open. The file alone has everything.
  case emptyLog
  /// Changes that only the log has, because another program reads an older state of the file.
  case changes

  /// How long the deletion of an empty log waits for programs that have it open, in milliseconds: long enough for one
  /// that is just closing, short enough for an app that is being closed.
  private static let deletionMilliseconds: Int32 = 250

  /// Makes one file of a recording, after the last commit: moves everything out of the log, and deletes it.
  ///
  /// Between the end of the log and the new header there is a moment in which a reader could take the file for one that
  /// nobody writes. So the deletion has a share of the folder's lock, for which such a reader looks.
  ///
  /// - Parameter milliseconds: How long it waits for programs that read an older state.
  static func left(
    by connection: borrowing Connection, waiting milliseconds: Int32
  ) throws(SQLiteError) -> LogRemains {
    connection.setBusyTimeout(milliseconds: milliseconds)
    guard try connection.emptyLog() else { return .changes }
    let limit = min(milliseconds, deletionMilliseconds)
    connection.setBusyTimeout(milliseconds: limit)
    let path = connection.filePath
    let isLeft = try WriterTurn.wait(milliseconds: limit) { () throws(SQLiteError) in
      try WriterTurn.take(at: path, isAlone: false) { () throws(SQLiteError) in
        try connection.leaveLog()
      }
    }
    if let isLeft { return isLeft ? .nothing : .emptyLog }
    return try connection.leaveLog() ? .nothing : .emptyLog
  }
}
