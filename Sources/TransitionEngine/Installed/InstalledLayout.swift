import MotionPhysics
import TimelineModel

/// The layout in use and the viewport that it is seen through: prepares it when it is out of date, and keeps
/// the content offset where it rests.
final class InstalledLayout {
  let elements: ElementRegistry
  let log: EventLog
  /// The layout in use. Between start and completion of a transition the transition's own.
  private(set) var layout: any CollectionViewLayout
  /// The transition layout between start and completion.
  private(set) var between: TransitionLayout?
  /// Where the offset rests if the transition's next layout is installed, unless it is driven.
  private(set) var restingOffset = Point2D.zero
  /// Content coordinates of the viewport's corner, in points, as of the last prepare.
  private(set) var offset: Point2D
  /// Counted on whenever what the last frame showed may not hold any more.
  private(set) var revision = 0
  /// How transforms are mixed in what begins.
  var transforms = TransformMixing.decomposed
  private var needsPrepare = true
  /// The elements that the layout showed last, at which offset. `nil` when it must be asked again.
  private var visible: (offset: Point2D, elements: [Screen.Element])?

  /// Extent of the viewport, in points. Set, it tells no layout.
  var viewport: Size2D { didSet { forgetVisible() } }

  /// The content insets, in points. A change invalidates the layout and leaves the offset where it is.
  var contentInset: ContentInsets {
    didSet {
      contentInset = contentInset.asLengths
      guard contentInset != oldValue else { return }
      log.record(.inset, ["contentInset": contentInset])
      invalidate()
      prepareIfNeeded()
      transitionTargetChanged()
    }
  }

  init(
    _ layout: any CollectionViewLayout, viewport: Size2D, contentInset: ContentInsets,
    offset: Point2D,
    elements: ElementRegistry, log: EventLog
  ) {
    self.layout = layout
    self.viewport = viewport.asExtents
    self.contentInset = contentInset.asLengths
    self.offset = offset.asLengths
    self.elements = elements
    self.log = log
  }

  var visibleRect: Rect2D { Rect2D(origin: offset, size: viewport) }

  var context: LayoutContext {
    LayoutContext(
      viewport: viewport, contentInset: contentInset, contentOffset: offset,
      itemCounts: elements.data.itemCounts)
  }

  func offsetRange(of layout: any CollectionViewLayout) -> OffsetRange {
    OffsetRange(contentSize: layout.contentSize, inset: contentInset, viewport: viewport)
  }

  /// The elements that the layout shows in the viewport, as the sink knows them. A layout answers the same until it
  /// prepares again, but for a transition, whose hook may change.
  func visibleElements() -> [Screen.Element] {
    if between == nil, let visible, visible.offset == offset { return visible.elements }
    let elements = identified(layout.layoutAttributesForElements(in: visibleRect))
    visible = (offset, elements)
    return elements
  }

  func identified(_ attributes: [LayoutAttributes]) -> [Screen.Element] {
    elements.identified(attributes, placedBy: layout)
  }

  /// The present elements of the layout.
  func screen() -> Screen {
    prepareIfNeeded()
    return Screen(elements: visibleElements(), offset: offset, contentSize: layout.contentSize)
  }

  // MARK: Preparing

  /// Asks the layout to prepare again before it is next used.
  func invalidate() { needsPrepare = true }

  /// Tells the layout what of it is out of date, moves the offset by the context's adjustment, and asks the
  /// layout to prepare again before it is next used.
  func invalidate(with context: LayoutInvalidationContext) {
    layout.invalidateLayout(with: context)
    let adjustment = context.contentOffsetAdjustment
    if adjustment != .zero, adjustment.isFinite {
      offset = Point2D(x: offset.x + adjustment.x, y: offset.y + adjustment.y).asLengths
    }
    invalidate()
  }

  /// Tells the layout that it is out of date where it depends on the bounds. A transition always does.
  func invalidateForBoundsChange() {
    guard between == nil else { return invalidate() }
    let layout = layout
    guard layout.shouldInvalidateLayout(forBoundsChange: visibleRect) else { return }
    invalidate(with: layout.invalidationContext(forBoundsChange: visibleRect))
  }

  /// Prepares the layout now, if it was invalidated.
  func prepareIfNeeded() {
    guard needsPrepare else { return }
    needsPrepare = false
    forgetVisible()
    log.recordCall("prepare", of: layout)
    layout.prepare(in: context)
    log.warnOnce(layout.warnings)
    if let driven = between?.drivenContentOffset, driven.isFinite { offset = driven }
  }

  /// Lets the next frame look up again what it shows.
  func forgetFrame() { revision &+= 1 }

  private func forgetVisible() {
    visible = nil
    forgetFrame()
  }

  // MARK: Installing

  /// Puts another layout in place of the one in use.
  func replace(with layout: any CollectionViewLayout) {
    self.layout = layout
    visible = nil
  }

  /// Installs the layout that remains after a transition or an exchange.
  func install(_ layout: any CollectionViewLayout, offset resting: Point2D) {
    between = nil
    replace(with: layout)
    if resting.isFinite { offset = resting }
    invalidate()
    log.record(.install, ["layout": layout.name])
  }

  /// Installs the layout of a transition that starts.
  func install(_ transition: TransitionLayout, progressKey: KeyHandle) {
    transition.fromContentOffset = offset
    replace(with: transition)
    between = transition
    restingOffset = offset
    transition.attach(TransitionLink(installed: self, log: log, progressKey: progressKey))
    transition.prepare(in: context)
    invalidate()
    transitionTargetChanged()
    log.warnOnce(transition.warnings)
  }

  // MARK: Where the viewport rests

  /// Looks again for the resting offset of a transition and the visible elements there.
  func transitionTargetChanged() {
    guard let between, between.link?.isDetached == false else { return }
    let next = between.nextLayout
    if between.toContentOffset == nil {
      let proposal = offsetRange(of: next).clamped(between.fromContentOffset)
      restingOffset = next.targetContentOffset(forProposedContentOffset: proposal).asLengths
    }
    let end = Rect2D(origin: between.toContentOffset ?? restingOffset, size: viewport)
    between.visibleRects = (
      from: Rect2D(origin: between.fromContentOffset, size: viewport), to: end
    )
    if next.shouldInvalidateLayout(forBoundsChange: end), between.restingOffset != end.origin {
      // The elements of the next layout depend on where its viewport rests.
      between.restingOffset = end.origin
      between.preparedContext = nil
    }
    invalidate()
  }

  /// Brings the offset to where it rests after a change of data, bounds or insets: kept within the content,
  /// and animated where the layout wants it. A transition looks for its own.
  func settleOffset(asksLayout: Bool) {
    prepareIfNeeded()
    guard between == nil else { return transitionTargetChanged() }
    var resting = offsetRange(of: layout).clamped(offset)
    if asksLayout {
      let wanted = layout.targetContentOffset(forProposedContentOffset: resting)
      if wanted.isFinite { resting = wanted.asLengths }
    }
    guard resting != offset else { return }
    offset = resting
    invalidateForBoundsChange()
  }

  /// Moves the offset to a place as it is. A transition goes on from there.
  func scroll(to position: Point2D) {
    offset = position
    invalidateForBoundsChange()
    guard let between else { return }
    between.fromContentOffset = offset
    transitionTargetChanged()
  }
}

/// The two poses that a transition mixes an element from. Few elements have them, so they are kept apart from the
/// elements, which stay small.
final class MixedEnds: Sendable {
  let from: Pose
  let to: Pose

  init(from: Pose, to: Pose) {
    self.from = from
    self.to = to
  }
}

/// Everything that a frame shows.
struct Screen {
  struct Element {
    var item: ItemHandle
    var path: ElementPath
    var pose: Pose
    /// Whether the layout still places it.
    var isPlaced = true
    /// The two poses that a transition is mixing it from, where it goes on under a change.
    var ends: MixedEnds?
  }

  var elements: [Element]
  var offset: Point2D
  var contentSize: Size2D
}
