import KymographCLibrary
import TimelineModel

/// A velocity that dies away under friction alone, with no target: v(t) = v0 d^(1000 t) for a rate d per
/// millisecond and a time t in seconds.
///
/// Its distance has two forms that differ by 0.1 % for a rate of 0.998:
///
/// - `continuous`, the integral: x0 + v0 (d^(1000 t) - 1) / (1000 ln d), resting at x0 - v0 / (1000 ln d);
/// - `discrete`, the sum over whole milliseconds, each moved by the velocity after it:
///   x0 + (v0/1000) d (1 - d^(1000 t)) / (1 - d), resting at x0 + (v0/1000) d / (1 - d). That is the
///   projection of WWDC 2018's "Designing Fluid Interfaces", and pop's decay.
///
/// ```swift
/// let decay = Decay.normal(.discrete)
/// decay.restValue(from: 0, velocity: 500)  // 249.5
/// ```
package struct Decay: Sendable, Hashable {
  /// How the distance is summed up. The raw values are the names in reports.
  package enum Form: String, CaseIterable, Sendable {
    /// The integral of the velocity.
    case continuous
    /// The sum over whole milliseconds.
    case discrete
  }

  /// The share of the velocity that is left after a millisecond. Above 0 and below 1, no unit.
  package let rate: Double
  /// How the distance is summed up.
  package let form: Form

  /// UIScrollView's `DecelerationRate.normal`, per millisecond.
  package static let normalRate = 0.998
  /// UIScrollView's `DecelerationRate.fast`, per millisecond.
  package static let fastRate = 0.99
  /// The drag of Flutter's BouncingScrollPhysics, a share per second: 0.998^1000 cut to three digits.
  package static let flutterDrag = 0.135

  /// Makes a decay.
  ///
  /// - Parameters:
  ///   - rate: The share of the velocity that is left after a millisecond. Above 0 and below 1.
  ///   - form: How the distance is summed up.
  /// - Throws: a rate outside its range or not a number.
  package init(rate: Double, form: Form = .continuous) throws(PhysicsError) {
    guard rate > 0, rate < 1 else {
      throw PhysicsError(
        code: .badDecay,
        message:
          "The rate of decay per millisecond must be a number above 0 and below 1 (got \(rate)).")
    }
    self.init(uncheckedRate: rate, form: form)
  }

  /// Makes a decay with a drag as in Flutter's `FrictionSimulation`, the share of the velocity that is left
  /// after a second: the rate is its 1000th root.
  ///
  /// - Throws: a drag outside 0 to 1 or not a number, or one so near to 0 or 1 that its root is there.
  package init(drag: Double, form: Form = .continuous) throws(PhysicsError) {
    guard drag > 0, drag < 1 else {
      throw PhysicsError(
        code: .badDecay,
        message: "The drag per second must be a number above 0 and below 1 (got \(drag)).")
    }
    try self.init(rate: pow(drag, 0.001), form: form)
  }

  /// The decay with UIScrollView's normal rate.
  package static func normal(_ form: Form = .continuous) -> Decay {
    Decay(uncheckedRate: normalRate, form: form)
  }

  /// The decay with UIScrollView's fast rate.
  package static func fast(_ form: Form = .continuous) -> Decay {
    Decay(uncheckedRate: fastRate, form: form)
  }

  /// The share of the velocity that is left after a second, Flutter's drag. No unit. 0 where that is too
  /// small for a number.
  package var drag: Double { pow(rate, 1000) }

  private init(uncheckedRate rate: Double, form: Form) {
    self.rate = rate
    self.form = form
  }
}

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
