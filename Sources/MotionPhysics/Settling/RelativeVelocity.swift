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
///   - relative: Distances per second; positive is towards the target.
///   - remaining: Target minus value, in units, signed.
public func absoluteVelocity(_ relative: Double, remaining: Double) -> Double {
  clampedToFinite(relative * remaining)
}
