/// The cubic through value and velocity at the start that rests at 0 after a stated time, for the offset
/// from the target (Hermite's interpolation; with u = t / seconds, y the offset and v the velocity):
/// offset (1 - u)^2 ((1 + 2u) y + u v seconds).
struct HermitePath: Sendable, Hashable {
  /// The time until it rests, in seconds. 0 or more.
  let seconds: Double
  /// The offset from the target at the start.
  let offset: Double
  /// The velocity at the start, units per second.
  let velocity: Double
  /// Whether the value is held on its side of the target against rounding.
  let stopsAtTarget: Bool

  /// Makes the path. Without overshoot it takes at most 3 times offset / velocity: a cubic that starts
  /// more than three times as steep as the straight line passes its target (Fritsch and Carlson 1980).
  init(seconds: Double, offset: Double, velocity: Double, overshoot: Bool) {
    let towards = relativeVelocity(velocity, remaining: 0 - offset)
    let isShortened = !overshoot && towards * seconds > HermitePath.steepest
    self.seconds = isShortened ? HermitePath.steepest / towards : seconds
    self.offset = offset
    self.velocity = velocity
    stopsAtTarget = !overshoot
  }

  /// The offset at a time above 0. May be no number where the start is absurd.
  func offset(atSeconds time: Double) -> Double {
    guard time < seconds else { return 0 }
    let u = time / seconds
    let factor = (1 + 2 * u) * offset + u * (velocity * seconds)
    if stopsAtTarget, factor * offset < 0 { return 0 }
    return (1 - u) * (1 - u) * factor
  }

  /// The velocity at a time above 0. May be no number where the start is absurd.
  func velocity(atSeconds time: Double) -> Double {
    guard time < seconds else { return 0 }
    let u = time / seconds
    return (1 - u) * ((1 - 3 * u) * velocity - 6 * u * (offset / seconds))
  }

  /// The greatest start slope, as a share of the straight line's, of a cubic that ends level and does
  /// not pass its end (Fritsch and Carlson, Monotone Piecewise Cubic Interpolation, 1980).
  private static let steepest = 3.0
}
