/// The help of the player, for `?`.
enum PlayerHelp {
  /// Keys and their meanings.
  static let entries: [(keys: String, words: String)] = [
    ("space", "play, pause"), ("← →", "a frame back, on"),
    ("shift ← →", "ten frames, as , and ."), ("[ ]", "marker before, after"),
    ("< > =", "slower, faster, 1×"), ("0…9", "to tenths of the session"),
    ("Home End", "first, last, as g and G"), ("a b c", "selection: ends, none"),
    ("L", "loop it, or the whole"), ("m", "pause on markers"),
    ("Tab", "next key, with shift: previous"),
    ("d f c u n", "label: finish, cancel, unsure, none"),
    ("v", "stage, curves or both"), ("s", "swap the sessions"), ("?", "help: on, next, off"),
    ("q", "quit, as control-C"),
  ]

  private static let keyWidth = 11

  static var lines: [String] {
    entries.map { keys, words in
      keys + String(repeating: " ", count: keyWidth - DisplayText.width(of: keys)) + words
    }
  }
}

extension PlayerScreen {
  /// How many pages the help has on a screen of so many lines.
  package static func helpPageCount(rows: Int) -> Int {
    let perPage = max(1, rows - 2)
    return (PlayerHelp.entries.count + perPage - 1) / perPage
  }

  /// Draws a page of the help over everything else.
  func drawHelp(page: Int, on grid: inout CellGrid) {
    let perPage = max(1, grid.rows - 2)
    let lines = PlayerHelp.lines.dropFirst(page * perPage).prefix(perPage)
    let width = min(grid.columns, (PlayerHelp.lines.map(DisplayText.width(of:)).max() ?? 0) + 4)
    let left = (grid.columns - width) / 2
    let top = max(0, (grid.rows - lines.count - 2) / 2)
    let edge = String(repeating: "─", count: max(0, width - 2))
    grid.write("╭" + edge + "╮", column: left, row: top)
    for (index, line) in lines.enumerated() {
      let row = top + 1 + index
      grid.clear(columns: left..<left + width, row: row)
      grid.write("│", column: left, row: row)
      grid.writeCut(line, column: left + 2, row: row, width: width - 4)
      grid.write("│", column: left + width - 1, row: row)
    }
    grid.write("╰" + edge + "╯", column: left, row: top + lines.count + 1)
  }
}
