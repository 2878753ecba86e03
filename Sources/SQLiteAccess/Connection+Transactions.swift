import KymographCSQLite

// The orders of a connection about transactions and its log. None of it knows a table.

extension Connection {
  /// Begins a transaction that may write, waiting for another writer's end.
  package func begin() throws(SQLiteError) { try execute("BEGIN IMMEDIATE") }

  /// Begins a transaction that sees one state of the file until its end.
  package func beginReading() throws(SQLiteError) { try execute("BEGIN") }

  /// Keeps TEMP tables in memory, so that no file of theirs appears anywhere.
  package func keepTemporaryTablesInMemory() throws(SQLiteError) {
    try execute("PRAGMA temp_store = MEMORY")
  }

  package func commit() throws(SQLiteError) { try execute("COMMIT") }

  /// Takes the transaction back, if one is open.
  package func rollBack() {
    if sqlite3_get_autocommit(handle) == 0 { try? execute("ROLLBACK") }
  }

  /// Whether a commit waits until the disk has it, where there is no log the end of the rollback journal's
  /// name included. Without that a power cut may take the newest commits back, and never does more harm.
  package func setCommitsDurable(_ durable: Bool) throws(SQLiteError) {
    try execute("PRAGMA synchronous = \(durable ? "EXTRA" : "NORMAL")")
  }

  /// Switches to a write-ahead log, which lets others read while this connection writes.
  ///
  /// - Parameter sizeLimitBytes: The size to which the log is cut back after a checkpoint.
  /// - Returns: false where the file system cannot do it.
  package func useLog(sizeLimitBytes: Int) throws(SQLiteError) -> Bool {
    let mode = try setting("PRAGMA journal_mode = WAL")
    try execute("PRAGMA journal_size_limit = \(sizeLimitBytes)")
    return mode == "wal"
  }

  /// Deletes an empty log.
  ///
  /// - Returns: false when another connection keeps it alive.
  package func leaveLog() throws(SQLiteError) -> Bool {
    do {
      return try setting("PRAGMA journal_mode = DELETE") == "delete"
    } catch {
      if error.kind == .busy { return false }
      throw error
    }
  }

  /// Writes the file again without the room that nothing uses, and waits until the disk has it. SQLite cuts the file
  /// off after its commit and does not wait for that.
  package func vacuum() throws(SQLiteError) {
    try execute("VACUUM")
    let code = kymo_sqlite_sync_file(handle)
    guard code == SQLITE_OK else { throw .last(of: handle, code: code) }
  }

  /// Sets something that the file's header keeps, and gives what it is now.
  ///
  /// The row comes before the header is written, so the statement is run to its end: only then is it
  /// known whether the disk had room for it.
  private func setting(_ pragma: String) throws(SQLiteError) -> String? {
    let statement = try prepare(pragma)
    guard try statement.step() else { return nil }
    let value = statement.text(at: 0)
    while try statement.step() {}
    return value
  }

  /// Whether what is deleted is overwritten with zeros in the file.
  package func overwriteDeletedRows(_ isOverwritten: Bool) throws(SQLiteError) {
    try execute("PRAGMA secure_delete = \(isOverwritten ? "ON" : "OFF")")
  }

  /// Keeps what a transaction could take back in memory, for a new file that is thrown away on failure.
  package func keepJournalInMemory() throws(SQLiteError) {
    _ = try setting("PRAGMA journal_mode = MEMORY")
    try execute("PRAGMA synchronous = OFF")
  }

  /// Holds the schema's CHECKs in statements that are prepared from now on.
  package func checkValues() throws(SQLiteError) {
    try execute("PRAGMA ignore_check_constraints = OFF")
  }

  /// Leaves out the schema's CHECKs in statements that are prepared from now on.
  package func trustOwnValues() throws(SQLiteError) {
    try execute("PRAGMA ignore_check_constraints = ON")
  }
}
