package import TimelineModel

/// The distance of a value to its target at a release, and how it goes there.
package struct RestOfWay {
  /// Target minus value, in the value's unit. 0 where it is not a number, and where it counts as none.
  package let remaining: Double
  /// The velocity as a share of that. 0 at the target, else nil where the velocity is not known.
  package let relativeVelocity: Double?
  /// How the value goes on.
  package let motion: SettleMotion

  /// A way below this share of the value's range counts as none, and so does a velocity that would take a second
  /// for it. It is above what rounding leaves and below what anybody sees. Our own choice.
  package static let leastShare = 1e-9

  /// Tells the rest of a way.
  ///
  /// - Parameters:
  ///   - parameters: How it settles.
  ///   - value: The value at the release.
  ///   - target: Where it goes.
  ///   - velocity: Units per second. `nil`: not known, which settles as 0.
  ///   - samples: The values up to the release. Its range holds them, the value and the target.
  /// - Complexity: linear in the samples.
  package init(
    _ parameters: SettleParameters, from value: Double, to target: Double, velocity: Double?,
    samples: [Sample]
  ) {
    var (low, high) = (min(value, target), max(value, target))
    for sample in samples { (low, high) = (min(low, sample.value), max(high, sample.value)) }
    let least = clampedToFinite(RestOfWay.leastShare * (high - low))
    let isThere = abs(target - value) < least
    remaining = isThere || !(target - value).isFinite ? 0 : target - value
    relativeVelocity = MotionPhysics.relativeVelocity(ofKnown: velocity, remaining: remaining)
    let speed = velocity ?? 0
    motion = SettleMotion(
      parameters, from: isThere ? target : value, to: target,
      velocity: isThere && abs(speed) < least ? 0 : speed)
  }
}
