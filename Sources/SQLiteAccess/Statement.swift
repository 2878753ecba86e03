import KymographCSQLite

/// One compiled statement. When the value goes away it is finalized, or goes back to the cache it came from.
///
/// Places of values count from 1, columns from 0, as in SQLite. Nothing here makes a String or an
/// Array per row unless a text or a blob is asked for.
package struct Statement: ~Copyable {
  private let handle: OpaquePointer
  /// Where it goes when the value goes away, and under which text.
  private let home: (cache: StatementCache, text: String)?

  /// The type of a stored value.
  package enum ValueType: Sendable {
    case null
    /// A 64-bit whole number.
    case integer
    /// A double.
    case real
    case text
    /// Bytes.
    case blob
  }

  init(
    _ sql: String, _ values: [Int64] = [], on database: OpaquePointer, cache: StatementCache? = nil
  ) throws(SQLiteError) {
    home = cache.map { ($0, sql) }
    if let known = cache?.take(sql) {
      handle = known
    } else {
      handle = try Statement.compile(sql, on: database)
    }
    for (index, value) in values.enumerated() { bind(value, at: Int32(index + 1)) }
  }

  deinit {
    if let home { home.cache.put(handle, home.text) } else { sqlite3_finalize(handle) }
  }

  private static func compile(
    _ sql: String, on database: OpaquePointer
  ) throws(SQLiteError) -> OpaquePointer {
    var text = sql
    var statement: OpaquePointer?
    var code: Int32 = SQLITE_OK
    var hasMore = false
    text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        var tail: UnsafePointer<CChar>?
        code = sqlite3_prepare_v3(
          database, characters.baseAddress, Int32(clamping: characters.count),
          UInt32(SQLITE_PREPARE_PERSISTENT), &statement, &tail)
        guard code == SQLITE_OK, let start = characters.baseAddress, let tail else { return }
        let used = tail - start
        hasMore = Statement.holdsStatement(
          UnsafeBufferPointer(rebasing: characters[used...]), on: database)
      }
    }
    guard code == SQLITE_OK else { throw .last(of: database, code: code) }
    guard let statement else { throw .wrongUse("the text holds no statement") }
    if hasMore {
      sqlite3_finalize(statement)
      throw .wrongUse("the text holds more than one statement")
    }
    return statement
  }

  /// Whether a text is more than blanks, comments and semicolons.
  private static func holdsStatement(
    _ text: UnsafeBufferPointer<CChar>, on database: OpaquePointer
  ) -> Bool {
    var rest = text
    while let start = rest.baseAddress, !rest.isEmpty {
      var statement: OpaquePointer?
      var tail: UnsafePointer<CChar>?
      let code = sqlite3_prepare_v3(
        database, start, Int32(clamping: rest.count), 0, &statement, &tail)
      if code != SQLITE_OK { return true }
      if statement != nil {
        sqlite3_finalize(statement)
        return true
      }
      guard let tail, tail > start else { return false }
      rest = UnsafeBufferPointer(rebasing: rest[(tail - start)...])
    }
    return false
  }

  /// Whether the statement changes nothing in any database.
  package var isReadOnly: Bool { sqlite3_stmt_readonly(handle) != 0 }

  private func lastError(_ code: Int32) -> SQLiteError {
    .last(of: sqlite3_db_handle(handle), code: code)
  }
}

// MARK: - Running

extension Statement {
  /// Moves to the next row.
  ///
  /// - Returns: false when there is none. The statement can then be run again.
  package func step() throws(SQLiteError) -> Bool {
    let code = sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    if code == SQLITE_DONE {
      sqlite3_reset(handle)
      return false
    }
    let error = lastError(code)
    sqlite3_reset(handle)
    throw error
  }

  /// Runs a statement that gives no rows.
  package func run() throws(SQLiteError) {
    _ = try step()
  }

  /// Runs a statement that gives no rows under these values, the first at place 1.
  package func run<each Value: Bindable>(_ values: repeat each Value) throws(SQLiteError) {
    try bind(repeat each values)
    try run()
  }

  /// Makes the statement ready to run again and keeps its values.
  package func reset() {
    sqlite3_reset(handle)
  }
}

// MARK: - Values

extension Statement {
  /// Sets values, the first at place 1.
  package func bind<each Value: Bindable>(_ values: repeat each Value) throws(SQLiteError) {
    var parameter: Int32 = 0
    for value in repeat each values {
      parameter += 1
      try value.bind(to: self, at: parameter)
    }
  }

  /// Sets a value to a whole number.
  package func bind(_ value: Int64, at parameter: Int32) {
    sqlite3_bind_int64(handle, parameter, value)
  }

  /// Sets a value to a double. The number must not be a NaN, which SQLite would make NULL.
  package func bind(_ value: Double, at parameter: Int32) {
    sqlite3_bind_double(handle, parameter, value)
  }

  /// Sets a value to a double, as an integer where that is the same number and at most five bytes: a
  /// whole number within 32 bits, and not -0.0. A column without type affinity keeps it so.
  package func bindCompact(_ value: Double, at parameter: Int32) {
    if let whole = Int32(exactly: value), whole != 0 || value.sign == .plus {
      sqlite3_bind_int64(handle, parameter, Int64(whole))
    } else {
      sqlite3_bind_double(handle, parameter, value)
    }
  }

  package func bindNull(at parameter: Int32) {
    sqlite3_bind_null(handle, parameter)
  }

  /// Sets a value to a text or NULL. Throws when the text is longer than SQLite takes.
  package func bind(_ value: String?, at parameter: Int32) throws(SQLiteError) {
    guard var text = value else { return bindNull(at: parameter) }
    let code = text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        guard let start = characters.baseAddress else {
          return sqlite3_bind_text64(handle, parameter, "", 0, nil, UInt8(SQLITE_UTF8))
        }
        return sqlite3_bind_text64(
          handle, parameter, start, UInt64(characters.count), kymo_sqlite_transient(),
          UInt8(SQLITE_UTF8))
      }
    }
    guard code == SQLITE_OK else { throw lastError(code) }
  }

  /// Sets a value to bytes. Throws when there are more than SQLite takes.
  package func bind(_ value: [UInt8], at parameter: Int32) throws(SQLiteError) {
    let code = value.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else {
        return sqlite3_bind_zeroblob(handle, parameter, 0)
      }
      return sqlite3_bind_blob64(
        handle, parameter, start, UInt64(bytes.count), kymo_sqlite_transient())
    }
    guard code == SQLITE_OK else { throw lastError(code) }
  }
}

// MARK: - Columns

extension Statement {
  /// How many columns a row has.
  package var columnCount: Int32 { sqlite3_column_count(handle) }

  package func columnName(at column: Int32) -> String {
    sqlite3_column_name(handle, column).map { String(cString: $0) } ?? ""
  }

  /// The type of a column in the current row.
  package func type(at column: Int32) -> ValueType {
    switch sqlite3_column_type(handle, column) {
    case SQLITE_INTEGER: .integer
    case SQLITE_FLOAT: .real
    case SQLITE_TEXT: .text
    case SQLITE_BLOB: .blob
    default: .null
    }
  }

  /// A column as a whole number.
  package func int64(at column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  package func double(at column: Int32) -> Double { sqlite3_column_double(handle, column) }

  /// A column as text. `nil` when its bytes are not UTF-8.
  package func text(at column: Int32) -> String? {
    guard let start = sqlite3_column_text(handle, column) else { return nil }
    let count = Int(sqlite3_column_bytes(handle, column))
    return String(validating: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  /// Whether a column is a text with these bytes. Makes no string.
  package func text(at column: Int32, is expected: StaticString) -> Bool {
    guard sqlite3_column_type(handle, column) == SQLITE_TEXT,
      let start = sqlite3_column_text(handle, column)
    else { return false }
    return expected.withUTF8Buffer { expected in
      UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
        .elementsEqual(expected)
    }
  }

  package func blob(at column: Int32) -> [UInt8] {
    guard let start = sqlite3_column_blob(handle, column) else { return [] }
    let count = Int(sqlite3_column_bytes(handle, column))
    return [UInt8](UnsafeRawBufferPointer(start: start, count: count))
  }
}

/// A statement in a list or a dictionary, which hold no value that cannot be copied.
///
/// Not Sendable: it belongs to its connection's thread.
package final class KeptStatement {
  package let statement: Statement

  package init(_ statement: consuming Statement) { self.statement = statement }
}

@available(*, unavailable, message: "it belongs to its connection's thread")
extension KeptStatement: Sendable {}

/// Compiles statements on a connection, and keeps those that nobody uses. Not to be used once the connection is gone.
///
/// Not Sendable: it belongs to its connection's thread.
package struct StatementMaker {
  private let handle: OpaquePointer
  private let cache: StatementCache?

  package init(_ connection: borrowing Connection) {
    handle = connection.handle
    cache = StatementCache()
  }

  /// For what the connection itself owns, such as the rows of a virtual table: nothing is kept, since a connection
  /// stays open as long as it has statements.
  package init(ownedBy connection: borrowing Connection) {
    handle = connection.handle
    cache = nil
  }

  /// Compiles one statement, unless one of this text is kept, and sets its first values.
  package func prepare(_ sql: String, _ values: [Int64] = []) throws(SQLiteError) -> Statement {
    try Statement(sql, values, on: handle, cache: cache)
  }
}

@available(*, unavailable, message: "it belongs to its connection's thread")
extension StatementMaker: Sendable {}

extension StatementMaker {
  /// Reads parts of a long value without the rest of it.
  ///
  /// - Parameters:
  ///   - table: The table, of the database itself.
  ///   - column: The column, whose value is bytes.
  ///   - row: The number of the row.
  ///   - count: How many bytes the value has to have.
  ///   - ranges: The parts, within these.
  /// - Throws: ``SQLiteError`` of the kind `tooLarge` when there are more or fewer bytes.
  package func readBlob(
    in table: String, _ column: String, row: Int64, count: Int, _ ranges: [Range<Int>]
  ) throws(SQLiteError) -> [[UInt8]] {
    var blob: OpaquePointer?
    var code = sqlite3_blob_open(handle, "main", table, column, row, 0, &blob)
    guard code == SQLITE_OK, let blob else { throw .last(of: handle, code: code) }
    defer { sqlite3_blob_close(blob) }
    guard Int(sqlite3_blob_bytes(blob)) == count else {
      throw .last(of: handle, code: SQLITE_TOOBIG)
    }
    var parts: [[UInt8]] = []
    for range in ranges {
      parts.append(
        [UInt8](unsafeUninitializedCapacity: range.count) { room, written in
          code = sqlite3_blob_read(
            blob, room.baseAddress, Int32(range.count), Int32(range.lowerBound))
          written = code == SQLITE_OK ? range.count : 0
        })
      guard code == SQLITE_OK else { throw .last(of: handle, code: code) }
    }
    return parts
  }
}

/// A value of a statement's parameter.
package protocol Bindable {
  /// Sets a place to the value. Throws when it is longer than SQLite takes.
  func bind(to statement: borrowing Statement, at parameter: Int32) throws(SQLiteError)
}

extension Int64: Bindable {
  package func bind(to statement: borrowing Statement, at parameter: Int32) {
    statement.bind(self, at: parameter)
  }
}

extension Int: Bindable {
  package func bind(to statement: borrowing Statement, at parameter: Int32) {
    statement.bind(Int64(self), at: parameter)
  }
}

extension Bool: Bindable {
  package func bind(to statement: borrowing Statement, at parameter: Int32) {
    statement.bind(Int64(self ? 1 : 0), at: parameter)
  }
}

extension Double: Bindable {
  package func bind(to statement: borrowing Statement, at parameter: Int32) {
    statement.bind(self, at: parameter)
  }
}

extension String: Bindable {
  package func bind(to statement: borrowing Statement, at parameter: Int32) throws(SQLiteError) {
    try statement.bind(self, at: parameter)
  }
}

extension [UInt8]: Bindable {
  package func bind(to statement: borrowing Statement, at parameter: Int32) throws(SQLiteError) {
    try statement.bind(self, at: parameter)
  }
}

extension Optional: Bindable where Wrapped: Bindable {
  package func bind(to statement: borrowing Statement, at parameter: Int32) throws(SQLiteError) {
    if let self {
      try self.bind(to: statement, at: parameter)
    } else {
      statement.bindNull(at: parameter)
    }
  }
}
