import SQLiteAccess

/// Rows of a recording, read one at a time, so that a long session needs no more memory than one row.
///
/// ``next()`` and ``rest()`` throw at a row that cannot be read. A `for` loop cannot throw there: it ends,
/// and ``failure`` has the reason. No row is returned twice.
///
/// Not Sendable: it reads through its reader's connection, which belongs to one thread at a time.
public final class RowCursor<Row> {
  private let advance: () throws(StoreError) -> Row?
  /// Gives rows many at a time, in place of ``advance``. False behind the last.
  private let fill: ((inout [Row]) throws(StoreError) -> Bool)?
  private var isDone = false
  /// The reason why a loop ended before the last row, or nil.
  public private(set) var failure: StoreError?
  // Nothing that runs while one of these is changed comes back here, and a check of that would cost a row as much as
  // its reading.
  /// Rows that were read before they were asked for, and how many of them were given.
  @exclusivity(unchecked)
  @usableFromInline package var batch: [Row] = []
  @exclusivity(unchecked)
  @usableFromInline package var given = 0

  /// Rows that a piece of work gives, nil behind the last.
  package init(_ advance: @escaping () throws(StoreError) -> Row?) {
    self.advance = advance
    fill = nil
  }

  /// Rows that a piece of work gives many at a time.
  ///
  /// - Parameter fill: Puts the next rows, at least one, into an array that has none. False behind the last.
  init(batches fill: @escaping (inout [Row]) throws(StoreError) -> Bool) {
    advance = { () throws(StoreError) in nil }
    self.fill = fill
  }

  /// The next row, or nil after the last row.
  ///
  /// - Throws: ``StoreError``: the file cannot be read, or the row has a value that no recorder writes.
  @inlinable
  public func next() throws(StoreError) -> Row? {
    if given < batch.count {
      given += 1
      return batch[given - 1]
    }
    return try read()
  }

  /// The next row that was not read yet.
  @usableFromInline
  package func read() throws(StoreError) -> Row? {
    if isDone { return nil }
    do {
      if let fill {
        batch.removeAll(keepingCapacity: true)
        given = 0
        if try fill(&batch) {
          given = 1
          return batch[0]
        }
      } else if let row = try advance() {
        return row
      }
    } catch {
      isDone = true
      failure = error
      throw error
    }
    isDone = true
    return nil
  }

  /// The next row, which stays the next one. `nil` after the last row. Once it is read, all rows are of the state that the
  /// file has now.
  @discardableResult
  func peek() throws(StoreError) -> Row? {
    if given == batch.count, let row = try read() {
      if fill == nil {
        batch.removeAll(keepingCapacity: true)
        batch.append(row)
      }
      given = 0
    }
    return given < batch.count ? batch[given] : nil
  }

  /// All rows that are left.
  @inlinable
  public func rest() throws(StoreError) -> [Row] {
    var rows: [Row] = []
    while let row = try next() {
      rows.append(row)
      rows += batch[given...]
      given = batch.count
    }
    return rows
  }
}

extension RowCursor: Sequence {
  /// The rows that are left.
  public func makeIterator() -> Iterator { Iterator(rows: self) }

  /// The rows that are left, for a loop.
  public struct Iterator: IteratorProtocol {
    fileprivate let rows: RowCursor

    /// The next row, or nil after the last row. Also nil at a row that cannot be read: ``RowCursor/failure``
    /// then has the error.
    public mutating func next() -> Row? { try? rows.next() }
  }
}

@available(*, unavailable, message: "its reader's connection belongs to one thread at a time")
extension RowCursor: Sendable {}

@available(*, unavailable, message: "its reader's connection belongs to one thread at a time")
extension RowCursor.Iterator: Sendable {}

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

  /// The next row. `nil` after the last one.
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
