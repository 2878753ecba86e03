extension ReleaseRule.Kind {
  /// KWin's overview and desktop grid (`src/effect/effecttogglablestate.cpp`): min(p, 1) > T finishes, and the tie
  /// cancels. T is 0.5, D 200, and 500 from a screen's edge.
  public static let kwinOverview = Self(.kwinOverview)
}

extension RuleDefinition {
  static let kwinOverview = RuleDefinition(
    name: "kwin-overview", usual: Numbers(threshold: 0.5, distance: 200), velocity: .unused,
    ownNumbers: [],
    answer: { rule, progress, _ in .init(min(progress, 1) > rule.threshold, by: .progress) },
    progressBorders: { rule, _ in [rule.threshold, 1] },
    velocityBorders: { _, _ in [] },
    thresholdBorder: { _, progress, _, _ in min(progress, 1) })
}
