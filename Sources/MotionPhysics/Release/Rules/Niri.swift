import TimelineModel

extension ReleaseRule.Kind {
  /// niri's switch of workspaces finishes if p - v / (1000 ln d) >= T. It is `projected_end_pos` of
  /// `src/input/swipe_tracker.rs`. The gesture's end in `src/layout/monitor.rs` rounds to the nearest
  /// workspace. d is 0.997, T 0.5, D 300.
  public static let niri = Self(.niri)
}

extension RuleDefinition {
  static let niri = RuleDefinition(
    name: "niri",
    usual: Numbers(threshold: 0.5, decelerationRate: .usual(0.997), distance: 300),
    velocity: .overTime, ownNumbers: [], preset: .niri, account: lastPosition,
    answer: { rule, progress, velocity in
      let rest = progress + velocity * rule.secondsToRest
      return .init(rest >= rule.threshold, by: .projection, projected: rest)
    },
    progressBorders: { rule, velocity in [rule.threshold - velocity * rule.secondsToRest] },
    velocityBorders: { rule, progress in [(rule.threshold - progress) / rule.secondsToRest] },
    thresholdBorder: { _, progress, _, projected in projected ?? progress })

  /// The position of the newest of the reports that count, which is not the last one if that came too early.
  static let lastPosition: SwipeAccount = { reports, _ in reports[reports.count - 1].value }
}
