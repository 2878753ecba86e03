public import MotionPhysics
public import TimelineModel

extension CollectionView {
  /// Changes the extent of the viewport, as a rotation of the device does.
  ///
  /// The layout is asked whether that puts it out of date. During a transition both its layouts prepare
  /// anew and the progress stays. Animated, every element travels from what is on the screen to its
  /// place in the new bounds: the layout hears `prepare(forAnimatedBoundsChange:)`, is asked for an end
  /// of every element visible before and a start of every one visible after, and is told that it is
  /// over with. The offset is kept within the content, and animated goes where the layout wants it.
  ///
  /// - Parameters:
  ///   - size: The new extent, in points; lengths that are not numbers count as 0.
  ///   - duration: How long it is animated, in seconds; at 0 or below the next frame shows the end.
  ///   - easing: How the time becomes the way.
  ///   - completion: Runs exactly once; false when another change interrupted this one.
  public func setViewport(
    _ size: Size, duration: Double = 0, easing: Easing = .linear,
    completion: @escaping (_ completed: Bool) -> Void = { _ in }
  ) {
    let size = size.asExtents
    let seconds = CollectionView.usable(duration)
    recordEvent(
      .bounds,
      [
        Field("from", FieldValue(viewport)), Field("to", FieldValue(size)),
        Field("duration_s", .number(seconds)),
      ])
    let change = atPresent { () -> AnimatedChange? in
      let before = screenInMotion()
      let underlying = underlyingTransition()
      let leaving = self.change?.departures ?? []
      let oldContext = context
      let oldBounds = visibleRect
      storedViewport = size
      shown = nil
      invalidateForBoundsChange()
      settleOffset(asksLayout: seconds > 0)
      guard seconds > 0 else { return nil }
      let elements = pairs(
        before: before, leaving: leaving, plan: nil, old: (collectionViewLayout, oldContext)
      ) { layout in
        tellPrepare(forBoundsChangeFrom: oldBounds, layout)
      }
      tellFinalizeBoundsChange(collectionViewLayout)
      return AnimatedChange(
        number: animationCount, cause: .bounds, start: clock.now, durationSeconds: seconds,
        course: .eased(easing), elements: elements, from: before, underlying: underlying,
        transforms: transforms, completion: completion)
    }
    guard let change else {
      let interrupted = takeOutChange()
      completion(true)
      interrupted?(false)
      return
    }
    begin(change, fields: [Field("easing", .text(easing.name))])
  }

  /// Tells the layout that it is out of date where it depends on the bounds; a transition always does.
  func invalidateForBoundsChange() {
    guard transition == nil else {
      invalidateLayout()
      return
    }
    let layout = collectionViewLayout
    guard layout.shouldInvalidateLayout(forBoundsChange: visibleRect) else { return }
    invalidateLayout(with: layout.invalidationContext(forBoundsChange: visibleRect))
  }

  /// Brings the content offset to where it rests after a change of data, bounds or insets: kept within
  /// the content, and animated where the layout wants it. A transition looks for its own.
  func settleOffset(asksLayout: Bool) {
    layoutIfNeeded()
    guard transition == nil else {
      transitionTargetChanged()
      return
    }
    let layout = collectionViewLayout
    var resting = offsetRange(of: layout).clamped(offset)
    if asksLayout {
      let wanted = layout.targetContentOffset(forProposedContentOffset: resting)
      if wanted.isFinite { resting = wanted.asLengths }
    }
    guard resting != offset else { return }
    offset = resting
    shown = nil
    invalidateForBoundsChange()
  }

  /// The starts and ends of everything on the screen before a change and visible now.
  ///
  /// - Parameters:
  ///   - before: The screen before.
  ///   - leaving: What was leaving it already.
  ///   - plan: What data changed; nil: none.
  ///   - old: The layout before and what it had prepared for.
  ///   - announce: Tells the layout of the change, when the state before is not needed any more.
  func pairs(
    before: Screen, leaving: [AnimatedChange.Departure], plan: UpdatePlan?,
    old: (layout: any CollectionViewLayout, context: LayoutContext),
    announce: (any CollectionViewLayout) -> Void
  ) -> (arrivals: [AnimatedChange.Arrival], departures: [AnimatedChange.Departure]) {
    layoutIfNeeded()
    let layout = collectionViewLayout
    let after = identified(layout.layoutAttributesForElements(in: visibleRect))
    var pairing = ChangePairing(layout: layout, plan: plan, asksHooks: true)
    if tracesLayoutCalls {
      pairing.onQuery = { [unowned self] call, path in recordCall(call, of: layout, at: path) }
    }
    let places = placesBefore(pairing.unseenBefore(before.elements, after), old: old)
    announce(layout)
    return pairing.pairs(
      before: before.elements, after: after, leaving: leaving, placesBefore: places,
      item: { handle(of: $0) })
  }

  /// Where elements stood before a change that were not on the screen then: a layout that stays is
  /// prepared once more as it was, and again as it is.
  private func placesBefore(
    _ paths: [ElementPath], old: (layout: any CollectionViewLayout, context: LayoutContext)
  ) -> [ElementPath: Pose] {
    guard !paths.isEmpty else { return [:] }
    let stays = old.layout === collectionViewLayout
    if stays { old.layout.prepare(in: old.context) }
    var places: [ElementPath: Pose] = [:]
    for path in paths {
      if let pose = old.layout.layoutAttributes(at: path)?.pose, pose.isFinite {
        places[path] = pose
      }
    }
    if stays { old.layout.prepare(in: context) }
    return places
  }

  /// A duration in seconds that an animation can have: 0 for what is no positive number, and cut off
  /// where a settle is.
  static func usable(_ duration: Double) -> Double {
    duration > 0 ? min(duration, longestSettleSeconds) : 0
  }
}
