import SQLiteAccess

/// A value of a query's row, as SQLite has it.
package enum SQLValue: Hashable, Sendable {
  case null
  /// A 64-bit whole number.
  case integer(Int64)
  case real(Double)
  /// Text. Bytes that are not UTF-8 are a ``blob(_:)``.
  case text(String)
  /// Bytes.
  case blob([UInt8])
}

extension RecordingReader {
  /// The rows of a view of the recording, in all its columns.
  ///
  /// - Parameters:
  ///   - name: The view.
  ///   - session: The session. `nil`: all.
  package func rows(ofView name: String, session: Int64?) throws(StoreError) -> QueryCursor {
    try query(ViewRows.text(of: name, session: session))
  }

  /// The names of the views that a query may ask, also of those that are made for it.
  package func viewNames() throws(StoreError) -> [String] {
    let rows = try query(
      "SELECT name FROM sqlite_schema WHERE type = 'view' AND name NOT LIKE 'sealed%' ORDER BY name"
    )
    var names: [String] = []
    while let row = try rows.next() {
      if case .text(let name)? = row.first { names.append(name) }
    }
    return names + ["releases"]
  }

  /// Runs one statement of the caller's that only reads.
  ///
  /// The stable names to ask are the views (`sessions`, `keys`, `samples`, `frames`, …). A query has no limit of time.
  ///
  /// - Parameter sql: One statement, with or without a semicolon at its end.
  /// - Throws: ``StoreError`` of the code `query` when the text is wrong, holds several statements or
  ///   does anything but read.
  package func query(_ sql: String) throws(StoreError) -> QueryCursor {
    guard !sql.utf8.contains(0) else {
      throw StoreError(.query, path: path, "The query contains a NUL character. Remove it.")
    }
    // The views that are made for a query are of the state that its rows are read from.
    try beginState()
    defer { endState() }
    let statement = try prepare(sql, isQuery: true)
    guard statement.isReadOnly else {
      throw StoreError(
        .query, path: path, "The query changes something. Only statements that read are allowed.")
    }
    let rows = QueryCursor(self, statement: statement)
    try rows.begin()
    return rows
  }
}

/// The rows of a query, read one at a time.
package final class QueryCursor {
  /// The columns' names in their order. Names may repeat.
  package let columns: [String]
  private let reader: RecordingReader
  private let statement: Statement
  private var isDone = false
  /// Whether the next row was read already.
  private var isAhead = false

  init(_ reader: RecordingReader, statement: consuming Statement) {
    self.reader = reader
    var names: [String] = []
    for column in 0..<statement.columnCount { names.append(statement.columnName(at: column)) }
    columns = names
    self.statement = statement
    reader.beginQuery()
  }

  deinit { reader.endQuery() }

  /// Reads the first row ahead, which keeps the state of the file for all rows.
  func begin() throws(StoreError) { isAhead = try step() }

  private func step() throws(StoreError) -> Bool {
    do {
      isDone = try !statement.step()
      return !isDone
    } catch {
      isDone = true
      throw StoreError(error, path: reader.path, isQuery: true)
    }
  }

  /// The next row's values in the order of the columns. `nil` after the last row.
  package func next() throws(StoreError) -> [SQLValue]? {
    guard !isDone else { return nil }
    if isAhead {
      isAhead = false
    } else {
      guard try step() else { return nil }
    }
    var row: [SQLValue] = []
    row.reserveCapacity(columns.count)
    for column in 0..<Int32(columns.count) {
      switch statement.type(at: column) {
      case .null: row.append(.null)
      case .integer: row.append(.integer(statement.int64(at: column)))
      case .real: row.append(.real(statement.double(at: column)))
      case .text:
        row.append(
          statement.text(at: column).map(SQLValue.text) ?? .blob(statement.blob(at: column)))
      case .blob: row.append(.blob(statement.blob(at: column)))
      }
    }
    return row
  }

  /// All rows that are left.
  package func rest() throws(StoreError) -> [[SQLValue]] {
    var rows: [[SQLValue]] = []
    while let row = try next() { rows.append(row) }
    return rows
  }
}

@available(*, unavailable, message: "its reader's connection belongs to one thread at a time")
extension QueryCursor: Sendable {}

extension RecordingReader {
  /// The names of what a session holds, in a fixed order: the views of a recording.
  package static var contentNames: [String] { ContentTexts.names }

  /// Everything of one sort that a session holds, in the order of time or of recording.
  ///
  /// - Parameters:
  ///   - name: One of ``contentNames``.
  ///   - session: The session's number.
  /// - Throws: ``StoreError`` when the file cannot be read.
  package func content(_ name: String, in session: Int64) throws(StoreError) -> QueryCursor {
    guard let text = ContentTexts.question(name, session: session) else {
      preconditionFailure("\(name) is not a content of a session. See contentNames.")
    }
    return try query(text)
  }
}
