import MotionPhysics
import TimelineModel
import TimelineQuery
import TimelineStore

/// The columns of a table for people are fewer than the fields of the other formats.
func velocityTableColumns(withItems: Bool, withClamp: Bool) -> [String] {
  (withItems ? ["key", "item", "attribute", "pointer", "axis"] : ["key", "pointer", "axis"]) + [
    "value", "velocity", "low", "high", "unit", "samples", "estimator", "remaining",
    "relativeVelocity", "settleTime_s",
  ] + (withClamp ? ["clampedVelocity"] : [])
}

/// One motion at one release: whose it is, the estimate, the decision, and how the rest goes.
func velocityFields(
  _ motion: VelocityReport.Motion, at release: VelocityReport.Release,
  _ question: VelocityQuestion, touches: TouchMap
) -> [EventField] {
  // What needed no estimate has no decision of its own.
  let estimatorDecision =
    release.estimatorDecisions.first { $0.estimator == motion.estimate.estimator }
    ?? release.estimatorDecisions.first
  var fields = [
    EventField("transition", FieldValue(release.transition)),
    EventField("t_ns", FieldValue(release.time)),
  ]
  fields += subjectFields(motion.subject)
  fields += [
    EventField("unit", unit(of: motion, touches: touches)),
    EventField("value", .number(motion.value)),
  ]
  fields += estimateFields(motion.estimate)
  fields += decisionFields(release.decision, estimatorDecision, question)
  fields += settleFields(motion, release.settle)
  fields.append(EventField("phases", .list(release.phases.map { .text($0.rawValue) })))
  if let ranking = motion.ranking { fields.append(EventField("ranking", rankingValue(ranking))) }
  return fields
}

/// How the rest of the way goes.
func settleFields(_ motion: VelocityReport.Motion, _ settle: SettleParameters) -> [EventField] {
  [
    EventField("target", FieldValue(motion.target)),
    EventField("remaining", FieldValue(motion.remaining)),
    EventField("relativeVelocity", FieldValue(motion.relativeVelocity)),
    EventField("settleTime_s", FieldValue(motion.settleTimeSeconds)),
    EventField(
      "settleDefinition", motion.target == nil ? .null : .text(settle.definitionName)),
  ]
}

/// What moved; every subject has every field.
func subjectFields(_ subject: VelocityReport.Subject) -> [EventField] {
  var key = FieldValue.null
  var pointer = FieldValue.null
  var axis = FieldValue.null
  var item = FieldValue.null
  var attribute = FieldValue.null
  switch subject {
  case .key(let record): key = .text(record.name)
  case .pointer(let contact, let name):
    pointer = FieldValue(contact)
    axis = .text(name)
  case .item(let record, let name):
    item = .text(record.identity.id)
    attribute = .text(name)
  }
  return [
    EventField("key", key), EventField("pointer", pointer), EventField("axis", axis),
    EventField("item", item),
    EventField("attribute", attribute),
  ]
}

private func unit(of motion: VelocityReport.Motion, touches: TouchMap) -> FieldValue {
  let unit =
    switch motion.subject {
    case .key(let key): key.unit
    case .pointer: touches.unit
    case .item(_, let attribute):
      switch attribute {
      case "rotation": "rad"
      case "alpha", "scale.x", "scale.y": "1"
      default: "pt"
      }
    }
  let estimator = Estimator(rawValue: motion.estimate.estimator) ?? .lsq2
  return unit.isEmpty ? .null : .text(estimator.velocityUnit(of: unit))
}

/// Everything that an estimate says.
func estimateFields(_ estimate: VelocityEstimate) -> [EventField] {
  [
    EventField("estimator", .text(estimate.estimator)),
    EventField("velocity", FieldValue(estimate.velocity)),
    EventField("low", FieldValue(estimate.low)),
    EventField("high", FieldValue(estimate.high)),
    EventField("samples", FieldValue(estimate.sampleCount)),
    EventField("liftGap_ns", estimate.liftGapNanoseconds.map(FieldValue.integer) ?? .null),
    EventField("standardError", FieldValue(estimate.standardError)),
    EventField("leaveOneOutLow", FieldValue(estimate.leaveOneOutLow)),
    EventField("leaveOneOutHigh", FieldValue(estimate.leaveOneOutHigh)),
    EventField("confidence", FieldValue(estimate.confidence)),
    EventField("clampedVelocity", FieldValue(estimate.clampedVelocity)),
    EventField("chosen", FieldValue(estimate.chosen)),
    EventField("leftOut", leftOutValue(estimate.leftOut)),
    EventField("opposesDisplacement", .flag(estimate.opposesDisplacement)),
    EventField("liftArtefact", .flag(estimate.liftArtefactSuspected)),
  ]
}

private func leftOutValue(_ counts: LeftOutSamples) -> FieldValue {
  .object(
    LeftOutSamples.Reason.allCases.map { EventField($0.rawValue, FieldValue(counts[$0])) })
}

/// What was decided, what the rule says, and how far that is from the other outcome.
///
/// `ruleProgress` and `ruleVelocity` are what the rule is asked about: a compositor's own, in its own unit. Where another
/// rule is asked about, `decision` is what it says; `recordedDecision` always is what was
/// done, and `derived` says by what that is known where no decision was recorded.
func decisionFields(
  _ release: ReleaseRecord?, _ estimatorDecision: VelocityReport.EstimatorDecision?,
  _ question: VelocityQuestion
) -> [EventField] {
  let isAsked = release == nil || !question.rule.isEmpty
  let outcome = isAsked ? estimatorDecision?.ruleDecision.outcome : release?.outcome
  let ruleDecision = estimatorDecision?.ruleDecision
  // A margin is positive where the outcome stands.
  return [
    EventField("decision", FieldValue(outcome?.rawValue)),
    EventField("decidedBy", isAsked ? .null : FieldValue(release?.decidedBy)),
    EventField("recordedDecision", FieldValue(release?.outcome.rawValue)),
    EventField("derived", FieldValue(release?.derived?.rawValue)),
    EventField(
      "rule", FieldValue(estimatorDecision?.rule.kind.rawValue ?? release?.recorded?.rule)),
    EventField(
      "threshold",
      FieldValue(estimatorDecision?.rule.threshold ?? release?.recorded?.threshold)),
    EventField("ruleDecision", FieldValue(ruleDecision?.outcome.rawValue)),
    EventField("ruleProgress", FieldValue(estimatorDecision?.progress)),
    EventField("ruleVelocity", FieldValue(estimatorDecision?.velocity)),
  ] + ruleDecisionFields(ruleDecision, isReversed: outcome != ruleDecision?.outcome) + [
    EventField("projectedProgress", FieldValue(ruleDecision?.projectedProgress))
  ]
}

/// What a verdict came to; reversed, its margins are those of the other outcome.
func ruleDecisionFields(_ ruleDecision: ReleaseRule.Decision?, isReversed: Bool = false)
  -> [EventField]
{
  func margin(_ value: Double?) -> FieldValue { FieldValue(value.map { isReversed ? 0 - $0 : $0 }) }
  return [
    EventField("criterion", FieldValue(ruleDecision?.criterion.rawValue)),
    EventField("margin", margin(ruleDecision?.margin)),
    EventField("marginProgress", margin(ruleDecision?.marginProgress)),
    EventField("marginVelocity", margin(ruleDecision?.marginVelocity)),
    EventField("marginThreshold", margin(ruleDecision?.marginThreshold)),
    EventField("marginSigma", margin(ruleDecision?.marginSigma)),
    EventField("flipProgress", FieldValue(ruleDecision?.flipProgress)),
    EventField("flipVelocity", FieldValue(ruleDecision?.flipVelocity)),
  ]
}

extension ReleaseRule.Decision {
  /// The margin of what decided: of the progress, of the velocity in the unit of the rule, or of the projected
  /// progress.
  var margin: Double? {
    switch criterion {
    case .progress: marginProgress
    case .velocity: marginVelocity
    case .projection: marginThreshold
    }
  }
}

/// How `auto` chose, as one value.
func rankingValue(_ ranking: EstimatorRanking) -> FieldValue {
  .object([
    EventField("chosen", .text(ranking.chosen.name)),
    EventField("isFallback", .flag(ranking.isFallback)),
    EventField("note", .text(ranking.note)),
    EventField("entries", .list(ranking.entries.map { .object(rankingFields($0)) })),
  ])
}

/// One candidate of a ranking.
func rankingFields(_ entry: EstimatorRanking.Entry) -> [EventField] {
  [
    EventField("name", .text(entry.name)), EventField("estimator", .text(entry.estimator.rawValue)),
    EventField("horizon_ns", .integer(entry.window.horizonNanoseconds)),
    EventField("medianError", FieldValue(entry.medianError)),
    EventField("score", .number(entry.score)),
    EventField("places", FieldValue(entry.heldOutCount)),
  ]
}

/// The window's story: one row a sample at or before the lift.
func storyRows(_ motion: VelocityReport.Motion, lift: Instant) -> [[EventField]] {
  var earlier: Sample?
  return motion.story.map { entry in
    let step = earlier.flatMap { before -> Double? in
      guard entry.sample.time > before.time else { return nil }
      return (entry.sample.value - before.value) / entry.sample.time.seconds(since: before.time)
    }
    earlier = entry.sample
    return [
      EventField("estimator", .text(motion.estimate.estimator)),
      EventField("lift_ns", FieldValue(lift)), EventField("t_ns", FieldValue(entry.sample.time)),
      EventField("age_ns", .integer(lift.nanoseconds(since: entry.sample.time))),
      EventField("value", .number(entry.sample.value)), EventField("step", FieldValue(step)),
      EventField("used", .flag(entry.reason == nil)),
      EventField("reason", FieldValue(entry.reason?.rawValue)),
      EventField("weight", entry.reason == nil ? .number(entry.weight) : .null),
      EventField("withoutIt", FieldValue(entry.leaveOneOut)),
    ]
  }
}
