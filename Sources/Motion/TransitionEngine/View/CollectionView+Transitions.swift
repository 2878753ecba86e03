public import MotionPhysics
public import TimelineModel

extension CollectionView {
  /// Who is asked for transition layouts. Not kept alive.
  public var delegate: (any CollectionViewDelegate)? {
    get { transitions.delegate }
    set { transitions.delegate = newValue }
  }

  /// What happens when a transition is asked for while another one is under way.
  public var reentry: ReentryPolicy {
    get { transitions.reentry }
    set { transitions.reentry = newValue }
  }

  /// How the rest of a transition runs; counts from the next release.
  public var settle: SettleParameters {
    get { runner.settle }
    set { runner.settle = newValue }
  }

  /// How velocities are estimated and releases decided.
  public var release: ReleaseParameters {
    get { runner.release }
    set { runner.release = newValue }
  }

  // MARK: What is under way

  /// Idle, driving from a start to its release, settling from there to the completion.
  public var state: MotionPhase { runner.state }

  /// How many transitions were started; the number of the one under way is one less.
  public var transitionCount: Int { runner.count }

  /// Whether a transition is under way, from its start to its completion.
  public var isInteractiveTransitionInProgress: Bool { state != .idle }

  /// Whether the rest of a transition runs: its driving is over, its completion is still to come.
  public var isInteractiveTransitionFinalizing: Bool { state == .settling }

  /// The transition layout between start and completion.
  public var transitionLayout: TransitionLayout? { installed.between }

  /// The layout of the last interactive transition that waits and was not released: what progress, values,
  /// finish and cancel are for while another one settles, or runs by its time.
  public var waitingTransitionLayout: TransitionLayout? {
    transitions.waitingLayout
  }

  /// The layout whose progress is for callers to set: of the transition that is being driven, or of the last
  /// one that waits while no caller drives; nil without either, as where a transition runs by its time.
  public var drivenTransitionLayout: TransitionLayout? {
    runner.drivenLayout ?? waitingTransitionLayout
  }

  /// The layout that will be installed when what is under way is over and nothing else is asked for.
  public var restingLayout: any CollectionViewLayout { runner.restingLayout }

  // MARK: Starting

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
    try transitions.begin(.driven, to: layout, completion: completion)
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
    let seconds = duration.asAnimationSeconds
    guard seconds > 0 else {
      throw log.refused(
        .badValue,
        "A transition to \(layout.name) was to take \(duration) s; give a duration above 0.")
    }
    return try transitions.begin(
      .timed(seconds: seconds, easing: easing), to: layout,
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
    let seconds = animated ? duration.asAnimationSeconds : 0
    if changes.isCollecting, seconds <= 0 {
      guard state == .idle || reentry == .retarget else {
        throw transitions.alreadyInTransition("Layout \(layout.name) was set")
      }
      return changes.join(layout, completion: completion)
    }
    _ = try transitions.begin(
      .exchanged(seconds: seconds, easing: easing), to: layout,
      completion: { completed, _ in completion(completed) })
  }

  /// How long an animated change of layout takes unless stated, in seconds (PSTCollectionView's).
  public static let defaultDurationSeconds = 0.3

  // MARK: Releasing

  /// Lets the rest of the transition run to the new layout; its completion then installs it.
  ///
  /// While one settles ``reentry`` decides: `retarget` turns a settle round, and `queue` lets the call wait
  /// with the last transition that was started and not released, also while another one runs by its time.
  ///
  /// - Throws: `notInTransition` when no transition is being driven, also while one settles unless the
  ///   policy says otherwise. Nothing has changed then.
  public func finishInteractiveTransition() throws(TransitionError) {
    try transitions.release(as: .finish, decidedBy: .script)
  }

  /// Lets the rest of the transition run back to the old layout; its completion then installs it.
  /// Otherwise as ``finishInteractiveTransition()``.
  public func cancelInteractiveTransition() throws(TransitionError) {
    try transitions.release(as: .cancel, decidedBy: .script)
  }

  /// Lets the release rule decide between finish and cancel, at the lift of a finger.
  /// Otherwise as ``finishInteractiveTransition()``.
  ///
  /// - Returns: What the rule decided; nil when that waits.
  @discardableResult
  public func releaseInteractiveTransition() throws(TransitionError) -> ReleaseOutcome? {
    try transitions.release(as: nil, decidedBy: .rule)
  }

  // MARK: Ending

  /// Ends a transition where it is, without its rest: installs the layout that it would have led to (the
  /// old one while it is still driven) and completes with `false`. Does nothing when idle.
  public func interruptTransition() { runner.interrupt() }

  /// Cancels a transition that is being driven and leaves what is on the screen where it is: poses of
  /// every kind of element, content size and offset are kept by a ``FixedLayout`` that is installed, so
  /// that another transition can start from there (TLLayoutTransitioning's
  /// cancelInteractiveTransitionInPlaceWithCompletion:).
  ///
  /// In order: the transition layout hears that it is over, the transition is taken down, its completion
  /// runs with `false`, the frozen layout is installed, and `completion` runs. Otherwise an error event is
  /// recorded and nothing changes: while a transition settles `completion` runs after its own, and without
  /// one at once.
  public func cancelInteractiveTransitionInPlace(completion: @escaping () -> Void = {}) {
    runner.cancelInPlace(completion: completion)
  }
}
