import TimelineModel

/// A spring with a start and a target: what all systems of the dictionary are translated from and to.
package struct SpringMotion: Sendable, Hashable {
  package let spring: DampedSpring
  /// The value at the start, and where it goes.
  package let from: Double
  package let to: Double
  /// The velocity at the start, units per second.
  package let velocity: Double

  package init(_ spring: DampedSpring, from: Double, to: Double, velocity: Double) {
    (self.spring, self.from, self.to, self.velocity) = (spring, from, to, velocity)
  }

  /// Target minus start.
  var distance: Double { to - from }

  /// The velocity in distances per second, positive towards the target. 0 at the target.
  var relativeVelocity: Double { MotionPhysics.relativeVelocity(velocity, remaining: distance) }

  /// The same start on another spring.
  func on(_ other: DampedSpring) -> SpringMotion {
    SpringMotion(other, from: from, to: to, velocity: velocity)
  }

  /// The path as offsets from the target. A spring that misses critical damping by rounding alone is critical.
  var path: SpringPath {
    SpringPath(curve: SettleCurve(spring).cleared, offset: from - to, velocity: velocity)
  }

  /// The time by a definition of rest, in seconds. `nil` if it never comes.
  func seconds(by definition: SettleDefinition, _ tolerance: SettleTolerance = SettleTolerance())
    -> Double?
  {
    let motion = SettleMotion(
      SettleParameters(spring: spring), from: from, to: to, velocity: velocity)
    let time = motion.settlingTimeSeconds(by: definition, tolerance: tolerance)
    // Core Animation's word for never is the largest 32-bit float.
    return time.flatMap { $0 < 1e9 ? $0 : nil }
  }

  /// The first frame of 60 in a second, after that of the start, at which something holds. `nil` after 102.4 s.
  func firstFrame(_ holds: (_ offset: Double, _ velocity: Double) -> Bool) -> Double? {
    let path = path
    for frame in 1...Int(longestWalkSeconds * 60) {
      let time = Double(frame) / 60
      if holds(path.offset(atSeconds: time), path.velocity(atSeconds: time)) { return time }
    }
    return nil
  }

  /// The largest distance between two motions, as a share of the distance to the target. `nil` at the target.
  ///
  /// Both are looked at 2,000 times until they are within 0.1 % of the target.
  func largestDifference(to other: SpringMotion) -> Double? {
    guard distance != 0 else { return nil }
    let (mine, theirs) = (path, other.path)
    let small = abs(distance) / 1000
    guard let first = mine.lastEntry(below: small), let second = theirs.lastEntry(below: small)
    else { return nil }
    let end = max(first, second)
    var largest = 0.0
    for step in 0...2000 {
      let time = end * Double(step) / 2000
      largest = max(largest, abs(mine.offset(atSeconds: time) - theirs.offset(atSeconds: time)))
    }
    return largest / abs(distance)
  }
}
