public import MotionPhysics
public import TimelineModel

/// The layout between two layouts, as UICollectionViewTransitionLayout: progress mixes their poses, and
/// named values travel with it.
///
/// Every pose is a pure function of the two layouts' poses and of the progress at the last prepare,
/// whatever way the progress took. An element that only one layout places fades: its missing end is the
/// other end with alpha 0. Subclass it, and override ``pose(_:of:from:to:)``, for anything that is not
/// linear.
open class TransitionLayout: CollectionViewLayout {
  /// The layout that the transition leaves.
  public internal(set) final var currentLayout: any CollectionViewLayout {
    didSet { frameMixes = nil }
  }
  /// The layout that the transition leads to.
  public final let nextLayout: any CollectionViewLayout
  /// The progress that the poses show: ``transitionProgress`` as it was at the last prepare.
  public internal(set) final var preparedProgress = 0.0
  /// How transforms are mixed; a view sets its own way at the start.
  public final var transforms = TransformMixing.decomposed
  /// The content offset that the transition started from, in points.
  public internal(set) final var fromContentOffset = Point2D.zero

  /// The progress before the last one that differed.
  public internal(set) final var previousProgress = 0.0
  /// Called when the progress was set to another number than it had, with the new one (a settle's values
  /// too): the place to move other things along.
  public final var progressChanged: ((Double) -> Void)?
  /// Asked for every element that is laid out, with the mixed attributes, both ends and the progress;
  /// what it returns is shown in place of the mixed ones, nil keeps them. A pose that is not finite is
  /// not used. The place for arcs, staggering and orders of drawing without a subclass.
  public final var updateLayoutAttributes:
    (
      (_ mixed: LayoutAttributes, _ from: Pose, _ to: Pose, _ progress: Double) ->
        LayoutAttributes?
    )?

  final var progress = 0.0
  final var time: Double?
  final var progressHistory: [Sample] = []
  final var keys: [AnimatedKey] = []
  final var keyNumbers: [String: Int] = [:]
  /// The keys that were asked for, each once; few, so a list is searched quicker than it is hashed.
  final var readKeys: [String] = []
  final var link: TransitionLink?
  final var preparedContext: LayoutContext? {
    didSet { frameMixes = nil }
  }
  /// What is visible at the start and at the end; nil without a view.
  final var visibleRects: (from: Rect2D, to: Rect2D)? {
    didSet { frameMixes = nil }
  }
  /// The elements with both ends; nil when they must be gathered again.
  final var frameMixes: FrameMixes?
  /// The ends that stand in for missing ones, by what the hooks said.
  final var missingEnds: [ElementPath: Pose] = [:]
  final var targetOffset: Point2D?
  /// Where the next layout's viewport rests, for one whose poses depend on it; nil: where it starts.
  final var restingOffset: Point2D?

  /// Makes a transition layout at progress 0.
  public init(
    currentLayout: any CollectionViewLayout, nextLayout: any CollectionViewLayout
  ) {
    self.currentLayout = currentLayout
    self.nextLayout = nextLayout
  }

  /// How far the transition is: 0 at the current layout, 1 at the next one. No unit, and kept as given:
  /// values outside go on along the same line.
  ///
  /// Setting it moves nothing until the view's layout is invalidated. While the rest settles the view
  /// sets it on each frame, after the keys, so an override may read them. A number that is not finite is
  /// refused, and so is any while the rest settles, while the time drives, or once the transition is over:
  /// the old value stays and a warning event is recorded ("non-finite", "settling", "timed", "detached").
  open var transitionProgress: Double {
    get { progress }
    set { setProgress(newValue) }
  }

  /// The time that the progress was eased from, 0 to 1, where a driver said it with
  /// ``setTransitionProgress(_:time:)``; else the progress itself.
  public final var transitionTime: Double { time ?? progress }

  /// Sets the progress and the time that it was eased from. No unit, both.
  public final func setTransitionProgress(_ value: Double, time: Double) {
    transitionProgress = value
    if progress == value { self.time = time.isFinite ? time : nil }
  }

  /// Where the content offset goes along with the progress, in points; nil leaves the offset alone.
  ///
  /// The offset is (1 − p) · from + p · to and is not clamped. Setting it invalidates the layout. A
  /// point that is not finite is refused with a warning event.
  public final var toContentOffset: Point2D? {
    get { targetOffset }
    set {
      guard newValue?.isFinite ?? true else {
        link?.log.warn(
          "non-finite", "A content offset that is not finite was set; the old one stays.")
        return
      }
      targetOffset = newValue
      link?.installed?.transitionTargetChanged()
    }
  }

  /// Where the content offset is at the prepared progress; nil when it is not driven.
  public final var drivenContentOffset: Point2D? {
    targetOffset.map { lerp(fromContentOffset, $0, preparedProgress) }
  }

  /// Whether the layout is installed in a view and follows its progress.
  public final var isInTransition: Bool { link.map { !$0.isDetached } ?? false }

  /// Hears that the transition is over, before its layout is exchanged and its completion runs.
  ///
  /// - Parameters:
  ///   - completed: Whether the rest ran to its end.
  ///   - finished: Whether the next layout will be the one installed.
  open func transitionDidEnd(completed: Bool, finished: Bool) {}

  // MARK: The layout's hooks

  /// The name that events use.
  open var name: String { "\(currentLayout.name) to \(nextLayout.name)" }

  /// What is doubtful about the two layouts.
  open var warnings: [LayoutWarning] { currentLayout.warnings + nextLayout.warnings }

  /// Takes the progress over into the poses, and prepares the two layouts where the viewport, the insets
  /// or the counts changed.
  open func prepare(in context: LayoutContext) {
    preparedProgress = progress
    var resting = context
    resting.contentOffset = fromContentOffset
    guard resting != preparedContext else { return }
    preparedContext = resting
    missingEnds = [:]
    currentLayout.prepare(in: resting)
    var arriving = resting
    if let restingOffset { arriving.contentOffset = restingOffset }
    nextLayout.prepare(in: arriving)
  }

  /// The two content sizes, mixed by the progress.
  open var contentSize: Size2D {
    lerp(currentLayout.contentSize, nextLayout.contentSize, preparedProgress)
  }

  /// The elements that take part: those visible in either end state, wherever they are just now. Without
  /// a view the rectangle stands for both ends.
  open func layoutAttributesForElements(in rect: Rect2D) -> [LayoutAttributes] {
    let (from, to) = visibleRects ?? (rect, rect)
    return union(
      currentLayout.layoutAttributesForElements(in: from),
      nextLayout.layoutAttributesForElements(in: to)
    ).compactMap { layoutAttributes(at: $0) }
  }

  /// Every element of either layout: the current one's in order, then what only the next one has.
  open func layoutAttributesForAllElements() -> [LayoutAttributes] {
    union(
      currentLayout.layoutAttributesForAllElements(), nextLayout.layoutAttributesForAllElements()
    ).compactMap { layoutAttributes(at: $0) }
  }

  /// One item, mixed; nil for an item that neither layout places.
  open func layoutAttributesForItem(at indexPath: ItemIndexPath) -> LayoutAttributes? {
    mixedAttributes(at: .cell(indexPath))
  }

  /// One supplementary view, mixed; nil for one that neither layout places.
  open func layoutAttributesForSupplementaryView(
    ofKind kind: String, at indexPath: ItemIndexPath
  ) -> LayoutAttributes? {
    mixedAttributes(
      at: ElementPath(category: .supplementary, elementKind: kind, indexPath: indexPath))
  }

  /// One decoration view, mixed; nil for one that neither layout places.
  open func layoutAttributesForDecorationView(
    ofKind kind: String, at indexPath: ItemIndexPath
  ) -> LayoutAttributes? {
    mixedAttributes(
      at: ElementPath(category: .decoration, elementKind: kind, indexPath: indexPath))
  }

  /// Whether either layout depends on the change; the next one's viewport may rest elsewhere.
  open func shouldInvalidateLayout(forBoundsChange newBounds: Rect2D) -> Bool {
    currentLayout.shouldInvalidateLayout(forBoundsChange: newBounds)
      || nextLayout.shouldInvalidateLayout(forBoundsChange: newBounds)
  }

  /// Told to both layouts, which then prepare anew.
  open func invalidateLayout(with context: LayoutInvalidationContext) {
    currentLayout.invalidateLayout(with: context)
    nextLayout.invalidateLayout(with: context)
    preparedContext = nil
  }

  /// Told to both layouts.
  open func prepare(forCollectionViewUpdates items: [UpdateItem]) {
    currentLayout.prepare(forCollectionViewUpdates: items)
    nextLayout.prepare(forCollectionViewUpdates: items)
  }

  /// Told to both layouts.
  open func finalizeCollectionViewUpdates() {
    currentLayout.finalizeCollectionViewUpdates()
    nextLayout.finalizeCollectionViewUpdates()
  }

  /// Told to both layouts.
  open func prepare(forAnimatedBoundsChange oldBounds: Rect2D) {
    currentLayout.prepare(forAnimatedBoundsChange: oldBounds)
    nextLayout.prepare(forAnimatedBoundsChange: oldBounds)
  }

  /// Told to both layouts.
  open func finalizeAnimatedBoundsChange() {
    currentLayout.finalizeAnimatedBoundsChange()
    nextLayout.finalizeAnimatedBoundsChange()
  }

  /// Nothing of its own: in the middle of a transition elements that appear fade in.
  open func initialLayoutAttributesForAppearingItem(at indexPath: ItemIndexPath)
    -> LayoutAttributes?
  {
    nil
  }

  /// Nothing of its own: in the middle of a transition elements that disappear fade out.
  open func finalLayoutAttributesForDisappearingItem(at indexPath: ItemIndexPath)
    -> LayoutAttributes?
  {
    nil
  }

  /// The pose of one element in place of the mixed one: the place for arcs, staggering, or items that
  /// follow a finger. A pose that is not finite is not used.
  ///
  /// - Parameters:
  ///   - mixed: The two ends mixed by ``preparedProgress``.
  ///   - path: The element.
  ///   - from: Its pose in the current layout.
  ///   - to: Its pose in the next layout.
  /// - Returns: What is shown; the mixed pose unless overridden.
  open func pose(_ mixed: Pose, of path: ElementPath, from: Pose, to: Pose) -> Pose { mixed }

  /// Sets a named value that the layout animates along with the progress, and appends it with its
  /// instant to the key's history, from which its speed is told at the end.
  ///
  /// Moves nothing until the view's layout is invalidated. Refused, with a warning event, for a number
  /// that is not finite, while the rest settles, and once the transition is over.
  open func updateValue(_ value: Double, forAnimatedKey key: String) {
    setValue(value, forAnimatedKey: key)
  }

  /// The last value of a key; while the rest settles, the value for the frame. An unknown key has 0;
  /// ask ``hasValue(forAnimatedKey:)`` to tell.
  open func valueForAnimatedKey(_ key: String) -> Double {
    if !readKeys.contains(key) { readKeys.append(key) }
    return keyNumbers[key].flatMap { keys[$0].value } ?? 0
  }
}

/// A layout is changed in place; use it from one thread at a time.
@available(*, unavailable)
extension TransitionLayout: Sendable {}
