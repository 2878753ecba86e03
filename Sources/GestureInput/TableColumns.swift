/// The parts of a touch that a table's columns have.
struct TableColumns {
  /// A column that the table has values in.
  struct Value {
    var name: String
    var index: Int
  }

  private(set) var indices: [TouchField: Int] = [:]
  /// The unit that the name of the time says, or the flag.
  private(set) var timeUnit: TimeUnit?
  /// The columns that are neither times, positions nor names. A table with positions has none.
  private(set) var values: [Value] = []
  /// The column that says whose values a row has.
  private(set) var key: Int?
  /// Columns that are left out since they hold no numbers.
  private(set) var wordColumns: [String] = []
  /// Names of distances and speeds, which are neither positions nor values by themselves.
  private(set) var changes: [String] = []
  /// Whether y grows upwards, since its name says so.
  private(set) var isYUp = false

  var hasPlaces: Bool { indices[.time] != nil && indices[.x] != nil && indices[.y] != nil }
  /// Names of columns that are two of the same, and the flag must choose.
  private(set) var doubled: [String] = []

  var hasValues: Bool {
    indices[.time] != nil && !hasPlaces && doubled.isEmpty && !values.isEmpty
  }

  /// Whether the table can be read, or says itself why not.
  var isWhole: Bool {
    hasPlaces || hasValues || !doubled.isEmpty || indices[.time] != nil && !changes.isEmpty
  }

  /// The name of the time, for sentences.
  func timeName(in table: CellTable) -> String {
    guard let index = indices[.time], table.hasHeader else { return "time" }
    return shown(Array(table.names[index].utf8)[...])
  }

  private let names: [TouchName]
  private let samples: [[ArraySlice<UInt8>]]
  private let hasRows: Bool

  /// The columns by their names and the first rows.
  init(_ table: CellTable) {
    names = table.names.enumerated().map { index, name in
      var found = TouchName(name)
      if found.unit == nil, let unit = table.units[index] {
        found.unit = TimeUnit(word: unit.filter { !"[]()".contains($0) })
      }
      return found
    }
    samples = Self.samples(of: table)
    hasRows = !table.sampleRows.isEmpty
    let times = candidates(for: .time).filter { mostly($0) { table.time($0) != nil } }
    indices[.time] = times.first { Set(samples[$0]).count > 1 } ?? times.first
    timeUnit = indices[.time].flatMap { names[$0].unit }
    takePlaces(table)
    if hasPlaces { takeContacts() } else { takeValues(table) }
  }

  /// The columns that a flag names: `t=stamp:ms,x=px,y=py,id=finger`, or by number, `#3`.
  init(flag: String, _ table: CellTable) throws(GestureError) {
    (names, samples, hasRows) = ([], Self.samples(of: table), false)
    for part in flag.split(separator: ",") {
      let halves = part.split(separator: "=", maxSplits: 1).map { $0.filter { $0 != " " } }
      guard halves.count == 2, !halves[1].isEmpty, halves[1] != "?" else {
        throw Self.refusal(table, "--columns has '\(part)', which names no column.")
      }
      var column = halves[1]
      if let colon = column.lastIndex(of: ":"),
        let unit = TimeUnit(word: column[column.index(after: colon)...])
      {
        if halves[0] == TouchField.time.rawValue { timeUnit = unit }
        column = String(column[..<colon])
      }
      let index = try Self.index(of: column, in: table)
      if halves[0] == "value" {
        values.append(Value(name: table.hasHeader ? table.names[index] : column, index: index))
      } else if halves[0] == "key" {
        key = index
      } else if let field = TouchField(rawValue: halves[0]) {
        indices[field] = index
        if field == .time, timeUnit == nil, table.hasHeader {
          timeUnit = TouchName(table.names[index]).unit
        }
      } else {
        let known = TouchField.allCases.map(\.rawValue) + ["value", "key"]
        throw Self.refusal(
          table, "--columns has '\(halves[0])', which is none of \(known.joined(separator: ", ")).")
      }
    }
    guard hasPlaces || indices[.time] != nil && !values.isEmpty else {
      throw Self.refusal(
        table, "--columns must name the time t, and the positions x and y or a value.")
    }
    if hasPlaces {
      values = []
      if indices[.isDown] == nil { indices[.phase] = indices[.phase] ?? phaseByWords }
    }
  }

  /// The cells of the first rows by column, without empty ones.
  private static func samples(of table: CellTable) -> [[ArraySlice<UInt8>]] {
    let rows = table.sampleRows.map { Array(table.cells($0)) }
    let width = table.hasHeader ? table.names.count : table.width
    return (0..<width).map { index in
      rows.compactMap { row in
        row.indices.contains(index) && !CellTable.isEmpty(row[index]) ? row[index] : nil
      }
    }
  }

  /// The first free column of nothing but words of phases, whatever its name. `nil`: there is none.
  ///
  /// A finger lands and moves in it. A column that says up and down alone may be one of directions.
  private var phaseByWords: Int? {
    let taken = Set(indices.values)
    return samples.indices.first { column in
      guard !taken.contains(column) else { return false }
      let words = Set(samples[column]).map(CellTable.text)
      let phases = words.compactMap { Int($0) == nil ? WrittenPhase(word: $0) : nil }
      return phases.count == words.count && phases.contains(.began) && phases.contains(.moved)
    }
  }

  /// A column by its name, or by its number from 1: `#3`.
  private static func index(of column: String, in table: CellTable) throws(GestureError) -> Int {
    if column.first == "#", let number = Int(column.dropFirst()) {
      let index = number - 1 - (table.hasHeader ? table.unnamed : 0)
      if (0..<(table.hasHeader ? table.names.count : table.width)).contains(index) { return index }
    }
    let plain = table.names.map { $0.filter { $0 != " " } }
    if let index = plain.firstIndex(of: column)
      ?? plain.firstIndex(where: { $0.lowercased() == column.lowercased() })
    {
      return index
    }
    throw refusal(table, "The table has no column '\(shown(Array(column.utf8)[...]))'.")
  }

  /// An error that prints the columns.
  private static func refusal(_ table: CellTable, _ sentence: String) -> GestureError {
    table.source.error(
      .unsupported, line: table.first.number, "\(sentence) \(TableRefusal.columns(of: table))")
  }

  // MARK: By names

  /// The columns whose names say a field, the most telling first.
  private func candidates(for field: TouchField) -> [Int] {
    names.indices.compactMap { index in
      field.rank(of: names[index]).map { (rank: $0, index: index) }
    }.sorted { ($0.rank, $0.index) < ($1.rank, $1.index) }.map(\.index)
  }

  /// Whether at least half of a column's cells are such, and there is one. A table without rows has what its names say.
  private func mostly(_ column: Int, _ isSuch: (ArraySlice<UInt8>) -> Bool) -> Bool {
    if !hasRows { return true }
    let count = samples[column].count(where: isSuch)
    return count > 0 && count * 2 >= samples[column].count
  }

  /// The columns x and y whose names differ in the axis alone.
  private mutating func takePlaces(_ table: CellTable) {
    for (xName, yName) in zip(TouchField.x.names, TouchField.y.names) {
      let (xs, ys) = (columns(named: xName, table), columns(named: yName, table))
      guard !xs.isEmpty, !ys.isEmpty else { continue }
      guard let x = one(of: xs, named: xName, table), let y = one(of: ys, named: yName, table)
      else {
        doubled = (xs.count > 1 ? xs : ys).map { table.names[$0] }
        return
      }
      (indices[.x], indices[.y]) = (x, y)
      let words = table.names[y].lowercased().split { !$0.isLetter }
      isYUp = words.contains("up") || words.contains("upwards")
      return
    }
    // Both in one cell: `(1, 2)`.
    let pair = names.indices.first { index in
      index != indices[.time] && JSONFieldName(table.names[index]).placeRank != nil && hasRows
        && mostly(index) { JSONPlace(text: CellTable.text($0)) != nil }
    }
    (indices[.x], indices[.y]) = (pair, pair)
  }

  private func columns(named name: String, _ table: CellTable) -> [Int] {
    names.indices.filter { index in
      names[index].plain == name && index != indices[.time]
        && mostly(index) { table.number($0) != nil }
    }
  }

  /// The only column, or the only one whose name is that and nothing before it. `nil` if there are several.
  private func one(of columns: [Int], named name: String, _ table: CellTable) -> Int? {
    let exact = columns.filter { table.names[$0].lowercased() == name }
    let found = exact.isEmpty ? columns : exact
    return found.count == 1 ? found[0] : nil
  }

  /// The columns of a row's contact and phase.
  private mutating func takeContacts() {
    let taken = Set(indices.values)
    func free(_ field: TouchField) -> [Int] {
      candidates(for: field).filter { !taken.contains($0) }
    }
    indices[.phase] =
      free(.phase).first { column in
        // A number that never changes is none: a kind, a version.
        mostly(column) { WrittenPhase(word: CellTable.text($0)) != nil }
          && (Set(samples[column]).count > 1
            || samples[column].allSatisfy { Int(CellTable.text($0)) == nil })
      } ?? (free(.isDown).isEmpty ? phaseByWords : nil)
    // The number of a row names no contact.
    let landings = indices[.phase].map { column in
      samples[column].count { WrittenPhase(word: CellTable.text($0)) == .began }
    }
    indices[.identifier] = free(.identifier).first { column in
      let (rows, names) = (samples[column].count, Set(samples[column]).count)
      return column != indices[.phase]
        && (rows < 3 || names * 2 <= rows + 1 || names <= (landings ?? 0) + 1)
    }
    indices[.isDown] = free(.isDown).first { column in
      ![indices[.phase], indices[.identifier]].contains(column)
        && mostly(column) { TouchField.flag(CellTable.text($0)) != nil }
    }
    for field in [TouchField.slot, .trackingID, .isResampled] { indices[field] = free(field).first }
  }

  /// Names of the columns that count rows.
  static let counters: Set<String> = [
    "", "index", "idx", "row", "rownumber", "no", "n", "frame", "framenumber", "sample", "unnamed0",
  ]
  /// Names of the columns that say whose value it is.
  private static let keys: Set<String> = [
    "key", "name", "series", "track", "property", "channel", "metric", "signal",
  ]
  private static let changeNames: Set<String> = [
    "dx", "dy", "deltax", "deltay", "movementx", "movementy", "translationx", "translationy", "vx",
    "vy",
    "velocityx", "velocityy", "xvelocity", "yvelocity",
  ]

  private mutating func takeValues(_ table: CellTable) {
    indices[.x] = nil
    indices[.y] = nil
    for index in names.indices where index != indices[.time] && !samples[index].isEmpty {
      let name = names[index]
      let isNumeric = mostly(index) { table.number($0) != nil }
      if TouchField.isResampled.rank(of: name) != nil {
        indices[.isResampled] = index
      } else if Self.keys.contains(name.plain), !isNumeric {
        key = key ?? index
      } else if !isNumeric {
        wordColumns.append(table.names[index])
      } else if Self.changeNames.contains(name.plain) {
        changes.append(table.names[index])
      } else if TouchField.identifier.rank(of: name) != nil, isNumberOfThing(index) {
        if Set(samples[index]).count > 1 { key = key ?? index }
      } else if TouchField.time.rank(of: name) == nil, name.unit == nil,
        !Self.counters.contains(name.plain)
      {
        values.append(Value(name: table.names[index], index: index))
      }
    }
    // Other numbers beside a name and its value are about the row.
    if key != nil, let value = values.first(where: { $0.name.lowercased() == "value" }) {
      values = [value]
    }
  }

  /// Whether a column has whole numbers that come again and again.
  private func isNumberOfThing(_ column: Int) -> Bool {
    samples[column].allSatisfy { wholeNumber($0) != nil }
      && Set(samples[column]).count * 2 <= samples[column].count + 1
  }
}

extension TouchField {
  /// Whether a word says that something is so: `1`, `true`, `yes`, pressed buttons. `nil` for another word.
  static func flag(_ word: String) -> Bool? {
    switch word.lowercased() {
    case "true", "yes", "down": true
    case "false", "no", "up", "": false
    default: Int(word).map { $0 != 0 }
    }
  }
}
