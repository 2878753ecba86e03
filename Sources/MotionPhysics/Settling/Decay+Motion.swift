import KymographCLibrary
import TimelineModel

/// Where a decaying value is, how fast, and when it rests, and the ways back. Places are in the value's
/// unit, velocities in units per second, times in seconds since the start.
extension Decay {
  /// The value at a time. The start itself at 0 and before. Always finite. NaN counts as 0.
  package func value(from start: Double, velocity: Double, atSeconds time: Double) -> Double {
    let start = clampedToFinite(start)
    guard time > 0 else { return start }
    let gone = -expm1(1000 * logarithm * time)
    return clampedToFinite(start + clampedToFinite(velocity) * (secondsOfWay * gone))
  }

  /// The velocity at a time, v0 d^(1000 t). The start's own at 0 and before. Always finite.
  package func velocity(_ velocity: Double, atSeconds time: Double) -> Double {
    guard time > 0 else { return clampedToFinite(velocity) }
    return clampedToFinite(clampedToFinite(velocity) * exp(1000 * logarithm * time))
  }

  /// Where the value comes to rest. Always finite.
  package func restValue(from start: Double, velocity: Double) -> Double {
    clampedToFinite(clampedToFinite(start) + clampedToFinite(velocity) * secondsOfWay)
  }

  /// Seconds until the speed has fallen to `speed`: ln(speed / |v0|) / (1000 ln d). 0 where it is not above
  /// that from the start. `nil` for a speed that is not above 0, which it never reaches.
  package func secondsUntil(speed: Double, velocity: Double) -> Double? {
    guard speed > 0 else { return nil }
    let start = abs(clampedToFinite(velocity))
    guard start > speed else { return 0 }
    return (log(speed) - log(start)) / (1000 * logarithm)
  }

  /// The velocity with which the value rests at `target`, in units per second. Always finite.
  package func velocity(from start: Double, toRestAt target: Double) -> Double {
    clampedToFinite(clampedToFinite(target - start) / secondsOfWay)
  }

  /// The decay with which a velocity rests at `target`.
  ///
  /// - Throws: a velocity that does not point to the target, a way so long or so short that no rate goes it,
  ///   or numbers that are not finite.
  package init(
    from start: Double, velocity: Double, toRestAt target: Double, form: Form = .continuous
  ) throws(PhysicsError) {
    // The distance at 1 unit per second, in seconds.
    let seconds = (target - start) / velocity
    let rate: Double
    switch form {
    case .continuous: rate = exp(-1 / (1000 * seconds))
    case .discrete: rate = 1000 * seconds / (1 + 1000 * seconds)
    }
    guard seconds > 0, rate > 0, rate < 1 else {
      throw PhysicsError(
        code: .badDecay,
        message:
          "No decay with \(velocity) units per second goes from \(start) to \(target). Give a velocity towards "
          + "the target.")
    }
    try self.init(rate: rate, form: form)
  }

  /// ln d, per millisecond. Below 0.
  private var logarithm: Double { log(rate) }

  /// The whole way per unit of velocity, in seconds: -1 / (1000 ln d), or d / (1000 (1 - d)).
  private var secondsOfWay: Double {
    switch form {
    case .continuous: -1 / (1000 * logarithm)
    case .discrete: rate / (1 - rate) / 1000
    }
  }
}
