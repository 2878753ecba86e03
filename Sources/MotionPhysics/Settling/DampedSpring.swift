import KymographCLibrary

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

/// The two scales of Facebook's springs: Origami's tension and friction, which Rebound converts
/// (`OrigamiValueConverter`), and pop's bounciness and speed (`POPAnimationExtras`, also Rebound's
/// `BouncyConversion`). Both are for mass 1 and have no units.
extension DampedSpring {
  /// The spring with Origami's tension and friction: stiffness = 3.62 (tension - 30) + 194,
  /// damping = 3 (friction - 8) + 25.
  ///
  /// - Throws: values whose stiffness or damping would be negative, or that are not finite.
  public init(tension: Double, friction: Double) throws(PhysicsError) {
    try self.init(
      mass: 1, stiffness: (tension - Origami.tension) * Origami.tensionScale + Origami.stiffness,
      damping: (friction - Origami.friction) * Origami.frictionScale + Origami.damping)
  }

  /// The spring with pop's bounciness and speed. With B = bounciness/34 * 0.8, the tension is
  /// 0.5 + 199.5 speed/34, and the friction goes from that which does not bounce to 0.01 with
  /// 2B - B^2. Both are Origami's.
  ///
  /// - Parameters:
  ///   - bounciness: 0 to 20 in pop. Up to 42.5, where the friction is least.
  ///   - speed: 0 to 20 in pop.
  /// - Throws: values whose stiffness or damping would be negative, or that are not finite.
  public init(bounciness: Double, speed: Double) throws(PhysicsError) {
    let share = bounciness / Bounciness.range * Bounciness.mostShare
    let tension =
      Bounciness.leastTension
      + speed / Bounciness.range * (Bounciness.mostTension - Bounciness.leastTension)
    let mix = 2 * share - share * share
    try self.init(
      tension: tension,
      friction: mix * Bounciness.leastFriction + (1 - mix) * Bounciness.calmFriction(tension))
  }

  /// Origami's tension and friction of this spring, brought to mass 1. No units.
  package var origami: (tension: Double, friction: Double) {
    (
      (stiffness / mass - Origami.stiffness) / Origami.tensionScale + Origami.tension,
      (damping / mass - Origami.damping) / Origami.frictionScale + Origami.friction
    )
  }

  /// pop's bounciness and speed of this spring. No units. nil where no bounciness makes such a friction,
  /// because it is greater than that of the spring of this speed that does not bounce.
  package var bouncinessAndSpeed: (bounciness: Double, speed: Double)? {
    let (tension, friction) = origami
    let calm = Bounciness.calmFriction(tension)
    // 2B - B^2 = (calm - friction) / (calm - least), so 1 - B is the root of what is missing to 1.
    let rest = 1 - (calm - friction) / (calm - Bounciness.leastFriction)
    let rounding = Bounciness.rounding
    guard rest >= -rounding, rest <= 1 + rounding else { return nil }
    return (
      (1 - clampedToUnit(rest).squareRoot()) / Bounciness.mostShare * Bounciness.range,
      (tension - Bounciness.leastTension) / (Bounciness.mostTension - Bounciness.leastTension)
        * Bounciness.range
    )
  }
}

/// Where Origami's scale is fixed to physical values (Rebound, `OrigamiValueConverter`).
private enum Origami {
  static let tension = 30.0
  static let friction = 8.0
  static let stiffness = 194.0
  static let damping = 25.0
  static let tensionScale = 3.62
  static let frictionScale = 3.0
}

/// The constants of pop's `POPBouncy3` conversion.
private enum Bounciness {
  /// The range of both scales: 20 times the scale 1.7.
  static let range = 20 * 1.7
  static let mostShare = 0.8
  static let leastTension = 0.5
  static let mostTension = 200.0
  static let leastFriction = 0.01

  /// How far a share may leave 0 to 1 by rounding alone, as it does for a spring that just does not bounce.
  static let rounding = 1e-9

  /// The friction at which a spring of a tension just does not bounce, a cubic in three pieces
  /// (`b3_nobounce` of pop's POPMath).
  static func calmFriction(_ x: Double) -> Double {
    if x <= 18 { return 0.0007 * x * x * x - 0.031 * x * x + 0.64 * x + 1.28 }
    if x <= 44 { return 0.000044 * x * x * x - 0.006 * x * x + 0.36 * x + 2 }
    return 0.00000045 * x * x * x - 0.000332 * x * x + 0.1078 * x + 5.84
  }
}

extension DampedSpring {
  /// The spring of mass 1 with a damping ratio that settles from rest over the distance 1 after a stated
  /// time, as SwiftUI's `Spring(settlingDuration:dampingRatio:epsilon:)` means it, but so that asking back
  /// gives the time: SwiftUI solves another equation, and its spring for 0.5 s at 0.3 settles after 0.82 s.
  ///
  /// - Swinging: the b = zeta w0 with ln((b + 1) / epsilon) = b T, the `swiftui` definition. By halving.
  /// - Critical or creeping: the spring whose way left is epsilon at that time. The `swiftui`
  ///   definition then answers with the next tenth of a second.
  ///
  /// - Parameters:
  ///   - settlingDuration: Seconds above 0.
  ///   - dampingRatio: Above 0, no unit.
  ///   - epsilon: The distance left of 1 that counts as rest. Above 0 and below 1.
  /// - Throws: a number outside its range or not finite, or a time that no spring has.
  public init(
    settlingDuration: Double, dampingRatio: Double, epsilon: Double = settleEpsilon
  ) throws(PhysicsError) {
    guard settlingDuration > 0, settlingDuration.isFinite else {
      throw PhysicsError(
        code: .badTime,
        message: "The spring's time to rest must be seconds above 0 (got \(settlingDuration))."
      )
    }
    try DampedSpring.check(dampingRatio: dampingRatio)
    guard dampingRatio > 0 else {
      throw PhysicsError(
        code: .badDamping,
        message: "A spring with the damping ratio 0 never comes to rest. Give a ratio above 0.")
    }
    guard epsilon > 0, epsilon < 1 else {
      throw PhysicsError(
        code: .outOfRange,
        message:
          "The share that counts as rest must be a number above 0 and below 1 (got \(epsilon)).")
    }
    if dampingRatio < 1 {
      let decay = DampedSpring.decayRate(settlingAfter: settlingDuration, epsilon: epsilon)
      try self.init(angularFrequency: decay / dampingRatio, dampingRatio: dampingRatio)
    } else {
      let unit = try DampedSpring(angularFrequency: 1, dampingRatio: dampingRatio)
      let way = SpringPath(curve: SettleCurve(unit).cleared, offset: -1, velocity: 0)
      guard let time = way.lastEntry(below: epsilon) else {
        throw PhysicsError(
          code: .outOfRange,
          message:
            "A spring with the damping ratio \(dampingRatio) creeps for ever. Give a lower one.")
      }
      try self.init(angularFrequency: time / settlingDuration, dampingRatio: dampingRatio)
    }
  }

  /// The b above 0 with ln((b + 1) / epsilon) = b T. There is one: the difference b T - ln(b + 1) bends
  /// upwards and is below -ln(epsilon) at 0.
  private static func decayRate(settlingAfter time: Double, epsilon: Double) -> Double {
    let isEarly = { (decay: Double) in log((decay + 1) / epsilon) > decay * time }
    var (low, high) = (0.0, 1 / time)
    while isEarly(high), high < largestRate { (low, high) = (high, 2 * high) }
    return SpringPath.bisection(in: low, high, isEarly)
  }
}
