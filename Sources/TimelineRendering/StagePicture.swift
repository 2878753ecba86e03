public import TimelineModel

/// A small text picture of one frame: rectangles in a viewport, the nearer ones over the farther.
///
/// Opacity shows as shading (░ ▒ ▓ █ by quarters); a rectangle that is large enough gets an outline and
/// its name. Deterministic.
public struct StagePicture: Sendable, Hashable {
  /// A rectangle on the stage.
  public struct Item: Sendable, Hashable {
    /// The name; as much of it is written as fits.
    public var name: String
    /// The bounding box in the viewport's coordinates, in points.
    public var frame: Rect
    /// Opacity; drawn from above 0, full from 1 on.
    public var alpha: Double
    /// Drawing order: larger is nearer; equal ones are drawn in the order given.
    public var zIndex: Int

    /// Makes an item.
    public init(name: String, frame: Rect, alpha: Double = 1, zIndex: Int = 0) {
      self.name = name
      self.frame = frame
      self.alpha = alpha
      self.zIndex = zIndex
    }
  }

  /// Extent of the viewport, in points.
  public var viewport: Size
  /// What stands in it.
  public var items: [Item]

  /// How many times higher than wide a terminal's character is, about; no unit.
  private static let characterAspect = 2.0
  /// The most characters each way.
  private static let largestExtent = 400

  /// Makes a picture.
  public init(viewport: Size, items: [Item]) {
    self.viewport = viewport
    self.items = items
  }

  /// Draws the stage with an edge round it.
  ///
  /// - Parameter width: Characters across, without the edge; held between 1 and 400. The height
  ///   follows from the viewport.
  public func text(width: Int = 60) -> String {
    let columns = max(1, min(StagePicture.largestExtent, width))
    guard viewport.isFinite, viewport.width > 0, viewport.height > 0 else {
      return "no viewport\n"
    }
    let exactRows =
      Double(columns) * viewport.height / viewport.width / StagePicture.characterAspect
    let rows = Int(max(1, min(Double(StagePicture.largestExtent), exactRows.rounded())))
    let edge = String(repeating: "─", count: columns)
    return "╭\(edge)╮\n"
      + lines(columns: columns, rows: rows).map { "│\($0)│\n" }.joined() + "╰\(edge)╯\n"
  }

  /// Draws the stage without an edge on so many characters each way; the viewport must have an extent.
  func lines(columns: Int, rows: Int) -> [String] {
    var canvas = CharacterCanvas(columns: columns, rows: rows)
    let order = items.indices.sorted {
      (items[$0].zIndex, $0) < (items[$1].zIndex, $1)
    }
    let stage = Rect(origin: .zero, size: viewport)
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
    func cell(_ place: Double) -> Int {
      let scaled = place / extent * Double(count)
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
