import KymographCSQLite

extension Connection {
  /// Allows nothing but reading from now on: no write, no other file, no setting, no extension.
  ///
  /// The connection is already open for reading only. This also stops what a read-only connection
  /// may still do to other files (ATTACH, VACUUM INTO) or to itself (PRAGMA).
  package func allowReadingOnly() throws(SQLiteError) {
    try execute("PRAGMA query_only = ON")
    let code = sqlite3_set_authorizer(
      handle,
      { _, action, first, second, _, _ in
        isReading(action: action, first: first, second: second) ? SQLITE_OK : SQLITE_DENY
      }, nil)
    guard code == SQLITE_OK else { throw .last(of: handle, code: code) }
  }

  /// Takes ``allowReadingOnly()`` back. A connection that was opened for reading still writes no file.
  package func allowEverything() throws(SQLiteError) {
    sqlite3_set_authorizer(handle, nil, nil)
    try execute("PRAGMA query_only = OFF")
  }
}

/// Settings that only tell something. Those after the first line also set something when they are
/// given a value, and are allowed without one.
private let harmlessPragmas: Set<String> = [
  "table_info", "table_xinfo", "table_list", "index_list", "index_info", "index_xinfo",
  "foreign_key_list", "integrity_check", "quick_check",
]
private let valuelessPragmas: Set<String> = [
  "application_id", "user_version", "schema_version", "page_count", "page_size", "encoding",
  "freelist_count", "journal_mode", "database_list", "collation_list", "compile_options",
  "function_list", "module_list", "pragma_list",
]

private func isReading(
  action: Int32, first: UnsafePointer<CChar>?, second: UnsafePointer<CChar>?
) -> Bool {
  switch action {
  case SQLITE_SELECT, SQLITE_READ, SQLITE_RECURSIVE:
    return true
  case SQLITE_UPDATE:
    // Asked for whenever a table-valued function (json_each, pragma_table_info) declares its columns.
    // A real change of the schema is refused as a statement that does not only read.
    return first.map { String(cString: $0) } == "sqlite_master"
  case SQLITE_FUNCTION:
    let name = second.map { String(cString: $0).lowercased() } ?? ""
    return name != "load_extension" && name != "fts3_tokenizer"
  case SQLITE_PRAGMA:
    let name = first.map { String(cString: $0).lowercased() } ?? ""
    return harmlessPragmas.contains(name) || (second == nil && valuelessPragmas.contains(name))
  default:
    return false
  }
}
