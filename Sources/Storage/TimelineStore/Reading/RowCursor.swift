import SQLiteAccess

/// Rows of a recording, read one at a time, so that a long session needs no more memory than one row.
///
/// Not Sendable: it reads through its reader's connection, which belongs to one thread at a time.
public final class RowCursor<Row> {
  private let advance: () throws(StoreError) -> Row?
  private var isDone = false
  /// A row that was read before it was asked for.
  private var ahead: Row?

  /// Rows that a piece of work gives, nil behind the last.
  init(_ advance: @escaping () throws(StoreError) -> Row?) { self.advance = advance }

  /// Rows of a statement.
  convenience init(
    _ reader: RecordingReader, table: String, statement: consuming Statement,
    decode: @escaping (borrowing Statement) throws(BadValue) -> Row
  ) {
    let rows = StatementRows(
      table: table, statement: statement, path: reader.path, owner: reader, decode: decode)
    self.init { () throws(StoreError) in try rows.next() }
  }

  /// The next row; nil after the last one.
  ///
  /// - Throws: ``StoreError``: the file cannot be read, or the row holds what no recorder writes.
  public func next() throws(StoreError) -> Row? {
    if let row = ahead {
      ahead = nil
      return row
    }
    if isDone { return nil }
    do {
      if let row = try advance() { return row }
    } catch {
      isDone = true
      throw error
    }
    isDone = true
    return nil
  }

  /// Reads the first row, so that all rows are of the state that the file has now.
  func begin() throws(StoreError) {
    ahead = try next()
  }

  /// All rows that are left.
  public func rest() throws(StoreError) -> [Row] {
    var rows: [Row] = []
    while let row = try next() { rows.append(row) }
    return rows
  }
}

@available(*, unavailable, message: "its reader's connection belongs to one thread at a time")
extension RowCursor: Sendable {}

/// Rows of a table that a statement selects.
final class StatementRows<Row> {
  private let decode: (borrowing Statement) throws(BadValue) -> Row
  private let table: String
  private let path: String
  private let owner: AnyObject?
  private let statement: Statement

  /// - Parameter owner: Keeps the connection open.
  init(
    table: String, statement: consuming Statement, path: String, owner: AnyObject?,
    decode: @escaping (borrowing Statement) throws(BadValue) -> Row
  ) {
    self.decode = decode
    self.table = table
    self.path = path
    self.owner = owner
    self.statement = statement
  }

  /// The next row; nil after the last one.
  func next() throws(StoreError) -> Row? {
    do {
      guard try statement.step() else { return nil }
    } catch {
      throw StoreError(error, path: path)
    }
    do {
      return try decode(statement)
    } catch {
      throw .damaged(path, "a row of \(table) has \(error.found) in the column \(error.column)")
    }
  }
}
