import JSONText
import MotionMeasures
package import TimelineModel
package import TimelineStore

/// Whether two sessions hold the same, bit for bit, row by row.
///
/// What says which session it was is no content: number, uuid, name and wall clock of the session are left out, and so is
/// how many of its rows are packed. The fields of an event are a JSON object, and have no order.
public struct ExactComparison: Sendable, Hashable {
  /// One sort of rows.
  package struct Table: Sendable, Hashable {
    /// The name of the view that shows them.
    package var name: String
    /// Rows of A.
    package var rowsOfA: Int
    /// Rows of B.
    package var rowsOfB: Int
    /// Rows that are not the same at the same place, those that only one has included.
    package var differingRows: Int
    /// The first difference. `nil` where there is none.
    package var first: Difference?

    /// Whether nothing differs.
    package var isSame: Bool { differingRows == 0 }
  }

  /// A value that is not the same.
  package struct Difference: Sendable, Hashable {
    /// The row, counted from 0.
    package var row: Int
    /// The column. `nil` where one session has no such row.
    package var column: String?
    /// What A has. `nil`: no row.
    package var a: String?
    /// What B has. `nil`: no row.
    package var b: String?
  }

  /// Every sort of rows, in a fixed order.
  package var tables: [Table]

  /// Whether nothing differs.
  public var isSame: Bool { tables.allSatisfy(\.isSame) }

  /// What says which session it was, and in which form it stands in the file.
  private static let identity: Set<String> = [
    "sessions.session", "sessions.uuid", "sessions.name", "sessions.wall_clock_ns",
    "sessions.sealed_row_count",
  ]

  /// Compares two sessions.
  ///
  /// - Parameters:
  ///   - a: One session's number.
  ///   - readerA: Its recording.
  ///   - b: The other's.
  ///   - readerB: Its recording. May be the same.
  ///   - ignored: Columns that are left out: `t_ns` everywhere, `samples.t_ns` in one view.
  ///   - progress: Is told how far the work is, 0 to 1.
  /// - Throws: ``MotionMeasures/QueryError`` for a column that there is not. `StoreError` when a file cannot be read.
  /// - Complexity: linear in the rows of both.
  package init(
    _ a: Int64, in readerA: RecordingReader, with b: Int64, in readerB: RecordingReader,
    ignoring ignored: [String] = [], progress: (Double) -> Void = { _ in }
  ) throws {
    tables = []
    var known: Set<String> = []
    let names = RecordingReader.contentNames
    for (position, name) in names.enumerated() {
      progress(Double(position) / Double(names.count))
      let rowsOfA = try readerA.content(name, in: a)
      let rowsOfB = try readerB.content(name, in: b)
      for column in rowsOfA.columns { known.formUnion([column, "\(name).\(column)"]) }
      tables.append(try ExactComparison.compare(name, rowsOfA, rowsOfB, ignoring: ignored))
    }
    for column in ignored where !known.contains(column) {
      let hint =
        nearestName(to: column, among: known.sorted()).map { " Did you mean \($0)?" } ?? ""
      throw QueryError("Unknown column '\(column)'.\(hint)")
    }
  }

  private static func compare(
    _ name: String, _ a: QueryCursor, _ b: QueryCursor, ignoring ignored: [String]
  ) throws -> Table {
    var table = Table(name: name, rowsOfA: 0, rowsOfB: 0, differingRows: 0)
    let compared = a.columns.indices.filter { index in
      let full = "\(name).\(a.columns[index])"
      return a.columns[index] != "session" && !identity.contains(full)
        && !ignored.contains(a.columns[index]) && !ignored.contains(full)
    }
    let objects = name == "events" ? a.columns.firstIndex(of: "fields") : nil
    while true {
      let (rowOfA, rowOfB) = (try a.next(), try b.next())
      guard rowOfA != nil || rowOfB != nil else { return table }
      let row = max(table.rowsOfA, table.rowsOfB)
      if rowOfA != nil { table.rowsOfA += 1 }
      if rowOfB != nil { table.rowsOfB += 1 }
      guard let rowOfA, let rowOfB else {
        table.differingRows += 1
        table.first =
          table.first
          ?? Difference(
            row: row, column: nil, a: rowOfA.map { _ in "a row" }, b: rowOfB.map { _ in "a row" })
        continue
      }
      guard
        let column = compared.first(where: { column in
          !rowOfA[column].isSameBits(as: rowOfB[column])
            && !(column == objects && rowOfA[column].isSameObject(as: rowOfB[column]))
        })
      else { continue }
      table.differingRows += 1
      table.first =
        table.first
        ?? Difference(
          row: row, column: a.columns[column], a: rowOfA[column].text, b: rowOfB[column].text)
    }
  }
}

extension SQLValue {
  /// Whether both are the same bits: 0 and -0 are not.
  fileprivate func isSameBits(as other: SQLValue) -> Bool {
    if case .real(let a) = self, case .real(let b) = other { return a.bitPattern == b.bitPattern }
    return self == other
  }

  /// Whether both are JSON objects with the same fields, whatever their order.
  fileprivate func isSameObject(as other: SQLValue) -> Bool {
    guard case .text(let a) = self, case .text(let b) = other, a.utf8.count == b.utf8.count else {
      return false
    }
    guard let first = try? parseJSON(Array(a.utf8)), let second = try? parseJSON(Array(b.utf8)),
      case .object = first
    else { return false }
    return first == second
  }

  /// The value as text, numbers with all their digits.
  fileprivate var text: String {
    switch self {
    case .null: "NULL"
    case .integer(let integer): "\(integer)"
    case .real(let number): "\(number)"
    case .text(let text): text
    case .blob(let bytes): "\(bytes.count) bytes"
    }
  }
}

extension ExactComparison.Table: ResultRow {
  package static var fields: [ResultField<Self>] {
    [
      ResultField("table", "The name of the view.", \.name),
      ResultField("same", "Whether nothing differs.", \.isSame),
      ResultField("rows_a", "The number of rows in A.", \.rowsOfA),
      ResultField("rows_b", "The number of rows in B.", \.rowsOfB),
      ResultField("differing", "Rows that are not the same.", \.differingRows),
      ResultField("first_row", "The first of them, counted from 0.", \.first?.row),
      ResultField("column", "Its first column that differs.", \.first?.column),
      ResultField("a", "That column of A.", \.first?.a),
      ResultField("b", "That column of B.", \.first?.b),
    ]
  }
}
