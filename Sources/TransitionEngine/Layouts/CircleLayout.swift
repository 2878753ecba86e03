package import TimelineModel

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The parameters of a circle layout. Lengths are in points. The defaults are those of Apple's
/// CircleLayout example, which PSTCollectionView carries too.
package struct CircleLayoutParameters: Hashable, Sendable {
  package var itemSize = Size2D(width: 70, height: 70)
  /// From the middle of the viewport to the center of every item. `nil` takes the viewport's shorter side
  /// divided by ``sideToRadius``.
  package var radius: Double?

  /// How many radii the viewport's shorter side is long: a little more than a diameter, so that the items
  /// stay inside. No unit. From the example.
  package static let sideToRadius = 2.5

  /// How large a deleted item is at its end, as a share of its size. From the example.
  package static let deletedScale = 0.1

  /// Makes the default parameters.
  package init() {}
}

/// All items on one circle round the middle of the viewport, whatever their sections: the first on the
/// right, the others clockwise at equal distances.
///
/// ```swift
/// let layout = CircleLayout(name: "ring")
/// ```
///
/// The content is as large as the viewport. Inserted items come out of the middle, deleted ones shrink into
/// it. Finding the elements of a rectangle looks at every item.
package final class CircleLayout: CollectionViewLayout {
  /// The name that events use.
  package let name: String
  /// The layout's parameters. A change shows after the next ``prepare(in:)``.
  package var parameters: CircleLayoutParameters
  /// Extent of the whole content: the viewport's.
  package private(set) var contentSize = Size2D.zero

  private var inserted = UpdatedPaths()
  private var deleted = UpdatedPaths()
  private var items = ItemNumbering()
  private var prepared = CircleLayoutParameters()

  package init(name: String = "CircleLayout", parameters: CircleLayoutParameters = .init()) {
    self.name = name
    self.parameters = parameters
  }

  /// Takes over the viewport and the counts.
  ///
  /// - Complexity: O(number of sections).
  package func prepare(in context: LayoutContext) {
    prepared = parameters
    contentSize = context.viewport.asExtents
    items = ItemNumbering(itemCounts: context.itemCounts)
  }

  /// One item's attributes. `nil` for an item that was not there at the last prepare.
  package func layoutAttributesForItem(at indexPath: ItemIndexPath) -> LayoutAttributes? {
    guard let number = items.number(of: indexPath) else { return nil }
    let direction = unitVector(turns: Double(number) / Double(items.count))
    let center = Point2D(x: middle.x + radius * direction.x, y: middle.y + radius * direction.y)
    return LayoutAttributes(
      path: .cell(indexPath),
      pose: Pose(center: center.asLengths, size: prepared.itemSize.asExtents))
  }

  /// Every item in the order of the circle.
  package func layoutAttributesForAllElements() -> [LayoutAttributes] {
    (0..<items.count).compactMap { layoutAttributesForItem(at: items.path(of: $0)) }
  }

  /// Only where the extent changes, whose middle everything stands round.
  package func shouldInvalidateLayout(forBoundsChange newBounds: Rect2D) -> Bool {
    newBounds.size.asExtents != contentSize
  }

  /// Notes which items come and which go. Those that stay or move travel along the straight way.
  package func prepare(forCollectionViewUpdates items: [UpdateItem]) {
    inserted = UpdatedPaths(items.filter { $0.action == .insert }.map(\.indexPathAfterUpdate))
    deleted = UpdatedPaths(items.filter { $0.action == .delete }.map(\.indexPathBeforeUpdate))
  }

  package func finalizeCollectionViewUpdates() {
    inserted = UpdatedPaths()
    deleted = UpdatedPaths()
  }

  /// An inserted item starts in the middle, invisible. `nil` for any other.
  package func initialLayoutAttributesForAppearingItem(at indexPath: ItemIndexPath)
    -> LayoutAttributes?
  {
    inserted.contains(indexPath) ? inTheMiddle(indexPath) : nil
  }

  /// A deleted item ends in the middle, invisible and small. `nil` for any other.
  package func finalLayoutAttributesForDisappearingItem(at indexPath: ItemIndexPath)
    -> LayoutAttributes?
  {
    guard deleted.contains(indexPath) else { return nil }
    var attributes = inTheMiddle(indexPath)
    let scale = CircleLayoutParameters.deletedScale
    attributes.pose.transform = .flat(
      Transform2D(a: scale, b: 0, c: 0, d: scale, tx: 0, ty: 0))
    return attributes
  }

  private func inTheMiddle(_ indexPath: ItemIndexPath) -> LayoutAttributes {
    LayoutAttributes(
      path: .cell(indexPath),
      pose: Pose(center: middle, size: prepared.itemSize.asExtents, alpha: 0))
  }

  private var middle: Point2D { Rect2D(origin: .zero, size: contentSize).center }

  private var radius: Double {
    prepared.radius?.asExtent
      ?? min(contentSize.width, contentSize.height) / CircleLayoutParameters.sideToRadius
  }
}

/// A layout is changed in place while it prepares. Use it from one thread at a time.
@available(*, unavailable)
extension CircleLayout: Sendable {}

/// The direction after so many turns clockwise from the right. Exact at the quarters, where sine and
/// cosine of a rounded angle are not.
private func unitVector(turns: Double) -> Point2D {
  switch turns {
  case 0: Point2D(x: 1, y: 0)
  case 0.25: Point2D(x: 0, y: 1)
  case 0.5: Point2D(x: -1, y: 0)
  case 0.75: Point2D(x: 0, y: -1)
  default: Point2D(x: cos(2 * .pi * turns), y: sin(2 * .pi * turns))
  }
}
