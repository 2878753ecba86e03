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
  _ question: VelocityQuestion
) -> [Field] {
  // What nobody had to estimate has no ruling of its own.
  let ruling =
    release.rulings.first { $0.estimator == motion.estimate.estimator } ?? release.rulings.first
  var fields = [
    Field("transition", FieldValue(release.transition)), Field("t_ns", FieldValue(release.time)),
  ]
  fields += subjectFields(motion.subject)
  fields += [Field("unit", unit(of: motion.subject)), Field("value", .number(motion.value))]
  fields += estimateFields(motion.estimate)
  fields += decisionFields(release.decision, ruling, question)
  fields += settleFields(motion, release.settle)
  if let ranking = motion.ranking { fields.append(Field("ranking", rankingValue(ranking))) }
  return fields
}

/// How the rest of the way goes.
func settleFields(_ motion: VelocityReport.Motion, _ settle: SettleParameters) -> [Field] {
  [
    Field("target", FieldValue(motion.target)), Field("remaining", FieldValue(motion.remaining)),
    Field("relativeVelocity", FieldValue(motion.relativeVelocity)),
    Field("settleTime_s", FieldValue(motion.settleTimeSeconds)),
    Field(
      "settleDefinition", motion.target == nil ? .null : .text(settle.definitionName)),
  ]
}

/// What moved; every subject has every field.
func subjectFields(_ subject: VelocityReport.Subject) -> [Field] {
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
    Field("key", key), Field("pointer", pointer), Field("axis", axis), Field("item", item),
    Field("attribute", attribute),
  ]
}

private func unit(of subject: VelocityReport.Subject) -> FieldValue {
  switch subject {
  case .key(let key): key.unit.isEmpty ? .null : .text("\(key.unit)/s")
  case .pointer: .text("device/s")
  case .item(_, let attribute):
    switch attribute {
    case "rotation": .text("rad/s")
    case "alpha", "scale.x", "scale.y": .text("1/s")
    default: .text("pt/s")
    }
  }
}

/// Everything that an estimate says.
func estimateFields(_ estimate: VelocityEstimate) -> [Field] {
  [
    Field("estimator", .text(estimate.estimator)),
    Field("velocity", FieldValue(estimate.velocity)), Field("low", FieldValue(estimate.low)),
    Field("high", FieldValue(estimate.high)), Field("samples", FieldValue(estimate.sampleCount)),
    Field("liftGap_ns", estimate.liftGapNanoseconds.map(FieldValue.integer) ?? .null),
    Field("standardError", FieldValue(estimate.standardError)),
    Field("leaveOneOutLow", FieldValue(estimate.leaveOneOutLow)),
    Field("leaveOneOutHigh", FieldValue(estimate.leaveOneOutHigh)),
    Field("confidence", FieldValue(estimate.confidence)),
    Field("clampedVelocity", FieldValue(estimate.clampedVelocity)),
    Field("chosen", FieldValue(estimate.chosen)),
    Field("leftOut", leftOutValue(estimate.leftOut)),
    Field("opposesDisplacement", .flag(estimate.opposesDisplacement)),
    Field("liftArtefact", .flag(estimate.liftArtefactSuspected)),
  ]
}

private func leftOutValue(_ counts: LeftOutSamples) -> FieldValue {
  .object(
    LeftOutSamples.Reason.allCases.map { Field($0.rawValue, FieldValue(counts[$0])) })
}

/// What was decided, what the rule says, and how far that is from the other outcome.
///
/// Where another rule is asked about, `decision` is what it says; `recordedDecision` always is what was
/// done, and `derived` says by what that is known where no decision was recorded.
func decisionFields(
  _ release: ReleaseRecord?, _ ruling: VelocityReport.Ruling?, _ question: VelocityQuestion
) -> [Field] {
  let isAsked = release == nil || !question.rule.isEmpty
  let outcome = isAsked ? ruling?.verdict.outcome : release?.outcome
  let verdict = ruling?.verdict
  // A margin is positive where the outcome stands.
  return [
    Field("decision", FieldValue(outcome?.rawValue)),
    Field("decidedBy", isAsked ? .null : FieldValue(release?.decidedBy)),
    Field("recordedDecision", FieldValue(release?.outcome.rawValue)),
    Field("derived", FieldValue(release?.derived?.rawValue)),
    Field("rule", FieldValue(ruling?.rule.kind.rawValue ?? release?.recorded?.rule)),
    Field("ruleDecision", FieldValue(verdict?.outcome.rawValue)),
  ] + verdictFields(verdict, isReversed: outcome != verdict?.outcome) + [
    Field("projectedProgress", FieldValue(verdict?.projectedProgress))
  ]
}

/// What a verdict came to; reversed, its margins are those of the other outcome.
func verdictFields(_ verdict: ReleaseRule.Verdict?, isReversed: Bool = false) -> [Field] {
  func margin(_ value: Double?) -> FieldValue { FieldValue(value.map { isReversed ? 0 - $0 : $0 }) }
  return [
    Field("criterion", FieldValue(verdict?.criterion.rawValue)),
    Field("margin", margin(verdict?.margin)),
    Field("marginProgress", margin(verdict?.marginProgress)),
    Field("marginVelocity", margin(verdict?.marginVelocity)),
    Field("marginThreshold", margin(verdict?.marginThreshold)),
    Field("marginSigma", margin(verdict?.marginSigma)),
    Field("flipProgress", FieldValue(verdict?.flipProgress)),
    Field("flipVelocity", FieldValue(verdict?.flipVelocity)),
  ]
}

extension ReleaseRule.Verdict {
  /// The margin of what decided: of the progress, of the velocity per second, or of the projected progress.
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
    Field("chosen", .text(ranking.chosen.name)), Field("isFallback", .flag(ranking.isFallback)),
    Field("note", .text(ranking.note)),
    Field("entries", .list(ranking.entries.map { .object(rankingFields($0)) })),
  ])
}

/// One candidate of a ranking.
func rankingFields(_ entry: EstimatorRanking.Entry) -> [Field] {
  [
    Field("name", .text(entry.name)), Field("estimator", .text(entry.estimator.rawValue)),
    Field("horizon_ns", .integer(entry.window.horizonNanoseconds)),
    Field("medianError", FieldValue(entry.medianError)), Field("score", .number(entry.score)),
    Field("places", FieldValue(entry.placeCount)),
  ]
}

/// The window's story: one row a sample at or before the lift.
func storyRows(_ motion: VelocityReport.Motion, lift: Instant) -> [[Field]] {
  var earlier: Sample?
  return motion.story.map { entry in
    let step = earlier.flatMap { before -> Double? in
      guard entry.sample.time > before.time else { return nil }
      return (entry.sample.value - before.value) / entry.sample.time.seconds(since: before.time)
    }
    earlier = entry.sample
    return [
      Field("estimator", .text(motion.estimate.estimator)),
      Field("lift_ns", FieldValue(lift)), Field("t_ns", FieldValue(entry.sample.time)),
      Field("age_ns", .integer(lift.nanoseconds(since: entry.sample.time))),
      Field("value", .number(entry.sample.value)), Field("step", FieldValue(step)),
      Field("used", .flag(entry.reason == nil)),
      Field("reason", FieldValue(entry.reason?.rawValue)),
      Field("weight", entry.reason == nil ? .number(entry.weight) : .null),
      Field("withoutIt", FieldValue(entry.leaveOneOut)),
    ]
  }
}
