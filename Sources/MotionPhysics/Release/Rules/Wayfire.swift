extension ReleaseRule.Kind {
  /// Wayfire's `vswipe_finish_target` of `vswipe-processing.hpp` and `vswipe.cpp`. p > T finishes, and so
  /// does q > F if p > 0. q is the estimate of `last-two` times D, and depends on the device's report rate
  /// as Hyprland's s does. T (`threshold`) is 0.35, F (`delta_threshold`) 24 points per two reports, D 256.
  public static let wayfire = Self(.wayfire)
}

extension RuleDefinition {
  static let wayfire = RuleDefinition(
    name: "wayfire",
    usual: Numbers(
      threshold: 0.35,
      speed: Speed(threshold: 24, unit: .pointsPerTwoReports) { rule, velocity, speed in
        velocity > 0 && speed > rule.speedThreshold
      }, distance: 256),
    velocity: .ofReports, ownNumbers: [], preset: .wayfire,
    account: { reports, points in WayfireSwipe(reports, pointsPerUnit: points).progress },
    answer: { rule, progress, velocity in
      if progress > rule.threshold { return .init(true, by: .progress) }
      let isForced = progress > 0 && rule.isFast(velocity)
      return isForced ? .init(true, by: .velocity) : .init(false, by: .progress)
    },
    progressBorders: { rule, _ in [0, rule.threshold] },
    velocityBorders: { rule, _ in bothWays(rule.velocity(ofSpeed: rule.speedThreshold)) },
    thresholdBorder: { _, progress, _, _ in progress })
}
