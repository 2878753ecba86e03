extension ReleaseRule.Kind {
  /// COSMIC's `end_workspace_swipe` of cosmic-comp's `src/shell/mod.rs`, with the constants of that file.
  /// `src/input/mod.rs` divides the velocity by the output's length. u is v D / W, and W is
  /// ``ReleaseRule/outputLength``. If |u| >= V, u > 0 finishes and any other u cancels. Otherwise p > T
  /// finishes, with p limited to 0 to 1, and the tie cancels. V is 0.02 outputs per second, T 0.5, D 150.
  public static let cosmic = Self(.cosmic)
}

extension RuleDefinition {
  static let cosmic = RuleDefinition(
    name: "cosmic",
    usual: Numbers(
      threshold: 0.5, speed: Speed(threshold: 0.02, unit: .outputsPerSecond, isFast: Speed.reached),
      distance: 150),
    velocity: .overTime, ownNumbers: .outputLength, preset: .cosmic, account: lastPosition,
    answer: { rule, progress, velocity in
      rule.isFast(velocity)
        ? .init(velocity > 0, by: .velocity)
        : .init(min(max(progress, 0), 1) > rule.threshold, by: .progress)
    },
    progressBorders: { rule, _ in [rule.threshold, 1] },
    velocityBorders: { rule, _ in bothWays(rule.velocity(ofSpeed: rule.speedThreshold)) },
    thresholdBorder: { _, progress, _, _ in min(max(progress, 0), 1) })
}

extension ReleaseRule {
  /// The output's length that the rule takes if none is known, in points.
  package static let defaultOutputLength = 1920.0

  /// Turns progress per second into outputs per second.
  var outputs: Double {
    guard let outputLength, outputLength.isFinite, outputLength > 0 else {
      return points / ReleaseRule.defaultOutputLength
    }
    return points / outputLength
  }
}
