import TimelineModel

/// The columns of a table or of CSV, with what a table for people measures of them.
struct RowLayout {
  private(set) var columns: [String]
  private var indices: [String: Int] = [:]
  private var widths: [Int] = []
  private var isRight: [Bool] = []

  private let isPrecise: Bool

  /// Begins with columns that are known.
  ///
  /// - Parameter isPrecise: Whether numbers have all of their digits in tables too.
  init(columns: [String], isPrecise: Bool) {
    self.columns = []
    self.isPrecise = isPrecise
    for column in columns { add(column) }
  }

  /// Takes the columns from the rows if there are none yet, and measures them.
  mutating func fix(by rows: [[EventField]], measuring: Bool) {
    if columns.isEmpty {
      for row in rows { for field in row { add(field.name) } }
    }
    guard measuring else { return }
    widths = columns.map { DisplayText.width(of: DisplayText.cell(.text($0))) }
    var hasNumber = columns.map { _ in false }
    var hasOther = hasNumber
    for row in rows {
      for (index, value) in values(of: row).enumerated() {
        widths[index] = max(widths[index], DisplayText.width(of: cell(value, index)))
        switch value {
        case .integer, .number: hasNumber[index] = true
        case .null: break
        default: hasOther[index] = true
        }
      }
    }
    isRight = zip(hasNumber, hasOther).map { $0 && !$1 }
  }

  /// The values of a row in the order of the columns. Null where the row has no such field, the first
  /// where it has several.
  private func values(of row: [EventField]) -> [FieldValue] {
    var values = Array(repeating: FieldValue.null, count: columns.count)
    for field in row.reversed() {
      if let index = indices[field.name] { values[index] = field.value }
    }
    return values
  }

  private func cell(_ value: FieldValue, _ index: Int) -> String {
    DisplayText.cell(value, column: columns[index], isPrecise: isPrecise)
  }

  private func cells(of row: [EventField]) -> [String] {
    values(of: row).enumerated().map { cell($0.element, $0.offset) }
  }

  /// Keeps, in their order, as many of these columns as a display has room for, and two at least.
  ///
  /// - Parameter width: Columns of the display.
  /// - Returns: The names of the other columns, in the order of the table.
  mutating func keep(_ names: [String], within width: Int) -> [String] {
    let wanted = names.compactMap { indices[$0] }
    let kept = parts(within: width, of: wanted)[0]
    let others = columns.indices.filter { !kept.contains($0) }.map { columns[$0] }
    (widths, isRight) = (kept.map { widths[$0] }, kept.map { isRight[$0] })
    let names = kept.map { columns[$0] }
    (columns, indices) = ([], [:])
    for name in names { add(name) }
    return others
  }

  private mutating func add(_ column: String) {
    guard indices[column] == nil else { return }
    indices[column] = columns.count
    columns.append(column)
  }
}

// MARK: - CSV

extension RowLayout {
  var csvHeader: String {
    columns.map(quotedCell).joined(separator: ",") + "\n"
  }

  func csvLine(_ row: [EventField]) -> String {
    values(of: row).map(CommaSeparated.cell).joined(separator: ",") + "\n"
  }
}

// MARK: - Markdown

extension RowLayout {
  /// The header, and the line that says how each column is set.
  var markdownHeader: String {
    let rules = isRight.map { $0 ? "---:" : "---" }
    return markdown(columns.map { DisplayText.cell(.text($0)) })
      + "| " + rules.joined(separator: " | ") + " |\n"
  }

  func markdownLine(_ row: [EventField]) -> String {
    markdown(cells(of: row))
  }

  /// Cells between bars. A character that would end a cell or begin a mark is escaped.
  private func markdown(_ cells: [String]) -> String {
    "| " + cells.map(escapedMarkdown).joined(separator: " | ") + " |\n"
  }
}

// MARK: - Tables for people

extension RowLayout {
  /// Blanks between two columns of a table.
  private static let gap = 2

  /// The columns in parts at most as wide as a display where that can be: each part begins with the first
  /// column, by which its rows are known, and has one more column at least. One part where all of them fit.
  ///
  /// - Parameters:
  ///   - width: Columns of the display.
  ///   - shown: The indices of the columns. `nil`: all of them.
  func parts(within width: Int, of shown: [Int]? = nil) -> [[Int]] {
    let shown = shown ?? Array(columns.indices)
    guard let first = shown.first else { return [[]] }
    var parts: [[Int]] = []
    var part = [first]
    var taken = widths[first]
    for index in shown.dropFirst() {
      if part.count > 1, taken + RowLayout.gap + widths[index] > width {
        parts.append(part)
        (part, taken) = ([first], widths[first])
      }
      part.append(index)
      taken += RowLayout.gap + widths[index]
    }
    return parts + [part]
  }

  /// The header and the rule under it, of all columns or of some.
  func tableHeader(_ part: [Int]? = nil) -> String {
    let names = columns.map { DisplayText.cell(.text($0)) }
    let rule = widths.map { String(repeating: "─", count: $0) }
    return line(names, part) + line(rule, part, isFilled: true)
  }

  /// The line of a row, of all columns or of some.
  func tableLine(_ row: [EventField], _ part: [Int]? = nil) -> String {
    line(cells(of: row), part)
  }

  /// Sets cells side by side, blanks between them, none at the end. A cell wider than its column keeps its
  /// text and pushes the next columns.
  ///
  /// - Parameter isFilled: Whether each cell is as wide as its column, so that none is measured.
  private func line(_ cells: [String], _ part: [Int]?, isFilled: Bool = false) -> String {
    var text = ""
    var blanks = 0
    for index in part ?? Array(cells.indices) {
      let cell = cells[index]
      let padding = isFilled ? 0 : max(0, widths[index] - DisplayText.width(of: cell))
      if isRight[index] { blanks += padding }
      if !cell.isEmpty {
        text += String(repeating: " ", count: blanks) + cell
        blanks = 0
      }
      if !isRight[index] { blanks += padding }
      blanks += RowLayout.gap
    }
    return text + "\n"
  }
}

/// Cells of comma-separated values, quoted as RFC 4180 says. Lines end in LF alone, as the tools that
/// read them here expect.
enum CommaSeparated {
  /// A value as a cell: nothing for null, numbers with all digits, lists and objects as JSON.
  static func cell(_ value: FieldValue) -> String {
    switch value {
    case .null: ""
    case .flag, .integer, .number: value.json == "null" ? "" : value.json
    // Quoted, so that an empty text differs from null.
    case .text(let text): text.isEmpty ? "\"\"" : quotedCell(text)
    case .list, .object: quotedCell(value.json)
    }
  }
}

/// A line of text as Markdown shows it: a character that would end a cell or begin a mark is escaped.
package func escapedMarkdown(_ text: String) -> String {
  var escaped = ""
  for scalar in text.unicodeScalars {
    if "\\|`*_<[&~".unicodeScalars.contains(scalar) { escaped += "\\" }
    escaped.unicodeScalars.append(scalar)
  }
  return escaped
}
