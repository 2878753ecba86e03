package import TimelineModel

/// A flow in which one item is enlarged about its center and drawn above the others, which keep their
/// places.
///
/// ```swift
/// let layout = EnlargedItemLayout(name: "look closer", parameters: grid)
/// layout.enlargement.item = ItemIndexPath(section: 0, item: 7)
/// view.setCollectionViewLayout(layout, animated: true)
/// ```
///
/// The enlarged item is moved as far as it takes to stand inside the content. Where the content is too
/// small for it, it stands in the middle.
package final class EnlargedItemLayout: FlowLayout, ItemFollowing {
  /// Which item is enlarged, and by how much.
  package struct Enlargement: Hashable, Sendable {
    /// The item. `nil` enlarges none.
    package var item: ItemIndexPath?
    /// Its new width and height, as a multiple of the old. Below 1 it is made smaller, a negative one
    /// counts as 0. The default is our own choice.
    package var factor = 2.0

    /// Makes an enlargement of no item.
    package init() {}
  }

  /// Which item is enlarged, and by how much. A change shows after the next prepare.
  package var enlargement: Enlargement

  private var prepared = Enlargement()

  package init(
    name: String = "EnlargedItemLayout", parameters: FlowLayoutParameters = .init(),
    enlargement: Enlargement = .init()
  ) {
    self.enlargement = enlargement
    super.init(name: name, parameters: parameters)
  }

  /// Keeps the enlarged item enlarged when it is moved. One that is deleted is forgotten.
  func follow(_ plan: UpdatePlan) {
    enlargement.item = enlargement.item.flatMap { plan.newPath(ofOld: $0) }
  }

  /// Stacks the sections and takes the enlargement over.
  package override func prepare(in context: LayoutContext) {
    super.prepare(in: context)
    prepared = enlargement
  }

  /// One item's attributes, enlarged if it is the one.
  package override func layoutAttributesForItem(at indexPath: ItemIndexPath) -> LayoutAttributes? {
    super.layoutAttributesForItem(at: indexPath).map(enlarged)
  }

  /// Every element: per section header, cells and footer.
  package override func layoutAttributesForAllElements() -> [LayoutAttributes] {
    super.layoutAttributesForAllElements().map(enlarged)
  }

  /// The elements that share area with a rectangle. The enlarged item by its enlarged frame.
  package override func layoutAttributesForElements(in rect: Rect2D) -> [LayoutAttributes] {
    let found = super.layoutAttributesForElements(in: rect)
    guard let item = prepared.item, let changed = layoutAttributesForItem(at: item) else {
      return found
    }
    return found.replacing(changed, in: rect)
  }

  private func enlarged(_ attributes: LayoutAttributes) -> LayoutAttributes {
    guard let item = prepared.item, attributes.path == .cell(item) else { return attributes }
    var changed = attributes
    let factor = prepared.factor.asExtent
    let size = Size2D(
      width: attributes.pose.size.width * factor, height: attributes.pose.size.height * factor
    ).asExtents
    changed.pose.size = size
    changed.pose.center = Point2D(
      x: inside(attributes.pose.center.x, extent: size.width, of: contentSize.width),
      y: inside(attributes.pose.center.y, extent: size.height, of: contentSize.height))
    changed.pose.zIndex = 1
    return changed
  }

  /// The place nearest to a center at which an extent lies inside the content.
  private func inside(_ center: Double, extent: Double, of available: Double) -> Double {
    extent > available ? available / 2 : min(max(center, extent / 2), available - extent / 2)
  }
}
