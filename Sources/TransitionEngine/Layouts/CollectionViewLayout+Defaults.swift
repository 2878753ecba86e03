public import TimelineModel

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
