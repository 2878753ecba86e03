import TimelineModel

@testable import TransitionEngine

/// A flow layout that writes down which hooks of animated changes were called, and with what.
final class HookTrace: FlowLayout {
  var calls: [String] = []
  var starts: [ItemIndexPath: LayoutAttributes] = [:]
  var ends: [ItemIndexPath: LayoutAttributes] = [:]
  /// What the viewport shall rest at after a change.
  var target: Point2D?

  override func prepare(in context: LayoutContext) {
    super.prepare(in: context)
    calls.append("prepare")
  }

  override func prepare(forCollectionViewUpdates items: [UpdateItem]) {
    calls.append("prepare updates \(items.count)")
  }

  override func finalizeCollectionViewUpdates() { calls.append("finalize updates") }

  override func prepare(forAnimatedBoundsChange oldBounds: Rect2D) {
    calls.append("prepare bounds \(Int(oldBounds.size.width))x\(Int(oldBounds.size.height))")
  }

  override func finalizeAnimatedBoundsChange() { calls.append("finalize bounds") }

  override func initialLayoutAttributesForAppearingItem(
    at indexPath: ItemIndexPath
  ) -> LayoutAttributes? {
    calls.append("initial \(indexPath.section).\(indexPath.item)")
    return starts[indexPath]
  }

  override func finalLayoutAttributesForDisappearingItem(
    at indexPath: ItemIndexPath
  ) -> LayoutAttributes? {
    calls.append("final \(indexPath.section).\(indexPath.item)")
    return ends[indexPath]
  }

  override func targetContentOffset(forProposedContentOffset proposal: Point2D) -> Point2D {
    target ?? proposal
  }
}
