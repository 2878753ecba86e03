import TimelineModel

extension ReleaseRule.Kind {
  /// Finishes if p > T, and cancels at p = T. The velocity does not count. T is 0.5.
  public static let progress = Self(.progress)
}

extension RuleDefinition {
  static let progress = RuleDefinition(
    name: "progress", usual: Numbers(threshold: 0.5), velocity: .unused, ownNumbers: [],
    swift: { rule, _ in ["progress > \(FieldValue.jsonNumber(rule.threshold))"] },
    answer: { rule, progress, _ in .init(progress > rule.threshold, by: .progress) },
    progressBorders: { rule, _ in [rule.threshold] },
    velocityBorders: { _, _ in [] },
    thresholdBorder: { _, progress, _, _ in progress })
}
