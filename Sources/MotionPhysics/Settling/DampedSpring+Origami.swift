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
