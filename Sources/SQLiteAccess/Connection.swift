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
    guard let bytes = firstBytes(20), bytes.starts(with: Array("SQLite format 3\0".utf8)) else {
      return false
    }
    return bytes[18] == 2 || bytes[19] == 2
  }

  /// The database file's first bytes, zeros where the file is shorter. `nil` when they cannot be read.
  private func firstBytes(_ count: Int32) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: Int(count))
    let code = kymo_sqlite_read_file(handle, &bytes, count, 0)
    return code == SQLITE_OK || code == Int32(SQLITE_IOERR | (2 << 8)) ? bytes : nil
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
