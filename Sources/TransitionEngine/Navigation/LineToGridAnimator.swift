package import MotionPhysics
import TimelineModel

/// Lets the items of a line in one view travel into the grid of another one: the article's animator for
/// two flow layouts, without its undefined layouts.
///
/// The destination view begins as the line: it is given the line's own layout, with a bottom inset so
/// large that there is room for one row only, and the line's content offset. In a batch update it then
/// goes over to the layout that it had, so that the view itself moves every item, also one that was not on
/// the screen. The source view keeps a copy of its layout. When it is over the inset is as it was.
package final class LineToGridAnimator {
  /// The view that shows the line.
  package let source: CollectionView
  /// The view that shows the grid, with its final viewport.
  package let destination: CollectionView

  /// Whether it runs, from its start to its completion.
  package private(set) var isRunning = false

  /// How long it takes unless stated, in seconds (objc.io issue 12's own).
  public static let defaultDurationSeconds = 0.6

  /// Makes an animator between two views with their layouts.
  package init(from source: CollectionView, to destination: CollectionView) {
    self.source = source
    self.destination = destination
  }

  /// The bottom inset that leaves room for exactly one row of a line, in points, not negative:
  /// height − (item height + upper and lower section inset), less the view's own upper inset.
  ///
  /// - Parameters:
  ///   - line: The line's parameters. Of items with sizes of their own the tallest counts.
  ///   - height: The height of the view that shows it, in points.
  ///   - topInset: The upper content inset of that view, in points.
  package static func bottomInset(
    for line: FlowLayoutParameters, height: Double, topInset: Double = 0
  ) -> Double {
    var tallest = line.itemSize.height.asExtent
    for section in line.itemSizes {
      for size in section { tallest = max(tallest, size.height.asExtent) }
    }
    var insets = [line.sectionInset]
    insets += line.sections.compactMap(\.sectionInset)
    let border = insets.map { $0.top.asLength + $0.bottom.asLength }.max() ?? 0
    return (height.asExtent - topInset.asLength - tallest - border).asExtent
  }

  /// Begins: the next frame of the destination shows the line, the last one its grid.
  ///
  /// - Parameters:
  ///   - duration: How long it takes, in seconds. At 0 or below the next frame shows the grid.
  ///   - easing: The curve that maps elapsed time to progress.
  ///   - completion: Runs exactly once, after the inset was put back. False when something else
  ///     interrupted it.
  /// - Throws: `notALine` when the source's layout is not a horizontal flow. `alreadyInTransition` while
  ///   it runs, in the block of a batch update, and while a transition of either view is under way.
  ///   Nothing has changed then.
  package func start(
    duration: Double = LineToGridAnimator.defaultDurationSeconds, easing: Easing = .linear,
    completion: @escaping (_ completed: Bool) -> Void = { _ in }
  ) throws(TransitionError) {
    guard !isRunning, source !== destination, isIdle(source), isIdle(destination) else {
      throw destination.log.refused(
        .alreadyInTransition,
        "A line was to go over to \(destination.collectionViewLayout.name) while one of the two views is "
          + "busy, or both are one. Wait for the completion, and give two views.")
    }
    guard let line = source.collectionViewLayout as? FlowLayout,
      line.parameters.scrollDirection == .horizontal
    else {
      throw destination.log.refused(
        .notALine,
        "Layout \(source.collectionViewLayout.name) is not a horizontal flow. Give the source view one."
      )
    }
    let grid = destination.collectionViewLayout
    let restore = begin(line)
    do {
      try showLine(line)
    } catch {
      // The interrupted transition has begun something of its own in its completion.
      restore()
      throw error
    }
    animate(to: grid, duration: duration, easing: easing) { completed in
      restore()
      completion(completed)
    }
  }

  private func isIdle(_ view: CollectionView) -> Bool {
    view.state == .idle && !view.changes.isCollecting
  }

  /// Changes the settings that hold only during the run.
  ///
  /// - Returns: A closure that restores them. It does not need the animator.
  private func begin(_ line: FlowLayout) -> () -> Void {
    let subtracted = line.parameters.subtractsContentInset
    let bottom = destination.contentInset.bottom
    isRunning = true
    return { [weak self, weak destination] in
      line.parameters.subtractsContentInset = subtracted
      destination?.contentInset.bottom = bottom
      self?.isRunning = false
    }
  }

  /// Lets the source keep a copy of the line, and the destination show the line as the source does.
  private func showLine(_ line: FlowLayout) throws(TransitionError) {
    let offset = source.contentOffset
    try source.setCollectionViewLayout(
      FlowLayout(name: line.name, parameters: line.parameters), animated: false)
    line.parameters.subtractsContentInset = true
    destination.contentInset.bottom = LineToGridAnimator.bottomInset(
      for: line.parameters, height: destination.viewport.height,
      topInset: destination.contentInset.top)
    try destination.setCollectionViewLayout(line, animated: false)
    if destination.contentOffset != offset { destination.scroll(to: offset) }
  }

  private func animate(
    to grid: any CollectionViewLayout, duration: Double, easing: Easing,
    completion: @escaping (Bool) -> Void
  ) {
    let destination = destination
    do {
      try destination.performBatchUpdates(
        duration: duration, easing: easing,
        {
          // The data stays, whatever a data source says meanwhile.
          destination.data = destination.elements.data
          destination.changes.join(grid)
        }, completion: completion)
    } catch {
      preconditionFailure(
        "A batch without operations and with the same data cannot fail: \(error).")
    }
  }
}

/// Two views are changed in place. Use them from one thread at a time.
@available(*, unavailable)
extension LineToGridAnimator: Sendable {}
