/// The way of one value to its target, in closed form: a pure function of the time since the release,
/// so that any frame can be computed alone and a replay gives the bits of the live run.
///
/// Value and velocity are continuous at the release. Lengths are the key's unit, velocities units per
/// second, times seconds since the release.
public struct SettleMotion: Sendable, Hashable {
  /// The value at the release.
  public let from: Double
  /// Where the value goes.
  public let to: Double
  /// The velocity at the release, units per second.
  public let initialVelocity: Double
  /// The curve that the spring and the overshoot rule amount to.
  let curve: SettleCurve

  /// Makes the motion that starts at `from` with a velocity and goes to `to`.
  ///
  /// Without overshoot the value never passes its target: when the velocity points to the target the
  /// spring is critical, its frequency raised to at least velocity / remaining; when it points away
  /// (or there is none, or the value is at its target) the value runs on, turns and comes back under
  /// the spring itself, made critical if it would swing. Numbers that are not finite count as 0.
  public init(_ parameters: SettleParameters, from: Double, to: Double, velocity: Double) {
    self.from = clampedToFinite(from)
    self.to = clampedToFinite(to)
    self.initialVelocity = clampedToFinite(velocity)
    let spring = parameters.spring
    let towards = relativeVelocity(initialVelocity, remaining: clampedToFinite(self.to - self.from))
    let isSwinging = spring.decayRate < spring.angularFrequency
    if parameters.overshoot {
      curve = SettleCurve(spring)
    } else if towards > 0 {
      curve = .critical(
        frequency: min(max(spring.angularFrequency, towards), Spring.largestRate),
        stopsAtTarget: true)
    } else if isSwinging {
      curve = .critical(frequency: spring.angularFrequency, stopsAtTarget: true)
    } else {
      curve = SettleCurve(spring)
    }
  }

  /// The value at a time; the start itself at 0 and before. Always finite.
  public func value(atSeconds time: Double) -> Double {
    guard time > 0 else { return from }
    let offset = curve.offset(from - to, velocity: initialVelocity, atSeconds: time)
    return offset.isNaN ? to : clampedToFinite(to + offset)
  }

  /// The velocity at a time, units per second; the start's own at 0 and before. Always finite.
  public func velocity(atSeconds time: Double) -> Double {
    guard time > 0 else { return initialVelocity }
    return clampedToFinite(
      curve.velocity(from - to, velocity: initialVelocity, atSeconds: time))
  }
}
