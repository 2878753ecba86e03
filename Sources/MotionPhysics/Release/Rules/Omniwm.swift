extension ReleaseRule.Kind {
  /// `releaseTarget` of OmniWM's `OverviewNativeTransition.swift`. p > 1 finishes and p < 0 cancels. Then
  /// v >= V finishes and v <= -V cancels. Otherwise p + 0.15 v >= T finishes, also at the tie. With a d,
  /// the projection of ``projection`` replaces 0.15 v. V is 0.5 per second, T 0.5.
  public static let omniwm = Self(.omniwm)
}

/// The seconds by which OmniWM projects: `inertia` of its `OverviewNativeTransition.swift`.
private let inertiaSeconds = 0.15

extension RuleDefinition {
  static let omniwm = RuleDefinition(
    name: "omniwm",
    usual: Numbers(
      threshold: 0.5, speed: Speed(threshold: 0.5, unit: .perSecond, isFast: Speed.reached),
      decelerationRate: .optional),
    velocity: .overTime, ownNumbers: [],
    answer: { rule, progress, velocity in
      if progress > 1 || progress < 0 { return .init(progress > 1, by: .progress) }
      if rule.isFast(velocity) { return .init(velocity >= rule.speedThreshold, by: .velocity) }
      let rest = progress + velocity * rule.omniSeconds
      return .init(rest >= rule.threshold, by: .projection, projected: rest)
    },
    progressBorders: { rule, velocity in [0, 1, rule.threshold - velocity * rule.omniSeconds] },
    velocityBorders: { rule, progress in
      [(rule.threshold - progress) / rule.omniSeconds] + bothWays(rule.speedThreshold)
    },
    thresholdBorder: { _, progress, _, projected in projected ?? progress })
}

extension ReleaseRule {
  fileprivate var omniSeconds: Double {
    decelerationRate == nil ? inertiaSeconds : secondsToRest
  }
}
