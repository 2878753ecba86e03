import TimelineModel

/// Values over time that a table holds, without positions of touches.
package struct ValueTable: Hashable, Sendable {
  /// The values of one column, or of one key.
  package struct Column: Hashable, Sendable {
    /// The name of the column, or of the key in a table that has one.
    package var name: String
    /// When, in nanoseconds by the table's own clock, in the order of the file.
    package var times: [Int64] = []
    /// The finite values, one for each time.
    package var values: [Double] = []
    /// Which values were computed, one for each time. Empty: none.
    package var resampled: [Bool] = []
  }

  /// The columns in the order of the file. Never empty, and each has a value.
  package var columns: [Column]
  /// Notes on the reading, one sentence each.
  package var warnings: [String]
  /// The losses, one sentence each, with its line.
  package var losses: [String]
  /// The unit of the table's times. `nil` if each says its own.
  package var timeUnit: TimeUnit?
  /// Whether its first line begins as those of the tables that kymo reads and prints.
  package var saysItsFormat = false

  /// How it was read: "a table, 2 keys, ms".
  package var readAs: String {
    ["a table", counted(columns.count, "key"), timeUnit?.rawValue].compactMap { $0 }
      .joined(separator: ", ")
  }
}

/// Whether a text is a table of values without positions, which ``readValueTable(_:as:name:)`` reads.
///
/// Cost: that of the first lines.
package func isValueTable(_ bytes: [UInt8], as reading: GestureReading) -> Bool {
  guard reading.format == nil || reading.format == .table else { return false }
  let start = Array(bytes.prefix(1 << 16))
  guard !start.contains(0) else { return false }
  let source = GestureSource(name: "", bytes: start)
  if reading.columns != nil {
    return (try? foundTable(in: source, reading))?.columns.hasValues ?? false
  }
  return CellTable(source) { TableColumns($0).isWhole }.map { TableColumns($0).hasValues } ?? false
}

/// Reads a table of values: a column of times and a column for each value, or a column of names and one of values.
///
/// The header, the units of time and the numbers are those of tables of touches. Cost: linear in the length.
///
/// - Throws: ``GestureError`` if there is no value to be had.
package func readValueTable(
  _ bytes: [UInt8], as reading: GestureReading, name: String
) throws(GestureError) -> ValueTable {
  let source = GestureSource(name: name, bytes: bytes)
  guard !source.lines.isEmpty else { throw source.error(.empty, "The file is empty.") }
  guard !source.isTooLong else {
    throw source.error(
      .unsupported,
      "The file has more than \(GestureSource.mostLines) lines. Cut it into shorter files.")
  }
  let (table, columns) = try foundTable(in: source, reading)
  guard columns.hasValues else { throw TableRefusal.values(table, columns) }
  try table.refuseDoubtfulCommas()
  var reader = ValueReader(table: table, columns: columns)
  for row in table.rows where table.isRow(row) { reader.take(row) }
  var values = try reader.values(unit: reading.timeUnit)
  values.saysItsFormat = saysItsFormat(source, .table)
  return values
}

/// Collects the values of a table's rows.
private struct ValueReader {
  /// The most names of a column of names.
  private static let mostKeys = 10_000

  let table: CellTable
  let columns: TableColumns
  private var log = TouchLog()
  /// The times of the rows, which decide the unit.
  private var times = TouchRows()
  private var series: [Series] = []
  private var places: [String: Int] = [:]

  private struct Series {
    var name: String
    /// Indices of rows.
    var rows: [Int] = []
    var values: [Double] = []
    var resampled: [Bool] = []
  }

  init(table: CellTable, columns: TableColumns) {
    (self.table, self.columns) = (table, columns)
    times.timeName = columns.timeName(in: table)
    for (columns, kind) in [
      (columns.wordColumns, "without numbers"), (columns.changes, "of changes"),
    ]
    where !columns.isEmpty {
      let names = columns.prefix(5).map { "'\(shown(Array($0.utf8)[...]))'" }
      log.warn("The columns \(kind) are left out: \(names.joined(separator: ", ")).")
    }
    if columns.key == nil {
      for value in columns.values { _ = place(of: value.name) }
    }
  }

  mutating func take(_ row: GestureSource.Line) {
    let cells = Array(table.cells(row))
    guard cells.count == table.width - table.unnamed, let timeColumn = columns.indices[.time],
      let time = table.time(cells[timeColumn])
    else { return leaveOut(row) }
    let key = columns.key.map { CellTable.text(cells[$0]) }
    let mark = columns.indices[.isResampled].map { TouchField.flag(CellTable.text(cells[$0])) }
    guard mark != .some(nil) else { return leaveOut(row) }
    let present = columns.values.filter { !CellTable.isEmpty(cells[$0.index]) }
    let values = present.compactMap { column in
      table.number(cells[column.index]).map { (column, $0) }
    }
    guard values.count == present.count,
      row.isTerminated || !isCut(values.map(\.1), of: present, key)
    else { return leaveOut(row) }
    times.append(
      TouchRow(line: row.number, time: time, unit: columns.timeUnit, identifier: key ?? ""))
    for (column, value) in values {
      let name = key.map { self.name(of: column, key: $0) } ?? column.name
      guard let place = place(of: name) else { return leaveOut(row) }
      series[place].rows.append(times.rows.count - 1)
      series[place].values.append(value)
      if let mark { series[place].resampled.append(mark ?? false) }
    }
  }

  /// A number says too little by itself: `progress.3`.
  private func name(of column: TableColumns.Value, key: String) -> String {
    if Int(key) != nil { return "\(column.name).\(key)" }
    return columns.values.count == 1 ? key : "\(key).\(column.name)"
  }

  private mutating func leaveOut(_ row: GestureSource.Line) {
    log.losses.add(line: row.number, unreadable(row, as: "row"))
  }

  /// The index of a name's values. `nil` if there are too many names.
  private mutating func place(of name: String) -> Int? {
    if let place = places[name] { return place }
    guard series.count < Self.mostKeys else { return nil }
    places[name] = series.count
    series.append(Series(name: name))
    return series.count - 1
  }

  /// Whether the file may end within the last number: it does not go on as those before it.
  private func isCut(_ values: [Double], of present: [TableColumns.Value], _ key: String?) -> Bool {
    guard key == nil, let last = present.last, last.index == table.names.count - 1,
      let value = values.last,
      let before = places[last.name].map({ series[$0].values.suffix(2) }), before.count == 2
    else { return false }
    let (first, second) = (before[before.startIndex], before[before.startIndex + 1])
    return abs(value) < abs(second) / 2 && abs(value - second) > 8 * abs(second - first)
  }

  /// What was collected, with times in nanoseconds.
  consuming func values(unit: TimeUnit?) throws(GestureError) -> ValueTable {
    try refuseMixedRows()
    let found: TimeUnit?
    do throws(TouchRows.Trouble) {
      found = try times.timeUnit(decided: unit, &log)
    } catch {
      throw times.refusal(of: error, table.source)
    }
    var columns: [ValueTable.Column] = []
    for one in series {
      var column = ValueTable.Column(name: one.name)
      for (index, row) in one.rows.enumerated() {
        let time = times.rows[row]
        guard let nanoseconds = time.time.nanoseconds(in: time.unit ?? found ?? .nanoseconds) else {
          log.losses.add(line: time.line, "The time does not fit. The value was left out.")
          continue
        }
        column.times.append(nanoseconds)
        column.values.append(one.values[index])
        if !one.resampled.isEmpty { column.resampled.append(one.resampled[index]) }
      }
      if !column.times.isEmpty { columns.append(column) }
    }
    guard !columns.isEmpty else {
      throw table.source.error(
        .noTouches, line: table.first.number,
        "The table contains no values. \(log.losses.sentences.first ?? "")")
    }
    return ValueTable(
      columns: columns, warnings: log.warnings, losses: log.losses.sentences, timeUnit: found)
  }

  /// Refuses rows of several things at once that no column of names tells apart.
  private func refuseMixedRows() throws(GestureError) {
    guard columns.key == nil, let word = columns.wordColumns.first else { return }
    let same = zip(times.rows, times.rows.dropFirst()).count { $0.time == $1.time }
    guard same * 4 > times.rows.count else { return }
    throw table.source.error(
      .unsupported, line: table.first.number,
      "Several rows have the same time, and '\(shown(Array(word.utf8)[...]))' may say whose values they are. "
        + TableRefusal.columns(of: table, key: word))
  }
}
