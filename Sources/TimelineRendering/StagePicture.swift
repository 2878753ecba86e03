package import TimelineModel

/// A small text picture of one frame: rectangles in a viewport, the nearer ones over the farther.
///
/// Opacity shows as shading (░ ▒ ▓ █ by quarters). A rectangle that is large enough gets an outline and
/// its name. Deterministic.
package struct StagePicture: Sendable, Hashable {
  package struct Item: Sendable, Hashable {
    /// The name. As much of it is written as fits.
    package var name: String
    /// The bounding box in the viewport's coordinates, in points.
    package var frame: Rect2D
    /// Opacity. Drawn from above 0, full from 1 on.
    package var alpha: Double
    /// Drawing order: larger is nearer. Equal ones are drawn in the order given.
    package var zIndex: Int

    package init(name: String, frame: Rect2D, alpha: Double = 1, zIndex: Int = 0) {
      self.name = name
      self.frame = frame
      self.alpha = alpha
      self.zIndex = zIndex
    }
  }

  /// Extent of the viewport, in points.
  package var viewport: Size2D
  package var items: [Item]

  package init(viewport: Size2D, items: [Item]) {
    self.viewport = viewport
    self.items = items
  }

  /// Draws the stage without an edge on so many characters each way. The viewport must have an extent.
  func lines(columns: Int, rows: Int) -> [String] {
    var canvas = CharacterCanvas(columns: columns, rows: rows)
    let order = items.indices.sorted {
      (items[$0].zIndex, $0) < (items[$1].zIndex, $1)
    }
    let stage = Rect2D(origin: .zero, size: viewport)
    for index in order {
      let item = items[index]
      guard item.alpha > 0, item.frame.isFinite, item.frame.intersects(stage) else { continue }
      canvas.draw(
        across: cells(item.frame.minX, item.frame.maxX, viewport.width, columns),
        down: cells(item.frame.minY, item.frame.maxY, viewport.height, rows),
        shade: StagePicture.shade(item.alpha), name: DisplayText.harmless(item.name))
    }
    return canvas.lines
  }

  /// Which cells a stretch covers: rounded, so that neighbours share none, and at least one. It may
  /// leave the stage by one cell each way, where its outline is then not seen.
  private func cells(
    _ start: Double, _ end: Double, _ extent: Double, _ count: Int
  ) -> ClosedRange<Int> {
    func cell(_ position: Double) -> Int {
      let scaled = position / extent * Double(count)
      return Int(max(-1, min(Double(count + 1), scaled.rounded())))
    }
    let first = min(cell(start), count - 1)
    return first...max(first, cell(end) - 1, 0)
  }

  private static func shade(_ alpha: Double) -> Character {
    switch alpha {
    case ...0.25: "░"
    case ...0.5: "▒"
    case ...0.75: "▓"
    default: "█"
    }
  }
}

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
