package import TimelineModel

extension ReleaseDecision {
  /// Asks a rule, and keeps what it says with all its margins: the same live and from a recording.
  ///
  /// Where somebody else decided otherwise the margins are those of the rule, negated. Velocities are in the unit in
  /// which the rule compares them: by reports where it is Hyprland's or Wayfire's, else per second.
  ///
  /// - Parameters:
  ///   - rule: The rule.
  ///   - transition: Number of the transition in its session.
  ///   - time: The instant of the lift, or of the step that asked for it.
  ///   - progress: The progress at the release.
  ///   - estimate: The progress's velocity.
  ///   - outcome: What was asked for. `nil` does what the rule says.
  ///   - decidedBy: Who decided.
  package init(
    by rule: ReleaseRule, transition: Int, time: Instant, progress: Double,
    estimate: VelocityEstimate, outcome: ReleaseOutcome?, decidedBy: DecisionSource
  ) {
    let ruleDecision = rule.decide(
      progress: progress, velocity: estimate.velocity, standardError: estimate.standardError)
    let isTheRules = outcome == nil || outcome == ruleDecision.outcome
    func signed(_ margin: Double?) -> Double? { margin.map { isTheRules ? $0 : 0 - $0 } }
    self.init(
      transition: transition, time: time, outcome: outcome ?? ruleDecision.outcome,
      decidedBy: decidedBy, rule: RuleName(rule.kind),
      ruleParameters: FieldValue.object(rule.fields).json, ruleOutcome: ruleDecision.outcome,
      threshold: rule.threshold, progress: progress, progressVelocity: estimate.velocity,
      progressStandardError: estimate.standardError,
      marginProgress: signed(ruleDecision.marginProgress),
      marginVelocity: signed(ruleDecision.marginVelocity),
      marginThreshold: signed(ruleDecision.marginThreshold),
      marginSigma: signed(ruleDecision.marginSigma),
      flipVelocity: ruleDecision.flipVelocity, flipProgress: ruleDecision.flipProgress,
      projectedProgress: ruleDecision.projectedProgress)
  }
}

extension RuleName {
  /// The name of a rule that this version knows.
  package init(_ kind: ReleaseRule.Kind) { self.init(kind.rawValue) }

  /// The kind of rule. `nil` for one that this version does not know.
  package var kind: ReleaseRule.Kind? { ReleaseRule.Kind(rawValue: description) }
}
