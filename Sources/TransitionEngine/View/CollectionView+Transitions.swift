public import MotionPhysics
public import TimelineModel

extension CollectionView {
  /// Supplies transition layouts. The view does not keep it alive.
  public var delegate: (any CollectionViewDelegate)? {
    get { transitions.delegate }
    set { transitions.delegate = newValue }
  }

  /// The policy for a transition that is requested during another transition.
  public var reentry: ReentryPolicy {
    get { transitions.reentry }
    set { transitions.reentry = newValue }
  }

  /// The motion of a settle, from the next release on.
  public var settle: SettleParameters {
    get { runner.settle }
    set { runner.settle = newValue }
  }

  /// The estimate of velocities and the decision of releases.
  public var release: ReleaseParameters {
    get { runner.release }
    set { runner.release = newValue }
  }

  // MARK: The running transition

  /// Driving from a start to its release, settling from the release to the completion, and otherwise idle.
  public var state: MotionPhase { runner.state }

  /// The number of transitions that were started. The number of the present transition is one less.
  public var transitionCount: Int { runner.count }

  /// Whether a transition is under way, from its start to its completion.
  public var isInteractiveTransitionInProgress: Bool { state != .idle }

  /// Whether a transition settles, between its release and its completion.
  public var isInteractiveTransitionFinalizing: Bool { state == .settling }

  /// The transition layout between start and completion.
  public var transitionLayout: TransitionLayout? { installed.between }

  /// The layout of the last interactive transition that waits and was not released: what progress, values,
  /// finish and cancel are for while another one settles, or runs by its time.
  package var waitingTransitionLayout: TransitionLayout? {
    transitions.waitingLayout
  }

  /// The layout whose progress is for callers to set: of the transition that is being driven, or of the last
  /// one that waits while no caller drives. `nil` without either, as where a transition runs by its time.
  package var drivenTransitionLayout: TransitionLayout? {
    runner.drivenLayout ?? waitingTransitionLayout
  }

  /// The layout that will be installed after the present transition, if you request nothing else.
  package var restingLayout: any CollectionViewLayout { runner.restingLayout }

  // MARK: Starting

  /// Starts a transition to another layout. It installs a transition layout at progress 0 as the layout in
  /// use, the delegate's or a plain one.
  ///
  /// Set the returned layout's progress and invalidate it, and in the end finish, cancel or release.
  /// `completion` runs exactly once, after the final layout was installed.
  ///
  /// During another transition ``reentry`` decides. A transition that waits in the queue already has its
  /// layout: progress and values that you set on it count as soon as it is installed.
  ///
  /// - Throws: `alreadyInTransition` until the completion of the transition before, if the policy is not
  ///   another one. `wrongTransitionLayout` if the delegate's layout was made for other layouts or is in use.
  ///   Nothing has changed then, except under `retarget`, if the completion of the interrupted transition
  ///   started another transition.
  @discardableResult
  public func startInteractiveTransition(
    to layout: any CollectionViewLayout, completion: @escaping TransitionCompletion = { _, _ in }
  ) throws(TransitionError) -> TransitionLayout {
    try transitions.begin(.driven, to: layout, completion: completion)
  }

  /// Runs a transition by its time, like TLLayoutTransitioning's
  /// transitionToCollectionViewLayout:duration:easing:completion:. On every frame, the curve maps the share
  /// of the duration that has passed to the progress. At the end of the duration the transition finishes.
  ///
  /// Set a content offset, hooks and keys on the returned layout. If the transition ends before its time, the
  /// driving ends, too.
  ///
  /// - Parameters:
  ///   - layout: The new layout.
  ///   - duration: The duration, in seconds, above 0.
  ///   - easing: The curve that maps elapsed time to progress. The progress may leave 0 to 1.
  ///   - completion: Runs exactly once, after the final layout was installed.
  /// - Throws: `badValue` if the duration is not above 0, and the errors of
  ///   ``startInteractiveTransition(to:completion:)``. Nothing has changed then.
  @discardableResult
  public func animateTransition(
    to layout: any CollectionViewLayout, duration: Double, easing: Easing = .linear,
    completion: @escaping TransitionCompletion = { _, _ in }
  ) throws(TransitionError) -> TransitionLayout {
    let seconds = duration.asAnimationSeconds
    guard seconds > 0 else {
      throw log.refused(
        .badValue,
        "A transition to \(layout.name) was to take \(duration) s. Give a duration above 0.")
    }
    return try transitions.begin(
      .timed(seconds: seconds, easing: easing), to: layout,
      completion: completion)
  }

  /// Installs another layout, at once or during a time.
  ///
  /// In the block of a batch update and not animated, the layout is replaced with the update. Animated during
  /// a batch update or a change of bounds, both become one animation from the present screen.
  ///
  /// - Parameters:
  ///   - layout: The new layout.
  ///   - animated: Whether the elements move to the new layout. Otherwise the next frame shows it.
  ///   - duration: The duration of the motion, in seconds. A duration that is not above 0 is as not animated.
  ///   - easing: The curve that maps elapsed time to progress.
  ///   - completion: Runs exactly once, after the layout was installed. Its argument is false if the motion
  ///     was interrupted.
  /// - Throws: `alreadyInTransition` during a transition, if ``reentry`` does not allow it. Nothing has
  ///   changed then.
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

  /// The default duration of an animated change of layout, in seconds, from PSTCollectionView.
  public static let defaultDurationSeconds = 0.3

  // MARK: Releasing

  /// Lets the transition settle at the new layout. Its completion then installs the layout.
  ///
  /// During a settle ``reentry`` decides: `retarget` reverses the settle. With `queue` the call waits with
  /// the last transition that was started and not released, also while another transition runs by its time.
  ///
  /// - Throws: `notInTransition` if no transition is being driven, and during a settle if the policy does not
  ///   allow it. Nothing has changed then.
  public func finishInteractiveTransition() throws(TransitionError) {
    try transitions.release(as: .finish, decidedBy: .app)
  }

  /// Lets the transition settle back at the old layout. Its completion then installs the layout. Otherwise it
  /// is like ``finishInteractiveTransition()``.
  public func cancelInteractiveTransition() throws(TransitionError) {
    try transitions.release(as: .cancel, decidedBy: .app)
  }

  /// Lets the release rule decide between finish and cancel, at the lift of a finger. Otherwise it is like
  /// ``finishInteractiveTransition()``.
  ///
  /// - Returns: The decision of the rule, or nil if the decision waits.
  @discardableResult
  public func releaseInteractiveTransition() throws(TransitionError) -> ReleaseOutcome? {
    try transitions.release(as: nil, decidedBy: .rule)
  }

  // MARK: Ending

  /// Ends a transition at once, without its settle. A driven transition installs the old layout, and a
  /// settling transition its target. It completes with `false`. Does nothing when idle.
  public func interruptTransition() { runner.interrupt() }

  /// Cancels a transition that is being driven, and keeps the present screen. A `FixedLayout` keeps the poses
  /// of every kind of element, the content size and the offset, so that another transition can start from
  /// there. It is like TLLayoutTransitioning's cancelInteractiveTransitionInPlaceWithCompletion:.
  ///
  /// In order: the transition layout gets its end call, the transition ends, its completion runs with
  /// `false`, the frozen layout is installed, and `completion` runs. If no transition is being driven, an
  /// error event is recorded and nothing changes. During a settle `completion` then runs after the
  /// transition's own completion, and otherwise at once.
  public func cancelInteractiveTransitionInPlace(completion: @escaping () -> Void = {}) {
    runner.cancelInPlace(completion: completion)
  }
}
