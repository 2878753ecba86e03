/// Rows of cells under a header, or without one: comma, semicolon, tab, bars or blanks between them.
struct CellTable {
  enum Separator: Hashable {
    case sign(UInt8)
    case blanks
    /// At least two spaces, so that a name may have one.
    case wideBlanks
  }

  let source: GestureSource
  let separator: Separator
  /// The names of the columns. In a table without a header empty.
  private(set) var names: [String] = []
  /// The header, or the first row.
  let first: GestureSource.Line
  /// The rows in order.
  private(set) var rows: ArraySlice<GestureSource.Line>
  /// Units that a row under the header gives, by column.
  private(set) var units: [Int: String] = [:]
  /// How many cells each row has before the first that is named: tools that print an index name it by nothing.
  private(set) var unnamed = 0
  /// Whether numbers have a comma for a point.
  private(set) var hasDecimalCommas = false
  /// Numbers that may have a comma for a point, or between thousands: the first one's line.
  private(set) var doubtfulComma: GestureSource.Line?

  var hasHeader: Bool { !names.isEmpty }
  /// How many cells a row has.
  var width: Int { hasHeader ? unnamed + names.count : cells(first).count }

  /// Most bytes of a header.
  static let longestHeader = 4000
  /// Lines that may stand before the header: a program's words on its version and device.
  static let mostPreamble = 64
  /// Rows that tell the kind of a column.
  static let sampleCount = 200

  /// The first table of a text that fits. `nil` if there is none.
  init?(_ source: GestureSource, where fits: (CellTable) -> Bool) {
    var candidates = 0
    for (index, line) in source.lines.enumerated() {
      if let table = CellTable(source, headerAt: index, where: fits) {
        self = table
        return
      }
      guard !Self.isComment(line.text) else { continue }
      candidates += 1
      guard candidates < Self.mostPreamble else { return nil }
    }
    return nil
  }

  /// The table whose header is at a line of a file, if it fits.
  init?(_ source: GestureSource, headerAt index: Int, where fits: (CellTable) -> Bool) {
    let line = source.lines[index]
    guard line.text.count <= Self.longestHeader else { return nil }
    // NumPy and gnuplot write the header as a comment.
    var text = source.withTabs(line)
    if Self.isComment(line.text) {
      text = trimmed(line.text.drop { "#%/".utf8.contains($0) })
    }
    for separator in Self.separators(of: text) {
      let names = Self.split(text, by: separator).map(Self.text)
      guard names.count > 1, !names.contains(where: { $0.contains { "{}".contains($0) } }),
        !names.contains(where: { Self.number(Array($0.utf8)[...]) != nil })
      else {
        continue
      }
      var table = CellTable(source: source, separator: separator, first: line)
      table.rows = source.lines[(index + 1)...]
      guard table.takeHeader(names), fits(table) else { continue }
      self = table
      return
    }
    return nil
  }

  /// The table that columns of a flag are of: under the header that has their names, or all rows if it has numbers alone.
  init?(named flag: String, in source: GestureSource) {
    let columns = flag.split(separator: ",").compactMap { part -> String? in
      guard let equals = part.firstIndex(of: "=") else { return nil }
      return part[part.index(after: equals)...].filter { $0 != " " }.lowercased()
    }
    let named = columns.filter { $0.first != "#" }
    let table = CellTable(source) { table in
      let names = table.names.map { $0.filter { $0 != " " }.lowercased() }
      return named.allSatisfy { column in
        names.contains { column == $0 || column.hasPrefix($0 + ":") }
      }
    }
    guard let table = table ?? (named.isEmpty ? CellTable(headless: source) : nil) else {
      return nil
    }
    self = table
  }

  /// The table at the beginning of a text whose columns have no known names. `nil` if there is none.
  init?(unnamed source: GestureSource) {
    guard let index = source.lines.firstIndex(where: { !Self.isComment($0.text) }) else {
      return nil
    }
    let named = CellTable(source, headerAt: index) { table in
      table.hasRowsOfNumbers
    }
    guard let table = named ?? CellTable(headless: source) else { return nil }
    self = table
  }

  /// The table without a header whose first row is the file's first line. `nil` if the lines are not rows of numbers.
  private init?(headless source: GestureSource) {
    guard let index = source.lines.firstIndex(where: { !Self.isComment($0.text) }),
      source.lines[index].text.count <= Self.longestHeader
    else { return nil }
    let line = source.lines[index]
    for separator in Self.separators(of: line.text) {
      var table = CellTable(source: source, separator: separator, first: line)
      table.rows = source.lines[index...]
      table.findCommas()
      guard table.width > 1, table.hasRowsOfNumbers else { continue }
      self = table
      return
    }
    return nil
  }

  /// Whether all first rows have as many cells as the table, and most of them are numbers. Words of a log between blanks are
  /// none of a table.
  private var hasRowsOfNumbers: Bool {
    let rows = sampleRows
    let isBlank = separator == .blanks || separator == .wideBlanks
    return rows.count > 1
      && rows.allSatisfy { row in
        let cells = cells(row)
        let numbers = cells.count { number($0) != nil }
        return cells.count == width - unnamed && numbers > 1 && cells.allSatisfy { $0.count <= 40 }
          && (isBlank ? numbers == cells.count : numbers * 2 >= cells.count)
      }
  }

  private init(source: GestureSource, separator: Separator, first: GestureSource.Line) {
    (self.source, self.separator, self.first, rows) = (source, separator, first, [])
  }

  /// Takes the names if the rows fit them.
  private mutating func takeHeader(_ names: [String]) -> Bool {
    self.names = names
    guard let row = rows.first(where: isRow) else { return !Self.isComment(first.text) }
    let found = Self.split(source.withTabs(row), by: separator)
    if found.count == names.count + 1, found[names.count].isEmpty {
      unnamed = 0
    } else if found.count == names.count + 1,
      Self.number(found[0]) != nil || found[0].first == UInt8(ascii: "\"")
    {
      unnamed = 1
    } else if found.count != names.count {
      return false
    }
    let words = found.map(Self.text)
    if words.contains(where: { TimeUnit(word: $0.filter { !"[]()".contains($0) }) != nil }),
      found.allSatisfy({ Self.number($0) == nil })
    {
      for (index, word) in words.enumerated() { units[index - unnamed] = word }
      rows = rows.drop { $0.number <= row.number }
    }
    findCommas()
    return true
  }

  // MARK: Cells

  /// The cells of a row, at most one more than the table has columns.
  func cells(_ row: GestureSource.Line) -> ArraySlice<ArraySlice<UInt8>> {
    let cells = Self.split(
      source.withTabs(row), by: separator, atMost: hasHeader ? width + 1 : .max)
    // Some programs write a separator behind each row.
    let isEnded = hasHeader && cells.count == width + 1 && cells[width].isEmpty
    return cells.dropLast(isEnded ? 1 : 0).dropFirst(unnamed)
  }

  /// Whether a line is a row: no comment, and not a line of signs under the header.
  func isRow(_ line: GestureSource.Line) -> Bool {
    !Self.isComment(line.text) && !Self.isCount(line.text)
      && line.text.contains { !" \t\r|+-=:\u{2500}\u{253C}".utf8.contains($0) }
  }

  /// The first rows.
  var sampleRows: [GestureSource.Line] {
    var found: [GestureSource.Line] = []
    for row in rows where isRow(row) {
      found.append(row)
      if found.count == Self.sampleCount { break }
    }
    return found
  }

  /// A cell as a number. `nil` if it is none.
  func number(_ cell: ArraySlice<UInt8>) -> Double? { Self.number(withPoint(cell)) }

  /// A cell as a coordinate. `nil` if it is none, or beyond all panels.
  func place(_ cell: ArraySlice<UInt8>) -> Double? { number(cell).flatMap(coordinate) }

  /// A cell as a time. `nil` if it is none.
  func time(_ cell: ArraySlice<UInt8>) -> WrittenTime? { WrittenTime(text: withPoint(cell)) }

  /// Whether a cell holds nothing: empty, or a word for it.
  static func isEmpty(_ cell: ArraySlice<UInt8>) -> Bool {
    cell.isEmpty || cell.count < 5 && emptyWords.contains(text(cell).lowercased())
  }

  private static let emptyWords: Set<String> = [
    "nan", "na", "n/a", "null", "none", "nil", "-", "\u{2013}", "\\n",
  ]

  static func text(_ cell: ArraySlice<UInt8>) -> String { String(decoding: cell, as: UTF8.self) }

  private static func number(_ cell: ArraySlice<UInt8>) -> Double? {
    guard cell.count <= 64, cell.allSatisfy({ "+-.0123456789eE".utf8.contains($0) }),
      let number = Double(text(cell)), number.isFinite
    else { return nil }
    return number
  }

  private func withPoint(_ cell: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard hasDecimalCommas, let comma = cell.firstIndex(of: UInt8(ascii: ",")),
      !cell.contains(UInt8(ascii: "."))
    else { return cell }
    var cell = cell
    cell[comma] = UInt8(ascii: ".")
    return cell
  }

  /// Finds out whether a comma is a decimal one: it is if one of the numbers cannot have it between thousands.
  private mutating func findCommas() {
    guard separator != .sign(UInt8(ascii: ",")) else { return }
    var doubtful: GestureSource.Line?
    for row in sampleRows {
      for cell in cells(row) {
        switch Self.comma(cell) {
        case .decimal?:
          hasDecimalCommas = true
          return
        case .doubtful?: doubtful = doubtful ?? row
        case nil: break
        }
      }
    }
    doubtfulComma = doubtful
    hasDecimalCommas = doubtful != nil
  }

  private enum Comma { case decimal, doubtful }

  /// `0,5` has a decimal comma, `1,200` may have one.
  private static func comma(_ cell: ArraySlice<UInt8>) -> Comma? {
    let digits = cell.first == UInt8(ascii: "-") ? cell.dropFirst() : cell
    let parts = digits.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ wholeNumber($0) != nil }) else { return nil }
    let isThousands =
      parts[1].count == 3 && parts[0].count <= 3 && parts[0].first != UInt8(ascii: "0")
    return isThousands ? .doubtful : .decimal
  }

  /// Refuses numbers that can be read in two ways.
  func refuseDoubtfulCommas() throws(GestureError) {
    guard let row = doubtfulComma else { return }
    throw source.error(
      .unsupported, line: row.number,
      "The commas in '\(shown(row.text))' may be decimal ones or stand between thousands. Write the numbers with a point."
    )
  }

  // MARK: Lines

  /// `(13 rows)`, which databases print after a table.
  private static func isCount(_ text: ArraySlice<UInt8>) -> Bool {
    text.first == UInt8(ascii: "(") && text.count < 24
      && [" rows)", " row)"].contains { text.suffix($0.utf8.count).elementsEqual($0.utf8) }
  }

  /// Whether a comment before the header says so.
  var saysYGrowsUp: Bool {
    source.lines.prefix(Self.mostPreamble).contains { line in
      guard line.number < first.number, line.text.count < 400 else { return false }
      let words = Self.text(line.text).lowercased().split { !$0.isLetter }.joined(separator: " ")
      return [
        "y up", "y upwards", "y grows up", "y grows upwards", "y points up", "y axis up",
        "origin bottom left",
      ]
      .contains { " \(words) ".contains(" \($0) ") }
    }
  }

  static func isComment(_ text: ArraySlice<UInt8>) -> Bool {
    text.first == UInt8(ascii: "#") || text.first == UInt8(ascii: "%")
      || text.starts(with: "//".utf8)
  }

  /// What may stand between the cells of a line, the likeliest first.
  private static func separators(of text: ArraySlice<UInt8>) -> [Separator] {
    let signs = "\t;|,".utf8.filter(text.contains)
    return signs.map { .sign($0) } + [.wideBlanks, .blanks]
  }

  /// The cells of a line, without space around them and without quotation marks.
  private static func split(
    _ text: ArraySlice<UInt8>, by separator: Separator, atMost limit: Int = .max
  ) -> [ArraySlice<UInt8>] {
    switch separator {
    case .sign(let sign):
      var cells = splitAtSign(text, sign, limit)
      if sign == UInt8(ascii: "|") {
        // Markdown writes bars at both ends.
        if cells.first?.isEmpty == true { cells.removeFirst() }
        if cells.last?.isEmpty == true { cells.removeLast() }
      }
      return cells
    case .wideBlanks:
      return splitAtBlanks(text, width: 2, limit)
    case .blanks:
      var cells: [ArraySlice<UInt8>] = []
      for word in splitAtBlanks(text, width: 1, limit) {
        // The unit of the name before: `t [ms]`.
        if let last = cells.last, word.first == UInt8(ascii: "[") || word.first == UInt8(ascii: "(")
        {
          cells[cells.count - 1] = last + word
        } else {
          cells.append(word)
        }
      }
      return cells
    }
  }

  private static func splitAtSign(
    _ text: ArraySlice<UInt8>, _ sign: UInt8, _ limit: Int
  ) -> [ArraySlice<UInt8>] {
    let quote = UInt8(ascii: "\"")
    var cells: [ArraySlice<UInt8>] = []
    var rest = text
    while cells.count < limit {
      let start = rest.firstIndex { $0 != UInt8(ascii: " ") } ?? rest.endIndex
      if start < rest.endIndex, rest[start] == quote {
        var cell: [UInt8] = []
        var index = start + 1
        while index < rest.endIndex {
          if rest[index] == quote {
            guard index + 1 < rest.endIndex, rest[index + 1] == quote else { break }
            index += 1
          }
          cell.append(rest[index])
          index += 1
        }
        cells.append(trimmed(cell[...]))
        rest = rest[min(index + 1, rest.endIndex)...]
        guard let end = rest.firstIndex(of: sign) else { return cells }
        rest = rest[(end + 1)...]
      } else {
        guard let end = rest.firstIndex(of: sign) else {
          cells.append(trimmed(rest))
          return cells
        }
        cells.append(trimmed(rest[..<end]))
        rest = rest[(end + 1)...]
      }
    }
    return cells
  }

  /// The parts between so many blanks, or a tab. What is in quotation marks stays together.
  private static func splitAtBlanks(
    _ text: ArraySlice<UInt8>, width: Int, _ limit: Int
  ) -> [ArraySlice<UInt8>] {
    var cells: [ArraySlice<UInt8>] = []
    var rest = trimmed(text)
    while let first = rest.first, cells.count < limit {
      if first == UInt8(ascii: "\"") {
        let end = rest.dropFirst().firstIndex(of: first) ?? rest.endIndex
        cells.append(rest[(rest.startIndex + 1)..<end])
        rest = trimmed(rest[min(end + 1, rest.endIndex)...])
        continue
      }
      var end = rest.startIndex
      var blanks = 0
      while end < rest.endIndex {
        if rest[end] == UInt8(ascii: "\t") {
          blanks = width
        } else {
          blanks = rest[end] == UInt8(ascii: " ") ? blanks + 1 : 0
        }
        end += 1
        if blanks >= width { break }
      }
      cells.append(trimmed(rest[..<end]))
      rest = rest[end...].drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    }
    return cells
  }
}
