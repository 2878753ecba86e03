extension ReleaseRule.Kind {
  /// libadwaita's `adw-swipe-tracker.c`, with snap points at 0 and 1 and the start at 0. w = v D / 1000 is
  /// the speed in points per millisecond. If |w| < V, the nearer point decides: p > T finishes, and the tie
  /// cancels. Otherwise the target is p ± r(|w|), limited to 0 to 1. r(w) is w s with
  /// s = d / (1 - d) / 1000. Above 2 it is the parabola 0.35 (x² - c²) + 2 s with c = s / 0.7 and
  /// x = w - 2 + c. Forwards it finishes if the target is past the start. Backwards it finishes if the
  /// target is still > T. V is 0.3 (a finger), d 0.998, T 0.5.
  ///
  /// The source adds r, which it computes from points, to the progress without a division by D, and so does
  /// this rule. For touchpads GNOME Shell's `swipeTracker.js` has a V of 0.6, a d of 0.997 and a D of 400,
  /// or 300 vertically (`ReleaseRule.init(ofTouchpad:isVertical:)`).
  public static let gnome = Self(.gnome)
}

extension RuleDefinition {
  static let gnome = RuleDefinition(
    name: "gnome",
    usual: Numbers(
      threshold: 0.5,
      speed: Speed(threshold: 0.3, unit: .pointsPerMillisecond, isFast: Speed.reached),
      decelerationRate: .usual(0.998),
      touchpad: Touchpad(
        speedThreshold: 0.6, decelerationRate: 0.997, distance: 400, verticalDistance: 300)),
    velocity: .overTime, ownNumbers: [], preset: .gnome,
    answer: { rule, progress, velocity in
      guard rule.isFast(velocity) else { return .init(progress > rule.threshold, by: .progress) }
      let way = rule.gnomeDistance(atSpeed: rule.speed(of: velocity))
      let rest = min(max(velocity < 0 ? progress - way : progress + way, 0), 1)
      // The source takes positions closer than this for the same.
      return velocity > 0
        ? .init(rest >= .ulpOfOne, by: .velocity, projected: rest)
        : .init(rest > rule.threshold, by: .projection, projected: rest)
    },
    progressBorders: { rule, velocity in
      guard rule.isFast(velocity) else { return [rule.threshold] }
      let way = rule.gnomeDistance(atSpeed: rule.speed(of: velocity))
      return velocity > 0 ? [-way] : [rule.threshold + way, rule.threshold]
    },
    velocityBorders: { rule, progress in
      let projecting = [-progress, progress - rule.threshold].compactMap(rule.gnomeSpeed)
      return ([rule.speedThreshold] + projecting).flatMap {
        bothWays(rule.velocity(ofSpeed: $0))
      }
    },
    thresholdBorder: { _, progress, _, projected in projected ?? progress })
}

/// Above this speed, in points per millisecond, libadwaita's distance grows as a parabola:
/// `VELOCITY_CURVE_THRESHOLD` of `adw-swipe-tracker.c`.
private let curveSpeed = 2.0
/// How steep that parabola is: `DECELERATION_PARABOLA_MULTIPLIER` of `adw-swipe-tracker.c`.
private let steepness = 0.35

extension ReleaseRule {
  /// How far libadwaita goes on from a speed of 0 or more points per millisecond, in progress.
  fileprivate func gnomeDistance(atSpeed speed: Double) -> Double {
    let slope = secondsInSteps
    guard speed > curveSpeed else { return speed * slope }
    let c = slope / 2 / steepness
    let x = speed - curveSpeed + c
    return steepness * x * x - steepness * c * c + slope * curveSpeed
  }

  /// The speed, in points per millisecond, from which libadwaita goes on by a distance. Nil for a distance of 0 or less,
  /// and for one that no speed makes.
  fileprivate func gnomeSpeed(travel: Double) -> Double? {
    guard travel > 0 else { return nil }
    let slope = secondsInSteps
    if travel <= slope * curveSpeed { return travel / slope }
    let c = slope / 2 / steepness
    let speed = ((travel - slope * curveSpeed) / steepness + c * c).squareRoot() + curveSpeed - c
    return speed.isFinite ? speed : nil
  }
}
