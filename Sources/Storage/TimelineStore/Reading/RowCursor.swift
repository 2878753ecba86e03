import SQLiteAccess

/// Rows of a recording, read one at a time, so that a long session needs no more memory than one row.
///
/// Not Sendable: it reads through its reader's connection, which belongs to one thread at a time.
public final class RowCursor<Row> {
  private let reader: RecordingReader
  private let decode: (borrowing Statement) throws(BadValue) -> Row
  private let table: String
  private let statement: Statement
  private var isDone = false

  init(
    _ reader: RecordingReader, table: String, statement: consuming Statement,
    decode: @escaping (borrowing Statement) throws(BadValue) -> Row
  ) {
    self.reader = reader
    self.table = table
    self.decode = decode
    self.statement = statement
  }

  /// The next row; nil after the last one.
  ///
  /// - Throws: ``StoreError``: the file cannot be read, or the row holds what no recorder writes.
  public func next() throws(StoreError) -> Row? {
    if isDone { return nil }
    let path = reader.path
    do {
      guard try statement.step() else {
        isDone = true
        return nil
      }
    } catch {
      isDone = true
      throw StoreError(error, path: path)
    }
    do {
      return try decode(statement)
    } catch {
      isDone = true
      throw .damaged(path, "a row of \(table) has \(error.found) in the column \(error.column)")
    }
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
