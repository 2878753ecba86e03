package import TimelineModel

/// The parameters of a line layout. Lengths are in points. The defaults are those of Apple's LineLayout
/// example, which PSTCollectionView carries too.
package struct LineLayoutParameters: Hashable, Sendable {
  package var scrollDirection: FlowLayoutParameters.ScrollDirection = .horizontal
  /// The size of every item, before it is zoomed.
  package var itemSize = Size2D(width: 200, height: 200)
  /// The distance between neighbours. A negative one lets them overlap, at most wholly.
  package var spacing = 50.0
  /// The free border round the line.
  package var inset = ContentInsets.zero
  /// By how much an item grows that stands in the middle of the viewport. A share of its size, at
  /// least −1, which makes it vanish.
  package var zoomFactor = 0.3
  /// How far from the middle of the viewport an item still grows.
  package var activeDistance = 200.0

  /// Makes the default parameters.
  package init() {}
}

/// All items in one line, whatever their sections. Those near the middle of the viewport are zoomed, and
/// scrolling comes to rest with an item in the middle.
///
/// ```swift
/// var parameters = LineLayoutParameters()
/// parameters.itemSize = Size2D(width: 120, height: 160)
/// let layout = LineLayout(name: "covers", parameters: parameters)
/// ```
///
/// An item whose center is d points from the viewport's, along the line, is scaled by
/// 1 + zoomFactor · (1 − d / activeDistance) as long as d is below the active distance.
package final class LineLayout: CollectionViewLayout {
  /// The name that events use.
  package let name: String
  /// The layout's parameters. A change shows after the next ``prepare(in:)``.
  package var parameters: LineLayoutParameters
  /// Extent of the whole content: the viewport's across the line, the line's own along it.
  package private(set) var contentSize = Size2D.zero

  private var line = Line(LineLayoutParameters(), viewport: .zero)
  private var items = ItemNumbering()
  private var bounds = Rect2D.zero

  package init(name: String = "LineLayout", parameters: LineLayoutParameters = .init()) {
    self.name = name
    self.parameters = parameters
  }

  /// Measures the line. Nothing is stored per item.
  ///
  /// - Complexity: O(number of sections).
  package func prepare(in context: LayoutContext) {
    bounds = Rect2D(origin: context.contentOffset.asLengths, size: context.viewport.asExtents)
    line = Line(parameters, viewport: bounds.size)
    items = ItemNumbering(itemCounts: context.itemCounts)
    contentSize = line.axes.size(
      main: line.length(of: items.count), cross: line.axes.cross(bounds.size))
  }

  /// One item's attributes. `nil` for an item that was not there at the last prepare.
  package func layoutAttributesForItem(at indexPath: ItemIndexPath) -> LayoutAttributes? {
    items.number(of: indexPath).map(attributes)
  }

  /// Every item in the order of the line.
  package func layoutAttributesForAllElements() -> [LayoutAttributes] {
    (0..<items.count).map(attributes)
  }

  /// The items that share area with a rectangle, found by arithmetic.
  ///
  /// - Complexity: O(number of items that are found).
  package func layoutAttributesForElements(in rect: Rect2D) -> [LayoutAttributes] {
    let span = line.axes.mainSpan(rect)
    return line.items(from: span.low, to: span.high, middle: middle, count: items.count)
      .map(attributes).filter { $0.frame.intersects(rect) }
  }

  /// The offset that brings the item nearest to the middle into the middle. The same for a lift with a
  /// velocity. It may lie outside the range that can be scrolled to where the inset leaves no room.
  package func targetContentOffset(forProposedContentOffset proposal: Point2D) -> Point2D {
    var target = proposal.asLengths
    guard items.count > 0 else { return target }
    let half = line.axes.main(bounds.size) / 2
    switch line.axes.direction {
    case .vertical: target.y = line.nearestCenter(to: target.y + half, count: items.count) - half
    case .horizontal: target.x = line.nearestCenter(to: target.x + half, count: items.count) - half
    }
    return target
  }

  /// At every change, since the zoom depends on where the viewport's middle is.
  package func shouldInvalidateLayout(forBoundsChange newBounds: Rect2D) -> Bool {
    newBounds != bounds
  }

  /// The middle of the viewport along the line.
  private var middle: Double {
    let span = line.axes.mainSpan(bounds)
    return (span.low + span.high) / 2
  }

  private func attributes(_ number: Int) -> LayoutAttributes {
    var pose = Pose(center: line.center(of: number), size: line.itemSize)
    if let zoom = line.zoom(of: number, middle: middle) {
      pose.transform = .flat(Transform2D(a: zoom, b: 0, c: 0, d: zoom, tx: 0, ty: 0))
      pose.zIndex = 1
    }
    return LayoutAttributes(path: .cell(items.path(of: number)), pose: pose)
  }
}

/// A layout is changed in place while it prepares. Use it from one thread at a time.
@available(*, unavailable)
extension LineLayout: Sendable {}
