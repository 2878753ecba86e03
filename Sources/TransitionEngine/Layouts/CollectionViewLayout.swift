public import TimelineModel

/// The view as a layout knows it when it prepares.
public struct LayoutContext: Hashable, Sendable {
  /// Extent of the viewport, in points.
  public var viewport: Size2D
  /// The view's content insets, in points.
  public var contentInset: ContentInsets
  /// Content coordinates of the viewport's corner, in points.
  public var contentOffset: Point2D
  /// How many items each section has.
  public var itemCounts: [Int]

  /// Makes a context. Insets and offset default to zero.
  public init(
    viewport: Size2D, contentInset: ContentInsets = .zero, contentOffset: Point2D = .zero,
    itemCounts: [Int]
  ) {
    self.viewport = viewport
    self.contentInset = contentInset
    self.contentOffset = contentOffset
    self.itemCounts = itemCounts
  }

  /// The viewport, in content coordinates.
  public var bounds: Rect2D { Rect2D(origin: contentOffset, size: viewport) }
}

/// Something doubtful that a layout met while it prepared. The view records it as a warning event.
public struct LayoutWarning: Hashable, Sendable {
  /// A stable code ("undefined-layout").
  public var code: String
  /// The doubt and its location, as one sentence.
  public var message: String

  package init(code: String, message: String) {
    self.code = code
    self.message = message
  }
}

/// Places elements. The hooks carry UIKit's names, so that a layout of an app reads the same here.
///
/// A layout answers after ``prepare(in:)`` and until the next one gives the same answers again.
public protocol CollectionViewLayout: AnyObject {
  /// The name that events use. Default: the type's name.
  var name: String { get }

  /// Computes whatever the other questions need.
  func prepare(in context: LayoutContext)

  /// The doubts in the last ``prepare(in:)``. Default: nothing.
  var warnings: [LayoutWarning] { get }

  /// Extent of the whole content, in points.
  var contentSize: Size2D { get }

  /// The elements whose frames share area with a rectangle in content coordinates, hidden ones too.
  func layoutAttributesForElements(in rect: Rect2D) -> [LayoutAttributes]

  /// Every element: per section header, cells and footer, then decoration.
  func layoutAttributesForAllElements() -> [LayoutAttributes]

  /// One item's attributes. `nil` for an item that the layout does not place.
  func layoutAttributesForItem(at indexPath: ItemIndexPath) -> LayoutAttributes?

  /// One supplementary view's attributes. Default: nil.
  func layoutAttributesForSupplementaryView(
    ofKind kind: String, at indexPath: ItemIndexPath
  ) -> LayoutAttributes?

  /// One decoration view's attributes. Default: nil.
  func layoutAttributesForDecorationView(
    ofKind kind: String, at indexPath: ItemIndexPath
  ) -> LayoutAttributes?

  // MARK: Where the viewport rests

  /// Where the viewport shall rest when this layout is installed, and after a batch update or an
  /// animated change of bounds. Default: the proposal.
  func targetContentOffset(forProposedContentOffset proposal: Point2D) -> Point2D

  /// Where scrolling shall come to rest when a finger lifts with a velocity, in points per second.
  /// Default: the same without the velocity.
  func targetContentOffset(
    forProposedContentOffset proposal: Point2D, withScrollingVelocity velocity: Point2D
  ) -> Point2D

  // MARK: Invalidation

  /// Whether the layout depends on a change from its present bounds, in content coordinates: asked when
  /// the view scrolls or its viewport changes. Default: no.
  func shouldInvalidateLayout(forBoundsChange newBounds: Rect2D) -> Bool

  /// The part that a change of bounds makes out of date. Asked when the layout is invalidated by one. Default: a
  /// context that adjusts nothing.
  func invalidationContext(forBoundsChange newBounds: Rect2D) -> LayoutInvalidationContext

  /// Sent when the layout is invalidated by a change of bounds or data, or by a caller with a context of
  /// its own, before its next ``prepare(in:)``. A plain `invalidateLayout()` of the view, which shows a
  /// new progress, sends nothing. Default: nothing.
  func invalidateLayout(with context: LayoutInvalidationContext)

  // MARK: Animated changes

  /// Sent before a batch update is animated, when the layout has prepared for the new data. The items
  /// are in the order of processing. Default: nothing.
  func prepare(forCollectionViewUpdates items: [UpdateItem])

  /// Sent when every start and end of a batch update was asked for. Default: nothing.
  func finalizeCollectionViewUpdates()

  /// Sent before a change of bounds is animated, when the layout has prepared for the new bounds.
  /// Default: nothing.
  func prepare(forAnimatedBoundsChange oldBounds: Rect2D)

  /// Sent when every start and end of a change of bounds was asked for. Default: nothing.
  func finalizeAnimatedBoundsChange()

  /// Where an item starts that is there after an animated change, by its path after the change.
  ///
  /// Asked of every item that is visible afterwards, also of one that was there before. Default: nil,
  /// which lets an item that appears fade in where it stands, and one that stays start from what is on
  /// the screen. An answer that is the item's plain pose does the same for one that stays.
  func initialLayoutAttributesForAppearingItem(at indexPath: ItemIndexPath) -> LayoutAttributes?

  /// Where an item ends that was visible before an animated change, by its path before the change.
  ///
  /// Asked of every item that was visible, also of one that stays. The answer counts only for one that
  /// disappears. Default: nil, which lets it fade out where it stands.
  func finalLayoutAttributesForDisappearingItem(at indexPath: ItemIndexPath) -> LayoutAttributes?

  /// The same for a supplementary view. Default: nil.
  func initialLayoutAttributesForAppearingSupplementaryElement(
    ofKind kind: String, at indexPath: ItemIndexPath
  ) -> LayoutAttributes?

  /// The same for a supplementary view. Default: nil.
  func finalLayoutAttributesForDisappearingSupplementaryElement(
    ofKind kind: String, at indexPath: ItemIndexPath
  ) -> LayoutAttributes?

  /// The same for a decoration view. Default: nil.
  func initialLayoutAttributesForAppearingDecorationElement(
    ofKind kind: String, at indexPath: ItemIndexPath
  ) -> LayoutAttributes?

  /// The same for a decoration view. Default: nil.
  func finalLayoutAttributesForDisappearingDecorationElement(
    ofKind kind: String, at indexPath: ItemIndexPath
  ) -> LayoutAttributes?

  /// The supplementary views of a kind that a batch update makes appear though their section was there
  /// before. Asked between prepare and finalize of the update. Default: none.
  func indexPathsToInsertForSupplementaryView(ofKind kind: String) -> [ItemIndexPath]

  /// The supplementary views of a kind that a batch update makes disappear though their section stays.
  /// Default: none.
  func indexPathsToDeleteForSupplementaryView(ofKind kind: String) -> [ItemIndexPath]

  /// The decoration views of a kind that a batch update makes appear. Default: none.
  func indexPathsToInsertForDecorationView(ofKind kind: String) -> [ItemIndexPath]

  /// The decoration views of a kind that a batch update makes disappear. Default: none.
  func indexPathsToDeleteForDecorationView(ofKind kind: String) -> [ItemIndexPath]

  // MARK: Transitions

  /// Sent to the outgoing layout before a transition. Default: nothing.
  func prepareForTransition(to next: any CollectionViewLayout)

  /// Sent to the incoming layout before a transition. Default: nothing.
  func prepareForTransition(from old: any CollectionViewLayout)

  /// Sent to both layouts, the outgoing first, when a transition is over and its poses were gathered.
  /// Default: nothing.
  func finalizeLayoutTransition()
}

/// A layout of ours that keeps paths of items, which a batch update renumbers.
protocol ItemFollowing: AnyObject {
  /// Brings the paths up to date. Called before the layout prepares for the new data.
  func follow(_ plan: UpdatePlan)
}

/// The default answers of a layout about animated changes.
extension CollectionViewLayout {
  /// Does nothing.
  public func prepare(forCollectionViewUpdates items: [UpdateItem]) {}

  /// Does nothing.
  public func finalizeCollectionViewUpdates() {}

  /// Does nothing.
  public func prepare(forAnimatedBoundsChange oldBounds: Rect2D) {}

  /// Does nothing.
  public func finalizeAnimatedBoundsChange() {}

  /// Nothing of its own.
  public func initialLayoutAttributesForAppearingItem(
    at indexPath: ItemIndexPath
  ) -> LayoutAttributes? { nil }

  /// Nothing of its own.
  public func finalLayoutAttributesForDisappearingItem(
    at indexPath: ItemIndexPath
  ) -> LayoutAttributes? { nil }

  /// Nothing of its own.
  public func initialLayoutAttributesForAppearingSupplementaryElement(
    ofKind kind: String, at indexPath: ItemIndexPath
  ) -> LayoutAttributes? { nil }

  /// Nothing of its own.
  public func finalLayoutAttributesForDisappearingSupplementaryElement(
    ofKind kind: String, at indexPath: ItemIndexPath
  ) -> LayoutAttributes? { nil }

  /// Nothing of its own.
  public func initialLayoutAttributesForAppearingDecorationElement(
    ofKind kind: String, at indexPath: ItemIndexPath
  ) -> LayoutAttributes? { nil }

  /// Nothing of its own.
  public func finalLayoutAttributesForDisappearingDecorationElement(
    ofKind kind: String, at indexPath: ItemIndexPath
  ) -> LayoutAttributes? { nil }

  /// None.
  public func indexPathsToInsertForSupplementaryView(ofKind kind: String) -> [ItemIndexPath] { [] }

  /// None.
  public func indexPathsToDeleteForSupplementaryView(ofKind kind: String) -> [ItemIndexPath] { [] }

  /// None.
  public func indexPathsToInsertForDecorationView(ofKind kind: String) -> [ItemIndexPath] { [] }

  /// None.
  public func indexPathsToDeleteForDecorationView(ofKind kind: String) -> [ItemIndexPath] { [] }
}

extension CollectionViewLayout {
  /// The answer of the hook for the element's category.
  func initialLayoutAttributesForAppearingElement(at path: ElementPath) -> LayoutAttributes? {
    switch path.category {
    case .cell: initialLayoutAttributesForAppearingItem(at: path.indexPath)
    case .supplementary:
      initialLayoutAttributesForAppearingSupplementaryElement(
        ofKind: path.elementKind ?? "", at: path.indexPath)
    case .decoration:
      initialLayoutAttributesForAppearingDecorationElement(
        ofKind: path.elementKind ?? "", at: path.indexPath)
    }
  }

  /// The answer of the hook for the element's category.
  func finalLayoutAttributesForDisappearingElement(at path: ElementPath) -> LayoutAttributes? {
    switch path.category {
    case .cell: finalLayoutAttributesForDisappearingItem(at: path.indexPath)
    case .supplementary:
      finalLayoutAttributesForDisappearingSupplementaryElement(
        ofKind: path.elementKind ?? "", at: path.indexPath)
    case .decoration:
      finalLayoutAttributesForDisappearingDecorationElement(
        ofKind: path.elementKind ?? "", at: path.indexPath)
    }
  }
}

extension CollectionViewLayout {
  /// The type's name.
  public var name: String { String(describing: type(of: self)) }

  /// Nothing is doubtful.
  public var warnings: [LayoutWarning] { [] }

  /// The elements of the whole content that meet the rectangle.
  public func layoutAttributesForElements(in rect: Rect2D) -> [LayoutAttributes] {
    layoutAttributesForAllElements().filter { $0.frame.intersects(rect) }
  }

  /// No supplementary views.
  public func layoutAttributesForSupplementaryView(
    ofKind kind: String, at indexPath: ItemIndexPath
  ) -> LayoutAttributes? { nil }

  /// No decoration views.
  public func layoutAttributesForDecorationView(
    ofKind kind: String, at indexPath: ItemIndexPath
  ) -> LayoutAttributes? { nil }

  /// The proposal itself.
  public func targetContentOffset(forProposedContentOffset proposal: Point2D) -> Point2D {
    proposal
  }

  /// The answer without a velocity.
  public func targetContentOffset(
    forProposedContentOffset proposal: Point2D, withScrollingVelocity velocity: Point2D
  ) -> Point2D {
    targetContentOffset(forProposedContentOffset: proposal)
  }

  /// No.
  public func shouldInvalidateLayout(forBoundsChange newBounds: Rect2D) -> Bool { false }

  /// A context that adjusts nothing.
  public func invalidationContext(
    forBoundsChange newBounds: Rect2D
  ) -> LayoutInvalidationContext { LayoutInvalidationContext() }

  /// Does nothing.
  public func invalidateLayout(with context: LayoutInvalidationContext) {}

  /// Does nothing.
  public func prepareForTransition(to next: any CollectionViewLayout) {}

  /// Does nothing.
  public func prepareForTransition(from old: any CollectionViewLayout) {}

  /// Does nothing.
  public func finalizeLayoutTransition() {}

  /// The attributes at a path of any category. `nil` for an element that the layout does not place.
  public func layoutAttributes(at path: ElementPath) -> LayoutAttributes? {
    switch path.category {
    case .cell:
      layoutAttributesForItem(at: path.indexPath)
    case .supplementary:
      layoutAttributesForSupplementaryView(ofKind: path.elementKind ?? "", at: path.indexPath)
    case .decoration:
      layoutAttributesForDecorationView(ofKind: path.elementKind ?? "", at: path.indexPath)
    }
  }

  /// The pose at a path. `nil` for an element that the layout does not place, or not at finite numbers.
  func finitePose(at path: ElementPath) -> Pose? { layoutAttributes(at: path)?.finitePose }
}

extension LayoutAttributes {
  /// The pose, unless it has a number that is not finite.
  var finitePose: Pose? { pose.isFinite ? pose : nil }
}

extension [LayoutAttributes] {
  /// The elements of a rectangle after one of them was changed: it stays as long as it meets
  /// the rectangle, and comes last when it meets it only now.
  func replacing(_ changed: LayoutAttributes, in rect: Rect2D) -> [LayoutAttributes] {
    var elements = self
    let index = elements.firstIndex { $0.path == changed.path }
    switch (index, changed.frame.intersects(rect)) {
    case (let index?, true): elements[index] = changed
    case (let index?, false): elements.remove(at: index)
    case (nil, true): elements.append(changed)
    case (nil, false): break
    }
    return elements
  }
}
