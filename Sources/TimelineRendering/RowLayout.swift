import TimelineModel

/// The columns of a table or of CSV, with what a table for people measures of them.
struct RowLayout {
  /// The columns in order.
  private(set) var columns: [Column]
  private var indices: [String: Int] = [:]
  private var widths: [Int] = []
  private var isRight: [Bool] = []

  init(columns: [Column]) {
    self.columns = []
    for column in columns { add(column) }
  }

  /// Whether the field has a column.
  func hasColumn(named name: String) -> Bool { indices[name] != nil }

  /// Takes the columns from the rows if there are none yet, and measures them.
  mutating func fix(by rows: [[Field]], measuring: Bool) {
    if columns.isEmpty {
      for row in rows { for field in row { add(Column(field.name)) } }
    }
    guard measuring else { return }
    widths = columns.map { column in
      max(
        DisplayText.width(of: DisplayText.cell(.text(column.name))),
        min(column.minimumWidth, DisplayText.largestCellWidth))
    }
    var hasNumber = columns.map { _ in false }
    var hasOther = hasNumber
    for row in rows {
      for (index, value) in values(of: row).enumerated() {
        widths[index] = max(widths[index], DisplayText.width(of: DisplayText.cell(value)))
        switch value {
        case .integer, .number: hasNumber[index] = true
        case .null: break
        default: hasOther[index] = true
        }
      }
    }
    isRight = columns.enumerated().map { index, column in
      switch column.alignment {
      case .automatic: hasNumber[index] && !hasOther[index]
      case .left: false
      case .right: true
      }
    }
  }

  /// The values of a row in the order of the columns; null where the row has no such field, the first
  /// where it has several.
  private func values(of row: [Field]) -> [FieldValue] {
    var values = Array(repeating: FieldValue.null, count: columns.count)
    for field in row.reversed() {
      if let index = indices[field.name] { values[index] = field.value }
    }
    return values
  }

  private mutating func add(_ column: Column) {
    guard indices[column.name] == nil else { return }
    indices[column.name] = columns.count
    columns.append(column)
  }
}

// MARK: - CSV

extension RowLayout {
  /// The header line.
  var csvHeader: String {
    columns.map { CommaSeparated.quoted($0.name) }.joined(separator: ",") + "\n"
  }

  /// The line of a row.
  func csvLine(_ row: [Field]) -> String {
    values(of: row).map(CommaSeparated.cell).joined(separator: ",") + "\n"
  }
}

// MARK: - Markdown

extension RowLayout {
  /// The header, and the line that says how each column is set.
  var markdownHeader: String {
    let rules = isRight.map { $0 ? "---:" : "---" }
    return markdown(columns.map { DisplayText.cell(.text($0.name)) })
      + "| " + rules.joined(separator: " | ") + " |\n"
  }

  /// The line of a row.
  func markdownLine(_ row: [Field]) -> String {
    markdown(values(of: row).map(DisplayText.cell))
  }

  /// Cells between bars; what would end a cell or begin a mark is escaped.
  private func markdown(_ cells: [String]) -> String {
    let escaped = cells.map { cell in
      var text = ""
      for scalar in cell.unicodeScalars {
        if "\\|`*_<[&~".unicodeScalars.contains(scalar) { text += "\\" }
        text.unicodeScalars.append(scalar)
      }
      return text
    }
    return "| " + escaped.joined(separator: " | ") + " |\n"
  }
}

// MARK: - Tables for people

extension RowLayout {
  /// Blanks between two columns of a table.
  private static let gap = 2

  /// The columns in parts that are no wider than a display where that can be: each part begins with the first
  /// column, by which its rows are known, and has one more column at least. One part where all of them fit.
  ///
  /// - Parameter width: Columns of the display.
  func parts(within width: Int) -> [[Int]] {
    guard let first = widths.first else { return [[]] }
    var parts: [[Int]] = []
    var part = [0]
    var taken = first
    for index in columns.indices.dropFirst() {
      if part.count > 1, taken + RowLayout.gap + widths[index] > width {
        parts.append(part)
        (part, taken) = ([0], first)
      }
      part.append(index)
      taken += RowLayout.gap + widths[index]
    }
    return parts + [part]
  }

  /// The header and the rule under it, of all columns or of some.
  func tableHeader(_ part: [Int]? = nil) -> String {
    let names = columns.map { DisplayText.cell(.text($0.name)) }
    let rule = widths.map { String(repeating: "─", count: $0) }
    return line(names, part) + line(rule, part)
  }

  /// The line of a row, of all columns or of some.
  func tableLine(_ row: [Field], _ part: [Int]? = nil) -> String {
    line(values(of: row).map(DisplayText.cell), part)
  }

  /// Sets cells side by side, blanks between them, none at the end. A cell wider than its column keeps its
  /// text and pushes what follows.
  private func line(_ cells: [String], _ part: [Int]?) -> String {
    var text = ""
    var blanks = 0
    for index in part ?? Array(cells.indices) {
      let cell = cells[index]
      let padding = max(0, widths[index] - DisplayText.width(of: cell))
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
