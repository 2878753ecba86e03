/// A sheet of characters that rectangles are drawn on.
struct CharacterCanvas {
  private let columns: Int
  private let rows: Int
  private var characters: [Character]

  init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
    characters = Array(repeating: " ", count: columns * rows)
  }

  /// The lines from the top.
  var lines: [String] {
    (0..<rows).map { String(characters[$0 * columns..<($0 + 1) * columns]) }
  }

  /// Fills a rectangle of cells. From 2 × 2 cells on it has an outline, and inside that the name, as
  /// far as it fits. Cells outside the sheet are not seen.
  mutating func draw(
    across: ClosedRange<Int>, down: ClosedRange<Int>, shade: Character, name: String
  ) {
    let isOutlined = across.count > 1 && down.count > 1
    for y in down {
      for x in across {
        set(x, y, isOutlined ? outline(x, y, across, down) ?? shade : shade)
      }
    }
    guard isOutlined, across.count > 2, down.count > 2 else { return }
    // The name starts at the first inner cell that is on the sheet. Wide characters would shift what
    // stands to their right, so the name is written up to the first of them.
    let start = max(across.lowerBound + 1, 0)
    let room = min(across.upperBound, columns) - start
    let narrow = name.prefix { DisplayText.width(of: String($0)) == 1 }
    for (offset, character) in narrow.prefix(max(0, room)).enumerated() {
      set(start + offset, max(down.lowerBound + 1, 0), character)
    }
  }

  private func outline(
    _ x: Int, _ y: Int, _ across: ClosedRange<Int>, _ down: ClosedRange<Int>
  ) -> Character? {
    switch (x, y) {
    case (across.lowerBound, down.lowerBound): "┌"
    case (across.upperBound, down.lowerBound): "┐"
    case (across.lowerBound, down.upperBound): "└"
    case (across.upperBound, down.upperBound): "┘"
    case (_, down.lowerBound), (_, down.upperBound): "─"
    case (across.lowerBound, _), (across.upperBound, _): "│"
    default: nil
    }
  }

  private mutating func set(_ x: Int, _ y: Int, _ character: Character) {
    guard x >= 0, x < columns, y >= 0, y < rows else { return }
    characters[y * columns + x] = character
  }
}
