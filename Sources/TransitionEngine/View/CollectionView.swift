public import MotionPhysics
public import TimelineModel

/// What a collection view asks somebody else.
public protocol CollectionViewDelegate: AnyObject {
  /// The transition layout between two layouts, made for exactly these two; nil for the plain
  /// ``TransitionLayout``. Asked once per start. Of a transition that waits or takes over, the engine
  /// exchanges the current layout where another one is installed when it begins.
  func transitionLayout(
    for current: any CollectionViewLayout, to next: any CollectionViewLayout
  ) -> TransitionLayout?
}

/// Who knows the data of a collection view.
public protocol CollectionViewDataSource: AnyObject {
  /// The sections and items as they are now.
  var data: CollectionData { get }
}

/// What runs when a transition is over, after the layout was installed: whether its rest ran to the
/// end, and whether the new layout is the one installed.
public typealias TransitionCompletion = (_ completed: Bool, _ finished: Bool) -> Void

/// A collection view without a screen: data, a layout, a scroll position, and a display clock on whose
/// every frame the poses of the moment go to a sink.
///
/// Time is the clock's: calls act, and are stamped, at its `now`. The calls for interactive transitions
/// carry UIKit's names and follow its documentation.
public final class CollectionView {
  /// Who is asked for the data when a batch update has run or the data is reloaded; without one
  /// ``data`` is what was set. Not kept alive.
  public weak var dataSource: (any CollectionViewDataSource)?
  /// The clock whose frames are shown.
  public let clock: DisplayClock
  /// Where everything is recorded.
  public let sink: any TimelineSink
  /// Who is asked for transition layouts. Not kept alive.
  public weak var delegate: (any CollectionViewDelegate)?

  /// How transforms are mixed in transitions; counts from the next start.
  public var transforms = TransformMixing.decomposed
  /// How the rest of a transition runs; counts from the next release.
  public var settle = SettleParameters()
  /// How velocities are told and releases decided.
  public var release = ReleaseParameters()
  /// Whether every call of a layout's hooks is an event ("layoutCall"), to see their order. Off unless set:
  /// there are several to each frame.
  public var tracesLayoutCalls = false
  /// What happens when a transition is asked for while another one is under way.
  public var reentry = ReentryPolicy.refuse

  /// The layout in use; between start and completion the transition layout itself.
  public internal(set) var collectionViewLayout: any CollectionViewLayout
  /// Idle, driving from a start to its release, settling from there to the completion.
  public internal(set) var state = Phase.idle
  /// How many transitions were started; the number of the one under way is one less.
  public internal(set) var transitionCount = 0

  /// The numbers of what the clock calls.
  private var listeners: [Int] = []
  var storedViewport: Size
  var storedData: CollectionData
  var transition: ActiveTransition?
  /// What is animated besides a transition's progress.
  var change: AnimatedChange?
  var animationCount = 0
  /// The batch update whose block is running.
  var batch: Batch?
  /// Whether a transition is being taken down just now; its layouts' hooks may not take it down again.
  var isEnding = false
  /// Whether a transition is being taken down only for the next one to take over.
  var isRetargeting = false
  /// The transitions that wait, the next one first.
  var queue: [QueuedTransition] = []
  var lastOutcome = SessionOutcome.none
  var offset: Point
  var needsPrepare = true
  /// Made with the first transition, so that a session without one has no key.
  lazy var progressKey = sink.keyHandle(for: progressKeyName, role: .progress, unit: "1")
  /// What the last frame held, and the offset it was looked up at; nil when it must be looked up again.
  var shown: (offset: Point, elements: [Screen.Element])? {
    didSet { showsMixes = false }
  }
  /// Whether the last frame came from the transition's mixes instead, and the next one may too.
  var showsMixes = false
  var handles: [ElementPath: ItemHandle] = [:]
  var identities: [ItemHandle: ElementIdentity] = [:]
  var warned: Set<LayoutWarning> = []

  /// The longest that a settle may take, in seconds; a spring without friction would never end. The
  /// same bound as that of the walk that looks for a settling time.
  public static let longestSettleSeconds = 102.4

  /// Makes a view and lets it show every frame of the clock from now on, as long as it lives.
  ///
  /// Lengths that are not numbers count as 0, those over 10^12 points are cut off.
  public init(
    viewport: Size, contentInset: EdgeInsets = .zero, contentOffset: Point = .zero,
    data: CollectionData, layout: any CollectionViewLayout, clock: DisplayClock,
    sink: any TimelineSink
  ) {
    self.storedViewport = viewport.asExtents
    self.contentInset = contentInset.asLengths
    self.offset = contentOffset.asLengths
    self.storedData = data
    self.collectionViewLayout = layout
    self.clock = clock
    self.sink = sink
    listeners = [clock.onFrame { [weak self] time in self?.showFrame(at: time) }]
    let skips = clock.onSkip { [weak self] count, next in
      self?.warn(
        "frames-skipped",
        "Nothing happened for so long that \(count) frames were left out; each was as the one at "
          + "\(next.seconds) s.")
    }
    listeners.append(skips)
  }

  deinit {
    for number in listeners { clock.removeListener(number) }
    transition?.completion(false, transition?.settle?.outcome == .finish)
    for action in transition?.afterCompletion ?? [] { action() }
    change?.completion(false)
    for waiting in queue { waiting.completion(false, false) }
  }

  /// Extent of the viewport, in points. Set, it changes at once; see
  /// ``setViewport(_:duration:easing:completion:)``.
  public var viewport: Size {
    get { storedViewport }
    set { setViewport(newValue) }
  }

  /// Distances by which the content can be scrolled beyond its edges, in points. A change invalidates the
  /// layout and leaves the content offset where it is.
  public var contentInset: EdgeInsets {
    didSet {
      contentInset = contentInset.asLengths
      guard contentInset != oldValue else { return }
      recordEvent(.inset, [Field("contentInset", FieldValue(contentInset))])
      invalidateLayout()
      layoutIfNeeded()
      transitionTargetChanged()
    }
  }

  /// What is shown. Set within the block of a batch update it is what the data is after it; set
  /// otherwise it is shown at once.
  public var data: CollectionData {
    get { batch?.data ?? storedData }
    set {
      if batch == nil { replaceData(with: newValue) } else { batch?.data = newValue }
    }
  }

  /// Whether nothing moves by itself or is driven: no transition, no animated change, nothing waiting.
  public var isAtRest: Bool { state == .idle && change == nil && queue.isEmpty }

  /// Content coordinates of the viewport's corner, in points; follows a driven offset with each prepare.
  public var contentOffset: Point {
    layoutIfNeeded()
    return offset
  }

  /// Extent of the whole content, in points.
  public var contentSize: Size {
    layoutIfNeeded()
    return collectionViewLayout.contentSize
  }

  /// The transition layout between start and completion.
  public var transitionLayout: TransitionLayout? { transition?.layout }

  /// Whether the coming frames differ without anybody doing anything: a settle, a timed transition or
  /// an animated change is under way.
  public var isMovingByItself: Bool {
    state == .settling || change != nil || transition?.driver != nil
  }

  /// Whether a transition is under way, from its start to its completion.
  public var isInteractiveTransitionInProgress: Bool { state != .idle }

  /// Whether the rest of a transition runs: its driving is over, its completion is still to come.
  public var isInteractiveTransitionFinalizing: Bool { state == .settling }

  /// How the session would be said to have ended now: open while a transition is under way, else as the
  /// last one ended; none before the first.
  public var sessionOutcome: SessionOutcome { transition == nil ? lastOutcome : .open }

  /// Asks the layout to prepare anew before it is next used: this is what makes a changed progress
  /// show.
  public func invalidateLayout() {
    needsPrepare = true
  }

  /// Tells the layout what of it is out of date, moves the content offset by the context's adjustment,
  /// and asks the layout to prepare anew before it is next used.
  public func invalidateLayout(with context: LayoutInvalidationContext) {
    collectionViewLayout.invalidateLayout(with: context)
    let adjustment = context.contentOffsetAdjustment
    if adjustment != .zero, adjustment.isFinite {
      offset = Point(x: offset.x + adjustment.x, y: offset.y + adjustment.y).asLengths
    }
    needsPrepare = true
  }

  /// Prepares the layout now, if it was invalidated.
  public func layoutIfNeeded() {
    guard needsPrepare else { return }
    needsPrepare = false
    shown = nil
    recordCall("prepare", of: collectionViewLayout)
    collectionViewLayout.prepare(in: context)
    recordWarnings(of: collectionViewLayout)
    if let driven = transition?.layout.drivenContentOffset, driven.isFinite { offset = driven }
  }

  /// The elements that take part in what the display shows now, as the layout places them.
  public func visibleAttributes() -> [LayoutAttributes] {
    layoutIfNeeded()
    return collectionViewLayout.layoutAttributesForElements(in: visibleRect)
  }

  var visibleRect: Rect { Rect(origin: offset, size: viewport) }

  var context: LayoutContext {
    LayoutContext(
      viewport: viewport, contentInset: contentInset, contentOffset: offset,
      itemCounts: storedData.itemCounts)
  }

  func recordEvent(_ kind: Event.Kind, _ fields: [Field]) {
    sink.record(Event(time: clock.now, kind: kind, fields: fields))
  }

  /// Records an error event; returns the error for the caller to throw.
  func refused(_ code: TransitionError.Code, _ message: String) -> TransitionError {
    recordEvent(.error, [Field("code", .text(code.rawValue)), Field("message", .text(message))])
    return TransitionError(code, message)
  }

  func warn(_ code: String, _ message: String) {
    recordEvent(.warning, [Field("code", .text(code)), Field("message", .text(message))])
  }

  /// Records what a layout found doubtful, each thing once in a session.
  func recordWarnings(of layout: any CollectionViewLayout) { recordWarnings(layout.warnings) }

  func recordWarnings(_ warnings: [LayoutWarning]) {
    for warning in warnings where warned.insert(warning).inserted {
      warn(warning.code, warning.message)
    }
  }
}

/// A view, its layouts and its clock are changed in place; use them from one thread at a time.
@available(*, unavailable)
extension CollectionView: Sendable {}
