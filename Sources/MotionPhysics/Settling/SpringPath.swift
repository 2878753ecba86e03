import TimelineModel

/// The path of one value on a spring: how it is damped, and where and how fast it starts. Definitions of
/// "settled" are functions of this.
struct SpringPath: Sendable, Hashable {
  /// The closed form.
  let curve: SettleCurve
  /// The offset from the target at the start, in the value's unit.
  let offset: Double
  /// The velocity at the start, units per second.
  let velocity: Double

  /// The offset at a time. The start's own at 0 and before. May be no number where the start is absurd.
  func offset(atSeconds time: Double) -> Double {
    time > 0 ? curve.offset(offset, velocity: velocity, atSeconds: time) : offset
  }

  /// The velocity at a time. The start's own at 0 and before. May be no number where the start is absurd.
  func velocity(atSeconds time: Double) -> Double {
    time > 0 ? curve.velocity(offset, velocity: velocity, atSeconds: time) : velocity
  }

  /// The path of the velocity, which obeys the same equation: it starts with the velocity and changes by
  /// the acceleration -(w0^2 y + 2 beta v).
  var ofVelocity: SpringPath {
    SpringPath(
      curve: curve, offset: velocity,
      velocity: clampedToFinite(
        0 - curve.frequency * curve.frequency * offset - 2 * curve.decayRate * velocity))
  }
}

extension SettleCurve {
  /// The frequency w0 without damping, in radians per second.
  var frequency: Double {
    switch self {
    case .under(let decay, let swing): (decay * decay + swing * swing).squareRoot()
    case .critical(let frequency, _): frequency
    case .over(_, let frequency, _): frequency
    case .slide: 0
    }
  }

  /// The decay rate beta, per second.
  var decayRate: Double {
    switch self {
    case .under(let decay, _): decay
    case .critical(let frequency, _): frequency
    case .over(let decay, _, _): decay
    case .slide(let rate): rate / 2
    }
  }

  /// The same curve, taken as critical where it misses that by rounding alone: springs made of a duration
  /// and a bounce do, and formulas for swinging ones would grow without bound.
  var cleared: SettleCurve {
    let frequency = frequency
    switch self {
    case .under, .over:
      guard abs(decayRate / frequency - 1) <= SettleCurve.criticalTolerance else { return self }
      return .critical(frequency: frequency, stopsAtTarget: false)
    case .critical, .slide: return self
    }
  }

  /// How near to 1 a damping ratio counts as critical. No unit. Our own choice, far above rounding and far
  /// below what anybody could see.
  private static let criticalTolerance = 1e-9
}
