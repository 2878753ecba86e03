import MotionPhysics
import TimelineModel

/// What a transition takes over from the one that it interrupts.
struct CarriedMotion {
  var screen: Screen
  var leaving: [AnimatedChange.Departure]
  /// By item; looked up only.
  var velocities: [ItemHandle: PoseVelocity]
  /// Of the content offset and the content size, in points per second.
  var velocity: (offset: Point, size: Size)
  var keys: [AnimatedKey]
}

extension CollectionView {
  /// The layout of the last interactive transition that waits and was not released: what progress, values,
  /// finish and cancel are for while another one settles, or runs by its time.
  public var waitingTransitionLayout: TransitionLayout? {
    queue.last { $0.release == nil && $0.style.isDriven }?.layout
  }

  /// The layout whose progress is for callers to set: of the transition that is being driven, or of the last
  /// one that waits while nobody drives; nil without either, as where a transition runs by its time.
  public var drivenTransitionLayout: TransitionLayout? {
    state == .driving && !runsByTime ? transition?.layout : waitingTransitionLayout
  }

  /// Whether the time alone drives the transition that is under way.
  var runsByTime: Bool { transition?.driver != nil }

  func enqueue(_ waiting: QueuedTransition) {
    queue.append(waiting)
    recordQueued(waiting, what: "start")
  }

  private func recordQueued(_ waiting: QueuedTransition, what: String) {
    recordEvent(
      .queued,
      [
        Field("what", .text(what)), Field("to", .text(waiting.layout.nextLayout.name)),
        Field("waiting", .integer(Int64(queue.count))),
      ])
  }

  /// Lets the release of a transition that waits come after its start.
  private func enqueueRelease(
    of number: Int, as outcome: ReleaseOutcome?, decidedBy: String
  ) {
    queue[number].release = (outcome, decidedBy)
    recordQueued(queue[number], what: outcome?.rawValue ?? "release")
  }

  /// Begins the transitions that wait, until one is under way.
  func startNext() {
    while state == .idle, !queue.isEmpty {
      let next = queue.removeFirst()
      next.layout.currentLayout = collectionViewLayout
      run(next.style, next.layout, completion: next.completion)
      if let release = next.release, state == .driving {
        // Cannot fail: the transition is being driven.
        _ = try? self.release(as: release.outcome, decidedBy: release.decidedBy)
      }
    }
  }

  /// Lets a release wait with the last transition of the queue that has none.
  ///
  /// - Returns: Whether there is one.
  func releaseWaiting(as outcome: ReleaseOutcome?, decidedBy: String) -> Bool {
    guard let last = queue.lastIndex(where: { $0.release == nil && $0.style.isDriven }) else {
      return false
    }
    enqueueRelease(of: last, as: outcome, decidedBy: decidedBy)
    return true
  }

  /// Whether a transition is installed and being driven.
  func isDriven(_ layout: TransitionLayout) -> Bool {
    transition?.layout === layout && state == .driving
  }

  /// Whether a transition waits in the queue and was not released.
  func isWaiting(_ layout: TransitionLayout) -> Bool {
    queue.contains { $0.layout === layout && $0.release == nil }
  }

  /// Releases one transition, wherever it is; one that something else has ended is left alone.
  func release(_ layout: TransitionLayout, as outcome: ReleaseOutcome?, decidedBy: String) {
    if let number = queue.firstIndex(where: { $0.layout === layout && $0.release == nil }) {
      enqueueRelease(of: number, as: outcome, decidedBy: decidedBy)
    } else if isDriven(layout) {
      // Cannot fail: the transition is being driven.
      _ = try? release(as: outcome, decidedBy: decidedBy)
    }
  }

  /// Takes the transition down that is under way, to take over what is on the screen.
  func interruptForRetarget() -> CarriedMotion {
    let carried = carriedMotion()
    isRetargeting = true
    interruptTransition()
    isRetargeting = false
    return carried
  }

  /// Blends from what was on the screen, with its velocity, into the transition that has begun.
  ///
  /// - Parameters:
  ///   - seconds: How long the transition takes, which the blend then takes too; nil: as long as the
  ///     settle's spring needs. A settle that is no spring makes it a cubic of its own duration.
  func carry(_ carried: CarriedMotion, seconds: Double?) {
    layoutIfNeeded()
    let after = identified(collectionViewLayout.layoutAttributesForElements(in: visibleRect))
    let pairing = ChangePairing(layout: collectionViewLayout, plan: nil, asksHooks: false)
    var elements = pairing.pairs(
      before: carried.screen.elements, after: after, leaving: carried.leaving, placesBefore: [:],
      item: { handle(of: $0) })
    // What was not on the screen has nothing to take over.
    elements.arrivals.removeAll { $0.reason == .appearing }
    var fastest = [
      carried.velocity.offset.x, carried.velocity.offset.y, carried.velocity.size.width,
      carried.velocity.size.height,
    ].reduce(0) { max($0, abs($1)) }
    for number in elements.arrivals.indices {
      let velocity = carried.velocities[elements.arrivals[number].item]
      elements.arrivals[number].velocity = velocity
      fastest = max(fastest, velocity?.largest ?? 0)
    }
    let course: AnimatedChange.Course
    let duration: Double
    let isSpring = settle.type == .spring
    if let seconds = seconds ?? (isSpring ? nil : CollectionView.usable(settle.durationSeconds)) {
      course = .cubic(seconds: seconds)
      duration = seconds
    } else {
      let spring = SettleMotion(settle, from: 0, to: 1, velocity: 0)
      let fastestMotion = SettleMotion(settle, from: 0, to: 0, velocity: fastest)
      course = .spring(spring, momentum: SettleMotion(settle, from: 0, to: 0, velocity: 1))
      duration = CollectionView.usable(
        max(spring.settlingTimeSeconds(), fastestMotion.settlingTimeSeconds()))
    }
    var change = AnimatedChange(
      number: animationCount, cause: .retarget, start: clock.now, durationSeconds: duration,
      course: course, elements: elements, from: carried.screen,
      transforms: transforms, completion: { _ in })
    change.velocity = carried.velocity
    begin(change)
  }

  /// When a transition that takes over from another one has left it behind, as seconds from now: no settle
  /// ends before.
  var secondsOfTakingOver: Double {
    guard let change, change.cause == .retarget else { return 0 }
    return max(0, change.durationSeconds - clock.now.seconds(since: change.start))
  }

  /// Turns a settle to the other end, with the velocities of the moment.
  func turn(to outcome: ReleaseOutcome) {
    guard let active = transition, let settle = active.settle, settle.outcome != outcome else {
      return
    }
    let now = clock.now
    let elapsed = now.seconds(since: settle.start)
    let layout = active.layout
    let progress = settle.progress.value(atSeconds: elapsed)
    let velocity = settle.progress.velocity(atSeconds: elapsed)
    recordEvent(
      .retarget,
      [
        Field("transition", .integer(Int64(active.number))),
        Field("outcome", .text(outcome.rawValue)), Field("progress", .number(progress)),
        Field("progressVelocity", .number(velocity)),
      ])
    let rest = self.settle.forRest(progress: progress, outcome: outcome)
    let motion = SettleMotion(
      rest, from: progress, to: outcome == .finish ? 1 : 0, velocity: velocity)
    var turned = Settle(
      start: now, outcome: outcome, progress: .settle(motion), keys: [],
      durationSeconds: motion.settlingTimeSeconds())
    var fields = [settleField(progressKeyName, motion)]
    for (number, old) in settle.keys {
      guard let target = layout.keys[number].target(outcome) else { continue }
      let motion = SettleMotion(
        rest, from: old.value(atSeconds: elapsed), to: target,
        velocity: old.velocity(atSeconds: elapsed))
      turned.keys.append((number, .settle(motion)))
      fields.append(settleField(layout.keys[number].name, motion))
      turned.durationSeconds = max(turned.durationSeconds, motion.settlingTimeSeconds())
    }
    turned.durationSeconds = cutOff(max(turned.durationSeconds, secondsOfTakingOver))
    recordSettle(active.number, seconds: turned.durationSeconds, keys: fields)
    beginSettling(turned)
  }
}

extension TransitionStyle {
  /// Whether it is released by a call.
  fileprivate var isDriven: Bool {
    if case .driven = self { return true }
    return false
  }
}
