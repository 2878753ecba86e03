package import TimelineModel

/// A flow whose new items fly in from the lower edge, turning and growing, and whose deleted ones fly out
/// towards the viewer (after objc.io's article on collection view animations).
///
/// ```swift
/// let layout = FlyInFlowLayout(name: "flight", parameters: grid)
/// ```
///
/// Only the items of the update that runs fly. The article's point is that in a rotation, where UIKit asks
/// for a start and an end of every visible item, they must not. ``tracksUpdates`` shows both. Two things
/// differ from the article: paths before and after the update are kept apart, so that an item that
/// happens to have a deleted one's number does not fly, and deleted items fly to the middle of the visible part
/// visible, where the article's project means the view's place in its superview.
package final class FlyInFlowLayout: FlowLayout {
  /// Whether only the items of an update fly. If not, every item that is asked about does, also in a change
  /// of bounds: the article's wrong rotation.
  package var tracksUpdates: Bool

  private var arriving = UpdatedPaths()
  private var leaving = UpdatedPaths()
  private var bounds = Rect2D.zero

  package init(
    name: String = "FlyInFlowLayout", parameters: FlowLayoutParameters = .init(),
    tracksUpdates: Bool = true
  ) {
    self.tracksUpdates = tracksUpdates
    super.init(name: name, parameters: parameters)
  }

  /// Stacks the sections and remembers the visible elements.
  package override func prepare(in context: LayoutContext) {
    super.prepare(in: context)
    bounds = Rect2D(origin: context.contentOffset.asLengths, size: context.viewport.asExtents)
  }

  /// Only where the extent changes, along the scroll direction too, not for scrolling.
  package override func shouldInvalidateLayout(forBoundsChange newBounds: Rect2D) -> Bool {
    newBounds.size.asExtents != bounds.size
  }

  /// Notes which items come and which go. A moved one does both.
  package override func prepare(forCollectionViewUpdates items: [UpdateItem]) {
    super.prepare(forCollectionViewUpdates: items)
    let items = items.filter { $0.action != .reload && $0.action != .none }
    leaving = UpdatedPaths(items.map(\.indexPathBeforeUpdate))
    arriving = UpdatedPaths(items.map(\.indexPathAfterUpdate))
  }

  /// Forgets the parts that nobody asked for.
  package override func finalizeCollectionViewUpdates() {
    super.finalizeCollectionViewUpdates()
    arriving = UpdatedPaths()
    leaving = UpdatedPaths()
  }

  /// A new item's start. For any other its own place, from which nothing flies.
  package override func initialLayoutAttributesForAppearingItem(
    at indexPath: ItemIndexPath
  ) -> LayoutAttributes? {
    guard var attributes = layoutAttributesForItem(at: indexPath) else { return nil }
    if arriving.take(indexPath) || !tracksUpdates {
      attributes.pose.center = Point2D(x: bounds.midX, y: bounds.maxY)
      attributes.pose.transform = Self.arrival
    }
    return attributes
  }

  /// A deleted item's end. `nil` for any other.
  package override func finalLayoutAttributesForDisappearingItem(
    at indexPath: ItemIndexPath
  ) -> LayoutAttributes? {
    guard leaving.take(indexPath) || !tracksUpdates else { return nil }
    return LayoutAttributes(
      path: .cell(indexPath),
      pose: Pose(
        center: bounds.center, size: itemSize(at: indexPath), transform: Self.departure,
        alpha: Self.departureAlpha, zIndex: 1))
  }

  /// The size of an item of before the update, whose place may be taken by now.
  private func itemSize(at path: ItemIndexPath) -> Size2D {
    let lists = parameters.itemSizes
    guard lists.indices.contains(path.section), lists[path.section].indices.contains(path.item)
    else { return parameters.itemSize.asExtents }
    return lists[path.section][path.item].asExtents
  }

  /// Turned by half a turn and a fifth as large. From the article.
  private static let arrival = ElementTransform.flat(
    Transform2D(a: -0.2, b: 0, c: 0, d: -0.2, tx: 0, ty: 0))

  /// How opaque a deleted item still is at its end. From the article's project.
  private static let departureAlpha = 0.2

  /// Seen from `eye` points away and brought `height` points nearer: a fortieth of the distance is left,
  /// so the item is 40 times as large. Both from the article's project.
  private static let departure: ElementTransform = {
    let eye = 20_000.0
    let height = 19_500.0
    return ElementTransform(components: [
      1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, -1 / eye, 0, 0, height, (eye - height) / eye,
    ]) ?? .identity
  }()
}
