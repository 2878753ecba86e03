import MotionPhysics
import TimelineModel

/// What is on the screen between two frames, and how fast.
extension CollectionView {
  func carriedMotion() -> CarriedMotion {
    let step = CollectionView.velocityStepSeconds
    let earlier = tried(atSeconds: -step)
    let later = tried(atSeconds: step)
    let screen = tried(atSeconds: 0)
    var before: [ItemHandle: Pose] = [:]
    for element in earlier.elements where element.isPlaced { before[element.item] = element.pose }
    var velocities: [ItemHandle: PoseVelocity] = [:]
    for element in later.elements where element.isPlaced {
      guard let start = before[element.item] else { continue }
      velocities[element.item] = PoseVelocity(from: start, to: element.pose, seconds: 2 * step)
    }
    let velocity = (
      offset: Point(
        x: (later.offset.x - earlier.offset.x) / (2 * step),
        y: (later.offset.y - earlier.offset.y) / (2 * step)),
      size: Size(
        width: (later.contentSize.width - earlier.contentSize.width) / (2 * step),
        height: (later.contentSize.height - earlier.contentSize.height) / (2 * step))
    )
    return CarriedMotion(
      screen: screen, leaving: change?.departures ?? [], velocities: velocities, velocity: velocity,
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
    return trying(time) { screen(at: time) }
  }

  /// Runs something with the transition as it is at the clock's present: what runs by itself was moved on
  /// by the last frame only. Nothing of that is recorded, and it is as it was afterwards.
  func atPresent<Result>(_ body: () -> Result) -> Result {
    trying(clock.now, body)
  }

  private func trying<Result>(_ time: Instant, _ body: () -> Result) -> Result {
    guard let active = transition, let link = active.layout.link else { return body() }
    let layout = active.layout
    let seconds = time.seconds(since: clock.now)
    guard active.settle != nil || active.driver != nil || seconds != 0 else { return body() }
    let (progress, values) = (layout.progress, layout.keys.map(\.value))
    let easedFrom = layout.time
    link.isTrying = true
    if let settle = active.settle {
      let elapsed = time.seconds(since: settle.start)
      layout.advance(
        keys: settle.keys.map { ($0.number, $0.motion.value(atSeconds: elapsed)) },
        progress: settle.progress.value(atSeconds: elapsed))
    } else {
      let eased = active.driver.map { $0.easing.value(at: $0.fraction(at: time)) }
      layout.advance(
        keys: layout.keys.indices.compactMap { number in
          guard let value = layout.keys[number].value else { return nil }
          return (number, value + velocity(of: layout.keys[number]) * seconds)
        },
        progress: eased ?? progress + drivenVelocity(of: layout.progressHistory) * seconds)
      layout.time = active.driver?.fraction(at: time)
    }
    invalidateLayout()
    let result = body()
    layout.advance(
      keys: values.enumerated().compactMap { number, value in value.map { (number, $0) } },
      progress: progress)
    layout.time = easedFrom
    link.isTrying = false
    invalidateLayout()
    return result
  }

  private func drivenVelocity(of history: [Sample]) -> Double {
    release.estimator.velocity(history, lift: clock.now, window: release.window) ?? 0
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
          motion: .settle(motion), start: now, durationSeconds: motion.settlingTimeSeconds())
      }
      return key
    }
  }
}
