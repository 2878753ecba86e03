import KymographCLibrary

extension ReleaseRule {
  /// The threshold of the speed, in the kind's unit.
  var speedThreshold: Double { velocityThreshold ?? kind.defaultVelocityThreshold ?? 0 }

  /// Points that progress 1 stands for: the kind's own, or else 1, where nobody knows, or where the number makes no
  /// sense.
  package var points: Double {
    guard let distance, distance.isFinite, distance > 0 else { return kind.defaultDistance ?? 1 }
    return distance
  }

  /// Turns progress per second into outputs per second.
  var outputs: Double {
    guard let outputLength, outputLength.isFinite, outputLength > 0 else {
      return points / ReleaseRule.defaultOutputLength
    }
    return points / outputLength
  }

  /// By how many seconds of its velocity the progress goes on before it rests: -1 / (1000 ln d), or
  /// d / (1 - d) / 1000 in steps of a millisecond; 0 for a rate at which nothing comes to rest.
  var projectionSeconds: Double {
    guard let rate = decelerationRate else {
      return kind == .omniwm ? ReleaseRule.omniInertiaSeconds : 0
    }
    guard rate > 0, rate < 1 else { return 0 }
    return kind == .projectionDiscrete ? rate / (1 - rate) / 1000 : -1 / (1000 * log(rate))
  }

  /// Above this speed, in points per millisecond, libadwaita's way grows as a parabola:
  /// `VELOCITY_CURVE_THRESHOLD` of `adw-swipe-tracker.c`.
  private static let gnomeCurveSpeed = 2.0
  /// How steep that parabola is: `DECELERATION_PARABOLA_MULTIPLIER` of `adw-swipe-tracker.c`.
  private static let gnomeParabola = 0.35

  /// The slope of libadwaita's way over the speed, d / (1 - d) / 1000.
  private var gnomeSlope: Double {
    guard let rate = decelerationRate, rate > 0, rate < 1 else { return 0 }
    return rate / (1 - rate) / 1000
  }

  /// How far libadwaita goes on from a speed of 0 or more points per millisecond, in progress.
  func gnomeProjectedDistance(_ speed: Double) -> Double {
    let slope = gnomeSlope
    let start = ReleaseRule.gnomeCurveSpeed
    guard speed > start else { return speed * slope }
    let steepness = ReleaseRule.gnomeParabola
    let c = slope / 2 / steepness
    let x = speed - start + c
    return steepness * x * x - steepness * c * c + slope * start
  }

  /// The speed, in points per millisecond, from which libadwaita goes on for a way; nil for a way of 0
  /// or less, and for one that no speed makes.
  func gnomeSpeed(travel: Double) -> Double? {
    guard travel > 0 else { return nil }
    let slope = gnomeSlope
    let start = ReleaseRule.gnomeCurveSpeed
    if travel <= slope * start { return travel / slope }
    let steepness = ReleaseRule.gnomeParabola
    let c = slope / 2 / steepness
    let speed = ((travel - slope * start) / steepness + c * c).squareRoot() + start - c
    return speed.isFinite ? speed : nil
  }
}
