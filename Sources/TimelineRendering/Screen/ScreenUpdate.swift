/// The output to a terminal, as text: the start, the end, and the difference between two screens.
package enum ScreenUpdate: Sendable {
  /// Turns to the alternate screen, hides the cursor, and stops lines from wrapping.
  package static let enter = "\u{1b}[?1049h\u{1b}[?25l\u{1b}[?7l"
  /// Undoes ``enter``, whatever else was under way. May be sent twice.
  package static let leave = "\u{1b}[?2026l\u{1b}[0m\u{1b}[?7h\u{1b}[?25h\u{1b}[?1049l"

  /// Between these a terminal that knows them shows nothing half done. Others ignore them.
  private static let begin = "\u{1b}[?2026h"
  private static let end = "\u{1b}[?2026l"
  private static let clear = "\u{1b}[0m\u{1b}[2J"

  /// The output that turns one screen into another: only cells that differ are written.
  ///
  /// - Parameters:
  ///   - old: The present content of the terminal. `nil`, or another size, when that is not known.
  ///   - new: The new content.
  ///   - inColor: Whether colours are sent.
  /// - Returns: The text to send. Empty when nothing differs.
  package static func text(from old: CellGrid?, to new: CellGrid, inColor: Bool) -> String {
    var body = ""
    var shown = CellGrid(columns: new.columns, rows: new.rows)
    if let old, old.columns == new.columns, old.rows == new.rows {
      shown = old
    } else {
      body = clear
    }
    var cursor: (column: Int, row: Int)?
    var style: ScreenStyle?
    for row in 0..<new.rows {
      for column in 0..<new.columns {
        let cell = new[column, row]
        guard !cell.text.isEmpty else { continue }
        let isWide = column + 1 < new.columns && new[column + 1, row].text.isEmpty
        let isSame =
          cell == shown[column, row]
          && (!isWide || new[column + 1, row] == shown[column + 1, row])
        guard !isSame else { continue }
        if cursor?.column != column || cursor?.row != row {
          body += "\u{1b}[\(row + 1);\(column + 1)H"
        }
        if style != cell.style {
          body += cell.style.selection(inColor: inColor)
          style = cell.style
        }
        body += cell.text
        // After anything whose width differs between terminals the position is sent again.
        cursor = isWide || cell.text.unicodeScalars.count > 1 ? nil : (column + 1, row)
      }
    }
    guard !body.isEmpty else { return "" }
    return begin + body + (style == nil ? "" : ScreenStyle.plain.selection(inColor: false)) + end
  }
}
