package import MotionPhysics
public import TimelineModel

/// Supplies the data of a collection view.
public protocol CollectionViewDataSource: AnyObject {
  /// The sections and items as they are now.
  var data: CollectionData { get }
}

/// A collection view without a screen: data, a layout, a scroll position, and a display clock. On every frame
/// of the clock, the view passes the present poses to a sink.
///
/// All times are the clock's: a call acts at its `now`, and is recorded with that time. The calls for
/// interactive transitions have UIKit's names and follow its documentation.
public final class CollectionView {
  /// Supplies the data after a batch update or a reload. Without a data source, ``data`` is the value that
  /// you set. The view does not keep it alive.
  public weak var dataSource: (any CollectionViewDataSource)?
  let log: EventLog
  let elements: ElementRegistry
  let installed: InstalledLayout
  let changes: ChangeCoordinator
  let runner: TransitionRunner
  let transitions: TransitionCoordinator
  private let frames: FrameRecorder
  /// The numbers of what the clock calls.
  private var listeners: [Int] = []

  /// Makes a view, which shows every frame of the clock from now on, as long as it lives.
  ///
  /// A length that is not a number counts as 0, and a length over 10^12 points is limited to that.
  public init(
    viewport: Size2D, contentInset: ContentInsets = .zero, contentOffset: Point2D = .zero,
    data: CollectionData, layout: any CollectionViewLayout, clock: DisplayClock,
    sink: any TimelineSink
  ) {
    log = EventLog(clock: clock, sink: sink)
    elements = ElementRegistry(data: data, log: log)
    installed = InstalledLayout(
      layout, viewport: viewport, contentInset: contentInset, offset: contentOffset,
      elements: elements, log: log)
    changes = ChangeCoordinator(installed: installed)
    runner = TransitionRunner(installed: installed, changes: changes)
    transitions = TransitionCoordinator(runner: runner, installed: installed, changes: changes)
    frames = FrameRecorder(installed: installed, runner: runner, changes: changes)
    listeners = [
      clock.onFrame { [weak self] time in self?.frames.showFrame(at: time) },
      clock.onSkip { [weak self] count, next in
        self?.log.warn(
          "frames-skipped",
          "Nothing happened for so long that \(count) frames were left out. Each was as the one at "
            + "\(next.seconds) s.")
      },
    ]
  }

  deinit {
    for number in listeners { clock.removeListener(number) }
    runner.abandon()
    changes.abandon()
    transitions.abandon()
  }

  /// The clock whose frames the view shows.
  public var clock: DisplayClock { log.clock }

  /// The sink that everything is recorded into.
  public var sink: any TimelineSink { log.sink }

  /// Whether every call of a layout's hooks is recorded as an event, "layoutCall", to show their order. The
  /// default is false, because each frame has several calls.
  package var tracesLayoutCalls: Bool {
    get { log.tracesLayoutCalls }
    set { log.tracesLayoutCalls = newValue }
  }

  /// The mixing of transforms in transitions, from the next start on.
  package var transforms: TransformMixing {
    get { installed.transforms }
    set { installed.transforms = newValue }
  }

  // MARK: Content

  /// The data that is shown. A value that you set within the block of a batch update is the data after the
  /// update. Otherwise the view shows a new value at once.
  public var data: CollectionData {
    get { changes.data }
    set { changes.data = newValue }
  }

  /// The extent of the viewport, in points. A new value counts at once. To animate it, call
  /// ``setViewport(_:duration:easing:completion:)``.
  public var viewport: Size2D {
    get { installed.viewport }
    set { setViewport(newValue) }
  }

  /// Distances by which the content can be scrolled beyond its edges, in points. A change invalidates the
  /// layout and keeps the content offset.
  public var contentInset: ContentInsets {
    get { installed.contentInset }
    set { installed.contentInset = newValue }
  }

  /// The content coordinates of the viewport's corner, in points. They follow a driven offset with each
  /// prepare.
  public var contentOffset: Point2D {
    layoutIfNeeded()
    return installed.offset
  }

  /// The extent of the whole content, in points.
  public var contentSize: Size2D {
    layoutIfNeeded()
    return installed.layout.contentSize
  }

  /// The elements that take part in the present picture, as the layout places them.
  public func visibleAttributes() -> [LayoutAttributes] {
    layoutIfNeeded()
    return installed.layout.layoutAttributesForElements(in: visibleRect)
  }

  var visibleRect: Rect2D { installed.visibleRect }

  /// The elements on the screen at the clock's present, with an animated change and with the elements that
  /// are leaving.
  func screen() -> Screen { changes.screen(at: clock.now) }

  // MARK: The layout

  /// The layout in use. Between start and completion it is the transition layout.
  public var collectionViewLayout: any CollectionViewLayout { installed.layout }

  /// Asks the layout to prepare again before its next use. Call it to show a changed progress.
  public func invalidateLayout() { installed.invalidate() }

  /// Passes the context of an invalidation to the layout, and moves the content offset by the context's
  /// adjustment. The layout prepares again before its next use.
  public func invalidateLayout(with context: LayoutInvalidationContext) {
    installed.invalidate(with: context)
  }

  /// Prepares the layout now, if it was invalidated.
  public func layoutIfNeeded() { installed.prepareIfNeeded() }

  // MARK: Motion

  /// Whether nothing moves: no transition, no animated change, and no call that waits.
  public var isAtRest: Bool { transitions.isAtRest && !changes.isUnderWay }

  /// Whether the next frames differ without a call: during a settle, a timed transition or an animated
  /// change.
  public var isMovingByItself: Bool {
    state == .settling || changes.isUnderWay || runner.runsByTime
  }

  /// How the session would be said to have ended now: open while a transition is under way, else as the
  /// last one ended. None before the first.
  package var sessionOutcome: SessionOutcome { runner.outcome }
}

/// A view, its layouts and its clock are mutable. Use them from one thread at a time.
@available(*, unavailable)
extension CollectionView: Sendable {}

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
