@testable import TimelineRendering

/// A terminal for tests: understands what ``ScreenUpdate`` sends and nothing else.
struct TinyTerminal {
  private(set) var cells: [[String]]
  private var column = 0
  private var row = 0
  /// Sequences that it does not know, and text that would have left the screen.
  private(set) var complaints: [String] = []

  init(columns: Int, rows: Int) {
    cells = Array(repeating: Array(repeating: " ", count: columns), count: rows)
  }

  var lines: [String] {
    cells.map { row in
      var line = row.joined()
      while line.last == " " { line.removeLast() }
      return line
    }
  }

  mutating func receive(_ text: String) {
    let scalars = Array(text.unicodeScalars)
    var index = 0
    while index < scalars.count {
      guard scalars[index] == "\u{1b}" else {
        if scalars[index].value < 0x20 { complaints.append("control \(scalars[index].value)") }
        put(scalars[index])
        index += 1
        continue
      }
      var end = index + 2
      while end < scalars.count, !(0x40...0x7e).contains(scalars[end].value) { end += 1 }
      guard scalars[index + 1] == "[", end < scalars.count else {
        complaints.append("an open sequence")
        return
      }
      var parameters = ""
      parameters.unicodeScalars.append(contentsOf: scalars[(index + 2)..<end])
      obey(parameters, scalars[end])
      index = end + 1
    }
  }

  private mutating func obey(_ parameters: String, _ final: Unicode.Scalar) {
    let numbers = parameters.split(separator: ";").compactMap { Int($0) }
    switch final {
    case "H" where numbers.count == 2:
      (row, column) = (numbers[0] - 1, numbers[1] - 1)
    case "J" where parameters == "2":
      for row in cells.indices {
        for column in cells[row].indices { cells[row][column] = " " }
      }
    case "m",
      "h" where parameters.hasPrefix("?"), "l" where parameters.hasPrefix("?"):
      break
    default: complaints.append("ESC [ \(parameters) \(final)")
    }
  }

  /// A wide character takes two cells; one that loses a half is gone; a mark joins the cell before.
  private mutating func put(_ scalar: Unicode.Scalar) {
    let width = DisplayText.width(of: String(scalar))
    if width == 0 {
      guard column > 0 else { return complaints.append("a mark alone") }
      let before = cells[row][column - 1].isEmpty ? column - 2 : column - 1
      cells[row][before].unicodeScalars.append(scalar)
      return
    }
    guard cells.indices.contains(row), column >= 0, column + width <= cells[row].count else {
      return complaints.append("text outside at \(column), \(row)")
    }
    for place in column..<column + width { erase(place) }
    cells[row][column] = String(scalar)
    if width == 2 { cells[row][column + 1] = "" }
    column += width
  }

  private mutating func erase(_ place: Int) {
    if cells[row][place].isEmpty { cells[row][place - 1] = " " }
    if place + 1 < cells[row].count, cells[row][place + 1].isEmpty { cells[row][place + 1] = " " }
    cells[row][place] = " "
  }
}
