import KymographCLibrary
import SQLiteAccess
import TimelineSchema

/// What a file's schema has in the places that recorders use, looked at before any row is read.
///
/// A file may come from anywhere. Its schema may put a view, a virtual table or a computed column where
/// rows are expected, which runs whatever its maker wanted whenever it is read, perhaps for ever. Tables,
/// views and indexes under other names are nobody's business. They run only when a query names them.
struct FileSchema {
  /// Whether each view of the contract is the one that this program's steps make. Where they are not,
  /// readers put their own before them.
  let hasOurViews: Bool

  /// Steps that looking at a schema may take: some 12,000 definitions. SQLite takes a time that grows
  /// with their square, a second for that many and over a minute for 100,000. A recording has fifty.
  static let mostSteps: Int64 = 100_000

  /// Looks at the schema.
  ///
  /// - Throws: ``StoreError``: something that is no plain table stands in a table's place, or, in a file
  ///   of a newer program, perhaps what that one needs there.
  init(
    _ connection: borrowing Connection, version: Int64
  ) throws(StoreError) {
    let isNewer = version > Int64(Schema.version)
    let tables = Set(AllTables.names(in: version))
    var views: [String: String] = [:]
    var suspects: [String] = []
    let rows = try naming(connection, try connection.prepare(FileHeader.definitions))
    while try naming(connection, try rows.step()) {
      let definition = Definition(rows, tables: tables)
      if let trouble = definition.trouble(isNewer: isNewer) {
        if isNewer { throw .newerSchema(connection.path, found: version, known: Schema.version) }
        throw .foreignSchema(connection.path, trouble)
      }
      if definition.type == "view" { views[definition.name] = definition.sql }
      if definition.isOurTable, definition.mayCompute { suspects.append(definition.name) }
    }
    for table in suspects where try FileSchema.hasComputedColumn(table, connection) {
      throw .foreignSchema(connection.path, "the table \(table) has a column that is computed")
    }
    hasOurViews = Schema.views.allSatisfy { view in
      guard let sql = views[view.name] else { return false }
      let head = Definition.view + view.name + " AS"
      let body = sql.utf8.dropFirst(head.utf8.count).drop { $0 == 0x20 || $0 == 0x0A }
      return sql.utf8.starts(with: head.utf8) && FileSchema.isSame(body, view.body.utf8)
    }
  }

  /// Whether two texts have the same bytes, of which the memory is compared, since each opening of a recording waits.
  private static func isSame(_ text: Substring.UTF8View, _ other: String.UTF8View) -> Bool {
    let isSame = text.withContiguousStorageIfAvailable { bytes in
      other.withContiguousStorageIfAvailable { other in
        guard let first = bytes.baseAddress, let second = other.baseAddress else { return false }
        return bytes.count == other.count && memcmp(first, second, bytes.count) == 0
      }
    }
    return (isSame ?? nil) ?? text.elementsEqual(other)
  }

  private static func hasComputedColumn(
    _ table: String, _ connection: borrowing Connection
  ) throws(StoreError) -> Bool {
    try naming(connection) { () throws(SQLiteError) in
      let columns = try connection.prepare(FileHeader.columns(of: table))
      while try columns.step() {
        if columns.int64(at: 6) > 1 { return true }
      }
      return false
    }
  }
}

/// A row of the schema.
private struct Definition {
  /// "table", "view" or "trigger".
  let type: String
  /// In small letters, as SQLite compares names without case.
  let name: String
  private let table: String
  let sql: String

  /// How SQLite begins the text of a plain table and of a view, whatever was typed.
  private static let plainTable = "CREATE" + " TABLE "
  static let view = "CREATE" + " VIEW "

  let isOurTable: Bool
  /// Whether it belongs to one of our tables.
  private let isOfOurTable: Bool

  init(_ row: borrowing Statement, tables: Set<String>) {
    type = row.text(at: 0) ?? ""
    name = (row.text(at: 1) ?? "").lowercased()
    // Of a table and a view it is the same.
    table = type == "trigger" ? (row.text(at: 2) ?? "").lowercased() : name
    sql = row.text(at: 3) ?? ""
    isOurTable = tables.contains(name)
    isOfOurTable = tables.contains(table)
  }

  /// What is wrong with it. `nil` when it may stand there.
  func trouble(isNewer: Bool) -> String? {
    if type == "trigger" {
      return !isNewer && isOfOurTable ? "the table \(table) has a trigger" : nil
    }
    guard type == "table" || type == "view" else { return nil }
    if ReadingViews.virtualTables.contains(name) || name.hasPrefix("pragma_") {
      return "the name \(name.prefix(40)) is not free"
    }
    guard isOurTable else { return nil }
    if type == "view" { return "\(name) is a view instead of a table" }
    return sql.hasPrefix(Self.plainTable) ? nil : "\(name) is not a plain table"
  }

  /// Whether the text has the word AS, which every computed column has, and some comments.
  var mayCompute: Bool {
    sql.utf8.withContiguousStorageIfAvailable(Self.hasWordAs) ?? Self.hasWordAs(Array(sql.utf8))
  }

  private static func hasWordAs(_ text: some Collection<UInt8>) -> Bool {
    var before: UInt8 = 0
    var matched = 0
    for byte in text {
      let letter = byte | 0x20
      switch matched {
      case 1 where letter == UInt8(ascii: "s"): matched = 2
      case 2 where !Self.isOfWord(byte): return true
      default: matched = letter == UInt8(ascii: "a") && !Self.isOfWord(before) ? 1 : 0
      }
      before = byte
    }
    return false
  }

  private static func isOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
      true
    default: false
    }
  }
}
