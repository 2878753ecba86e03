import SQLiteAccess

/// What the tests hold against the schema: each table's name, columns and texts.
package enum AllTables {
  struct Facts: Sendable {
    let name: String
    // Made when they are asked for: each opening of a recording needs the names alone.
    fileprivate let makeColumns: @Sendable () -> [String]
    fileprivate let makeTexts: @Sendable () -> [String]
    var columns: [String] { makeColumns() }
    var texts: [String] { makeTexts() }
  }

  static let facts: [Facts] = [
    of(MigrationTable.self), of(SessionTable.self), of(LayoutTable.self), of(KeyTable.self),
    of(KeySummaryTable.self), of(ItemTable.self), of(SampleTable.self), of(FrameTable.self),
    of(AttributeTable.self), of(TouchTable.self), of(EventTable.self), of(DecisionTable.self),
    of(EstimateTable.self), of(LossTable.self), of(SegmentTable.self), of(BlockTable.self),
    of(ItemSummaryTable.self), of(JournalTable.self), of(RemovalTable.self),
    of(TransitionTable.self), of(LabelTable.self), of(OriginTable.self),
    of(SampleSegmentTable.self), of(SampleSecondTable.self),
  ]

  /// The names of all tables, as a schema version has them.
  package static func names(in version: Int64) -> [String] {
    facts.map { name($0.name, in: version) }
  }

  /// A table's name in a schema version: what has plain rows only was named otherwise before version 4.
  package static func name(_ table: String, in version: Int64) -> String {
    version < 4 ? namesBeforeFour[table] ?? table : table
  }

  private static let namesBeforeFour = [
    SampleTable.name: "sample", AttributeTable.name: "attribute",
  ]

  static func of<Table: RecordingTable & ~Copyable>(_ table: Table.Type) -> Facts {
    Facts(name: Table.name, makeColumns: { Table.columns }, makeTexts: { Table.texts })
  }
}

/// The table `migration`: which steps made this file.
enum MigrationTable: RecordingTable {
  static let name = "migration"
  static let columns = ["step", "name", "checksum"]
  static var texts: [String] { [insertText] }
}

/// What is the same about every table: its name, its columns in order, and every text that is
/// prepared for it, so that a test can hold them against the schema.
protocol RecordingTable: ~Copyable, SendableMetatype {
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
    let parameters = (1...columns.count).map { "?\($0)" }.joined(separator: ", ")
    return "INSERT INTO \(name) (\(columns.joined(separator: ", "))) VALUES (\(parameters))"
  }

  /// The beginning of a text that selects the columns in their order.
  static var selectText: String {
    // Without `joined`, of which the first use looks up types by their names: each opening of a recording needs a text.
    var text = "SELECT "
    for (index, column) in columns.enumerated() { text += index == 0 ? column : ", " + column }
    return text + " FROM " + name
  }
}
