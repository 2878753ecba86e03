package import MotionPhysics
public import TimelineModel

/// The layout between two layouts, like UICollectionViewTransitionLayout. The progress mixes their poses, and
/// named values are animated with it.
///
/// Every pose is a pure function of the two layouts' poses and of the progress at the last prepare. Earlier
/// progress does not count. An element that only one layout has fades: its missing end is the other end with
/// alpha 0. For motion that is not linear, subclass it and override ``pose(_:of:from:to:)``.
open class TransitionLayout: CollectionViewLayout {
  /// The layout that the transition leaves.
  public internal(set) final var currentLayout: any CollectionViewLayout {
    didSet { frameMixes = nil }
  }
  /// The layout that the transition leads to.
  public final let nextLayout: any CollectionViewLayout
  /// The progress that the poses show: ``transitionProgress`` as it was at the last prepare.
  public internal(set) final var preparedProgress = 0.0
  /// How transforms are mixed. A view sets its own way at the start.
  package final var transforms = TransformMixing.decomposed
  /// The content offset that the transition started from, in points.
  public internal(set) final var fromContentOffset = Point2D.zero

  /// The progress before the last one that differed.
  public internal(set) final var previousProgress = 0.0
  /// Called with the new progress when the progress changes, also during a settle. Use it to move other
  /// things with the transition.
  public final var progressChanged: ((Double) -> Void)?
  /// Called for every element that is laid out, with the mixed attributes, both ends and the progress. The
  /// view shows the attributes that it returns, or the mixed attributes if it returns nil. A pose that is not
  /// finite is not used. Use it for arcs, staggering and orders of drawing without a subclass.
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
  /// The keys that were asked for, each once. Few, so a list is searched quicker than it is hashed.
  final var readKeys: [String] = []
  final var link: TransitionLink?
  final var preparedContext: LayoutContext? {
    didSet { frameMixes = nil }
  }
  /// The visible elements at the start and at the end. `nil` without a view.
  final var visibleRects: (from: Rect2D, to: Rect2D)? {
    didSet { frameMixes = nil }
  }
  /// The elements with both ends. `nil` when they must be gathered again.
  final var frameMixes: FrameMixes?
  /// The ends that stand in for missing ones, by what the hooks said.
  final var missingEnds: [ElementPath: Pose] = [:]
  final var targetOffset: Point2D?
  /// Where the next layout's viewport rests, for one whose poses depend on it. `nil`: where it starts.
  final var restingOffset: Point2D?

  /// Makes a transition layout at progress 0.
  public init(
    currentLayout: any CollectionViewLayout, nextLayout: any CollectionViewLayout
  ) {
    self.currentLayout = currentLayout
    self.nextLayout = nextLayout
  }

  /// How far the transition is: 0 at the current layout, 1 at the next one. It has no unit and no limits:
  /// values outside continue on the same line.
  ///
  /// A new value moves nothing until you invalidate the view's layout. During a settle the view sets it on
  /// each frame, after the keys, so an override may read them. A number that is not finite is refused. Every
  /// number is refused during a settle, while the time drives, and after the transition. The old value then
  /// stays, and a warning event is recorded: "non-finite", "settling", "timed" or "detached".
  open var transitionProgress: Double {
    get { progress }
    set { setProgress(newValue) }
  }

  /// The time from which the progress was eased, 0 to 1, if ``setTransitionProgress(_:time:)`` set it.
  /// Otherwise the progress itself.
  public final var transitionTime: Double { time ?? progress }

  /// Sets the progress and the time that it was eased from. No unit, both.
  public final func setTransitionProgress(_ value: Double, time: Double) {
    transitionProgress = value
    if progress == value { self.time = time.isFinite ? time : nil }
  }

  /// The content offset at the end of the transition, in points. The offset follows the progress. Nil leaves
  /// the offset as it is.
  ///
  /// The offset is (1 − p) · from + p · to, without limits. A new value invalidates the layout. A point that
  /// is not finite is refused with a warning event.
  public final var toContentOffset: Point2D? {
    get { targetOffset }
    set {
      guard newValue?.isFinite ?? true else {
        link?.log.warn(
          "non-finite", "A content offset that is not finite was set. The old one stays.")
        return
      }
      targetOffset = newValue
      link?.installed?.transitionTargetChanged()
    }
  }

  /// The content offset at the prepared progress, or nil if the transition does not move it.
  public final var drivenContentOffset: Point2D? {
    targetOffset.map { lerp(fromContentOffset, $0, preparedProgress) }
  }

  /// Whether the layout is installed in a view and follows its progress.
  public final var isInTransition: Bool { link.map { !$0.isDetached } ?? false }

  /// Called after the transition, before its layout is replaced and its completion runs.
  ///
  /// - Parameters:
  ///   - completed: Whether the settle ran to its end.
  ///   - finished: Whether the next layout will be installed.
  open func transitionDidEnd(completed: Bool, finished: Bool) {}

  // MARK: The layout's hooks

  /// The name that events use.
  open var name: String { "\(currentLayout.name) to \(nextLayout.name)" }

  /// The warnings about the two layouts.
  open var warnings: [LayoutWarning] { currentLayout.warnings + nextLayout.warnings }

  /// Applies the progress to the poses, and prepares the two layouts if the viewport, the insets or the
  /// counts changed.
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

  /// The elements that take part: those that are visible at the start or at the end, at every present
  /// position. Without a view the rectangle is that of both ends.
  open func layoutAttributesForElements(in rect: Rect2D) -> [LayoutAttributes] {
    let (from, to) = visibleRects ?? (rect, rect)
    return union(
      currentLayout.layoutAttributesForElements(in: from),
      nextLayout.layoutAttributesForElements(in: to)
    ).compactMap { layoutAttributes(at: $0) }
  }

  /// Every element of either layout: the elements of the current one in order, then those that only the next
  /// one has.
  open func layoutAttributesForAllElements() -> [LayoutAttributes] {
    union(
      currentLayout.layoutAttributesForAllElements(), nextLayout.layoutAttributesForAllElements()
    ).compactMap { layoutAttributes(at: $0) }
  }

  /// One item, mixed, or nil if neither layout has the item.
  open func layoutAttributesForItem(at indexPath: ItemIndexPath) -> LayoutAttributes? {
    mixedAttributes(at: .cell(indexPath))
  }

  /// One supplementary view, mixed, or nil if neither layout has it.
  open func layoutAttributesForSupplementaryView(
    ofKind kind: String, at indexPath: ItemIndexPath
  ) -> LayoutAttributes? {
    mixedAttributes(
      at: ElementPath(category: .supplementary, elementKind: kind, indexPath: indexPath))
  }

  /// One decoration view, mixed, or nil if neither layout has it.
  open func layoutAttributesForDecorationView(
    ofKind kind: String, at indexPath: ItemIndexPath
  ) -> LayoutAttributes? {
    mixedAttributes(
      at: ElementPath(category: .decoration, elementKind: kind, indexPath: indexPath))
  }

  /// Whether either layout depends on the change. The viewport of the next layout may have another position.
  open func shouldInvalidateLayout(forBoundsChange newBounds: Rect2D) -> Bool {
    currentLayout.shouldInvalidateLayout(forBoundsChange: newBounds)
      || nextLayout.shouldInvalidateLayout(forBoundsChange: newBounds)
  }

  /// Passed to both layouts, which then prepare again.
  open func invalidateLayout(with context: LayoutInvalidationContext) {
    currentLayout.invalidateLayout(with: context)
    nextLayout.invalidateLayout(with: context)
    preparedContext = nil
  }

  /// Passed to both layouts.
  open func prepare(forCollectionViewUpdates items: [UpdateItem]) {
    currentLayout.prepare(forCollectionViewUpdates: items)
    nextLayout.prepare(forCollectionViewUpdates: items)
  }

  /// Passed to both layouts.
  open func finalizeCollectionViewUpdates() {
    currentLayout.finalizeCollectionViewUpdates()
    nextLayout.finalizeCollectionViewUpdates()
  }

  /// Passed to both layouts.
  open func prepare(forAnimatedBoundsChange oldBounds: Rect2D) {
    currentLayout.prepare(forAnimatedBoundsChange: oldBounds)
    nextLayout.prepare(forAnimatedBoundsChange: oldBounds)
  }

  /// Passed to both layouts.
  open func finalizeAnimatedBoundsChange() {
    currentLayout.finalizeAnimatedBoundsChange()
    nextLayout.finalizeAnimatedBoundsChange()
  }

  /// Always nil: during a transition elements that appear fade in.
  open func initialLayoutAttributesForAppearingItem(at indexPath: ItemIndexPath)
    -> LayoutAttributes?
  {
    nil
  }

  /// Always nil: during a transition elements that disappear fade out.
  open func finalLayoutAttributesForDisappearingItem(at indexPath: ItemIndexPath)
    -> LayoutAttributes?
  {
    nil
  }

  /// The pose of one element. Override it for arcs, staggering, or items that follow a finger. A pose that is
  /// not finite is not used.
  ///
  /// - Parameters:
  ///   - mixed: The two ends mixed by ``preparedProgress``.
  ///   - path: The element.
  ///   - from: Its pose in the current layout.
  ///   - to: Its pose in the next layout.
  /// - Returns: The pose to show, by default the mixed pose.
  open func pose(_ mixed: Pose, of path: ElementPath, from: Pose, to: Pose) -> Pose { mixed }

  /// Sets a named value that the layout animates with the progress. The key's history gets the value with its
  /// instant, and the release computes the key's speed from the history.
  ///
  /// A new value moves nothing until you invalidate the view's layout. A number that is not finite is refused
  /// with a warning event. So is every number during a settle and after the transition.
  open func updateValue(_ value: Double, forAnimatedKey key: String) {
    setValue(value, forAnimatedKey: key)
  }

  /// The last value of a key, and during a settle the value for the frame. An unknown key has 0, and
  /// ``hasValue(forAnimatedKey:)`` returns false for it.
  open func valueForAnimatedKey(_ key: String) -> Double {
    if !readKeys.contains(key) { readKeys.append(key) }
    return keyNumbers[key].flatMap { keys[$0].value } ?? 0
  }
}

/// A layout is mutable. Use it from one thread at a time.
@available(*, unavailable)
extension TransitionLayout: Sendable {}

extension TransitionLayout {
  /// The paths of two lists, each once: the first list's in order, then the rest of the second's.
  func union(_ first: [LayoutAttributes], _ second: [LayoutAttributes]) -> [ElementPath] {
    first.map(\.path) + second.lacking(in: first).map(\.path)
  }

  /// One element between its two ends. `nil` when neither layout places it.
  func mixedAttributes(at path: ElementPath) -> LayoutAttributes? {
    guard let (from, to) = ends(at: path) else { return nil }
    let mixed = Pose.mixed(from, to, progress: preparedProgress, transforms: transforms)
    var shown = pose(mixed, of: path, from: from, to: to)
    if let updateLayoutAttributes {
      let given = LayoutAttributes(path: path, pose: shown.isFinite ? shown : mixed)
      shown = updateLayoutAttributes(given, from, to, preparedProgress)?.pose ?? given.pose
    }
    return LayoutAttributes(path: path, pose: shown.isFinite ? shown : mixed)
  }

  /// Both end poses. A missing end, or one that is not finite, is what the other layout's hook says of an
  /// element that appears or disappears. Without an answer the other end with alpha 0.
  func ends(at path: ElementPath) -> (from: Pose, to: Pose)? {
    let from = currentLayout.finitePose(at: path)
    let to = nextLayout.finitePose(at: path)
    switch (from, to) {
    case (let from?, let to?): return (from, to)
    case (let from?, nil):
      return (
        from,
        missingEnd(at: path, else: from, "finalLayoutAttributes", of: currentLayout) {
          currentLayout.finalLayoutAttributesForDisappearingElement(at: path)
        }
      )
    case (nil, let to?):
      return (
        missingEnd(at: path, else: to, "initialLayoutAttributes", of: nextLayout) {
          nextLayout.initialLayoutAttributesForAppearingElement(at: path)
        },
        to
      )
    case (nil, nil): return nil
    }
  }

  /// The substitute for an end that a layout does not have. Asked once for each preparation.
  private func missingEnd(
    at path: ElementPath, else other: Pose, _ call: String, of layout: any CollectionViewLayout,
    hook: () -> LayoutAttributes?
  ) -> Pose {
    if let known = missingEnds[path] { return known }
    link?.log.recordCall(call, of: layout, at: path)
    let end = hook()?.finitePose ?? other.faded
    missingEnds[path] = end
    return end
  }
}

extension [LayoutAttributes] {
  /// Those whose path is not in the other list. Where both stand in the same order nothing is hashed.
  func lacking(in others: [LayoutAttributes]) -> [LayoutAttributes] {
    var known: Set<ElementPath>?
    var lacking: [LayoutAttributes] = []
    for (number, attributes) in enumerated() {
      if number < others.count, others[number].path == attributes.path { continue }
      let paths = known ?? Set(others.map(\.path))
      known = paths
      if !paths.contains(attributes.path) { lacking.append(attributes) }
    }
    return lacking
  }
}

extension Pose {
  /// The same pose with alpha 0: the end that stands in for one that no layout states.
  var faded: Pose {
    var pose = self
    pose.alpha = 0
    return pose
  }
}
