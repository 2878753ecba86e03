public import TimelineModel
public import TransitionEngine

/// What a layout, or a mixture of two, looks like: every element with its identity.
public struct LayoutSnapshot: Sendable {
  /// The elements in the layout's own order.
  public var elements: [LayoutAttributes]
  /// Extent of the content, in points.
  public var contentSize: Size
  /// Where the viewport's corner stands in it, in points.
  public var contentOffset: Point
  /// What the layouts found doubtful.
  public var warnings: [LayoutWarning]
}

extension Scenario {
  /// Makes one of the scenario's layouts, not yet prepared; nil for a name that it does not have.
  public func makeLayout(_ name: String) -> (any CollectionViewLayout)? {
    layouts.first { $0.name == name }.map { $0.make(name) }
  }

  /// All elements of a layout; nil for a name that the scenario does not have.
  public func snapshot(of name: String) -> LayoutSnapshot? {
    guard let layout = makeLayout(name) else { return nil }
    layout.prepare(in: context)
    return LayoutSnapshot(
      elements: layout.layoutAttributesForAllElements(), contentSize: layout.contentSize,
      contentOffset: contentOffset, warnings: layout.warnings)
  }

  /// All elements of two layouts mixed at a progress, which may leave 0 to 1; nil for a name that the
  /// scenario does not have.
  ///
  /// Where the script starts a transition to the same layout with an offset, the content offset is
  /// driven along as in the run.
  public func snapshot(from: String, to: String, progress: Double) -> LayoutSnapshot? {
    guard let current = makeLayout(from), let next = makeLayout(to) else { return nil }
    let mixture = TransitionLayout(currentLayout: current, nextLayout: next)
    mixture.transforms = transition.transforms
    mixture.transitionProgress = progress
    mixture.prepare(in: context)
    var offset = contentOffset
    if let target = plannedOffset(to: to, current: current, next: next) {
      offset = lerp(contentOffset, target, progress)
    }
    return LayoutSnapshot(
      elements: mixture.layoutAttributesForAllElements(), contentSize: mixture.contentSize,
      contentOffset: offset, warnings: mixture.warnings)
  }

  private func plannedOffset(
    to name: String, current: any CollectionViewLayout, next: any CollectionViewLayout
  ) -> Point? {
    for step in script {
      guard case .start(name, let offset?) = step.action else { continue }
      return toContentOffset(
        from: current, to: next, items: offset.items, placement: offset.placement,
        options: offset.options, contentOffset: contentOffset, viewport: viewport,
        contentInset: contentInset)
    }
    return nil
  }

  private var context: LayoutContext {
    LayoutContext(
      viewport: viewport, contentInset: contentInset, contentOffset: contentOffset,
      itemCounts: data.itemCounts)
  }
}
