/// Reads the positions of a table. Its header names the columns in any order, or `--columns` does.
///
/// Known names are those of ``TouchField``. The touches that `kymo list touches --format csv` prints are read again. When a
/// program heard of a touch (`heard_ns`, `touch_heard_ns`) is looked over: a gesture is the motion of the fingers.
///
/// - Returns: nil. The format names no device.
func readTable(
  _ source: GestureSource, _ reading: GestureReading, into log: inout TouchLog
) throws(GestureError) -> String? {
  let (table, columns) = try foundTable(in: source, reading)
  guard columns.hasPlaces else { throw TableRefusal.places(table, columns) }
  try table.refuseDoubtfulCommas()
  var rows = TouchRows()
  rows.timeName = columns.timeName(in: table)
  rows.isYUp = columns.isYUp || table.saysYGrowsUp
  if rows.isYUp { log.warn("y grows upwards in the file, and downwards in the touches.") }
  var reader = RowReader(table: table, columns: columns)
  for row in table.rows where table.isRow(row) {
    switch reader.touch(of: row) {
    case .touch(let touch): rows.append(touch)
    case .other: break
    case .unreadable: log.losses.add(line: row.number, unreadable(row, as: "row"))
    }
  }
  reader.warnOfOthers(&log)
  if reader.hasGaps { rows.liftAtGaps() }
  try rows.write(to: &log, unit: reading.timeUnit, source)
  return nil
}

/// The table of a file, with the columns that its names or a flag say.
func foundTable(
  in source: GestureSource, _ reading: GestureReading
) throws(GestureError) -> (table: CellTable, columns: TableColumns) {
  if let flag = reading.columns {
    guard let table = CellTable(named: flag, in: source) else {
      throw source.error(
        .unsupported, line: source.lines.first?.number,
        "No line is a header with the columns of --columns '\(shown(Array(flag.utf8)[...]))'. Name columns by numbers "
          + "from 1 if there is none: t=#1,x=#2,y=#3.")
    }
    return (table, try TableColumns(flag: flag, table))
  }
  var columns: TableColumns?
  let table = CellTable(source) { table in
    let found = TableColumns(table)
    guard found.isWhole else { return false }
    columns = found
    return true
  }
  if let table, let columns { return (table, columns) }
  guard let table = CellTable(unnamed: source) else {
    throw source.error(
      .unsupported, line: source.lines.first?.number,
      "No line is a header of columns with a time and positions. A table has one such as t_ms,x,y.")
  }
  throw TableRefusal.names(table)
}

/// Whether a table begins at a line, one that is read or one whose columns must be named.
func isTable(at index: Int, of source: GestureSource, isFirstRow: Bool) -> Bool {
  index < CellTable.mostPreamble
    && CellTable(source, headerAt: index) { TableColumns($0).isWhole } != nil
    || isFirstRow && CellTable(unnamed: source) != nil
}

/// Reads the rows of a table one after another.
private struct RowReader {
  enum Meaning {
    case touch(TouchRow)
    /// A row of something else, such as a key.
    case other
    case unreadable
  }

  let table: CellTable
  let columns: TableColumns
  /// Whether rows without a position say that nothing touches.
  private(set) var hasGaps = false
  /// Words of other events, and how many rows have them.
  private var others: [String: Int] = [:]
  private var last: [TouchRow] = []

  init(table: CellTable, columns: TableColumns) { (self.table, self.columns) = (table, columns) }

  mutating func touch(of row: GestureSource.Line) -> Meaning {
    let cells = table.cells(row)
    guard cells.count == table.width - table.unnamed, let time = columns.indices[.time] else {
      return .unreadable
    }
    func cell(_ field: TouchField) -> ArraySlice<UInt8>? {
      columns.indices[field].map { cells[cells.startIndex + $0] }
    }
    func word(_ field: TouchField) -> String? {
      cell(field).flatMap { CellTable.isEmpty($0) ? nil : CellTable.text($0) }
    }
    guard let written = table.time(cells[cells.startIndex + time]) else { return .unreadable }
    var touch = TouchRow(line: row.number, time: written, unit: columns.timeUnit)
    touch.identifier = word(.identifier) ?? ""
    touch.slot = word(.slot).flatMap { Int($0) }
    touch.trackingID = word(.trackingID).flatMap { Int($0) }
    if columns.indices[.phase] != nil {
      let written = word(.phase)
      touch.phase = written.map { WrittenPhase(word: $0) } ?? .moved
      if touch.phase == nil, let written {
        // The end of the file may have been cut off within the word.
        guard row.isTerminated else { return .unreadable }
        others[written, default: 0] += 1
        return .other
      }
    }
    touch.isDown = word(.isDown).flatMap(TouchField.flag)
    if let word = word(.isResampled) {
      guard let flag = TouchField.flag(word) else { return .unreadable }
      touch.isResampled = flag
    }
    let places = [cell(.x), cell(.y)].compactMap { $0 }
    let isPair = columns.indices[.x] == columns.indices[.y]
    if places.allSatisfy(CellTable.isEmpty) {
      hasGaps = hasGaps || touch.phase == nil
    } else if isPair {
      guard let place = JSONPlace(text: CellTable.text(places[0])) else { return .unreadable }
      (touch.x, touch.y) = (place.x, place.y)
    } else {
      (touch.x, touch.y) = (table.place(places[0]), table.place(places[1]))
      guard touch.x != nil, touch.y != nil else { return .unreadable }
    }
    if !row.isTerminated, isCut(touch, cells) { return .unreadable }
    last = last.suffix(1) + [touch]
    return .touch(touch)
  }

  /// Whether the end of the file may have been cut off within the last number: it is a shorter one that does not go on as
  /// the numbers before it.
  private func isCut(_ touch: TouchRow, _ cells: ArraySlice<ArraySlice<UInt8>>) -> Bool {
    guard touch.phase != .ended, touch.phase != .cancelled, last.count == 2 else { return false }
    let end = cells.count - 1
    for (field, path) in [(TouchField.x, \TouchRow.x), (.y, \TouchRow.y)]
    where columns.indices[field] == end {
      guard let value = touch[keyPath: path], let before = last[1][keyPath: path],
        let first = last[0][keyPath: path]
      else { return false }
      return abs(value) < abs(before) / 2 && abs(value - before) > 8 * max(abs(before - first), 1)
    }
    return columns.indices[.identifier] == end
      && !last.contains { $0.identifier == touch.identifier }
  }

  /// Says which rows were looked over.
  func warnOfOthers(_ log: inout TouchLog) {
    guard !others.isEmpty else { return }
    let words = others.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(5)
      .map { "'\(shown(Array($0.key.utf8)[...]))'" }.joined(separator: ", ")
    let count = others.values.reduce(0, +)
    log.warn(
      "\(count == 1 ? "A row says" : "\(count) rows say") no phase of a contact (\(words)). "
        + "\(count == 1 ? "It was" : "They were") left out.")
  }
}
