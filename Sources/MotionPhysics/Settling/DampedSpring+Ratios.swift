/// Springs by how they look instead of by mass, stiffness and damping, and back. With the frequency
/// w0 = sqrt(stiffness / mass) and the damping ratio zeta = damping / (2 sqrt(stiffness mass)):
///
/// - response = 2 pi / w0, the time of one swing without damping, in seconds;
/// - duration and bounce (SwiftUI's `Spring(duration:bounce:)`): duration is the response; zeta is
///   1 - bounce for a bounce of 0 to 1 and 1 / (1 + bounce) for one between -1 and 0;
/// - visual duration (motion): a spring looks settled after 1/1.2 of its response.
extension DampedSpring {
  /// The spring with a damping ratio and a stiffness: damping = 2 zeta sqrt(stiffness mass).
  ///
  /// - Parameters:
  ///   - dampingRatio: 0 or more, no unit: below 1 swings, 1 is critical, above 1 creeps.
  ///   - stiffness: 0 or more.
  ///   - mass: Above 0.
  /// - Throws: a number outside its range or not finite.
  public init(
    dampingRatio: Double, stiffness: Double, mass: Double = 1
  ) throws(PhysicsError) {
    try DampedSpring.check(dampingRatio: dampingRatio)
    let undamped = try DampedSpring(mass: mass, stiffness: stiffness, damping: 0)
    try self.init(
      mass: mass, stiffness: stiffness,
      damping: 2 * dampingRatio * undamped.angularFrequency * mass)
  }

  /// The spring with a response and a damping ratio (SwiftUI's `Spring(response:dampingRatio:)`):
  /// stiffness = mass (2 pi / response)^2.
  ///
  /// - Parameters:
  ///   - response: The time of one swing without damping, in seconds. Above 0.
  ///   - dampingRatio: 0 or more, no unit.
  ///   - mass: Above 0. It changes nothing of the motion.
  /// - Throws: a number outside its range or not finite, or a response too short for a number.
  public init(
    response: Double, dampingRatio: Double, mass: Double = 1
  ) throws(PhysicsError) {
    guard response > 0, response.isFinite else {
      throw PhysicsError(
        code: .badTime, message: "The spring's response must be seconds above 0 (got \(response)).")
    }
    try DampedSpring.check(dampingRatio: dampingRatio)
    try self.init(
      angularFrequency: 2 * .pi / response, dampingRatio: dampingRatio, mass: mass)
  }

  /// The spring with a duration and a bounce, as SwiftUI's `Spring(duration:bounce:)` of mass 1.
  ///
  /// - Parameters:
  ///   - duration: The response, in seconds. Above 0. It is about the time after which the spring
  ///     looks at rest, not its time to rest.
  ///   - bounce: Above -1, no unit: 0 is critical, 1 swings for ever (and so does any bounce above 1,
  ///     as in SwiftUI), below 0 creeps.
  /// - Throws: a duration of 0 or less, a bounce of -1 or less, or a number that is not finite.
  public init(duration: Double, bounce: Double) throws(PhysicsError) {
    guard duration > 0, duration.isFinite else {
      throw PhysicsError(
        code: .badTime, message: "The spring's duration must be seconds above 0 (got \(duration)).")
    }
    try self.init(response: duration, dampingRatio: DampedSpring.dampingRatio(bounce: bounce))
  }

  /// The spring with a visual duration and a bounce, as motion's spring options have them: the
  /// response is 1.2 times the visual duration.
  ///
  /// motion itself ignores a visual duration that comes without a bounce. Here the bounce is 0 then.
  /// It also keeps the damping ratio within 0.05 and 1. Here it is as given.
  ///
  /// - Parameters:
  ///   - visualDuration: When the value seems to have arrived, in seconds. Above 0.
  ///   - bounce: As in ``init(duration:bounce:)``.
  /// - Throws: as ``init(duration:bounce:)``.
  public init(visualDuration: Double, bounce: Double = 0) throws(PhysicsError) {
    try self.init(duration: visualDuration * DampedSpring.responseOfVisualDuration, bounce: bounce)
  }

  /// The decay rate as a share of the frequency: below 1 swings, 1 is critical, above 1 creeps. No
  /// unit. `nil` without stiffness.
  public var dampingRatio: Double? {
    guard stiffness > 0 else { return nil }
    let ratio = decayRate / angularFrequency
    return ratio.isFinite ? ratio : nil
  }

  /// The time of one swing without damping, 2 pi / w0, in seconds. `nil` without stiffness.
  public var response: Double? {
    guard stiffness > 0 else { return nil }
    let response = 2 * Double.pi / angularFrequency
    return response.isFinite ? response : nil
  }

  /// SwiftUI's name for the ``response``, in seconds.
  public var duration: Double? { response }

  /// The time after which motion calls the spring visually at rest, in seconds. `nil` without stiffness.
  public var visualDuration: Double? { response.map { $0 / DampedSpring.responseOfVisualDuration } }

  /// How bouncy the spring is, in SwiftUI's measure: 1 - zeta where it swings, 1 / zeta - 1 where it
  /// creeps. No unit. nil without stiffness.
  public var bounce: Double? {
    dampingRatio.map { $0 <= 1 ? 1 - $0 : 1 / $0 - 1 }
  }

  /// The spring that CASpringAnimation and SwiftUI run in place of this one unless overdamping is allowed: a
  /// spring that creeps becomes critical. Any other, and one without stiffness, stays as it is.
  package var withoutOverdamping: DampedSpring {
    guard stiffness > 0, decayRate > angularFrequency else { return self }
    let critical = try? DampedSpring(
      mass: mass, stiffness: stiffness, damping: 2 * angularFrequency * mass)
    return critical ?? self
  }

  /// The damping ratio of a bounce.
  ///
  /// - Throws: a bounce of -1 or less, or one that is not finite.
  static func dampingRatio(bounce: Double) throws(PhysicsError) -> Double {
    guard bounce > -1, bounce.isFinite else {
      throw PhysicsError(
        code: .badDamping,
        message:
          "The spring's bounce must be a number above -1, where 0 does not bounce (got \(bounce))."
      )
    }
    return bounce >= 0 ? max(0, 1 - bounce) : 1 / (1 + bounce)
  }

  /// The spring with a frequency w0, in radians per second.
  init(
    angularFrequency: Double, dampingRatio: Double, mass: Double = 1
  ) throws(PhysicsError) {
    guard angularFrequency <= DampedSpring.largestRate,
      dampingRatio * angularFrequency <= DampedSpring.largestRate
    else {
      throw PhysicsError(
        code: .outOfRange,
        message: "A spring of \(angularFrequency) radians per second is faster than "
          + "\(DampedSpring.largestRate) per second. Give a longer time.")
    }
    try self.init(
      mass: mass, stiffness: mass * angularFrequency * angularFrequency,
      damping: 2 * dampingRatio * angularFrequency * mass)
  }

  static func check(dampingRatio: Double) throws(PhysicsError) {
    guard dampingRatio >= 0, dampingRatio.isFinite else {
      throw PhysicsError(
        code: .badDamping,
        message: "The spring's damping ratio must be a number of 0 or more (got \(dampingRatio)).")
    }
  }

  /// How many responses long a visual duration of 1 is (motion's spring generator).
  private static let responseOfVisualDuration = 1.2
}
