import KymographCLibrary
import TimelineModel

/// Springs that systems look for by a duration, each with its own equation.
extension DampedSpring {
  /// The spring that Motion, and Popmotion before it, find for a duration and a bounce (`findSpring` of motion's spring
  /// generator): ζ = 1 - bounce within 0.05 and 1, and the frequency at which an envelope is 0.001 after the duration.
  ///
  /// Newton's eleven steps from 5 / duration are Motion's too, because it takes what they leave.
  ///
  /// - Parameters:
  ///   - duration: Seconds. Held within 0.01 and 10.
  ///   - bounce: No unit.
  package init(motionDuration duration: Double, bounce: Double) throws(PhysicsError) {
    let ratio = min(max(1 - bounce, 0.05), 1)
    let time = min(max(duration, 0.01), 10)
    let root = (1 - ratio * ratio).squareRoot()
    var frequency = 5 / time
    for _ in 0..<11 {
      let (height, slope): (Double, Double)
      if ratio < 1 {
        let left = exp(-ratio * frequency * time)
        (height, slope) = (0.001 - ratio / root * left, ratio * ratio * time * left / root)
      } else {
        let left = exp(-frequency * time)
        (height, slope) = (
          left * (frequency * time + 1) - 0.001, -frequency * time * time * left
        )
      }
      frequency -= height / slope
    }
    guard frequency.isFinite, frequency > 0 else {
      throw PhysicsError(
        code: .badTime, message: "Motion finds no spring for \(duration) s and bounce \(bounce).")
    }
    try self.init(angularFrequency: frequency, dampingRatio: ratio)
  }

  /// The spring that Reanimated 4 finds for a duration and a damping ratio (`calculateNewStiffnessToMatchDuration`): the
  /// energy is the threshold's share of the first one after 1.5 durations, on a critical spring of the frequency ζ w0.
  ///
  /// Its halving from 0 to a stiffness of 8000 ends within a thousandth of the threshold. So does this one, with the same
  /// middles.
  ///
  /// - Parameters:
  ///   - duration: Seconds above 0.
  ///   - dampingRatio: Above 0. Reanimated runs one above 1 as critical.
  ///   - way: The offset at the start and the velocity, units per second.
  package init(
    reanimatedDuration duration: Double, dampingRatio: Double, mass: Double, threshold: Double,
    offset: Double, velocity: Double
  ) throws(PhysicsError) {
    let time = duration * 1.5
    func excess(_ stiffness: Double) -> Double {
      let rate = (stiffness / mass).squareRoot() * dampingRatio
      let left = exp(-rate * time)
      let drift = velocity + offset * rate
      let position = (offset + drift * time) * left
      let speed = -rate * position + drift * left
      func energy(_ x: Double, _ v: Double) -> Double { (stiffness * x * x + mass * v * v) / 2 }
      return energy(position, speed) / energy(offset, velocity) - threshold
    }
    var (low, high) = (Double.ulpOfOne, 8e3)
    let direction: Double = excess(high) >= excess(low) ? 1 : -1
    var middle = (low + high) / 2
    for _ in 0..<100 where abs(excess(middle)) > threshold * 1e-3 {
      if excess(middle) * direction < 0 { low = middle } else { high = middle }
      middle = (low + high) / 2
    }
    try self.init(dampingRatio: dampingRatio, stiffness: middle, mass: mass)
  }

  /// The spring of mass 1 that Core Animation would call settled after a duration, for UIKit's duration and damping ratio.
  ///
  /// Apple does not publish UIKit's equation, so this is a guess at it: ln((1 + |β - r| / wd) / 0.001) / β up to critical
  /// damping, and the last time at which 0.001 of the distance is left from there on. By halving.
  ///
  /// - Parameters:
  ///   - relativeVelocity: Distances per second, positive towards the target.
  package init(
    uikitDuration duration: Double, dampingRatio: Double, relativeVelocity: Double
  ) throws(PhysicsError) {
    guard duration > 0, duration.isFinite, dampingRatio > 0 else {
      throw PhysicsError(
        code: .badTime,
        message:
          "UIKit's duration and damping ratio must be numbers above 0, not \(duration) and \(dampingRatio)."
      )
    }
    func isLate(_ frequency: Double) -> Bool {
      let decay = frequency * min(dampingRatio, 1)
      if dampingRatio < 1 {
        let swing = frequency * (1 - dampingRatio * dampingRatio).squareRoot()
        return log((1 + abs(decay - relativeVelocity) / swing) / settleEpsilon) / decay > duration
      }
      let path = SpringPath(
        curve: .critical(frequency: frequency, stopsAtTarget: false), offset: -1,
        velocity: relativeVelocity)
      return (path.lastEntry(below: settleEpsilon) ?? 0) > duration
    }
    var (low, high) = (0.0, 1 / duration)
    while isLate(high), high < DampedSpring.largestRate { (low, high) = (high, 2 * high) }
    let frequency = SpringPath.bisection(in: low, high, isLate)
    try self.init(angularFrequency: frequency, dampingRatio: min(dampingRatio, 1))
  }
}
