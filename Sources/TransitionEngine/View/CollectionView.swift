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
