extension ReleaseRule.Kind {
  /// Hyprland's `CUnifiedWorkspaceSwipeGesture::end` of `UnifiedWorkspaceSwipeGesture.cpp`, for both
  /// directions. |p| D < 2 cancels. Otherwise |p| >= T finishes, and so does s >= S, unless S is 0. s is
  /// the estimate of `step-mean` times D. It grows if the device makes fewer reports a second. T
  /// (`workspace_swipe_cancel_ratio`) is 0.5, S (`workspace_swipe_min_speed_to_force`) 30 points per
  /// report, D (`workspace_swipe_distance`) 300.
  public static let hyprland = Self(.hyprland)
}

/// Hyprland does nothing at a position nearer to the start than this, in points.
private let leastDistance = 2.0

extension RuleDefinition {
  static let hyprland = RuleDefinition(
    name: "hyprland",
    usual: Numbers(
      threshold: 0.5,
      speed: Speed(threshold: 30, unit: .pointsPerReport, isOffAtZero: true) { rule, _, speed in
        rule.speedThreshold != 0 && speed >= rule.speedThreshold
      }, distance: 300),
    velocity: .ofReports, ownNumbers: [], directions: .both, preset: .hyprland,
    account: { reports, points in
      HyprlandSwipe(reports, pointsPerUnit: points, travel: points).position / points
    },
    answer: { rule, progress, velocity in
      let position = abs(progress)
      guard position >= leastDistance / rule.points else { return .init(false, by: .progress) }
      if position >= rule.threshold { return .init(true, by: .progress) }
      return rule.isFast(velocity) ? .init(true, by: .velocity) : .init(false, by: .progress)
    },
    progressBorders: { rule, _ in bothWays(rule.threshold, leastDistance / rule.points) },
    velocityBorders: { rule, _ in bothWays(rule.velocity(ofSpeed: rule.speedThreshold)) },
    thresholdBorder: { _, progress, _, _ in abs(progress) })
}
