import KymographCSQLite

extension Recordings {
  /// The first number of a query's first row, asked without any of the project's care.
  ///
  /// - Parameter other: Another database, named `whole` in the query.
  static func number(
    _ sql: String, on path: String, attaching other: String? = nil
  ) throws -> Int64 {
    var database: OpaquePointer?
    var statement: OpaquePointer?
    defer {
      sqlite3_finalize(statement)
      sqlite3_close_v2(database)
    }
    guard sqlite3_open(path, &database) == SQLITE_OK,
      other.map({ sqlite3_exec(database, "ATTACH '\($0)' AS whole", nil, nil, nil) == SQLITE_OK })
        ?? true,
      sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK,
      sqlite3_step(statement) == SQLITE_ROW
    else {
      throw RawError(message: String(cString: sqlite3_errmsg(database)))
    }
    return sqlite3_column_int64(statement, 0)
  }
}
