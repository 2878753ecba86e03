public import TimelineModel

/// Items in rows, sections one after the other, as UICollectionViewFlowLayout places them.
///
/// Rows are filled greedily and spread to the row's length. The rules are those that the UIKit
/// documentation states, with measured behaviour where it is silent:
///
/// - An item goes into a row as long as it fits at the minimum spacing. A sum that misses the row's length
///   by a billionth of it still fits. Then the free room is shared out between the items.
/// - The last row of a section whose items all have one size keeps the gap of a full row. Of different
///   sizes, see `lastRow`.
/// - An item alone in its row stands in the middle when no second one like it would fit, else at the
///   start. One that is larger than the row stands at the start, with a warning.
///
/// Nothing is rounded unless `snapsToPixels` asks for it. A negative size counts as
/// none. Lengths over 10^12 points are cut off.
open class FlowLayout: CollectionViewLayout {
  /// The name that events use.
  public final let name: String
  /// The layout's parameters. A change shows after the next ``prepare(in:)``.
  public final var parameters: FlowLayoutParameters
  /// Extent of the whole content: the viewport's across, the sum of the sections along.
  open var contentSize: Size2D { extent }
  /// Items that are larger than the room for them ("undefined-layout"), at most one per section.
  open var warnings: [LayoutWarning] { found }

  private final var extent = Size2D.zero
  private final var found: [LayoutWarning] = []
  final var sections: [FlowSection] = []
  final var preparedParameters = FlowLayoutParameters()
  /// How long the rows are, and the viewport's own extent that they were made for.
  final var crossExtent = 0.0
  private final var preparedCross = 0.0
  /// Whether every section ends at or after the end of the section before.
  final var sectionsAreOrdered = true

  /// Makes a layout.
  public init(name: String = "FlowLayout", parameters: FlowLayoutParameters = .init()) {
    self.name = name
    self.parameters = parameters
  }

  /// Stacks the sections.
  ///
  /// - Complexity: O(number of sections), and O(number of items) for sections with items of
  ///   different sizes.
  open func prepare(in context: LayoutContext) {
    let axes = FlowAxes(direction: parameters.scrollDirection)
    preparedParameters = parameters
    preparedCross = axes.cross(context.viewport.asExtents)
    crossExtent = preparedCross
    if parameters.subtractsContentInset {
      let insets = context.contentInset.asLengths
      crossExtent = max(0, preparedCross - axes.crossStart(insets) - axes.crossEnd(insets))
    }
    sections = []
    found = []
    sectionsAreOrdered = true
    var end = 0.0
    for (number, count) in context.itemCounts.enumerated() {
      let section = FlowSection(
        number: number, itemCount: max(0, count), start: end, crossExtent: crossExtent,
        parameters: parameters)
      if section.end < end || section.footerStart < section.start + section.headerExtent {
        sectionsAreOrdered = false
      }
      if let item = section.firstOversizedItem {
        found.append(
          LayoutWarning(
            code: "undefined-layout",
            message: """
              Item [\(number), \(item)] of layout \(name) is larger than the room between the \
              section's insets. It is alone at the start of its row.
              """))
      }
      end = section.end
      sections.append(section)
    }
    extent = axes.size(main: max(0, end), cross: crossExtent)
  }

  // MARK: Places

  /// One item's attributes. `nil` for an item that was not there at the last prepare.
  open func layoutAttributesForItem(at indexPath: ItemIndexPath) -> LayoutAttributes? {
    guard sections.indices.contains(indexPath.section) else { return nil }
    let section = sections[indexPath.section]
    guard indexPath.item >= 0, indexPath.item < section.itemCount else { return nil }
    return cell(indexPath.item, of: section)
  }

  /// The header or footer of a section, at item 0. `nil` for any other kind, and without extent.
  open func layoutAttributesForSupplementaryView(
    ofKind kind: String, at indexPath: ItemIndexPath
  ) -> LayoutAttributes? {
    guard sections.indices.contains(indexPath.section), indexPath.item == 0 else { return nil }
    switch kind {
    case FlowLayoutParameters.headerKind: return header(of: sections[indexPath.section])
    case FlowLayoutParameters.footerKind: return footer(of: sections[indexPath.section])
    default: return nil
    }
  }

  /// Nothing: a flow layout has no decoration.
  open func layoutAttributesForDecorationView(
    ofKind kind: String, at indexPath: ItemIndexPath
  ) -> LayoutAttributes? { nil }

  /// Every element: per section header, cells and footer.
  open func layoutAttributesForAllElements() -> [LayoutAttributes] {
    sections.flatMap { section in
      [header(of: section)].compactMap(\.self)
        + (0..<section.itemCount).map { cell($0, of: section) }
        + [footer(of: section)].compactMap(\.self)
    }
  }

  /// The elements that share area with a rectangle.
  ///
  /// - Complexity: O(log n) to find the rows, then the number of elements in them.
  open func layoutAttributesForElements(in rect: Rect2D) -> [LayoutAttributes] {
    elements(in: rect)
  }

  // MARK: Hooks, for subclasses to override

  /// The proposal itself.
  open func targetContentOffset(forProposedContentOffset proposal: Point2D) -> Point2D { proposal }

  /// The answer without a velocity.
  open func targetContentOffset(
    forProposedContentOffset proposal: Point2D, withScrollingVelocity velocity: Point2D
  ) -> Point2D {
    targetContentOffset(forProposedContentOffset: proposal)
  }

  /// Only where the extent across the scroll direction changes, which the rows are made for.
  open func shouldInvalidateLayout(forBoundsChange newBounds: Rect2D) -> Bool {
    FlowAxes(direction: preparedParameters.scrollDirection).cross(newBounds.size.asExtents)
      != preparedCross
  }

  /// A flow layout's own context.
  open func invalidationContext(forBoundsChange newBounds: Rect2D) -> LayoutInvalidationContext {
    FlowLayoutInvalidationContext()
  }

  /// Does nothing: every prepare computes all.
  open func invalidateLayout(with context: LayoutInvalidationContext) {}

  /// Does nothing.
  open func prepare(forCollectionViewUpdates items: [UpdateItem]) {}

  /// Does nothing.
  open func finalizeCollectionViewUpdates() {}

  /// Does nothing.
  open func prepare(forAnimatedBoundsChange oldBounds: Rect2D) {}

  /// Does nothing.
  open func finalizeAnimatedBoundsChange() {}

  /// Nothing of its own: an item that appears fades in where it stands.
  open func initialLayoutAttributesForAppearingItem(at indexPath: ItemIndexPath)
    -> LayoutAttributes?
  {
    nil
  }

  /// Nothing of its own: an item that disappears fades out where it stands.
  open func finalLayoutAttributesForDisappearingItem(at indexPath: ItemIndexPath)
    -> LayoutAttributes?
  {
    nil
  }

  /// Nothing of its own.
  open func initialLayoutAttributesForAppearingSupplementaryElement(
    ofKind kind: String, at indexPath: ItemIndexPath
  ) -> LayoutAttributes? { nil }

  /// Nothing of its own.
  open func finalLayoutAttributesForDisappearingSupplementaryElement(
    ofKind kind: String, at indexPath: ItemIndexPath
  ) -> LayoutAttributes? { nil }

  /// Nothing of its own.
  open func initialLayoutAttributesForAppearingDecorationElement(
    ofKind kind: String, at indexPath: ItemIndexPath
  ) -> LayoutAttributes? { nil }

  /// Nothing of its own.
  open func finalLayoutAttributesForDisappearingDecorationElement(
    ofKind kind: String, at indexPath: ItemIndexPath
  ) -> LayoutAttributes? { nil }

  /// None.
  open func indexPathsToInsertForSupplementaryView(ofKind kind: String) -> [ItemIndexPath] { [] }

  /// None.
  open func indexPathsToDeleteForSupplementaryView(ofKind kind: String) -> [ItemIndexPath] { [] }

  /// None.
  open func indexPathsToInsertForDecorationView(ofKind kind: String) -> [ItemIndexPath] { [] }

  /// None.
  open func indexPathsToDeleteForDecorationView(ofKind kind: String) -> [ItemIndexPath] { [] }

  /// Does nothing.
  open func prepareForTransition(to next: any CollectionViewLayout) {}

  /// Does nothing.
  open func prepareForTransition(from old: any CollectionViewLayout) {}

  /// Does nothing.
  open func finalizeLayoutTransition() {}
}

/// A layout is changed in place while it prepares. Use it from one thread at a time.
@available(*, unavailable)
extension FlowLayout: Sendable {}

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
