import KymographCSQLite

/// A read-only table whose rows our own code makes, to be asked by SQL on one connection.
///
/// The table needs no CREATE: it is there under its name from the registration on (SQLite calls that
/// eponymous), and nothing of it gets into the file.
package struct VirtualTable: Sendable {
  package let name: String
  /// The CREATE TABLE that says its columns. The name in it does not count.
  package var declaration: String { makeDeclaration() }
  /// The rows are in the order of so many of the first columns.
  let orderedColumns: Int32
  /// Whether a text that the third column must be equal to goes into the request.
  let hasTextInThirdColumn: Bool
  // Made when SQL names the table: each opening of a recording registers some, and few are asked.
  private let makeDeclaration: @Sendable () -> String

  /// Describes a table.
  package init(
    name: String, orderedColumns: Int32 = 3, hasTextInThirdColumn: Bool = false,
    declaration: @autoclosure @escaping @Sendable () -> String
  ) {
    (self.name, makeDeclaration) = (name, declaration)
    (self.orderedColumns, self.hasTextInThirdColumn) = (orderedColumns, hasTextInThirdColumn)
  }

  /// Which rows are wanted. More may be given. SQLite looks at each again.
  package struct Request: Sendable {
    /// The value of the first column. `nil`: any.
    package var first: Int64?
    /// The values of the second column.
    package var second: ClosedRange<Int64> = Int64.min...Int64.max
    /// The text of the third column. `nil`: any.
    package var third: String?
  }
}

/// Rows of a virtual table, one at a time, in the order of its first columns.
///
/// Not Sendable: it belongs to the connection whose statement reads it.
package protocol VirtualRows: AnyObject {
  /// Whether there is a row. False after the last.
  var hasRow: Bool { get }

  /// Goes to the next row.
  func advance() throws(VirtualTableError)

  /// Gives a column of the row to SQLite.
  func give(_ column: Int, to result: borrowing VirtualResult)
}

/// Why a virtual table's rows could not be made.
package struct VirtualTableError: Error, Sendable {
  /// What is wrong, in a sentence.
  package let message: String

  /// Says what is wrong: the file contradicts itself.
  package init(_ message: String) { self.message = message }
}

/// Takes one value of a virtual table's row.
package struct VirtualResult: ~Copyable {
  let context: OpaquePointer?

  package func give(_ value: Int64) { sqlite3_result_int64(context, value) }

  package func give(_ value: Double) { sqlite3_result_double(context, value) }

  /// A double, as an integer where ``Statement/bindCompact(_:at:)`` would store one.
  package func giveCompact(_ value: Double) {
    if let whole = Int32(exactly: value), whole != 0 || value.sign == .plus {
      sqlite3_result_int64(context, Int64(whole))
    } else {
      sqlite3_result_double(context, value)
    }
  }

  package func give(_ value: String) {
    var text = value
    text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        sqlite3_result_text64(
          context, characters.baseAddress, UInt64(characters.count), kymo_sqlite_transient(),
          UInt8(SQLITE_UTF8))
      }
    }
  }

  package func giveNull() { sqlite3_result_null(context) }
}

extension Connection {
  /// Makes a virtual table known to this connection.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - rows: Makes the rows of one question. It is kept as long as the connection, so it must not
  ///     hold the owner of the connection.
  package func register(
    _ table: VirtualTable,
    rows: @escaping (VirtualTable.Request) throws(VirtualTableError) -> any VirtualRows
  ) throws(SQLiteError) {
    let source = VirtualTableSource(table: table, rows: rows)
    let code = sqlite3_create_module_v2(
      handle, table.name, virtualTableModule, Unmanaged.passRetained(source).toOpaque(),
      { pointer in
        guard let pointer else { return }
        Unmanaged<VirtualTableSource>.fromOpaque(pointer).release()
      })
    guard code == SQLITE_OK else { throw .last(of: handle, code: code) }
  }
}
