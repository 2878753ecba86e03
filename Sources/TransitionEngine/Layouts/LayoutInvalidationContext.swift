public import TimelineModel

/// The parts of a layout that are out of date, as UICollectionViewLayoutInvalidationContext. A layout may have a
/// subclass of its own and fill it in ``CollectionViewLayout/invalidationContext(forBoundsChange:)``.
open class LayoutInvalidationContext {
  /// Whether everything is to be computed again. False unless set.
  public final var invalidateEverything = false
  /// Whether the item counts may have changed. False unless set.
  public final var invalidateDataSourceCounts = false
  /// Added to the content offset when the layout is invalidated, in points.
  public final var contentOffsetAdjustment = Point2D.zero
  /// By how much the content will grow, in points. Told to the layout only: the size itself is the
  /// layout's answer after its next prepare.
  public final var contentSizeAdjustment = Size2D.zero

  /// Makes a context that adjusts nothing.
  public init() {}
}

/// A context is filled in place. Use it from one thread at a time.
@available(*, unavailable)
extension LayoutInvalidationContext: Sendable {}

/// The parts of a flow layout that are out of date, as UICollectionViewFlowLayoutInvalidationContext.
public final class FlowLayoutInvalidationContext: LayoutInvalidationContext {
  /// Whether sizes, insets and spacings are to be looked up again. True unless set.
  public var invalidateFlowLayoutDelegateMetrics = true
  /// Whether the elements' places are to be computed again. True unless set.
  public var invalidateFlowLayoutAttributes = true
}
