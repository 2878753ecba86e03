import TimelineModel

/// A grid of dots, 2 × 4 to a character.
struct DotGrid {
  private let columns: Int
  private let rows: Int
  private var patterns: [UInt8]

  /// Dots of a dashed line that are drawn before as many are left out.
  private static let dash = 3

  /// The bit of each dot in a braille pattern, by row and column (Unicode, block Braille Patterns).
  private static let bits: [[UInt8]] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]]

  init(width: Int, height: Int) {
    columns = width * 2
    rows = height * 4
    patterns = Array(repeating: 0, count: width * height)
  }

  /// Joins places by straight lines. Each coordinate runs from 0 to 1, y downwards.
  mutating func draw(_ positions: [Point2D], isDashed: Bool) {
    func dot(_ position: Point2D) -> (x: Int, y: Int) {
      (
        Int((position.x * Double(columns - 1)).rounded()),
        Int((position.y * Double(rows - 1)).rounded())
      )
    }
    guard var last = positions.first.map(dot) else { return }
    var drawn = 0
    mark(last.x, last.y)
    for position in positions.dropFirst() {
      let next = dot(position)
      let steps = max(abs(next.x - last.x), abs(next.y - last.y))
      guard steps > 0 else { continue }
      for step in 1...steps {
        drawn += 1
        if isDashed, drawn / DotGrid.dash % 2 == 1 { continue }
        let share = Double(step) / Double(steps)
        mark(
          last.x + Int((Double(next.x - last.x) * share).rounded()),
          last.y + Int((Double(next.y - last.y) * share).rounded()))
      }
      last = next
    }
  }

  /// The characters, line by line.
  var lines: [[Unicode.Scalar]] {
    let width = columns / 2
    return stride(from: 0, to: patterns.count, by: width).map { start in
      patterns[start..<start + width].compactMap { Unicode.Scalar(0x2800 + UInt32($0)) }
    }
  }

  /// The dots of one character, as the bits of its braille pattern.
  func pattern(column: Int, row: Int) -> UInt8 { patterns[row * (columns / 2) + column] }

  private mutating func mark(_ x: Int, _ y: Int) {
    patterns[y / 4 * (columns / 2) + x / 2] |= DotGrid.bits[y % 4][x % 2]
  }
}
