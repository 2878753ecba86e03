/// Sentences about tables that cannot be read by their names: what they have, and the flag that says the rest.
enum TableRefusal {
  /// The most columns that a sentence names.
  private static let mostNames = 30

  /// The refusal of a table whose columns have no known names.
  static func names(_ table: CellTable) -> GestureError {
    table.source.error(
      .unsupported, line: table.first.number,
      table.hasHeader
        ? "The names of this table do not say which columns are the time and the positions. \(columns(of: table))"
        : "This table has no header. \(columns(of: table))")
  }

  /// The refusal of a table without positions.
  static func places(_ table: CellTable, _ found: TableColumns) -> GestureError {
    let sentence =
      if !found.doubled.isEmpty {
        "Several columns may be the same axis: \(found.doubled.prefix(4).map { "'\(shown(Array($0.utf8)[...]))'" }.joined(separator: ", "))."
      } else if let change = found.changes.first, found.values.isEmpty {
        "The table has changes such as '\(shown(Array(change.utf8)[...]))', and no positions."
      } else if let value = found.values.first {
        "The table has values such as '\(shown(Array(value.name.utf8)[...]))', and no positions of touches."
      } else {
        "The table has no positions of touches."
      }
    return table.source.error(
      .unsupported, line: table.first.number, "\(sentence) \(columns(of: table))")
  }

  /// The refusal of a table without values.
  static func values(_ table: CellTable, _ found: TableColumns) -> GestureError {
    found.hasPlaces
      ? table.source.error(
        .unsupported, line: table.first.number, "The table has positions of touches, and no values."
      )
      : places(table, found)
  }

  /// The columns of a table, and the flag filled in as far as the names and the rows tell.
  ///
  /// - Parameter key: The column that says whose values a row has.
  static func columns(of table: CellTable, key: String? = nil) -> String {
    let found = TableColumns(table)
    var filled = suggestion(for: table)
    if let value = found.values.first?.name ?? found.changes.first,
      pairs(of: table.names, among: found.values.map(\.index)).isEmpty,
      let time = found.indices[.time]
    {
      filled = "t=\(table.names[time]),value=\(value)" + (key.map { ",key=\($0)" } ?? "")
    }
    let flag = "Name the columns with --columns '\(filled)'."
    guard table.hasHeader else {
      return "Its first row is '\(shown(table.first.text))'. \(flag)"
    }
    let names = table.names.prefix(mostNames).map { "'\(shown(Array($0.utf8)[...]))'" }
    let further = table.names.count - names.count
    return "Its columns are \(names.joined(separator: ", "))"
      + (further > 0 ? " and \(further) more. " : ". ") + flag
  }

  /// `t=stamp:ms,x=px,y=py`, with a question mark for what cannot be told.
  private static func suggestion(for table: CellTable) -> String {
    let columns = TableColumns(table)
    let rows = table.sampleRows.map { Array(table.cells($0)) }
    let width = table.hasHeader ? table.names.count : table.width
    let numbers = (0..<width).map { index in
      rows.compactMap { row -> Double? in
        guard row.indices.contains(index) else { return nil }
        if let number = table.number(row[index]) { return number }
        return table.time(row[index])?.nanoseconds(in: .seconds).map { Double($0) / 1e9 }
      }
    }
    let full = (0..<width).filter { numbers[$0].count == rows.count && rows.count > 1 }
    let time =
      columns.indices[.time]
      ?? full.first { index in
        !(table.hasHeader && TableColumns.counters.contains(TouchName(table.names[index]).plain))
          && isTime(numbers[index])
      }
    var phase = columns.indices[.phase]
    if phase == nil, !table.hasHeader {
      phase = full.first { $0 != time && isPhase(numbers[$0]) }
    }
    let moving = full.filter { $0 != time && $0 != phase && Set(numbers[$0]).count > 2 }
    var places: (x: Int, y: Int)?
    if let x = columns.indices[.x], let y = columns.indices[.y] {
      places = (x, y)
    } else if table.hasHeader {
      places = pairs(of: table.names, among: moving).first
    } else if moving.count == 2, moving[1] == moving[0] + 1 {
      places = (moving[0], moving[1])
    }
    func name(_ index: Int?) -> String {
      guard let index else { return "?" }
      return table.hasHeader
        ? String(table.names[index].filter { $0 != " " && $0 != "'" }) : "#\(index + 1)"
    }
    var unit = ""
    if let time, columns.timeUnit == nil, let step = medianStep(numbers[time]),
      let found = TimeUnit(ofStep: step)
    {
      unit = ":" + found.rawValue
    }
    var parts = ["t=\(name(time))\(unit)", "x=\(name(places?.x))", "y=\(name(places?.y))"]
    if let phase { parts.append("phase=\(name(phase))") }
    if let id = columns.indices[.identifier] { parts.append("id=\(name(id))") }
    return parts.joined(separator: ",")
  }

  /// Whether numbers run on as the time of a finger's reports does.
  private static func isTime(_ numbers: [Double]) -> Bool {
    guard zip(numbers, numbers.dropFirst()).allSatisfy({ $0 <= $1 }), let step = medianStep(numbers)
    else {
      return false
    }
    return TimeUnit(ofStep: step) != nil
  }

  private static func medianStep(_ numbers: [Double]) -> Double? {
    let steps = zip(numbers, numbers.dropFirst()).map { $1 - $0 }.filter { $0 > 0 }.sorted()
    return steps.isEmpty ? nil : steps[(steps.count - 1) / 2]
  }

  /// Whether numbers are phases: few small ones, which begin with the one for a landing.
  private static func isPhase(_ numbers: [Double]) -> Bool {
    numbers.first == 0 && numbers.allSatisfy { $0 >= 0 && $0 < 7 && $0 == $0.rounded() }
      && (2...5).contains(Set(numbers).count)
      && numbers.count(where: { $0 == numbers[1] }) * 2 >= numbers.count
  }

  /// Columns whose names differ in an x and a y alone: `px` and `py`.
  private static func pairs(of names: [String], among columns: [Int]) -> [(x: Int, y: Int)] {
    columns.compactMap { x in
      let wanted = names[x].lowercased().map { $0 == "x" ? "y" : $0 }
      guard names[x].lowercased().contains("x") else { return nil }
      return columns.first { $0 != x && Array(names[$0].lowercased()) == wanted }.map { (x, $0) }
    }
  }
}
