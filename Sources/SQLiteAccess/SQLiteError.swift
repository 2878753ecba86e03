import KymographCSQLite

/// The refusal of SQLite, with its own words.
package struct SQLiteError: Error, Sendable {
  /// The extended result code, as in SQLite's list of result codes.
  package let code: Int32
  package let message: String
  /// The groups of codes that a caller can do something about.
  package enum Kind: Sendable {
    /// Another connection holds a lock.
    case busy
    case full
    /// The file or its folder cannot be written.
    case readOnly
    /// The file's content contradicts itself.
    case corrupt
    /// The file is not a database.
    case notADatabase
    case cannotOpen
    /// Reading or writing failed.
    case inputOutput
    /// A row broke a rule of its table.
    case constraint
    /// The text asks for something that is not allowed.
    case notAllowed
    /// Not enough memory.
    case tooLarge
    /// A value, or a row, beyond the connection's limit.
    case beyondLimits
    /// A ``WorkLimit`` was reached.
    case interrupted
    /// A change was left half done, and only a connection that writes can take it back.
    case needsRollback
    /// The text is wrong, or anything else.
    case other
  }

  /// The group that the code belongs to.
  package var kind: Kind {
    // SQLITE_READONLY_ROLLBACK, whose macro Swift does not import.
    if code == SQLITE_READONLY | (3 << 8) { return .needsRollback }
    return switch code & 0xff {
    case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: .busy
    case SQLITE_FULL: .full
    case SQLITE_READONLY, SQLITE_PERM: .readOnly
    case SQLITE_CORRUPT, SQLITE_FORMAT: .corrupt
    case SQLITE_NOTADB: .notADatabase
    case SQLITE_CANTOPEN: .cannotOpen
    case SQLITE_IOERR: .inputOutput
    case SQLITE_CONSTRAINT, SQLITE_MISMATCH: .constraint
    case SQLITE_AUTH: .notAllowed
    case SQLITE_NOMEM: .tooLarge
    case SQLITE_TOOBIG: .beyondLimits
    case SQLITE_INTERRUPT: .interrupted
    default: .other
    }
  }

  /// Whether a row of the same key is there already.
  package var isDuplicate: Bool {
    // SQLITE_CONSTRAINT_PRIMARYKEY, _UNIQUE and _ROWID, whose macros Swift does not import.
    [SQLITE_CONSTRAINT | (6 << 8), SQLITE_CONSTRAINT | (8 << 8), SQLITE_CONSTRAINT | (10 << 8)]
      .contains(code)
  }

  /// An error that this module itself finds.
  static func wrongUse(_ message: String) -> SQLiteError {
    SQLiteError(code: SQLITE_ERROR, message: message)
  }

  /// The error that a connection has just reported.
  static func last(of database: OpaquePointer?, code: Int32) -> SQLiteError {
    let message = database.flatMap { sqlite3_errmsg($0) } ?? sqlite3_errstr(code)
    return SQLiteError(
      code: code, message: message.map { String(cString: $0) } ?? "unknown error")
  }
}
