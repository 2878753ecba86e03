import SQLiteAccess
import TimelineModel

/// The columns of a record's numbers that may be missing, wherever they stand in a table.
struct NumberColumns<Record>: Sendable {
  private let fields: [(columnIndex: Int32, path: any WritableKeyPath<Record, Double?> & Sendable)]

  init(_ numbers: [NumberField<Record>], in columns: [String]) {
    fields = numbers.compactMap { number in
      columns.firstIndex(of: number.column).map { (Int32($0), number.path) }
    }
  }

  func bind(_ record: Record, to row: borrowing Statement) throws(SQLiteError) {
    for field in fields {
      try record[keyPath: field.path].bind(to: row, at: field.columnIndex + 1)
    }
  }

  func read(_ row: borrowing Statement, into record: inout Record) throws(BadValue) {
    for field in fields { record[keyPath: field.path] = try row.optionalReal(field.columnIndex) }
  }
}

/// A column that came after the first version of the schema.
struct AddedColumn {
  let name: String
  /// The version that brought it.
  let version: Int64
  /// What its value is, as SQL, where a file is older.
  let absent: String

  init(_ name: String, since version: Int64 = 2, absent: String = "NULL") {
    (self.name, self.version, self.absent) = (name, version, absent)
  }

  /// The columns of numbers that came after a version.
  static func numbers<Record>(
    _ numbers: [NumberField<Record>], after version: Int64
  ) -> [AddedColumn] {
    numbers.filter { $0.version > version }.map { AddedColumn($0.column, since: $0.version) }
  }
}
