extension ReleaseRule.Kind {
  /// `computeTarget` of Jetpack Compose's `AnchoredDraggable.kt`, with anchors at 0 and 1 and p limited to
  /// the range between them. v = 0 takes the nearer anchor, and p = 0.5 finishes. If |v D| >= V, the
  /// direction decides, except on an anchor: p = 0 cancels, and p = 1 finishes. A slow v > 0 finishes if
  /// p >= T. A slow v < 0 cancels if 1 - p >= T. V is 125 points per second, T 0.5.
  public static let compose = Self(.compose)
}

extension RuleDefinition {
  static let compose = RuleDefinition(
    name: "compose",
    usual: Numbers(
      threshold: 0.5, speed: Speed(threshold: 125, unit: .pointsPerSecond, isFast: Speed.reached)),
    velocity: .overTime, ownNumbers: [],
    progressBorder: { rule, velocity in
      velocity == 0 ? 0.5 : velocity < 0 ? 1 - rule.threshold : rule.threshold
    },
    answer: { rule, progress, velocity in
      let position = min(max(progress, 0), 1)
      if velocity == 0 { return .init(position >= 0.5, by: .progress) }
      if rule.isFast(velocity) {
        return .init(velocity > 0 ? position > 0 : position >= 1, by: .velocity)
      }
      if position == 0 || position == 1 { return .init(position == 1, by: .progress) }
      return .init(
        velocity > 0 ? position >= rule.threshold : !(1 - position >= rule.threshold),
        by: .progress)
    },
    progressBorders: { rule, _ in [0, 0.5, 1, rule.threshold, 1 - rule.threshold] },
    velocityBorders: { rule, _ in [0] + bothWays(rule.velocity(ofSpeed: rule.speedThreshold)) },
    thresholdBorder: { _, progress, velocity, _ in
      let position = min(max(progress, 0), 1)
      return velocity < 0 ? 1 - position : position
    })
}
