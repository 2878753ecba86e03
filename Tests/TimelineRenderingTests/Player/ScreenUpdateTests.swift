import TestSupport
import Testing

@testable import TimelineRendering

@Suite struct ScreenUpdateTests {
  private static let words = [
    "plain", "漢字かな", "e\u{301}a\u{308}\u{30a}", "👩‍👩‍👧‍👦 family", "🇩🇪 flag", "\u{1b}[2Jhostile\u{7}",
    "‮reversed", "⠁⠂⠃", "\u{301}\u{302}marks", "❤️ heart", "╭──╮", "\u{9b}31m", "zalgo" + "\u{317}",
  ]

  @Test func `what is sent turns any screen into any other`() {
    var random = SplitMix(seed: 7)
    func below(_ limit: Int) -> Int { Int(random.next() % UInt64(limit)) }
    for _ in 0..<300 {
      let (columns, rows) = (1 + below(30), 1 + below(6))
      var terminal = TinyTerminal(columns: columns, rows: rows)
      var shown: CellGrid?
      for _ in 0..<6 {
        var grid = shown ?? CellGrid(columns: columns, rows: rows)
        if below(3) == 0 { grid = CellGrid(columns: columns, rows: rows) }
        for _ in 0..<below(8) {
          let style = ScreenStyle(
            color: below(2) == 0 ? .cyan : nil, isBold: below(2) == 0, isReversed: below(2) == 0)
          let word = ScreenUpdateTests.words[below(ScreenUpdateTests.words.count)]
          let (column, row) = (below(columns + 6) - 3, below(rows + 2) - 1)
          if below(2) == 0 {
            grid.write(word, column: column, row: row, style: style)
          } else {
            grid.writeCut(word, column: column, row: row, width: below(12), style: style)
          }
        }
        terminal.receive(ScreenUpdate.text(from: shown, to: grid, inColor: below(2) == 0))
        shown = grid
        #expect(terminal.lines == grid.lines)
        #expect(terminal.complaints == [])
      }
    }
  }

  @Test func `a screen that stays as it is sends nothing`() {
    var grid = CellGrid(columns: 10, rows: 2)
    grid.write("漢字 x", column: 0, row: 0, style: .bold)
    #expect(ScreenUpdate.text(from: grid, to: grid, inColor: true) == "")
    #expect(ScreenUpdate.text(from: nil, to: CellGrid(columns: 2, rows: 1), inColor: true) != "")
  }

  @Test func `only what differs is sent, between marks that hold the picture together`() {
    var before = CellGrid(columns: 20, rows: 2)
    before.write("frame 10 of 61", column: 0, row: 1)
    var after = before
    after.write("11", column: 6, row: 1)
    #expect(
      ScreenUpdate.text(from: before, to: after, inColor: true)
        == "\u{1b}[?2026h\u{1b}[2;8H\u{1b}[0m1\u{1b}[0m\u{1b}[?2026l")
  }

  @Test func `without colour no colour is sent, and the rest of the style is`() {
    var grid = CellGrid(columns: 4, rows: 1)
    grid.write("x", column: 0, row: 0, style: ScreenStyle(color: .red, isBold: true))
    #expect(ScreenUpdate.text(from: nil, to: grid, inColor: true).contains("\u{1b}[0;1;31mx"))
    let plain = ScreenUpdate.text(from: nil, to: grid, inColor: false)
    #expect(plain.contains("\u{1b}[0;1mx"))
    #expect(!plain.contains("31"))
  }

  @Test func `the way out undoes the way in`() {
    for mode in ["?1049", "?25", "?7", "?2026"] { #expect(ScreenUpdate.leave.contains(mode)) }
    #expect(ScreenUpdate.enter.contains("?1049h"))
    #expect(ScreenUpdate.leave.hasSuffix("?1049l"))
    #expect(ScreenUpdate.leave.contains("\u{1b}[?25h\u{1b}[?1049l"))
  }
}
