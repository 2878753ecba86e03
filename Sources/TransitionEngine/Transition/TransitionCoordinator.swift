public import MotionPhysics
import TimelineModel

extension CollectionView {
  /// Starts a transition to another layout: quietly installs a transition layout at progress 0, from
  /// the delegate or the plain one, as the layout in use.
  ///
  /// The rest is the caller's: set the returned layout's progress, and invalidate; then finish, cancel
  /// or release. `completion` runs exactly once, after the layout was installed that remains.
  ///
  /// While another transition is under way ``reentry`` decides. A transition that waits in the queue has
  /// its layout already: progress and values that are set on it count when it is installed.
  ///
  /// - Throws: `alreadyInTransition` until the completion of the one before, unless the policy says
  ///   otherwise; `wrongTransitionLayout` when the delegate's layout was made for other layouts or is in
  ///   use. Nothing has changed then, but under `retarget`, where what was to be taken over is over when
  ///   its completion begins something else.
  @discardableResult
  public func startInteractiveTransition(
    to layout: any CollectionViewLayout, completion: @escaping TransitionCompletion = { _, _ in }
  ) throws(TransitionError) -> TransitionLayout {
    try begin(.driven, to: layout, completion: completion)
  }

  /// Runs an interactive transition by itself (TLLayoutTransitioning's
  /// transitionToCollectionViewLayout:duration:easing:completion:): on every frame the time since the
  /// start, as a share of the duration, is eased into the progress; at its end the transition finishes.
  ///
  /// The returned layout is the place for a content offset, hooks and keys. Whatever ends the transition
  /// before its time ends the driving too.
  ///
  /// - Parameters:
  ///   - layout: The new layout.
  ///   - duration: How long it takes, in seconds, above 0.
  ///   - easing: How the time becomes the progress, which may leave 0 to 1.
  ///   - completion: As of an interactive transition.
  /// - Throws: `badValue` for a duration that is not above 0, and what
  ///   ``startInteractiveTransition(to:completion:)`` throws. Nothing has changed then.
  @discardableResult
  public func animateTransition(
    to layout: any CollectionViewLayout, duration: Double, easing: Easing = .linear,
    completion: @escaping TransitionCompletion = { _, _ in }
  ) throws(TransitionError) -> TransitionLayout {
    guard CollectionView.usable(duration) > 0 else {
      throw refused(
        .badValue,
        "A transition to \(layout.name) was to take \(duration) s; give a duration above 0.")
    }
    return try begin(
      .timed(seconds: CollectionView.usable(duration), easing: easing), to: layout,
      completion: completion)
  }

  /// Installs another layout, at once or over a time.
  ///
  /// In the block of a batch update, not animated, the layout is exchanged with the update. Animated
  /// while a batch update or a change of bounds is under way, both become one animation from what is on
  /// the screen.
  ///
  /// - Parameters:
  ///   - layout: The new layout.
  ///   - animated: Whether the elements travel; otherwise the next frame shows the new layout.
  ///   - duration: How long they travel, in seconds; one that is not above 0 is as not animated.
  ///   - easing: How the time becomes the way.
  ///   - completion: Runs exactly once, after the layout was installed; false when the travel was
  ///     interrupted.
  /// - Throws: `alreadyInTransition` while a transition is under way, unless ``reentry`` says otherwise.
  ///   Nothing has changed then.
  public func setCollectionViewLayout(
    _ layout: any CollectionViewLayout, animated: Bool,
    duration: Double = CollectionView.defaultDurationSeconds, easing: Easing = .linear,
    completion: @escaping (_ completed: Bool) -> Void = { _ in }
  ) throws(TransitionError) {
    let seconds = animated ? CollectionView.usable(duration) : 0
    if batch != nil, seconds <= 0 {
      guard state == .idle || reentry == .retarget else {
        throw alreadyInTransition("Layout \(layout.name) was set")
      }
      batch?.layout = layout
      batch?.completions.append(completion)
      return
    }
    _ = try begin(
      .exchanged(seconds: seconds, easing: easing), to: layout,
      completion: { completed, _ in completion(completed) })
  }

  /// How long an animated change of layout takes unless stated, in seconds (PSTCollectionView's).
  public static let defaultDurationSeconds = 0.3

  /// Begins a transition, or lets it wait, as the policy says.
  ///
  /// - Returns: Its layout; a detached one for a layout that is exchanged at once.
  private func begin(
    _ style: TransitionStyle, to layout: any CollectionViewLayout,
    completion: @escaping TransitionCompletion
  ) throws(TransitionError) -> TransitionLayout {
    if state != .idle, reentry == .refuse {
      throw alreadyInTransition("A transition to \(layout.name) was asked for")
    }
    // Behind what waits already, also in the completion that lets it begin.
    let waits = reentry == .queue && (state != .idle || !queue.isEmpty)
    let between = try makeTransitionLayout(from: lastLayout, to: layout, style: style)
    guard state != .idle || waits else {
      run(style, between, completion: completion)
      return between
    }
    if waits {
      enqueue(QueuedTransition(style: style, layout: between, completion: completion))
      return between
    }
    let carried = interruptForRetarget()
    guard state == .idle else {
      throw refused(
        .alreadyInTransition,
        "A transition to \(layout.name) was to take over, but the completion of the one before began "
          + "another one, which goes on.")
    }
    between.currentLayout = collectionViewLayout
    between.inherit(carried.keys)
    // What it showed is part of what is taken over.
    let interrupted = takeOutChange()
    run(style, between, completion: completion)
    switch style {
    case .exchanged(0, _): break
    case .exchanged(let seconds, _), .timed(let seconds, _): carry(carried, seconds: seconds)
    case .driven: carry(carried, seconds: nil)
    }
    interrupted?(false)
    return between
  }

  /// The layout that will be installed when what is under way is over and nothing else is asked for.
  public var restingLayout: any CollectionViewLayout {
    guard let active = transition else { return collectionViewLayout }
    return active.settle?.outcome == .finish
      ? active.layout.nextLayout : active.layout.currentLayout
  }

  /// The layout that will be installed when everything that waits is over too; a transition that was not
  /// released yet is taken to finish.
  var lastLayout: any CollectionViewLayout {
    queue.last { $0.release?.outcome != .cancel }?.layout.nextLayout ?? restingLayout
  }

  /// The delegate's layout between two layouts, or the plain one. An exchange always has the plain one.
  private func makeTransitionLayout(
    from current: any CollectionViewLayout, to layout: any CollectionViewLayout,
    style: TransitionStyle
  ) throws(TransitionError) -> TransitionLayout {
    if case .exchanged = style {
      let between = TransitionLayout(currentLayout: current, nextLayout: layout)
      between.transforms = transforms
      return between
    }
    let asked = delegate?.transitionLayout(for: current, to: layout)
    let between = asked ?? TransitionLayout(currentLayout: current, nextLayout: layout)
    let isWaiting = queue.contains { $0.layout === between }
    guard between.currentLayout === current, between.nextLayout === layout, between.link == nil,
      !isWaiting
    else {
      throw refused(
        .wrongTransitionLayout,
        "The transition layout for \(current.name) to \(layout.name) was made for other layouts, or "
          + "is in use; make a new one with exactly these two.")
    }
    between.transforms = transforms
    return between
  }

  /// Begins a transition while the view is idle.
  func run(
    _ style: TransitionStyle, _ between: TransitionLayout,
    completion: @escaping TransitionCompletion
  ) {
    switch style {
    case .driven:
      install(between, completion: completion, fields: [])
      state = .driving
    case .timed(let seconds, let easing):
      // What was set while it waited is the time's to say.
      (between.progress, between.progressHistory) = (0, [])
      install(
        between, completion: completion,
        fields: [
          Field("animated", .flag(true)), Field("duration_s", .number(seconds)),
          Field("easing", .text(easing.name)),
        ])
      transition?.driver = TimedDriver(start: clock.now, durationSeconds: seconds, easing: easing)
      state = .driving
    case .exchanged(let seconds, let easing):
      if seconds <= 0 {
        let interrupted = takeOutChange()
        exchange(between.nextLayout)
        recordEvent(.completion, [Field("completed", .flag(true)), Field("finished", .flag(true))])
        completion(true, true)
        interrupted?(false)
      } else if change != nil {
        exchangeWithChange(between.nextLayout, seconds: seconds, easing: easing) {
          completion($0, true)
        }
      } else {
        settle(into: between, seconds: seconds, easing: easing, completion: completion)
      }
    }
  }

  /// Installs another layout at once.
  private func exchange(_ layout: any CollectionViewLayout) {
    let current = collectionViewLayout
    tellPrepareForTransition(current, layout)
    layout.prepare(in: context)
    let resting = layout.targetContentOffset(
      forProposedContentOffset: offsetRange(of: layout).clamped(offset))
    tellFinalizeTransition(current, layout)
    install(layout, offset: resting)
  }

  /// Exchanges the layout in one animation with the change that runs.
  private func exchangeWithChange(
    _ layout: any CollectionViewLayout, seconds: Double, easing: Easing,
    completion: @escaping (Bool) -> Void
  ) {
    do {
      try perform(
        Batch(data: storedData, layout: layout, completions: [completion]), cause: .layout,
        duration: seconds, easing: easing)
    } catch {
      preconditionFailure(
        "A batch without operations and with the same data cannot fail: \(error).")
    }
  }

  /// Lets a layout be exchanged over a time, as a transition that nobody drives.
  private func settle(
    into between: TransitionLayout, seconds: Double, easing: Easing,
    completion: @escaping TransitionCompletion
  ) {
    install(
      between, completion: completion,
      fields: [Field("animated", .flag(true)), Field("duration_s", .number(seconds))])
    // Nobody drives the offset: it goes along to where it will rest.
    if let resting = transition?.restingOffset, resting != offset {
      between.toContentOffset = resting
    }
    recordEvent(
      .settle,
      [
        Field("transition", .integer(Int64(transitionCount - 1))),
        Field("type", .text(easing.name)), Field("settleTime_s", .number(seconds)),
      ])
    beginSettling(
      Settle(
        start: clock.now, outcome: .finish,
        progress: .timed(from: 0, to: 1, seconds: seconds, easing: easing), keys: [],
        durationSeconds: seconds))
  }

  /// Installs a transition layout and counts the transition.
  private func install(
    _ between: TransitionLayout, completion: @escaping TransitionCompletion, fields: [Field]
  ) {
    layoutIfNeeded()
    let (current, next) = (between.currentLayout, between.nextLayout)
    let number = transitionCount
    transitionCount += 1
    recordEvent(
      .start,
      [
        Field("transition", .integer(Int64(number))), Field("from", .text(current.name)),
        Field("to", .text(next.name)), Field("transforms", .text(between.transforms.rawValue)),
      ] + fields)
    tellPrepareForTransition(current, next)
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
    if next.shouldInvalidateLayout(forBoundsChange: Rect(origin: end, size: viewport)),
      active.layout.restingOffset != end
    {
      // What the next layout shows depends on where its viewport rests.
      active.layout.restingOffset = end
      active.layout.preparedContext = nil
    }
    transition = active
    needsPrepare = true
  }

  func alreadyInTransition(_ what: String) -> TransitionError {
    refused(
      .alreadyInTransition,
      "\(what) while another transition is under way (\(state.rawValue)); wait for its completion.")
  }
}
