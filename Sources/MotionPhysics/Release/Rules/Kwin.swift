extension ReleaseRule.Kind {
  /// KWin's switch of desktops, for both directions: `gestureReleasedX` of `src/virtualdesktops.cpp`, and
  /// `SwipeGesture` of `src/gestures.h`. min(|p|, 1) >= T finishes. The velocity does not count. T is 0.25,
  /// D 200.
  public static let kwin = Self(.kwin)
}

extension RuleDefinition {
  static let kwin = RuleDefinition(
    name: "kwin", usual: Numbers(threshold: 0.25, distance: 200), velocity: .unused,
    ownNumbers: [], directions: .both,
    answer: { rule, progress, _ in .init(min(abs(progress), 1) >= rule.threshold, by: .progress) },
    progressBorders: { rule, _ in bothWays(rule.threshold) },
    velocityBorders: { _, _ in [] },
    thresholdBorder: { _, progress, _, _ in min(abs(progress), 1) })
}
