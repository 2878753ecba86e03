/// Prepares statements on a connection without keeping it open: for what the connection itself owns, such
/// as the rows of a virtual table. Not to be used once the connection is gone.
///
/// Not Sendable: it belongs to its connection's thread.
package struct StatementMaker {
  private let handle: OpaquePointer

  /// Makes statements on this connection.
  package init(_ connection: borrowing Connection) { handle = connection.handle }

  /// Compiles one statement and sets its first values.
  package func prepare(_ sql: String, _ values: [Int64] = []) throws(SQLiteError) -> Statement {
    try Statement(sql, values, on: handle)
  }
}

@available(*, unavailable, message: "it belongs to its connection's thread")
extension StatementMaker: Sendable {}
