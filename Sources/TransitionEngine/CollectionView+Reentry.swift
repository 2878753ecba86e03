import MotionPhysics
import TimelineModel

/// What a transition takes over from the one that it interrupts.
struct CarriedMotion {
  var screen: Screen
  var leaving: [AnimatedChange.Departure]
  /// By item; looked up only.
  var velocities: [ItemHandle: PoseVelocity]
  var keys: [AnimatedKey]
}

extension CollectionView {
  /// Whether the queue has a transition that was not released yet, for the calls that come after its
  /// start.
  public var waitingTransitionLayout: TransitionLayout? {
    queue.last { $0.release == nil }?.layout
  }

  func enqueue(_ waiting: QueuedTransition) {
    queue.append(waiting)
    recordEvent(
      .queued,
      [
        Field("to", .text(waiting.layout.nextLayout.name)),
        Field("waiting", .integer(Int64(queue.count))),
      ])
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
    queue[last].release = (outcome, decidedBy)
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
      queue[number].release = (outcome, decidedBy)
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
  func carry(_ carried: CarriedMotion) {
    layoutIfNeeded()
    let after = identified(collectionViewLayout.layoutAttributesForElements(in: visibleRect))
    let pairing = ChangePairing(layout: collectionViewLayout, plan: nil, asksHooks: false)
    var elements = pairing.pairs(
      before: carried.screen.elements, after: after, leaving: carried.leaving, placesBefore: [:],
      item: { handle(of: $0) })
    // What was not on the screen has nothing to take over.
    elements.arrivals.removeAll { $0.reason == .appearing }
    var fastest = 0.0
    for number in elements.arrivals.indices {
      let velocity = carried.velocities[elements.arrivals[number].item]
      elements.arrivals[number].velocity = velocity
      fastest = max(fastest, velocity?.largest ?? 0)
    }
    let course = SettleMotion(settle, from: 0, to: 1, velocity: 0)
    let fastestMotion = SettleMotion(settle, from: 0, to: 0, velocity: fastest)
    let seconds = max(course.settlingTimeSeconds(), fastestMotion.settlingTimeSeconds())
    begin(
      AnimatedChange(
        number: animationCount, cause: .retarget, start: clock.now,
        durationSeconds: CollectionView.usable(seconds), course: .spring(course),
        elements: elements, from: carried.screen, transforms: transforms,
        momentum: SettleMotion(settle, from: 0, to: 0, velocity: 1), completion: { _ in }))
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
    let motion = SettleMotion(
      self.settle, from: progress, to: outcome == .finish ? 1 : 0, velocity: velocity)
    var turned = Settle(
      start: now, outcome: outcome, progress: .spring(motion), keys: [],
      durationSeconds: motion.settlingTimeSeconds())
    for (number, old) in settle.keys {
      guard let target = layout.keys[number].target(outcome) else { continue }
      let motion = SettleMotion(
        self.settle, from: old.value(atSeconds: elapsed), to: target,
        velocity: old.velocity(atSeconds: elapsed))
      turned.keys.append((number, .spring(motion)))
      turned.durationSeconds = max(turned.durationSeconds, motion.settlingTimeSeconds())
    }
    turned.durationSeconds = cutOff(turned.durationSeconds)
    recordSettle(active.number, seconds: turned.durationSeconds, keys: [])
    beginSettling(turned)
  }

  // MARK: What is on the screen, and how fast

  private func carriedMotion() -> CarriedMotion {
    let step = CollectionView.velocityStepSeconds
    let earlier = tried(atSeconds: -step).elements
    let later = tried(atSeconds: step).elements
    let screen = tried(atSeconds: 0)
    var before: [ItemHandle: Pose] = [:]
    for element in earlier where element.isPlaced { before[element.item] = element.pose }
    var velocities: [ItemHandle: PoseVelocity] = [:]
    for element in later where element.isPlaced {
      guard let start = before[element.item] else { continue }
      velocities[element.item] = PoseVelocity(from: start, to: element.pose, seconds: 2 * step)
    }
    return CarriedMotion(
      screen: screen, leaving: change?.departures ?? [], velocities: velocities,
      keys: carriedKeys())
  }

  /// Half the time over which velocities of poses are measured, in seconds: far below a frame. Our own
  /// choice.
  static let velocityStepSeconds = 1e-4

  /// What the screen would show some seconds from now, before or after, if everything went on as it
  /// does. Nothing is recorded, and everything is as it was afterwards.
  private func tried(atSeconds seconds: Double) -> Screen {
    let time = Instant(
      nanoseconds: clock.now.nanoseconds &+ Int64((seconds * 1e9).rounded()))
    guard let active = transition, let link = active.layout.link else { return screen(at: time) }
    let layout = active.layout
    let (progress, values) = (layout.progress, layout.keys.map(\.value))
    link.isTrying = true
    if let settle = active.settle {
      let elapsed = time.seconds(since: settle.start)
      layout.advance(
        keys: settle.keys.map { ($0.number, $0.motion.value(atSeconds: elapsed)) },
        progress: settle.progress.value(atSeconds: elapsed))
    } else {
      layout.advance(
        keys: layout.keys.indices.compactMap { number in
          guard let value = layout.keys[number].value else { return nil }
          return (number, value + velocity(of: layout.keys[number]) * seconds)
        },
        progress: progress + drivenVelocity(of: layout.progressHistory) * seconds)
    }
    invalidateLayout()
    let result = screen(at: time)
    layout.advance(
      keys: values.enumerated().compactMap { number, value in value.map { (number, $0) } },
      progress: progress)
    link.isTrying = false
    invalidateLayout()
    return result
  }

  private func drivenVelocity(of history: [Sample]) -> Double {
    let estimate = release.estimator.estimate(history, lift: clock.now, window: release.window)
    return estimate.velocity ?? 0
  }

  /// How fast a key of a transition that is being driven changes, in its unit per second.
  private func velocity(of key: AnimatedKey) -> Double {
    key.coast?.velocity(at: clock.now) ?? drivenVelocity(of: key.history)
  }

  /// The keys of the transition that is under way, each going on as it would.
  private func carriedKeys() -> [AnimatedKey] {
    guard let active = transition else { return [] }
    let now = clock.now
    return active.layout.keys.enumerated().map { number, key in
      var key = key
      if let settle = active.settle {
        if let motion = settle.keys.first(where: { $0.number == number })?.motion {
          key.value = motion.value(atSeconds: now.seconds(since: settle.start))
          key.coast = AnimatedKey.Coast(
            motion: motion, start: settle.start, durationSeconds: settle.durationSeconds)
        }
      } else if key.coast == nil, let value = key.value, let target = key.target(.cancel) {
        let motion = SettleMotion(
          self.settle, from: value, to: target, velocity: velocity(of: key))
        key.coast = AnimatedKey.Coast(
          motion: .spring(motion), start: now, durationSeconds: motion.settlingTimeSeconds())
      }
      return key
    }
  }
}

extension TransitionStyle {
  /// Whether it is released by a call.
  fileprivate var isDriven: Bool {
    if case .driven = self { return true }
    return false
  }
}
