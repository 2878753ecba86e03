import TimelineModel

extension ReleaseRule.Kind {
  /// If |v| > V, the sign of v decides. Otherwise p > T finishes. At the tie |v| = V the progress decides, and at the tie
  /// p = T it cancels. V is 0.5 per second, T 0.5.
  public static let velocity = Self(.velocity)
}

extension RuleDefinition {
  static let velocity = RuleDefinition(
    name: "velocity",
    usual: Numbers(
      threshold: 0.5,
      speed: Speed(threshold: 0.5, unit: .perSecond) { rule, _, speed in
        speed > rule.speedThreshold
      }),
    velocity: .overTime, ownNumbers: [],
    swift: { rule, velocity in
      let speed = FieldValue.jsonNumber(rule.speedThreshold)
      return [
        "if abs(\(velocity)) > \(speed) { return \(velocity) > 0 }",
        "return progress > \(FieldValue.jsonNumber(rule.threshold))",
      ]
    },
    answer: { rule, progress, velocity in
      rule.isFast(velocity)
        ? .init(velocity > 0, by: .velocity) : .init(progress > rule.threshold, by: .progress)
    },
    progressBorders: { rule, _ in [rule.threshold] },
    velocityBorders: { rule, _ in bothWays(rule.speedThreshold) },
    thresholdBorder: { _, progress, _, _ in progress })
}
