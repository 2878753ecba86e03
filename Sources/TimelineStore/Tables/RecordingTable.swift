import SQLiteAccess

/// What is the same about every table: its name, its columns in order, and every text that is
/// prepared for it, so that a test can hold them against the schema.
protocol RecordingTable: ~Copyable {
  static var name: String { get }
  static var columns: [String] { get }
  static var texts: [String] { get }
}

/// A table whose rows are read as values.
protocol ReadableTable: RecordingTable, ~Copyable {
  associatedtype Row
  static func read(_ row: borrowing Statement) throws(BadValue) -> Row
}

extension RecordingTable where Self: ~Copyable {
  /// The text that inserts a whole row, values numbered in the order of the columns.
  static var insertText: String {
    let places = (1...columns.count).map { "?\($0)" }.joined(separator: ", ")
    return "INSERT INTO \(name) (\(columns.joined(separator: ", "))) VALUES (\(places))"
  }

  /// The beginning of a text that selects the columns in their order.
  static var selectText: String { "SELECT \(columns.joined(separator: ", ")) FROM \(name)" }
}
