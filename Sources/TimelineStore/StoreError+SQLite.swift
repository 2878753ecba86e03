package import SQLiteAccess

extension StoreError {
  /// What an error of SQLite means for the file at `path`.
  ///
  /// - Parameters:
  ///   - error: SQLite's error.
  ///   - path: The file, as the caller named it.
  ///   - isQuery: Whether the text came from the caller rather than from us.
  package init(_ error: SQLiteError, path: String, isQuery: Bool = false) {
    let detail = "SQLite: \(error.message)"
    switch error.kind {
    case .busy:
      self.init(
        .busy, path: path,
        "\(path) is in use by another program (\(detail)). Try again when it is done.")
    case .full:
      self.init(
        .full, path: path,
        "The disk is full, so \(path) cannot grow. Make room. All committed rows are safe.")
    case .readOnly:
      self.init(
        .readOnly, path: path,
        "\(path) or its folder cannot be written (\(detail)). Check the permissions.")
    case .notADatabase: self = .notADatabase(path)
    case .corrupt: self = .damaged(path, detail)
    case .cannotOpen:
      self.init(
        .cannotOpen, path: path,
        "\(path) cannot be opened (\(detail)). Check the path and the permissions.")
    case .inputOutput:
      self.init(
        .inputOutput, path: path,
        "\(path) could not be read or written (\(detail)). Check the disk that it is on.")
    case .notAllowed where isQuery:
      self.init(
        .query, path: path,
        "The query must only read: recordings are opened read-only (\(detail)).")
    case .other where isQuery, .constraint where isQuery, .tooLarge where isQuery,
      .beyondLimits where isQuery:
      self.init(.query, path: path, "The query cannot be run on \(path). \(detail).")
    case .other, .constraint: self = .damaged(path, detail)
    case .interrupted:
      self = .damaged(path, "reading it takes more work than a file of its size can need")
    case .beyondLimits:
      self = .damaged(
        path,
        "a value of more than \(Connection.longestValueBytes) bytes is in it or was passed to it"
      )
    case .needsRollback: self = .unfinishedChange(path)
    case .tooLarge, .notAllowed:
      self.init(
        .other, path: path, "\(path) could not be used (\(detail)). Free memory and try again.")
    }
  }
}

/// Runs a piece of work and gives SQLite's errors the file's name and advice.
package func naming<Value: ~Copyable>(
  _ path: String, _ work: () throws(SQLiteError) -> Value
) throws(StoreError) -> Value {
  do {
    return try work()
  } catch {
    throw StoreError(error, path: path)
  }
}

/// The same for a single call.
@discardableResult
package func naming<Value: ~Copyable>(
  _ path: String, _ call: @autoclosure () throws(SQLiteError) -> Value
) throws(StoreError) -> Value {
  try naming(path, call)
}

/// Runs a piece of work on a connection and gives SQLite's errors the name and advice of its file.
package func naming<Value: ~Copyable>(
  _ connection: borrowing Connection, _ work: () throws(SQLiteError) -> Value
) throws(StoreError) -> Value {
  try naming(connection.path, work)
}

/// The same for a single call.
@discardableResult
package func naming<Value: ~Copyable>(
  _ connection: borrowing Connection, _ call: @autoclosure () throws(SQLiteError) -> Value
) throws(StoreError) -> Value {
  try naming(connection.path, call)
}
