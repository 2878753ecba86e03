public import TimelineModel

/// The position of an item in the viewport after a scroll to it. Names are those of UIKit and of
/// ``Placement``.
public enum ItemScrollPosition: String, CaseIterable, Sendable {
  /// No position: nothing is scrolled.
  case none
  /// The nearest position at which it is visible.
  case minimal
  /// The same as ``minimal``.
  case visible
  /// At the upper edge.
  case top
  /// In the middle between the upper and the lower edge.
  case centeredVertically
  /// At the lower edge.
  case bottom
  /// At the left edge.
  case left
  /// In the middle between the left and the right edge.
  case centeredHorizontally
  /// At the right edge.
  case right
  /// In the middle of both axes.
  case center
}

extension CollectionView {
  /// Moves the viewport's corner to a position of the content, in points, without limits.
  ///
  /// During a transition this moves the start offset: a cancelled transition ends there, and a driven offset
  /// continues from there. A position that is not finite is refused with a warning event.
  public func scroll(to point: Point2D) {
    guard point.isFinite else {
      log.warn("non-finite", "A content offset that is not finite was set. The old one stays.")
      return
    }
    changes.contentMoved(to: point.asLengths)
    installed.scroll(to: point.asLengths)
    log.record(.scroll, ["contentOffset": installed.offset])
  }

  /// Scrolls an item to a position of the viewport within the content insets, as far as the content allows.
  ///
  /// - Throws: `unknownItem` if the layout does not have the item. Nothing has changed then.
  public func scrollToItem(
    at indexPath: ItemIndexPath, position: ItemScrollPosition
  ) throws(TransitionError) {
    layoutIfNeeded()
    guard let frame = collectionViewLayout.layoutAttributesForItem(at: indexPath)?.frame else {
      throw log.refused(
        .unknownItem,
        "There is no item \(indexPath.text) to scroll to in layout "
          + "\(collectionViewLayout.name).")
    }
    let room = Rect2D(origin: .zero, size: viewport).inset(by: contentInset)
    let offset = installed.offset
    var point = offset
    switch position {
    case .none: return
    case .minimal, .visible:
      point.x = nearest(to: offset.x, from: frame.maxX - room.maxX, through: frame.minX - room.minX)
      point.y = nearest(to: offset.y, from: frame.maxY - room.maxY, through: frame.minY - room.minY)
    case .top: point.y = frame.minY - room.minY
    case .centeredVertically: point.y = frame.midY - room.midY
    case .bottom: point.y = frame.maxY - room.maxY
    case .left: point.x = frame.minX - room.minX
    case .centeredHorizontally: point.x = frame.midX - room.midX
    case .right: point.x = frame.maxX - room.maxX
    case .center: point = Point2D(x: frame.midX - room.midX, y: frame.midY - room.midY)
    }
    scroll(to: installed.offsetRange(of: collectionViewLayout).clamped(point))
  }

  /// The offset nearest to the present one that shows a span. Its start where it is too long.
  private func nearest(to offset: Double, from low: Double, through high: Double) -> Double {
    low > high ? high : min(max(offset, low), high)
  }

  /// The content offset that puts items at a position of the viewport at the end of a transition. Set it as
  /// the transition's ``TransitionLayout/toContentOffset``.
  ///
  /// - Returns: The offset, in points. Nil without items, or if one of the two layouts does not have an item.
  ///   The warning event "unknown-item" is then recorded.
  public func toContentOffset(
    for transition: TransitionLayout, items: [ItemIndexPath], placement: Placement,
    options: PlacementOptions = .init()
  ) -> Point2D? {
    let point = TransitionEngine.toContentOffset(
      from: transition.currentLayout, to: transition.nextLayout, items: items,
      placement: placement, options: options, contentOffset: contentOffset, viewport: viewport,
      contentInset: contentInset)
    if point == nil {
      log.warn(
        "unknown-item",
        "No content offset can be computed for \(transition.name): there are no items to place, or one of "
          + "them is not in both layouts. The offset stays.")
    }
    return point
  }

  /// The paths of the items that are visible where a transition starts, in the old layout's order.
  package func itemsVisible(atStartOf transition: TransitionLayout) -> [ItemIndexPath] {
    let corner = transition.isInTransition ? transition.fromContentOffset : installed.offset
    return transition.currentLayout
      .layoutAttributesForElements(in: Rect2D(origin: corner, size: viewport))
      .filter { $0.path.category == .cell }.map(\.path.indexPath)
  }
}
