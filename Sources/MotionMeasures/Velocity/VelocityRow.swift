package import MotionPhysics
package import TimelineModel
package import TimelineSession
package import TimelineStore

/// One motion at one release: what moved, the estimate, the decision, and how the settle goes.
package struct VelocityRow: ResultRow {
  package let motion: VelocityReport.Motion
  /// What the rule says by the motion's estimator.
  package let answer: ReleaseRule.Decision?
  /// How the motion settles.
  let settle: SettleParameters
  /// The unit of the velocity. `nil` without one.
  let unit: String?
  /// The release or the moment. `nil` for samples that are in no recording.
  var moment: VelocityReport.Release?
  /// Whether the row is about another rule than the recorded one.
  var isAsked = true
  /// Whether the samples are a table's, which has no contact.
  var isOfTable = false
  /// Whether a rule was asked about samples that are in no recording. It decides in one row of a swipe.
  var isRuled = true

  package init(
    _ motion: VelocityReport.Motion, at release: VelocityReport.Release,
    _ question: VelocityQuestion, _ touches: TouchMap
  ) {
    // A motion that needed no estimate has no decision of its own.
    answer =
      release.decisions.first { $0.estimator == motion.estimate.estimator.estimator }
      ?? release.decisions.first
    (self.motion, settle, moment) = (motion, release.settle, release)
    isAsked = release.decision == nil || question.asksRule
    let estimator = motion.estimate.estimator.estimator ?? .lsq2
    let unit = motion.subject.unit(touches)
    self.unit = unit.isEmpty ? nil : estimator.definition.measure.unit(of: unit)
  }

  /// The row of samples that are in no recording.
  package init(
    _ motion: VelocityReport.Motion, _ answer: ReleaseRule.Decision?,
    by estimator: Estimator, settle: SettleParameters, isOfTable: Bool, isRuled: Bool
  ) {
    (self.motion, self.answer, self.settle) = (motion, answer, settle)
    (unit, self.isOfTable, self.isRuled) = (
      estimator.definition.measure.unit(of: ""), isOfTable, isRuled
    )
  }

  private var decision: ReleaseRecord? { moment?.decision }
  private var outcome: ReleaseOutcome? { isAsked ? answer?.outcome : decision?.outcome }
  private var fingers: Int? {
    if case .swipe(let fingers, _) = motion.subject { fingers } else { nil }
  }
  private var isRanked: Bool { motion.ranking != nil }
  private var hasContact: Bool { !isOfTable }
  private var decidedBy: DecisionSource? { isAsked ? nil : decision?.decidedBy }
  private var phaseNames: [String] { (moment?.phases ?? []).map(\.rawValue) }
  private var settleDefinition: String? { motion.target == nil ? nil : settle.definitionName }
  /// What the rule says, its margins positive for the outcome of the row.
  private var signedDecision: ReleaseRule.Decision? {
    answer.map { decision in outcome.map(decision.signed) ?? decision.withNegatedMargins }
  }

  package static let fields: [ResultField<VelocityRow>] =
    [transition, time] + subject + [velocityUnit, value] + estimate + decided + settled
    + [phases, ranking]

  /// The fields of samples that are in no recording. A decision only if a rule was asked.
  package static let sampleFields: [ResultField<VelocityRow>] =
    whose + [velocityUnit] + estimate + decided.when(\.isRuled) + settled.when(\.isRuled)
    + [ranking]

  private static let transition = ResultField<VelocityRow>(
    "transition", "The transition's number, counted from 0.", \.moment?.transition)
  private static let time = ResultField<VelocityRow>(
    "t_ns", "The instant of the release or --at, or of an explained sample.", \.moment?.time)
  private static let value = ResultField<VelocityRow>(
    "value", "The last value before the release, or of an explained sample.", \.motion.value)
  private static let phases = ResultField<VelocityRow>(
    "phases", "The phases of the samples in the window.", \.phaseNames)
  private static let subject: [ResultField<VelocityRow>] =
    VelocityReport.Subject.fields.of(\.motion.subject)
  /// The axis of samples that are in no recording, and their contact if they have one.
  package static let whose: [ResultField<VelocityRow>] = subject.compactMap { field in
    field.name == "axis" ? field : field.name == "pointer" ? field.when(\.hasContact) : nil
  }
  private static let estimate: [ResultField<VelocityRow>] =
    VelocityEstimate.fields.of(\.motion.estimate)
  private static let velocityUnit = ResultField<VelocityRow>("unit", "The velocity's unit.", \.unit)
  private static let ranking = ResultField<VelocityRow>(
    "ranking", "The ranking from which auto chose.", EstimatorRanking.fields, \.motion.ranking
  ).when(\.isRanked)

  /// What was decided, what the rule says, and how far that is from the other outcome.
  ///
  /// `rule_progress` and `rule_velocity` are what the rule is asked about: a compositor's own, in its own unit. If another
  /// rule is asked, `decision` is its outcome. `recorded_decision` always is the recorded one, and `derived` names the
  /// source of a release without a recorded decision.
  private static let decided: [ResultField<VelocityRow>] =
    decisions + ReleaseRule.Decision.fields.of(\.signedDecision) + [projected]

  private static let decisions: [ResultField<VelocityRow>] = [
    ResultField("decision", "The outcome, according to the rule that you name, if any.", \.outcome),
    ResultField("decided_by", "Who decided, such as rule or app.", \.decidedBy),
    ResultField("recorded_decision", "The outcome in the recording.", \.decision?.outcome),
    ResultField("derived", "The source of a derived release, such as lift.", \.decision?.derived),
    ResultField("rule", "The name of the release rule.") {
      $0.answer.map { RuleName($0.rule.kind) } ?? $0.decision?.recorded?.rule
    },
    ResultField("threshold", "The rule's threshold for the progress.") {
      $0.answer?.rule.threshold ?? $0.decision?.recorded?.threshold
    }, ResultField("rule_decision", "The outcome according to the rule.", \.answer?.outcome),
    ResultField("rule_progress", "The progress that the rule compares.", \.answer?.progress),
    ResultField("rule_velocity", "The velocity that the rule compares.", \.answer?.velocity),
    direction,
    ResultField("fingers", "The fingers of a swipe that is decided by their mean.", \.fingers),
  ]
  private static let direction = ResultField<VelocityRow>(
    "direction", "The direction of the swipe that the rule judges.", \.answer?.direction)
  private static let projected = ResultField<VelocityRow>(
    "projected_progress", "The progress that the rule projects.", \.answer?.projectedProgress)

  /// How the settle goes.
  private static let settled: [ResultField<VelocityRow>] = [
    ResultField("target", "The target of the settle.", \.motion.target),
    ResultField("remaining", "The target minus the value.", \.motion.remaining),
    ResultField("relative_velocity", "Velocity per remaining distance.", \.motion.relativeVelocity),
    ReleaseEstimate.settleTime.rowField.reading(\.motion.settleTimeSeconds),
    ResultField("settle_definition", "The name of the definition of rest.", \.settleDefinition),
  ]

  /// The columns of a table for people, which are fewer than the fields and in another order.
  package static func tableColumns(withItems: Bool, withClamp: Bool) -> [String] {
    (withItems ? ["key", "item", "attribute", "pointer", "axis"] : ["key", "pointer", "axis"]) + [
      "value", "velocity", "low", "high", "unit", "samples", "estimator", "remaining",
      "relative_velocity", ReleaseEstimate.settleTime.column,
    ] + (withClamp ? ["clamped_velocity"] : [])
  }

  /// The columns of a table for people about samples that are in no recording.
  package static func tableColumns(
    ofSamples rows: [VelocityRow], withDecision: Bool, withClamp: Bool
  ) -> [String] {
    let isPerReport = rows.contains { $0.answersPerReport }
    return (rows.contains { !$0.isOfTable } ? ["pointer", "axis"] : ["axis"]) + [
      "estimator", "velocity", "low", "high",
    ] + (isPerReport ? ["unit"] : []) + ["samples", VelocityEstimate.liftGap.name]
      + (withDecision ? ["decision"] : [])
      + (rows.contains { $0.answer?.direction != nil } ? [direction.name] : [])
      + (withDecision ? ["margin"] : []) + (withClamp ? ["clamped_velocity"] : [])
  }

  private var answersPerReport: Bool {
    motion.estimate.estimator.estimator?.definition.measure.isByReports == true
  }
}

extension VelocityReport {
  /// What the rows of a session are made of: one for each motion at each release.
  package func motions(
    of session: SessionRecord, asking question: VelocityQuestion
  ) -> [VelocityRow] {
    let touches = TouchMap(session.description)
    return releases.flatMap { release in
      release.motions.map { VelocityRow($0, at: release, question, touches) }
    }
  }
}

extension VelocityReport.Subject: ResultRow {
  package static let fields: [ResultField<VelocityReport.Subject>] = [
    ResultField("key", "The key's name.", \.key?.name),
    ResultField("pointer", "The number of the finger, counted from 0.", \.pointer?.contact),
    ResultField("axis", "The axis of the finger's movement: x or y.", \.axis),
    ResultField("item", "The element's id.", \.item?.record.identity.id),
    ResultField("attribute", "The element's attribute, such as center.y.", \.item?.attribute),
  ]

  private var key: KeyRecord? { if case .key(let key) = self { key } else { nil } }
  private var pointer: (contact: Int, axis: String)? {
    if case .pointer(let contact, let axis) = self { (contact, axis) } else { nil }
  }
  private var axis: String? {
    switch self {
    case .pointer(_, let axis), .swipe(_, let axis): axis
    case .key, .item: nil
    }
  }
  private var item: (record: ItemRecord, attribute: String)? {
    if case .item(let record, let attribute) = self { (record, attribute) } else { nil }
  }

  fileprivate func unit(_ touches: TouchMap) -> String {
    switch self {
    case .key(let key): key.unit
    case .pointer, .swipe: touches.unit
    case .item(_, let attribute):
      switch attribute {
      case "rotation": "rad"
      case "alpha", "scale.x", "scale.y": "1"
      default: "pt"
      }
    }
  }
}

extension ReleaseRule.Decision: ResultRow {
  package static let fields: [ResultField<ReleaseRule.Decision>] = [
    ResultField("criterion", "The deciding number: progress, velocity or projection.", \.criterion),
    ResultField("margin", "The margin of the number that decided.", \.margin),
    ResultField("margin_progress", "Progress change that flips the outcome.", \.marginProgress),
    ResultField("margin_velocity", "Velocity change that flips the outcome.", \.marginVelocity),
    ResultField("margin_threshold", "Threshold change that flips the outcome.", \.marginThreshold),
    ResultField("margin_sigma", "The velocity's margin in standard errors.", \.marginSigma),
    ResultField("flip_progress", "The nearest progress with the other outcome.", \.flipProgress),
    ResultField("flip_velocity", "The nearest velocity with the other outcome.", \.flipVelocity),
  ]

  /// The margin of the criterion: of the progress, of the velocity in the rule's unit, or of the projected progress.
  package var margin: Double? {
    switch criterion {
    case .progress: marginProgress
    case .velocity: marginVelocity
    case .projection: marginThreshold
    }
  }

  /// With margins that are positive for an outcome.
  func signed(for outcome: ReleaseOutcome) -> ReleaseRule.Decision {
    outcome == self.outcome ? self : withNegatedMargins
  }

  fileprivate var withNegatedMargins: ReleaseRule.Decision {
    var decision = self
    for margin in [\Self.marginProgress, \.marginVelocity, \.marginThreshold, \.marginSigma] {
      decision[keyPath: margin] = self[keyPath: margin].map { 0 - $0 }
    }
    return decision
  }
}

extension EstimatorRanking: ResultRow {
  package static let fields: [ResultField<EstimatorRanking>] = [
    ResultField("chosen", "The estimator and horizon that auto chose.", \.chosen.name),
    ResultField("is_fallback", "Whether too few samples could be predicted.", \.isFallback),
    ResultField("note", "The reason for the choice, in a sentence.", \.note),
    ResultField(list: "entries", "The compared estimators, best first.", Entry.fields, \.entries),
  ]
}

extension EstimatorRanking.Entry: ResultRow {
  package static let fields: [ResultField<EstimatorRanking.Entry>] = [
    ResultField("name", "The name of the estimator and its horizon.", \.name),
    ResultField("estimator", "The name of the estimator.", \.estimator),
    ReleaseParameters.horizon.reading(\.window.horizonNanoseconds),
    ResultField("median_error", "The median error as a share of the peak speed.", \.medianError),
    ResultField("score", "The number that orders the list; lower is better.", \.score),
    ResultField("places", "The number of predicted samples.", \.heldOutCount),
  ]

  /// The columns of a table for people.
  package static let tableColumns = ["name", "score", "median_error", "places"]
}

/// One sample of an estimate, as `--explain` prints it.
package struct SampleStoryRow: ResultRow {
  let estimator: EstimatorName
  let lift: Instant
  let story: SampleStory
  let step: Double?

  package static let fields: [ResultField<SampleStoryRow>] = [
    ResultField("estimator", "The estimator of the velocity.", inTable: false, \.estimator),
    ResultField("lift_ns", "The instant of the lift.", inTable: false, \.lift),
    ResultField("t_ns", "The instant of the sample.", \.story.sample.time),
    ResultField("age_ns", "The time from the sample to the lift.") {
      $0.lift.nanoseconds(since: $0.story.sample.time)
    },
    ResultField("value", "The sample's value.", \.story.sample.value),
    ResultField("step", "The velocity from the previous sample to this one.", \.step),
    ResultField("used", "Whether the estimate uses the sample.") { $0.story.reason == nil },
    ResultField("reason", "The reason why the sample is left out.", \.story.reason),
    ResultField("weight", "Weight in the fit.") { $0.story.reason == nil ? $0.story.weight : nil },
    ResultField("without_it", "The velocity without the sample.", \.story.leaveOneOut),
  ]
}

extension VelocityReport.Motion {
  /// The samples at or before a lift, with what each did to the estimate.
  package func storyRows(lift: Instant) -> [SampleStoryRow] {
    var earlier: Sample?
    return story.map { entry in
      let step = earlier.flatMap { before -> Double? in
        guard entry.sample.time > before.time else { return nil }
        return (entry.sample.value - before.value) / entry.sample.time.seconds(since: before.time)
      }
      earlier = entry.sample
      return SampleStoryRow(estimator: estimate.estimator, lift: lift, story: entry, step: step)
    }
  }
}
