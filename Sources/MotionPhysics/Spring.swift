/// A mass on a spring with damping, as in CASpringAnimation.
public struct Spring: Sendable, Hashable {
  /// The mass; positive. Only its ratio to stiffness and damping matters.
  public let mass: Double
  /// The spring constant; not negative. 0 is a slide that only friction stops.
  public let stiffness: Double
  /// The friction; not negative. 0 swings for ever.
  public let damping: Double

  /// Makes a spring.
  ///
  /// - Throws: a mass that is not positive, a negative stiffness or damping, a number that is not
  ///   finite, or numbers so far apart that the frequency or the decay overflows.
  public init(mass: Double, stiffness: Double, damping: Double) throws(PhysicsError) {
    guard mass > 0, mass.isFinite else {
      throw PhysicsError(
        code: .badMass, message: "The spring's mass is \(mass); give a number above 0.")
    }
    guard stiffness >= 0, stiffness.isFinite else {
      throw PhysicsError(
        code: .badStiffness,
        message: "The spring's stiffness is \(stiffness); give 0 or a number above it.")
    }
    guard damping >= 0, damping.isFinite else {
      throw PhysicsError(
        code: .badDamping,
        message: "The spring's damping is \(damping); give 0 or a number above it."
      )
    }
    self.init(uncheckedMass: mass, stiffness: stiffness, damping: damping)
    guard angularFrequency <= Spring.largestRate, decayRate <= Spring.largestRate else {
      throw PhysicsError(
        code: .outOfRange,
        message:
          "A spring of mass \(mass), stiffness \(stiffness) and damping \(damping) is faster than "
          + "\(Spring.largestRate) per second; give a larger mass.")
    }
  }

  /// Mass 1, stiffness 100, damping 20: critically damped at 10 radians per second.
  public static let standard = Spring(uncheckedMass: 1, stiffness: 100, damping: 20)

  /// The undamped frequency sqrt(stiffness / mass), in radians per second.
  public var angularFrequency: Double { (stiffness / mass).squareRoot() }

  /// The decay rate damping / (2 mass), per second; "beta" in the formulas.
  public var decayRate: Double { damping / mass / 2 }

  /// The decay rate as a share of the frequency: below 1 swings, 1 is critical, above 1 creeps. No
  /// unit; nil without stiffness.
  public var dampingRatio: Double? {
    guard stiffness > 0 else { return nil }
    let ratio = decayRate / angularFrequency
    return ratio.isFinite ? ratio : nil
  }

  /// The fastest frequency and decay that a spring may have, per second: far above any display, far
  /// below the overflow of its square.
  static let largestRate = 1e100

  private init(uncheckedMass mass: Double, stiffness: Double, damping: Double) {
    self.mass = mass
    self.stiffness = stiffness
    self.damping = damping
  }
}

/// How the rest of a transition runs.
public struct SettleParameters: Sendable, Hashable {
  /// The spring that pulls to the target.
  public var spring: Spring
  /// Whether a value may pass its target and come back.
  public var overshoot: Bool

  /// Makes parameters; the defaults are the standard spring, free to overshoot.
  public init(spring: Spring = .standard, overshoot: Bool = true) {
    self.spring = spring
    self.overshoot = overshoot
  }
}

/// Velocity as a share of the remaining distance, per second: 1 means the whole distance in one second
/// and positive means towards the target (the convention of UISpringTimingParameters).
///
/// 0 at the target, where no share can be told. Always finite.
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

/// The number, or the nearest finite one; 0 for what is no number.
func clampedToFinite(_ value: Double) -> Double {
  if value.isFinite { return value }
  if value.isNaN { return 0 }
  return value < 0 ? -.greatestFiniteMagnitude : .greatestFiniteMagnitude
}
