/// The content of a terminal: rows of cells, each with a character and a style.
///
/// Drawing outside is not seen. A wide character takes two cells, of which the second is empty. One that
/// is cut in half becomes a blank.
package struct CellGrid: Hashable, Sendable {
  package struct Cell: Hashable, Sendable {
    /// The character with its marks. Empty in the second cell of a wide one.
    package var text: String
    /// How it looks.
    package var style: ScreenStyle

    /// Nothing to be seen.
    static let blank = Cell(text: " ", style: .plain)
  }

  /// Cells across.
  package let columns: Int
  package let rows: Int
  private(set) var cells: [Cell]

  /// The most cells each way: beyond any screen, small enough for memory.
  package static let largestExtent = 1000

  /// Makes a blank grid. Each way it is held between 1 and 1000.
  package init(columns: Int, rows: Int) {
    self.columns = max(1, min(CellGrid.largestExtent, columns))
    self.rows = max(1, min(CellGrid.largestExtent, rows))
    cells = Array(repeating: .blank, count: self.columns * self.rows)
  }

  /// A cell. It must lie inside.
  package subscript(column: Int, row: Int) -> Cell { cells[row * columns + column] }

  /// Writes text from a cell on, made harmless.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - column: Where it begins. May be negative, then its beginning is not seen.
  ///   - row: The line.
  ///   - style: How it looks.
  ///   - end: The column before which it ends. `nil`: the end of the line.
  /// - Returns: The column after the text.
  @discardableResult
  package mutating func write(
    _ text: String, column: Int, row: Int, style: ScreenStyle = .plain, end: Int? = nil
  ) -> Int {
    let end = min(end ?? columns, columns)
    var position = column
    for piece in ScreenText.pieces(of: text) {
      guard position < end else { break }
      if position + piece.width > end {
        set(" ", position, row, style)
        return end
      }
      set(piece.text, position, row, style)
      if piece.width == 2 { set("", position + 1, row, style) }
      position += piece.width
    }
    return position
  }

  /// Writes text that is cut with an ellipsis where it is too wide.
  package mutating func writeCut(
    _ text: String, column: Int, row: Int, width: Int, style: ScreenStyle = .plain
  ) {
    guard width > 0 else { return }
    let pieces = ScreenText.pieces(of: text)
    var used = pieces.reduce(0) { $0 + $1.width }
    guard used > width else {
      write(text, column: column, row: row, style: style, end: column + width)
      return
    }
    var kept = pieces[...]
    while used > width - 1, let last = kept.popLast() { used -= last.width }
    write(
      kept.map(\.text).joined() + "…", column: column, row: row, style: style, end: column + width)
  }

  /// Sets one cell to a sign of ours, which is harmless and one column wide.
  mutating func mark(_ sign: String, column: Int, row: Int, style: ScreenStyle) {
    set(sign, column, row, style)
  }

  /// Changes how a cell looks and leaves its character.
  package mutating func restyle(column: Int, row: Int, _ change: (inout ScreenStyle) -> Void) {
    guard (0..<columns).contains(column), (0..<rows).contains(row) else { return }
    change(&cells[row * columns + column].style)
  }

  /// Makes a stretch of a line blank.
  package mutating func clear(columns stretch: Range<Int>, row: Int) {
    for column in stretch { set(" ", column, row, .plain) }
  }

  /// Sets one cell. A wide character that loses one of its cells becomes blank.
  private mutating func set(_ text: String, _ column: Int, _ row: Int, _ style: ScreenStyle) {
    guard (0..<columns).contains(column), (0..<rows).contains(row) else { return }
    let index = row * columns + column
    if cells[index].text.isEmpty, !text.isEmpty, column > 0 { cells[index - 1].text = " " }
    if column + 1 < columns, cells[index + 1].text.isEmpty { cells[index + 1].text = " " }
    // The second half of a wide character whose first half lies before the line's beginning.
    cells[index] = Cell(text: text.isEmpty && column == 0 ? " " : text, style: style)
  }
}

/// Text taken apart into what a terminal shows in one or two columns.
///
/// Terminals differ in how wide they hold a sequence of joined characters to be, so each piece is one
/// character with at most a few marks on it, and nothing that could move a cursor is left.
enum ScreenText {
  /// A piece of text and the columns that it takes, 1 or 2.
  struct Piece: Hashable {
    var text: String
    var width: Int
  }

  /// The most marks that one character keeps. More are a prank, and would make cells large.
  private static let mostMarks = 3
  /// Terminals disagree on how wide flags are.
  private static let flagLetters: ClosedRange<UInt32> = 0x1f1e6...0x1f1ff
  /// These ask for a form of the character before them, and with it for another width.
  private static let variationSelectors: ClosedRange<UInt32> = 0xfe00...0xfe0f

  /// The pieces in order. A mark without a width of its own and without a letter is left out.
  static func pieces(of text: String) -> [Piece] {
    var pieces: [Piece] = []
    for character in DisplayText.harmless(text) {
      guard let first = character.unicodeScalars.first else { continue }
      if flagLetters.contains(first.value) {
        pieces.append(Piece(text: "\u{fffd}", width: 1))
        continue
      }
      let width = DisplayText.width(of: String(first))
      guard width > 0 else { continue }
      var kept = String(first)
      for mark in character.unicodeScalars.dropFirst().lazy.filter(isMark).prefix(mostMarks) {
        kept.unicodeScalars.append(mark)
      }
      pieces.append(Piece(text: kept, width: width))
    }
    return pieces
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: !variationSelectors.contains(scalar.value)
    default: false
    }
  }
}
