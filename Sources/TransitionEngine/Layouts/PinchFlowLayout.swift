package import TimelineModel

/// A flow in which the item under two fingers becomes a square as wide as the fingers are apart, above
/// the others, which keep their places (after objc.io's article on collection view
/// animations).
///
/// ```swift
/// // While two fingers move, in content coordinates:
/// layout.resizeItem(underTouches: first, second)
/// view.invalidateLayout()
/// // When they lift, so that the item travels back:
/// try view.performBatchUpdates { layout.resetPinchedItem() }
/// ```
///
/// Reset at the lift whatever number of fingers it reports: a handler that leaves early unless there are
/// two touches never sees the pinch end.
package final class PinchFlowLayout: FlowLayout, ItemFollowing {
  /// The item that is pinched. A change shows after the next prepare.
  package var pinchedItem: ItemIndexPath?
  /// The size of the pinched item, in points. A change shows after the next prepare.
  package var pinchedSize = Size2D.zero

  /// Above which other items a pinched one is drawn. From the article. No unit.
  package static let pinchedZIndex = 100

  private var prepared: (item: ItemIndexPath, size: Size2D)?

  /// Makes a layout in which no item is pinched.
  package override init(
    name: String = "PinchFlowLayout", parameters: FlowLayoutParameters = .init()
  ) {
    super.init(name: name, parameters: parameters)
  }

  /// Makes the item under the middle of two touches a square whose side is their distance. Where there is
  /// none, no item is pinched any more.
  ///
  /// - Parameters:
  ///   - first: One touch, in content coordinates.
  ///   - second: The other.
  /// - Returns: The item, which is the topmost where several lie under the middle.
  @discardableResult
  package func resizeItem(underTouches first: Point2D, _ second: Point2D) -> ItemIndexPath? {
    let way = Point2D(x: second.x - first.x, y: second.y - first.y)
    let item = item(under: Point2D(x: first.x + way.x / 2, y: first.y + way.y / 2))
    resizeItem(at: item, withPinchDistance: (way.x * way.x + way.y * way.y).squareRoot())
    return item
  }

  /// Makes an item a square of a side, in points. `nil`: no item is pinched any more.
  package func resizeItem(at indexPath: ItemIndexPath?, withPinchDistance distance: Double) {
    pinchedItem = indexPath
    pinchedSize = Size2D(width: distance.asExtent, height: distance.asExtent)
  }

  /// Lets the pinched item go back to its own size.
  package func resetPinchedItem() { pinchedItem = nil }

  /// Keeps the pinched item pinched when it is moved. One that is deleted is forgotten.
  func follow(_ plan: UpdatePlan) {
    pinchedItem = pinchedItem.flatMap { plan.newPath(ofOld: $0) }
  }

  /// Stacks the sections and takes the pinched item over.
  package override func prepare(in context: LayoutContext) {
    super.prepare(in: context)
    prepared = pinchedItem.map { ($0, pinchedSize.asExtents) }
  }

  /// One item's attributes, resized if it is the pinched one.
  package override func layoutAttributesForItem(at indexPath: ItemIndexPath) -> LayoutAttributes? {
    super.layoutAttributesForItem(at: indexPath).map(pinched)
  }

  /// Every element: per section header, cells and footer.
  package override func layoutAttributesForAllElements() -> [LayoutAttributes] {
    super.layoutAttributesForAllElements().map(pinched)
  }

  /// The elements that share area with a rectangle. The pinched item by its own frame.
  package override func layoutAttributesForElements(in rect: Rect2D) -> [LayoutAttributes] {
    let found = super.layoutAttributesForElements(in: rect)
    guard let item = prepared?.item, let changed = layoutAttributesForItem(at: item) else {
      return found
    }
    return found.replacing(changed, in: rect)
  }

  private func pinched(_ attributes: LayoutAttributes) -> LayoutAttributes {
    guard let prepared, attributes.path == .cell(prepared.item) else { return attributes }
    var changed = attributes
    changed.pose.size = prepared.size
    changed.pose.zIndex = Self.pinchedZIndex
    return changed
  }

  /// The topmost item that holds a point. Of equals the later in order.
  private func item(under point: Point2D) -> ItemIndexPath? {
    // A rectangle without area meets nothing, so the search takes one around the point.
    let nearby = Rect2D(x: point.x - 1, y: point.y - 1, width: 2, height: 2)
    return layoutAttributesForElements(in: nearby)
      .filter { $0.path.category == .cell && $0.frame.holds(point) }
      .reversed().max { $0.pose.zIndex < $1.pose.zIndex }?.path.indexPath
  }
}

extension Rect2D {
  /// Whether a point lies inside or on the left or upper edge, as with CGRect.
  fileprivate func holds(_ point: Point2D) -> Bool {
    minX <= point.x && point.x < maxX && minY <= point.y && point.y < maxY
  }
}
