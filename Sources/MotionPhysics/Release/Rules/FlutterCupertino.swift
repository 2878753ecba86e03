extension ReleaseRule.Kind {
  /// `dragEnd` of Flutter's `cupertino/route.dart`, whose pages are one progress wide. If |v| >= V, v > 0
  /// finishes and any other v cancels. Otherwise p >= T finishes, because the source keeps the page only if
  /// 1 - p > 0.5. V is 1 per second, T 0.5.
  public static let flutterCupertino = Self(.flutterCupertino)
}

extension RuleDefinition {
  static let flutterCupertino = RuleDefinition(
    name: "flutter-cupertino",
    usual: Numbers(
      threshold: 0.5, speed: Speed(threshold: 1, unit: .perSecond, isFast: Speed.reached)),
    velocity: .overTime, ownNumbers: [],
    answer: { rule, progress, velocity in
      rule.isFast(velocity)
        ? .init(velocity > 0, by: .velocity) : .init(progress >= rule.threshold, by: .progress)
    },
    progressBorders: { rule, _ in [rule.threshold] },
    velocityBorders: { rule, _ in bothWays(rule.speedThreshold) },
    thresholdBorder: { _, progress, _, _ in progress })
}
