import SQLiteAccess

/// A table's columns and what may stand in each, so that a row found in a page can be told to be one
/// of its rows.
struct TableShape {
  struct Column {
    var name: String
    /// The declared type: INTEGER, REAL, TEXT, BLOB or ANY.
    var type: String
    var isRequired: Bool
    /// Whether the column is the rowid under another name. Its place in the record holds NULL.
    var isRowid: Bool
  }

  let name: String
  let columns: [Column]
  /// Whether its rows lie in a b-tree of tables, by rowid.
  let hasRowid: Bool

  /// Reads a table's shape from a database that has it. `nil` when it has none.
  init?(_ name: String, from connection: borrowing Connection) throws(SQLiteError) {
    let row = try connection.prepare(SalvageTexts.columns(of: name))
    var columns: [Column] = []
    var keyCount = 0
    while try row.step() {
      let isKey = row.int64(at: 5) > 0
      if isKey { keyCount += 1 }
      columns.append(
        Column(
          name: row.text(at: 1) ?? "", type: row.text(at: 2) ?? "",
          isRequired: row.int64(at: 3) != 0, isRowid: isKey))
    }
    guard !columns.isEmpty else { return nil }
    // Ours with more than one key column are WITHOUT ROWID, and a single one is the rowid. Only
    // `block` has none, and a rowid of its own.
    hasRowid = keyCount <= 1
    if keyCount > 1 { for index in columns.indices { columns[index].isRowid = false } }
    self.name = name
    self.columns = columns
  }

  /// Whether it is the table of poses, by its name of any version.
  var isOfAttributes: Bool { name.hasSuffix("attribute") }

  /// Tables that later steps added columns to, and how many a row of each may have.
  private static let firstCounts = [
    "session": 25...27, "segment": 5...6, "touch": 9...12, "frame": 10...12, "decision": 12...20,
    "estimate": 16...31,
  ]

  /// A row's values in the order of the columns, where it can be one of this table. `nil` where not.
  ///
  /// Fewer values than columns are a row from before the last of the columns were added.
  func values(of row: SalvagedRow) -> [SalvagedValue]? {
    guard hasRowid == (row.rowid != nil),
      (Self.firstCounts[name] ?? columns.count...columns.count).contains(row.values.count),
      row.values.count <= columns.count
    else { return nil }
    var values = row.values
    for index in values.indices {
      if columns[index].isRowid {
        guard values[index] == .null, let rowid = row.rowid else { return nil }
        values[index] = .integer(rowid)
      } else if !columns[index].takes(values[index]) {
        return nil
      }
    }
    if isOfAttributes {
      // Changed, as before or gone. Hidden or not.
      guard let change = values[3].integer, (0...2).contains(change),
        [.null, .integer(0), .integer(1)].contains(values[12])
      else { return nil }
    }
    return values
  }
}

extension TableShape.Column {
  fileprivate func takes(_ value: SalvagedValue) -> Bool {
    switch (value, type) {
    case (.null, _): !isRequired
    case (.integer, "INTEGER"), (.integer, "ANY"), (.integer, "REAL"): true
    case (.real(let number), "REAL"), (.real(let number), "ANY"): number.isFinite
    case (.text, "TEXT"): value.string != nil
    case (.blob, "BLOB"): true
    default: false
    }
  }
}
