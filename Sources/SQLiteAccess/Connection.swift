import KymographCSQLite

/// One connection to one database, closed when the value goes away.
///
/// SQLite's own mutexes are left out (`NOMUTEX`), so a connection belongs to one thread at a time.
/// Its owner sees to that.
package struct Connection: ~Copyable {
  /// The file, as errors name it.
  package let path: String
  let handle: OpaquePointer

  package enum Purpose: Sendable {
    /// Reads and writes, and makes the file when there is none.
    case writing
    /// Reads only. A `-shm` file may appear beside a database in WAL mode.
    case reading
    /// Reads a file that nobody can be writing, without locks and without any file beside it.
    case readingUnchanging
  }

  /// Opens a database. SQLite looks at its content only when the first statement runs.
  ///
  /// - Parameter named: How errors name the file, where it is not by its path.
  package init(
    path: String, for purpose: Purpose, named: String? = nil
  ) throws(SQLiteError) {
    var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    var name = path
    switch purpose {
    case .writing: flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    case .reading: flags |= SQLITE_OPEN_READONLY
    case .readingUnchanging:
      flags |= SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
      name = Connection.unchangingAddress(of: path)
    }
    // A name that begins with a colon or with "file:" means something else to SQLite.
    if purpose != .readingUnchanging, !path.hasPrefix("/") { name = "./" + path }
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(name, &opened, flags, nil)
    guard code == SQLITE_OK, let opened else {
      let error = SQLiteError.last(of: opened, code: code)
      sqlite3_close_v2(opened)
      throw error
    }
    handle = opened
    self.path = named ?? path
    // A file may come from anywhere: its schema may neither call functions with side effects nor
    // be edited through SQL, its triggers never run, and a quoted name that is not a column is an error.
    for (option, on) in [
      (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
      (SQLITE_DBCONFIG_DQS_DML, 0), (SQLITE_DBCONFIG_DQS_DDL, 0),
      (SQLITE_DBCONFIG_ENABLE_TRIGGER, 0),
      (SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, purpose == .writing ? 0 : 1),
    ] as [(Int32, Int32)] {
      _ = kymo_sqlite_set_option(opened, option, on)
    }
    Connection.limit(opened, for: purpose)
    // Damage in pages is looked for harder, at a small cost, from the first page on. It fails only where
    // memory has run out, and the next statement does so too.
    sqlite3_exec(opened, "PRAGMA cell_size_check = ON", nil, nil, nil)
  }

  deinit {
    // Statements may outlive their connection. The second form of close waits for the last of them.
    sqlite3_close_v2(handle)
  }

  /// Runs a text of any number of statements and ignores their rows.
  package func execute(_ sql: String) throws(SQLiteError) {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw .last(of: handle, code: code) }
  }

  /// Compiles one statement and sets its first values.
  package func prepare(_ sql: String, _ values: [Int64] = []) throws(SQLiteError) -> Statement {
    try Statement(sql, values, on: handle)
  }

  /// Runs one statement under these values.
  ///
  /// - Returns: how many rows it changed.
  @discardableResult
  package func run(_ sql: String, _ values: [Int64]) throws(SQLiteError) -> Int64 {
    try prepare(sql, values).run()
    return changeCount
  }

  /// The first column of the first row as a number. `nil` when there is no row or no number.
  package func integer(_ sql: String, _ values: [Int64] = []) throws(SQLiteError) -> Int64? {
    let statement = try prepare(sql, values)
    guard try statement.step(), statement.type(at: 0) == .integer else { return nil }
    return statement.int64(at: 0)
  }

  /// How many rows the last INSERT, UPDATE or DELETE changed.
  package var changeCount: Int64 { sqlite3_changes64(handle) }

  /// How long a statement waits for another connection's lock, in milliseconds.
  package func setBusyTimeout(milliseconds: Int32) {
    sqlite3_busy_timeout(handle, milliseconds)
  }

  /// The database file's full path, links followed, as its log and its other companions are named by.
  package var filePath: String {
    sqlite3_db_filename(handle, "main").map { String(cString: $0) } ?? ""
  }

  /// Whether the file's header says that it is in write-ahead-log mode.
  ///
  /// Bytes 18 and 19 of the header are 2 then (SQLite's description of its file format).
  package var isInLogMode: Bool {
    let bytes = fileBytes(at: 0, count: 20) ?? []
    return bytes.starts(with: Array("SQLite format 3\0".utf8)) && (bytes[18] == 2 || bytes[19] == 2)
  }

  /// Bytes of the database file as it is on the disk. `nil` if it has not so many, or cannot be read.
  ///
  /// Rows that are in a log are not among them. Only while a statement of this connection has rows left, no other program
  /// changes a file without a log.
  package func fileBytes(at offset: Int64, count: Int) -> [UInt8]? {
    var code: Int32 = SQLITE_OK
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { room, filled in
      code = kymo_sqlite_read_file(handle, room.baseAddress, Int32(clamping: count), offset)
      filled = code == SQLITE_OK ? count : 0
    }
    return code == SQLITE_OK ? bytes : nil
  }

  /// A `file:` address that tells SQLite that nobody writes the file.
  private static func unchangingAddress(of path: String) -> String {
    var address = path.hasPrefix("/") ? "file://" : "file:"
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "%"), UInt8(ascii: "?"), UInt8(ascii: "#"), 0x80...:
        address += "%" + String(byte, radix: 16, uppercase: true)
      default: address.unicodeScalars.append(Unicode.Scalar(byte))
      }
    }
    return address + "?immutable=1"
  }
}

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
