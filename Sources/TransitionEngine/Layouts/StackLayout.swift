package import TimelineModel

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The parameters of a stack layout. Lengths are in points. All numbers are our own choice.
package struct StackLayoutParameters: Hashable, Sendable {
  package var itemSize = Size2D(width: 100, height: 100)
  /// Where the topmost item stands. `nil` puts it in the middle of the viewport.
  package var center: Point2D?
  /// By how much each item is turned further than the one above it, in radians, clockwise.
  package var angleStep = 0.1
  /// By how much each item is shifted from the one above it.
  package var itemOffset = Point2D(x: 2, y: 2)
  /// How many items show under the topmost one. The rest lie hidden under the last of them.
  package var visibleBelowTop = 3
  /// How far the backdrop reaches beyond the topmost item on every side. `nil` makes no backdrop.
  package var backdropMargin: Double?

  /// The kind of the decoration view under the stack, at `[0, 0]`.
  package static let backdropKind = "backdrop"

  /// Makes the default parameters.
  package init() {}
}

/// All items in one pile, whatever their sections: the first on top, each turned and shifted a little
/// further than the one above it. A backdrop may lie under the pile.
///
/// ```swift
/// var parameters = StackLayoutParameters()
/// parameters.backdropMargin = 12
/// let layout = StackLayout(name: "pile", parameters: parameters)
/// ```
///
/// The content is as large as the viewport. Finding the elements of a rectangle looks at every item: they all
/// lie in one place.
package final class StackLayout: CollectionViewLayout {
  /// The name that events use.
  package let name: String
  /// The layout's parameters. A change shows after the next ``prepare(in:)``.
  package var parameters: StackLayoutParameters
  /// Extent of the whole content: the viewport's.
  package private(set) var contentSize = Size2D.zero

  private var items = ItemNumbering()
  private var prepared = StackLayoutParameters()

  package init(name: String = "StackLayout", parameters: StackLayoutParameters = .init()) {
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
    items.number(of: indexPath).map(attributes)
  }

  /// The backdrop, at `[0, 0]`, when one is wanted and there is an item before it.
  package func layoutAttributesForDecorationView(
    ofKind kind: String, at indexPath: ItemIndexPath
  ) -> LayoutAttributes? {
    guard kind == StackLayoutParameters.backdropKind, indexPath == Self.backdropPath.indexPath
    else { return nil }
    return backdrop
  }

  /// Every item from the top downwards, the hidden ones too, then the backdrop.
  package func layoutAttributesForAllElements() -> [LayoutAttributes] {
    (0..<items.count).map(attributes) + (backdrop.map { [$0] } ?? [])
  }

  /// Only where the extent changes, whose middle everything stands round.
  package func shouldInvalidateLayout(forBoundsChange newBounds: Rect2D) -> Bool {
    newBounds.size.asExtents != contentSize
  }

  private static let backdropPath = ElementPath(
    category: .decoration, elementKind: StackLayoutParameters.backdropKind,
    indexPath: ItemIndexPath(section: 0, item: 0))

  private var backdrop: LayoutAttributes? {
    guard let margin = prepared.backdropMargin?.asLength, items.count > 0 else { return nil }
    let size = prepared.itemSize.asExtents
    return LayoutAttributes(
      path: Self.backdropPath,
      pose: Pose(
        center: top,
        size: Size2D(width: size.width + 2 * margin, height: size.height + 2 * margin).asExtents,
        zIndex: -1))
  }

  /// Where the topmost item stands.
  private var top: Point2D {
    prepared.center?.asLengths ?? Rect2D(origin: .zero, size: contentSize).center
  }

  private func attributes(_ number: Int) -> LayoutAttributes {
    let deepest = max(0, prepared.visibleBelowTop)
    let depth = Double(min(number, deepest))
    let angle = depth * prepared.angleStep.asLength
    let offset = prepared.itemOffset.asLengths
    let pose = Pose(
      center: Point2D(x: top.x + depth * offset.x, y: top.y + depth * offset.y).asLengths,
      size: prepared.itemSize.asExtents,
      transform: .flat(
        Transform2D(a: cos(angle), b: sin(angle), c: -sin(angle), d: cos(angle), tx: 0, ty: 0)),
      zIndex: items.count - 1 - number, isHidden: number > deepest)
    return LayoutAttributes(path: .cell(items.path(of: number)), pose: pose)
  }
}

/// A layout is changed in place while it prepares. Use it from one thread at a time.
@available(*, unavailable)
extension StackLayout: Sendable {}
