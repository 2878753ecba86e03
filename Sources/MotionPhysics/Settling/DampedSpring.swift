/// A mass on a spring with damping, as in CASpringAnimation.
///
/// ```swift
/// let snappy = try DampedSpring(duration: 0.5, bounce: 0.15)
/// snappy.dampingRatio  // 0.85
/// ```
public struct DampedSpring: Sendable, Hashable {
  /// The mass. Positive. Only its ratio to stiffness and damping matters.
  public let mass: Double
  /// The spring constant, not negative. 0 is a slide that only friction stops.
  public let stiffness: Double
  /// The friction, not negative. 0 swings for ever.
  public let damping: Double

  /// Makes a spring.
  ///
  /// - Throws: a mass that is not positive, a negative stiffness or damping, a number that is not
  ///   finite, or numbers so far apart that the frequency or the decay overflows.
  public init(mass: Double, stiffness: Double, damping: Double) throws(PhysicsError) {
    guard mass > 0, mass.isFinite else {
      throw PhysicsError(
        code: .badMass, message: "The spring's mass must be a number above 0 (got \(mass)).")
    }
    guard stiffness >= 0, stiffness.isFinite else {
      throw PhysicsError(
        code: .badStiffness,
        message: "The spring's stiffness must be a number of 0 or more (got \(stiffness)).")
    }
    guard damping >= 0, damping.isFinite else {
      throw PhysicsError(
        code: .badDamping,
        message: "The spring's damping must be a number of 0 or more (got \(damping))."
      )
    }
    self.init(uncheckedMass: mass, stiffness: stiffness, damping: damping)
    guard angularFrequency <= DampedSpring.largestRate, decayRate <= DampedSpring.largestRate else {
      throw PhysicsError(
        code: .outOfRange,
        message:
          "A spring of mass \(mass), stiffness \(stiffness) and damping \(damping) is faster than "
          + "\(DampedSpring.largestRate) per second. Give a larger mass.")
    }
  }

  /// Mass 1, stiffness 100, damping 20: critically damped at 10 radians per second.
  public static let standard = DampedSpring(uncheckedMass: 1, stiffness: 100, damping: 20)

  /// The undamped frequency sqrt(stiffness / mass), in radians per second.
  public var angularFrequency: Double { (stiffness / mass).squareRoot() }

  /// The decay rate damping / (2 mass), per second. "beta" in the formulas.
  package var decayRate: Double { damping / mass / 2 }

  /// The fastest frequency and decay that a spring may have, per second: far above any display, far
  /// below the overflow of its square.
  static let largestRate = 1e100

  private init(uncheckedMass mass: Double, stiffness: Double, damping: Double) {
    self.mass = mass
    self.stiffness = stiffness
    self.damping = damping
  }
}
