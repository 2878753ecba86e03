import TimelineModel

/// The path of one value to its target, in closed form: a pure function of the time since the release,
/// so that any frame can be computed alone and a replay gives the bits of the live run.
///
/// Value and velocity are continuous at the release (of a timing curve the value alone). Lengths are the
/// key's unit, velocities units per second, times seconds since the release.
public struct SettleMotion: Sendable, Hashable {
  /// The value at the release.
  package let from: Double
  /// Where the value goes.
  package let to: Double
  /// The velocity at the release, units per second. A timing curve takes no notice of it.
  package let initialVelocity: Double
  /// The definition of rest for a spring.
  package let definition: SettleDefinition
  /// The curve that the parameters amount to.
  let path: Path

  enum Path: Sendable, Hashable {
    case spring(SettleCurve)
    case timing(seconds: Double, easing: Easing)
    case cubic(HermitePath)
  }

  /// Makes the motion that starts at `from` with a velocity and goes to `to`.
  ///
  /// Without overshoot the value never passes its target. A spring: when the velocity points to the
  /// target the spring is critical, its frequency raised to at least velocity / remaining. When it points
  /// away (or there is none, or the value is at its target) the value runs on, turns and comes back under
  /// the spring itself, made critical if it would swing. A cubic rests sooner where it must. Numbers that
  /// are not finite count as 0.
  ///
  /// A timing curve takes the whole duration over the completion speed. For the rest of a distance pass
  /// `forRest(_:)`.
  public init(_ parameters: SettleParameters, from: Double, to: Double, velocity: Double) {
    self.from = clampedToFinite(from)
    self.to = clampedToFinite(to)
    self.initialVelocity = clampedToFinite(velocity)
    definition = parameters.definition
    switch parameters.type {
    case .spring:
      path = .spring(
        SettleMotion.curve(
          parameters.spring, overshoot: parameters.overshoot,
          towards: relativeVelocity(
            initialVelocity, remaining: clampedToFinite(self.to - self.from))))
    case .timing:
      path = .timing(
        seconds: max(0, parameters.forRest(1).durationSeconds), easing: parameters.easing)
    case .cubic:
      path = .cubic(
        HermitePath(
          seconds: max(0, clampedToFinite(parameters.durationSeconds)),
          offset: clampedToFinite(self.from - self.to), velocity: initialVelocity,
          overshoot: parameters.overshoot))
    }
  }

  /// The value at a time. The start itself at 0 and before. Always finite.
  public func value(atSeconds time: Double) -> Double {
    guard time > 0 else { return from }
    let offset: Double
    switch path {
    case .spring(let curve):
      offset = curve.offset(from - to, velocity: initialVelocity, atSeconds: time)
    case .cubic(let path): offset = path.offset(atSeconds: time)
    case .timing(let seconds, let easing):
      guard time < seconds else { return to }
      return clampedToFinite(lerp(from, to, easing.value(at: time / seconds)))
    }
    return offset.isNaN ? to : clampedToFinite(to + offset)
  }

  /// The velocity at a time, units per second. The start's own at 0 and before. Always finite.
  public func velocity(atSeconds time: Double) -> Double {
    switch path {
    case .timing(let seconds, let easing):
      guard time < seconds else { return 0 }
      return clampedToFinite((to - from) * (easing.slope(at: max(0, time) / seconds) / seconds))
    case .spring(let curve):
      guard time > 0 else { return initialVelocity }
      return clampedToFinite(
        curve.velocity(from - to, velocity: initialVelocity, atSeconds: time))
    case .cubic(let path):
      guard time > 0 else { return initialVelocity }
      return clampedToFinite(path.velocity(atSeconds: time))
    }
  }

  /// The closed form of a spring that may not be allowed to overshoot.
  ///
  /// - Parameter towards: The relative velocity, distances per second.
  private static func curve(_ spring: DampedSpring, overshoot: Bool, towards: Double) -> SettleCurve
  {
    let isSwinging = spring.decayRate < spring.angularFrequency
    if overshoot { return SettleCurve(spring) }
    if towards > 0 {
      return .critical(
        frequency: min(max(spring.angularFrequency, towards), DampedSpring.largestRate),
        stopsAtTarget: true)
    }
    if isSwinging {
      return .critical(frequency: spring.angularFrequency, stopsAtTarget: true)
    }
    return SettleCurve(spring)
  }
}

/// Velocity as a share of the remaining distance, per second: 1 means the whole distance in one second
/// and positive means towards the target (the convention of UISpringTimingParameters).
///
/// 0 at the target, where no share can be told. Always finite. ``absoluteVelocity(_:remaining:)`` goes
/// the other way.
///
/// - Parameters:
///   - velocity: Units per second.
///   - remaining: Target minus value, in the same units, signed.
public func relativeVelocity(_ velocity: Double, remaining: Double) -> Double {
  guard remaining != 0 else { return 0 }
  return clampedToFinite(velocity / remaining)
}

/// The relative velocity of a velocity that may not be known: 0 at the target all the same, else nil
/// where there is no velocity.
public func relativeVelocity(ofKnown velocity: Double?, remaining: Double) -> Double? {
  guard remaining != 0 else { return 0 }
  return velocity.map { relativeVelocity($0, remaining: remaining) }
}

/// Velocity in units per second from a share of the remaining distance per second, the convention of
/// UISpringTimingParameters: relative velocity times remaining distance. Always finite.
///
/// - Parameters:
///   - relative: Distances per second. Positive is towards the target.
///   - remaining: Target minus value, in units, signed.
public func absoluteVelocity(_ relative: Double, remaining: Double) -> Double {
  clampedToFinite(relative * remaining)
}

/// The thresholds of a time to rest where they are not the peer's own.
package struct SettleTolerance: Sendable, Hashable {
  /// A share of the distance (no unit) or a length, as ``SettleDefinition/standardEpsilon(distance:)`` tells
  /// for each definition. Above 0. nil: what that answers.
  package var epsilon: Double?
  /// The speed that counts as rest, in units per second. Above 0. nil:
  /// ``SettleDefinition/standardVelocityEpsilon(distance:)``.
  package var velocityEpsilon: Double?

  /// Makes a tolerance. Left out, the peer's own thresholds hold.
  package init(epsilon: Double? = nil, velocityEpsilon: Double? = nil) {
    self.epsilon = epsilon
    self.velocityEpsilon = velocityEpsilon
  }
}

extension SettleMotion {
  /// Seconds after which the motion counts as over, by its own `definition`. Where it never does, the
  /// largest 32-bit float, 3.4e38, which is Core Animation's answer: bound it before waiting for it.
  ///
  /// A timing curve and a cubic end after their own duration. A motion at its target and at rest is over at
  /// once, on a spring and on a cubic, also by definitions that take no notice of the distance.
  public func settlingTimeSeconds() -> Double {
    if isAtRest { return 0 }
    return settlingTimeSeconds(by: definition) ?? Double(Float.greatestFiniteMagnitude)
  }

  /// Whether nothing is to move. A timing curve keeps its time, which all keys of a release share.
  private var isAtRest: Bool {
    if case .timing = path { return false }
    return from == to && initialVelocity == 0
  }

  /// Seconds after which the motion counts as over by a definition. `nil` where it never does. A timing
  /// curve and a cubic end after their own duration, whatever the definition.
  ///
  /// The exact algorithm of each definition stands with it. In short, with y the offset and v the velocity
  /// at the start, D = -y the signed distance to the target:
  ///
  /// - `core-animation`, swinging: ln((1 + |beta - relative velocity| / wd) / epsilon) / beta. 0 at the target
  ///   and at rest, where there is no way to take a share of.
  /// - `swiftui`, swinging: ln((|beta D - v| + |D|) / epsilon) / beta.
  /// - `compose`, swinging: ln(sqrt(y^2 + ((v + beta y) / wd)^2) / epsilon) / beta.
  /// - `flutter`: the last time at which offset or speed come below their tolerance, by halving.
  /// - `motion`, `rebound`, `pop`, `fluid`: the first step or frame at which all is below its threshold.
  /// - `libadwaita`, up to critical: -ln(epsilon) / beta. `wave`: ln(10000) / (zeta w0).
  ///
  /// A threshold that is not above 0 is never met. At most about 31,000 evaluations, usually below 100.
  ///
  /// - Parameters:
  ///   - definition: The definition of the end. `core-animation` follows a spring that creeps, as the motion does;
  ///     CASpringAnimation would take it as critical.
  ///   - tolerance: The thresholds.
  package func settlingTimeSeconds(
    by definition: SettleDefinition, tolerance: SettleTolerance = SettleTolerance()
  ) -> Double? {
    let curve: SettleCurve
    switch path {
    case .timing(let seconds, _): return seconds
    case .cubic(let path): return path.seconds
    case .spring(let springCurve): curve = springCurve.cleared
    }
    let way = SpringPath(
      curve: curve, offset: clampedToFinite(from - to), velocity: initialVelocity)
    let own = SettleTolerance(
      epsilon: definition.standardEpsilon(distance: way.offset),
      velocityEpsilon: definition.standardVelocityEpsilon(distance: way.offset))
    let given = definition.hasFixedThresholds ? own : tolerance
    let epsilon = given.epsilon ?? own.epsilon ?? settleEpsilon
    let speed = given.velocityEpsilon ?? own.velocityEpsilon ?? settleEpsilon
    guard epsilon > 0, speed > 0 else { return nil }
    let time: Double?
    switch definition {
    case .coreAnimation:
      time = isAtRest ? 0 : way.coreAnimationTime(epsilon)
    case .swiftUI: time = way.swiftUITime(epsilon)
    case .compose: time = way.composeTime(epsilon)
    case .flutter: time = way.flutterTime(epsilon, speed: speed)
    case .motion: time = way.motionTime(epsilon, speed: speed)
    case .rebound: time = way.reboundTime(epsilon, speed: speed)
    case .pop: time = way.popTime(epsilon)
    case .libadwaita: time = way.libadwaitaTime(epsilon)
    case .wave: time = way.waveTime(epsilon)
    case .fluid: time = way.fluidTime(epsilon, speed: speed)
    }
    guard let time, time.isFinite else { return nil }
    return max(0, time)
  }
}

/// Where a walk gives up, in seconds: the 102.4 s that SwiftUI's walk is bounded by.
let longestWalkSeconds = 102.4
