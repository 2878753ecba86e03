extension ReleaseRule.Kind {
  /// `_handleDragEnd` of Flutter's `widgets/dismissible.dart`. At every velocity, p >= 1 finishes and
  /// p <= 0 cancels. A fling has |v D| >= V and |v D| - |cross| >= 400 points per second, and its direction
  /// decides, also against the drag. But with T >= 1 a fling forwards cancels. Otherwise p > T finishes and
  /// the tie cancels. V is 700 points per second, T 0.4.
  public static let flutterDismissible = Self(.flutterDismissible)
}

/// By how much a fling must be faster along than across the drag, in points per second:
/// `_kMinFlingVelocityDelta` of Flutter's `dismissible.dart`.
private let crossLead = 400.0

extension RuleDefinition {
  static let flutterDismissible = RuleDefinition(
    name: "flutter-dismissible",
    usual: Numbers(
      threshold: 0.4,
      speed: Speed(threshold: 700, unit: .pointsPerSecond) { rule, _, speed in
        speed >= rule.speedThreshold && speed - abs(rule.crossVelocity) >= crossLead
      }),
    velocity: .overTime, ownNumbers: .crossVelocity,
    answer: { rule, progress, velocity in
      if progress >= 1 || progress <= 0 { return .init(progress >= 1, by: .progress) }
      guard rule.isFast(velocity) else { return .init(progress > rule.threshold, by: .progress) }
      if velocity > 0, rule.threshold >= 1 { return .init(false, by: .progress) }
      return .init(velocity > 0, by: .velocity)
    },
    progressBorders: { rule, _ in [0, 1, rule.threshold] },
    velocityBorders: { rule, _ in
      let fling = max(rule.speedThreshold, abs(rule.crossVelocity) + crossLead)
      return bothWays(rule.velocity(ofSpeed: fling))
    },
    // A fling forwards asks only whether the threshold lets anything finish.
    thresholdBorder: { rule, progress, velocity, _ in rule.isFast(velocity) ? 1 : progress })
}
