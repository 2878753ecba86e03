import KymographCLibrary

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
  ///   - epsilon: The distance left of 1 that counts as settled. Above 0 and below 1.
  /// - Throws: a number outside its range or not finite, or a time that no spring has.
  public init(
    settlingDuration: Double, dampingRatio: Double, epsilon: Double = settleEpsilon
  ) throws(PhysicsError) {
    guard settlingDuration > 0, settlingDuration.isFinite else {
      throw PhysicsError(
        code: .badTime,
        message: "The spring's settling duration must be seconds above 0 (got \(settlingDuration))."
      )
    }
    try DampedSpring.check(dampingRatio: dampingRatio)
    guard dampingRatio > 0 else {
      throw PhysicsError(
        code: .badDamping,
        message: "A spring with the damping ratio 0 never settles. Give a ratio above 0.")
    }
    guard epsilon > 0, epsilon < 1 else {
      throw PhysicsError(
        code: .outOfRange,
        message:
          "The share that counts as settled must be a number above 0 and below 1 (got \(epsilon)).")
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
