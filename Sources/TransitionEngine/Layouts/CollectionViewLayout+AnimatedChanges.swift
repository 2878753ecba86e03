public import TimelineModel

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
