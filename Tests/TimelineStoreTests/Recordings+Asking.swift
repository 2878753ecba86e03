import KymographCSQLite
import TimelineStore

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

/// A row of a file's schema.
struct Definition {
  let type: String
  let name: String
  let sql: String?

  /// Its text without what means nothing to SQLite: comments, and how many spaces there are.
  var meaning: String? {
    sql?.replacing(/--.*/, with: "").replacing(/\s+/, with: " ")
  }
}

extension Recordings {
  /// The definitions of a file, tables first.
  static func definitions(of path: String) throws -> [Definition] {
    func text(_ value: SQLValue) -> String? {
      if case .text(let text) = value { text } else { nil }
    }
    return try RecordingReader(path: path).query(
      "SELECT type, name, sql FROM sqlite_schema ORDER BY type <> 'table', type, name"
    ).rest().map { row in
      Definition(type: text(row[0]) ?? "", name: text(row[1]) ?? "", sql: text(row[2]))
    }
  }
}
