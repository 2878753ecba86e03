public import MotionPhysics
public import TimelineModel

/// Who knows the data of a collection view.
public protocol CollectionViewDataSource: AnyObject {
  /// The sections and items as they are now.
  var data: CollectionData { get }
}

/// A collection view without a screen: data, a layout, a scroll position, and a display clock on whose
/// every frame the poses of the moment go to a sink.
///
/// Time is the clock's: calls act, and are stamped, at its `now`. The calls for interactive transitions
/// carry UIKit's names and follow its documentation.
public final class CollectionView {
  /// Who is asked for the data when a batch update has run or the data is reloaded; without one
  /// ``data`` is what was set. Not kept alive.
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

  /// Makes a view and lets it show every frame of the clock from now on, as long as it lives.
  ///
  /// Lengths that are not numbers count as 0, those over 10^12 points are cut off.
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
          "Nothing happened for so long that \(count) frames were left out; each was as the one at "
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

  /// The clock whose frames are shown.
  public var clock: DisplayClock { log.clock }

  /// Where everything is recorded.
  public var sink: any TimelineSink { log.sink }

  /// Whether every call of a layout's hooks is an event ("layoutCall"), to see their order. Off unless set:
  /// there are several to each frame.
  public var tracesLayoutCalls: Bool {
    get { log.tracesLayoutCalls }
    set { log.tracesLayoutCalls = newValue }
  }

  /// How transforms are mixed in transitions; counts from the next start.
  public var transforms: TransformMixing {
    get { installed.transforms }
    set { installed.transforms = newValue }
  }

  // MARK: What is shown

  /// What is shown. Set within the block of a batch update it is what the data is after it; set
  /// otherwise it is shown at once.
  public var data: CollectionData {
    get { changes.data }
    set { changes.data = newValue }
  }

  /// Extent of the viewport, in points. Set, it changes at once; see
  /// ``setViewport(_:duration:easing:completion:)``.
  public var viewport: Size2D {
    get { installed.viewport }
    set { setViewport(newValue) }
  }

  /// Distances by which the content can be scrolled beyond its edges, in points. A change invalidates the
  /// layout and leaves the content offset where it is.
  public var contentInset: ContentInsets {
    get { installed.contentInset }
    set { installed.contentInset = newValue }
  }

  /// Content coordinates of the viewport's corner, in points; follows a driven offset with each prepare.
  public var contentOffset: Point2D {
    layoutIfNeeded()
    return installed.offset
  }

  /// Extent of the whole content, in points.
  public var contentSize: Size2D {
    layoutIfNeeded()
    return installed.layout.contentSize
  }

  /// The elements that take part in what the display shows now, as the layout places them.
  public func visibleAttributes() -> [LayoutAttributes] {
    layoutIfNeeded()
    return installed.layout.layoutAttributesForElements(in: visibleRect)
  }

  var visibleRect: Rect2D { installed.visibleRect }

  /// What the screen shows at the clock's present, an animated change and the elements that are leaving
  /// included.
  func screen() -> Screen { changes.screen(at: clock.now) }

  // MARK: The layout

  /// The layout in use; between start and completion the transition layout itself.
  public var collectionViewLayout: any CollectionViewLayout { installed.layout }

  /// Asks the layout to prepare anew before it is next used: this is what makes a changed progress
  /// show.
  public func invalidateLayout() { installed.invalidate() }

  /// Tells the layout what of it is out of date, moves the content offset by the context's adjustment,
  /// and asks the layout to prepare anew before it is next used.
  public func invalidateLayout(with context: LayoutInvalidationContext) {
    installed.invalidate(with: context)
  }

  /// Prepares the layout now, if it was invalidated.
  public func layoutIfNeeded() { installed.prepareIfNeeded() }

  // MARK: What moves

  /// Whether nothing moves by itself or is driven: no transition, no animated change, nothing waiting.
  public var isAtRest: Bool { transitions.isAtRest && !changes.isUnderWay }

  /// Whether the coming frames differ without anybody doing anything: a settle, a timed transition or
  /// an animated change is under way.
  public var isMovingByItself: Bool {
    state == .settling || changes.isUnderWay || runner.runsByTime
  }

  /// How the session would be said to have ended now: open while a transition is under way, else as the
  /// last one ended; none before the first.
  public var sessionOutcome: SessionOutcome { runner.outcome }
}

/// A view, its layouts and its clock are changed in place; use them from one thread at a time.
@available(*, unavailable)
extension CollectionView: Sendable {}
