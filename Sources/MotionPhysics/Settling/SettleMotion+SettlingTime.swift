import TimelineModel

/// The thresholds of a settling time where they are not the peer's own.
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
