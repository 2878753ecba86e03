package import TimelineModel

/// A transition in which only the visible elements of the start take part, as with an animator that makes
/// snapshots of the visible items and moves them to where the new layout puts them.
///
/// That leaves out elements that are visible only at the end. ``includesArriving`` lets them take part.
package class SnapshotTransitionLayout: TransitionLayout {
  /// Whether elements that are visible only at the end take part too.
  package final let includesArriving: Bool

  package init(
    currentLayout: any CollectionViewLayout, nextLayout: any CollectionViewLayout,
    includesArriving: Bool = false
  ) {
    self.includesArriving = includesArriving
    super.init(currentLayout: currentLayout, nextLayout: nextLayout)
  }

  /// The elements that were visible at the start, wherever they are just now.
  package override func layoutAttributesForElements(in rect: Rect2D) -> [LayoutAttributes] {
    guard !includesArriving else { return super.layoutAttributesForElements(in: rect) }
    return currentLayout.layoutAttributesForElements(in: visibleRects?.from ?? rect)
      .compactMap { layoutAttributes(at: $0.path) }
  }
}
