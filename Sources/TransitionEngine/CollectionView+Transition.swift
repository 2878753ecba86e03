import TimelineModel

extension CollectionView {
  /// Starts a transition to another layout: quietly installs a transition layout at progress 0, from
  /// the delegate or the plain one, as the layout in use.
  ///
  /// The rest is the caller's: set the returned layout's progress, and invalidate; then finish, cancel
  /// or release. `completion` runs exactly once, after the layout was installed that remains.
  ///
  /// - Throws: `alreadyInTransition` until the completion of the one before; `wrongTransitionLayout`
  ///   when the delegate's layout was made for other layouts or is in use. Nothing has changed then.
  @discardableResult
  public func startInteractiveTransition(
    to layout: any CollectionViewLayout, completion: @escaping TransitionCompletion = { _, _ in }
  ) throws(TransitionError) -> TransitionLayout {
    try requireIdle("A transition to \(layout.name) was started")
    let current = collectionViewLayout
    let asked = delegate?.transitionLayout(for: current, to: layout)
    let between = asked ?? TransitionLayout(currentLayout: current, nextLayout: layout)
    guard between.currentLayout === current, between.nextLayout === layout, between.link == nil
    else {
      throw refused(
        .wrongTransitionLayout,
        "The transition layout for \(current.name) to \(layout.name) was made for other layouts, or "
          + "is in use; make a new one with exactly these two.")
    }
    install(between, completion: completion, fields: [])
    state = .driving
    return between
  }

  /// Installs another layout, at once or evenly over a time.
  ///
  /// - Parameters:
  ///   - layout: The new layout.
  ///   - animated: Whether the elements travel; otherwise the next frame shows the new layout.
  ///   - duration: How long they travel, in seconds; one that is not above 0 is as not animated.
  ///   - completion: Runs exactly once, after the layout was installed; false when the travel was
  ///     interrupted.
  /// - Throws: `alreadyInTransition` while a transition is under way. Nothing has changed then.
  public func setCollectionViewLayout(
    _ layout: any CollectionViewLayout, animated: Bool,
    duration: Double = CollectionView.defaultDurationSeconds,
    completion: @escaping (_ completed: Bool) -> Void = { _ in }
  ) throws(TransitionError) {
    try requireIdle("Layout \(layout.name) was set")
    guard animated, duration > 0 else {
      let current = collectionViewLayout
      current.prepareForTransition(to: layout)
      layout.prepareForTransition(from: current)
      layout.prepare(in: context)
      let resting = layout.targetContentOffset(
        forProposedContentOffset: offsetRange(of: layout).clamped(offset))
      current.finalizeLayoutTransition()
      layout.finalizeLayoutTransition()
      install(layout, offset: resting)
      completion(true)
      return
    }
    let seconds = min(duration, CollectionView.longestSettleSeconds)
    let between = TransitionLayout(currentLayout: collectionViewLayout, nextLayout: layout)
    install(
      between, completion: { completed, _ in completion(completed) },
      fields: [Field("animated", .flag(true)), Field("duration_s", .number(seconds))])
    recordEvent(
      .settle,
      [
        Field("transition", .integer(Int64(transitionCount - 1))), Field("type", .text("linear")),
        Field("settleTime_s", .number(seconds)),
      ])
    beginSettling(
      Settle(
        start: clock.now, outcome: .finish, progress: .even(from: 0, to: 1, seconds: seconds),
        keys: [], durationSeconds: seconds))
  }

  /// How long an animated change of layout takes unless stated, in seconds (PSTCollectionView's).
  public static let defaultDurationSeconds = 0.3

  /// Ends a transition where it is, without its rest: installs the layout that it would have led to (the
  /// old one while it is still driven) and completes with `false`. Does nothing when idle.
  public func interruptTransition() {
    guard transition != nil else { return }
    end(transition?.settle?.outcome ?? .cancel, completed: false)
  }

  /// Installs a transition layout and counts the transition.
  private func install(
    _ between: TransitionLayout, completion: @escaping TransitionCompletion, fields: [Field]
  ) {
    layoutIfNeeded()
    let (current, next) = (between.currentLayout, between.nextLayout)
    let number = transitionCount
    transitionCount += 1
    current.prepareForTransition(to: next)
    next.prepareForTransition(from: current)
    recordEvent(
      .start,
      [
        Field("transition", .integer(Int64(number))), Field("from", .text(current.name)),
        Field("to", .text(next.name)),
      ] + fields)
    between.transforms = transforms
    between.fromContentOffset = offset
    collectionViewLayout = between
    transition = ActiveTransition(
      number: number, layout: between, completion: completion, restingOffset: offset)
    between.attach(TransitionLink(view: self, progressKey: progressKey))
    between.prepare(in: context)
    needsPrepare = true
    transitionTargetChanged()
    recordWarnings(of: between)
  }

  /// Looks anew for where the offset will rest and what is visible there.
  func transitionTargetChanged() {
    guard var active = transition, active.layout.link?.isDetached == false else { return }
    let next = active.layout.nextLayout
    let proposal = offsetRange(of: next).clamped(active.layout.fromContentOffset)
    if active.layout.toContentOffset == nil {
      active.restingOffset = next.targetContentOffset(forProposedContentOffset: proposal).asLengths
    }
    let end = active.layout.toContentOffset ?? active.restingOffset
    active.layout.visibleRects = (
      from: Rect(origin: active.layout.fromContentOffset, size: viewport),
      to: Rect(origin: end, size: viewport)
    )
    transition = active
    needsPrepare = true
  }

  func requireIdle(_ what: String) throws(TransitionError) {
    guard state == .idle else {
      throw refused(
        .alreadyInTransition,
        "\(what) while another transition is under way (\(state.rawValue)); wait for its completion."
      )
    }
  }

  /// Takes the transition down and installs the layout that remains.
  ///
  /// Both layouts hear `finalizeLayoutTransition` first; the completion runs last, when everything is
  /// in place, so that it may start the next transition.
  func end(_ outcome: ReleaseOutcome, completed: Bool) {
    guard let active = transition else { return }
    let layout = active.layout
    layout.currentLayout.finalizeLayoutTransition()
    layout.nextLayout.finalizeLayoutTransition()
    layout.link?.isDetached = true
    transition = nil
    lastOutcome = outcome == .finish ? .finished : .cancelled
    state = .idle
    switch outcome {
    case .finish:
      install(layout.nextLayout, offset: layout.toContentOffset ?? active.restingOffset)
    case .cancel:
      install(layout.currentLayout, offset: layout.fromContentOffset)
    }
    recordEvent(
      .completion,
      [
        Field("transition", .integer(Int64(active.number))), Field("completed", .flag(completed)),
        Field("finished", .flag(outcome == .finish)),
      ])
    active.completion(completed, outcome == .finish)
  }

  private func install(_ layout: any CollectionViewLayout, offset resting: Point) {
    collectionViewLayout = layout
    if resting.isFinite { offset = resting }
    needsPrepare = true
    recordEvent(.install, [Field("layout", .text(layout.name))])
  }

  func offsetRange(of layout: any CollectionViewLayout) -> OffsetRange {
    OffsetRange(contentSize: layout.contentSize, inset: contentInset, viewport: viewport)
  }
}
