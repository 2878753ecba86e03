public import TimelineModel
public import TransitionEngine

/// The elements of a layout, or of a mixture of two: every element with its identity.
public struct LayoutSnapshot: Sendable {
  /// The elements in the layout's own order.
  public var elements: [LayoutAttributes]
  /// Extent of the content, in points.
  public var contentSize: Size2D
  /// Where the viewport's corner stands in it, in points.
  public var contentOffset: Point2D
  /// The doubts of the layouts.
  public var warnings: [LayoutWarning]
}

extension Scenario {
  /// Makes one of the scenario's layouts, not yet prepared. `nil` for a name that it does not have.
  package func makeLayout(_ name: String) -> (any CollectionViewLayout)? {
    layouts.first { $0.name == name }.map { $0.make(name) }
  }

  /// All elements of a layout. `nil` for a name that the scenario does not have.
  public func snapshot(of name: String) -> LayoutSnapshot? {
    guard let layout = makeLayout(name) else { return nil }
    layout.prepare(in: context)
    return LayoutSnapshot(
      elements: layout.layoutAttributesForAllElements(), contentSize: layout.contentSize,
      contentOffset: contentOffset, warnings: layout.warnings)
  }

  /// All elements of two layouts mixed at a progress, which may leave 0 to 1, as a run of the scenario
  /// shows them. `nil` for a name that the scenario does not have.
  ///
  /// Where the script starts a transition to the same layout with an offset, the content offset is
  /// driven along as in the run.
  public func snapshot(from: String, to: String, progress: Double) -> LayoutSnapshot? {
    guard let current = makeLayout(from), let next = makeLayout(to) else { return nil }
    let mixture: TransitionLayout
    let view: CollectionView
    do {
      view = CollectionView(
        viewport: viewport, contentInset: contentInset, contentOffset: contentOffset, data: data,
        layout: current, clock: try DisplayClock(refreshRate: 60), sink: DiscardingTimeline())
      view.transforms = transition.transforms
      mixture = try view.startInteractiveTransition(to: next)
    } catch {
      preconditionFailure("A view that is idle starts a transition: \(error).")
    }
    if let plan = plannedOffset(to: to) {
      mixture.toContentOffset = view.toContentOffset(
        for: mixture, items: plan.items ?? view.itemsVisible(atStartOf: mixture),
        placement: plan.placement, options: plan.options)
    }
    mixture.transitionProgress = progress
    view.invalidateLayout()
    view.layoutIfNeeded()
    return LayoutSnapshot(
      elements: mixture.layoutAttributesForAllElements(), contentSize: view.contentSize,
      contentOffset: view.contentOffset, warnings: mixture.warnings)
  }

  private func plannedOffset(to name: String) -> OffsetPlan? {
    for step in script {
      switch step.action {
      case .start(let plan) where plan.layout == name && plan.offset != nil: return plan.offset
      case .animate(let plan, _) where plan.layout == name && plan.offset != nil:
        return plan.offset
      default: continue
      }
    }
    return nil
  }

  private var context: LayoutContext {
    LayoutContext(
      viewport: viewport, contentInset: contentInset, contentOffset: contentOffset,
      itemCounts: data.itemCounts)
  }
}
