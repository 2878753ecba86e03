import MotionPhysics
import TimelineModel

/// Looks at a transition between two frames: as it is at the clock's present, and a little before and after.
struct TransitionProbe {
  /// The transition under way.
  let active: ActiveTransition?
  let installed: InstalledLayout
  let now: Instant
  let release: ReleaseParameters
  let settle: SettleParameters

  /// The motion that another transition takes over from this one.
  func carriedMotion(_ changes: ChangeCoordinator) -> CarriedMotion {
    func screen(_ seconds: Double) -> Screen {
      let time = Instant(nanoseconds: now.nanoseconds &+ Int64((seconds * 1e9).rounded()))
      return trying(time) { changes.screen(at: time) }
    }
    let step = Settle.velocityStepSeconds
    let (earlier, later) = (screen(-step), screen(step))
    return CarriedMotion(
      screen: screen(0), from: earlier, to: later, seconds: 2 * step, leaving: changes.departures,
      keys: carriedKeys())
  }

  /// Runs something with the transition as it is at a time if everything goes on as it does: the last frame
  /// moved on what runs by itself. Nothing of that is recorded, and it is as it was afterwards.
  func trying<Result>(_ time: Instant, _ body: () -> Result) -> Result {
    guard let active, let link = active.layout.link else { return body() }
    let layout = active.layout
    let seconds = time.seconds(since: now)
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
    installed.invalidate()
    let result = body()
    layout.advance(
      keys: values.enumerated().compactMap { number, value in value.map { (number, $0) } },
      progress: progress)
    layout.time = easedFrom
    link.isTrying = false
    installed.invalidate()
    return result
  }

  private func drivenVelocity(of history: [Sample]) -> Double {
    release.estimator.velocity(history, lift: now, window: release.window) ?? 0
  }

  /// How fast a key of a transition that is being driven changes, in its unit per second.
  private func velocity(of key: AnimatedKey) -> Double {
    key.coast?.velocity(at: now) ?? drivenVelocity(of: key.history)
  }

  /// The keys of the transition that is under way, each going on as it would.
  private func carriedKeys() -> [AnimatedKey] {
    guard let active else { return [] }
    return active.layout.keys.enumerated().map { number, key in
      var key = key
      if let settle = active.settle {
        if let motion = settle.keys.first(where: { $0.number == number })?.motion {
          key.value = motion.value(atSeconds: now.seconds(since: settle.start))
          key.coast = AnimatedKey.Coast(
            motion: motion, start: settle.start, durationSeconds: settle.durationSeconds)
        }
      } else if key.coast == nil, let value = key.value, let target = key.target(.cancel) {
        let motion = RestOfWay(
          settle, from: value, to: target, velocity: velocity(of: key), samples: key.history
        ).motion
        key.coast = AnimatedKey.Coast(
          motion: .settle(motion), start: now, durationSeconds: motion.settlingTimeSeconds())
      }
      return key
    }
  }
}
