import KymographCSQLite

extension Connection {
  /// The most that a text, a blob or a row may take, in bytes: twice the longest line that `kymo record`
  /// takes from an app. SQLite's own limit is a billion, eight times as much.
  package static let longestValueBytes: Int32 = 1 << 27

  /// Bounds on what a file's schema, its rows and a query may ask of SQLite. Each is far beyond what a
  /// recording or a person's query needs, and so low that nothing can take memory or time without end.
  private static let limits: [(limit: Int32, value: Int32)] = [
    (SQLITE_LIMIT_LENGTH, longestValueBytes),
    // SQLite's documented default. Some systems build it with a thousand times as much.
    (SQLITE_LIMIT_SQL_LENGTH, 1_000_000),
    // A fifth of SQLite's own. A condition of two hundred parts joined by OR still passes.
    (SQLITE_LIMIT_EXPR_DEPTH, 200),
    // A tenth of SQLite's own. The longest of ours has eight.
    (SQLITE_LIMIT_COMPOUND_SELECT, 50),
    // The longest program of ours has some hundreds. An integrity check has about fifty a table.
    (SQLITE_LIMIT_VDBE_OP, 1_000_000),
    // json_object with every column of the widest view takes 64.
    (SQLITE_LIMIT_FUNCTION_ARG, 100),
    // A pattern of many wildcards takes exponential time. SQLite's own limit is 50,000 bytes.
    (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1_000),
    // Three times the values of our widest row.
    (SQLITE_LIMIT_VARIABLE_NUMBER, 100),
    // No trigger of ours exists, and those of a file never run.
    (SQLITE_LIMIT_TRIGGER_DEPTH, 10),
    (SQLITE_LIMIT_WORKER_THREADS, 0),
  ]

  /// Sets the limits of a connection that was just opened.
  static func limit(_ database: OpaquePointer, for purpose: Purpose) {
    for (limit, value) in limits { sqlite3_limit(database, limit, value) }
    // VACUUM attaches the file that it writes.
    sqlite3_limit(database, SQLITE_LIMIT_ATTACHED, purpose == .writing ? 1 : 0)
  }

  /// Stops statements that take more steps than a limit allows.
  ///
  /// - Parameter limit: It must outlive the connection.
  package func obey(_ limit: WorkLimit) {
    sqlite3_progress_handler(
      handle, WorkLimit.stride,
      { limit in
        guard let limit else { return 0 }
        return Unmanaged<WorkLimit>.fromOpaque(limit).takeUnretainedValue().goesOn() ? 0 : 1
      }, Unmanaged.passUnretained(limit).toOpaque())
  }

  /// Lets statements take as many steps as they like again.
  package func obeyNoLimit() { sqlite3_progress_handler(handle, 0, nil, nil) }
}
