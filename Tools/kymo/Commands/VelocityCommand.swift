import MotionPhysics
import TimelineModel
import TimelineQuery
import TimelineRendering
import TimelineStore

/// `kymo velocity`: how fast everything was at the release, and what followed from it.
let velocityCommand = Command(
  name: "velocity", summary: "velocity at the release, and the decision with its margin",
  arguments: "FILE [SESSION]", argumentCount: 0...2,
  examples: [
    "kymo velocity pinch.kymo", "kymo velocity pinch.kymo --estimator all --json",
    "kymo velocity --samples drag.csv --lift 180000000",
  ],
  discussion: """
    Velocities are in the key's unit per second; low and high bound a 90 % interval. No
    velocity (too few samples) is empty or null, a finger that had stopped is 0.
    Settling times are by the core-animation definition (epsilon 0.001). --samples
    reads CSV with the header t_ns,value or t_ns,x,y.
    """,
  flags: [
    Flag("at", "TIME", "at this time in place of the releases"),
    Flag("estimator", "NAME", "lsq2, impulse or all; the session's own by default"),
    .key,
    Flag("samples", "FILE", "estimate from a CSV file in place of a recording"),
    Flag("lift", "T_NS", "with --samples: the lift, in nanoseconds; the last sample by default"),
  ] + Flag.listing
) { invocation in
  let estimators = try invocation.estimators()
  if let samples = invocation.text("samples") {
    guard invocation.positionals.isEmpty else {
      throw Failure.usage("--samples takes the place of a recording; leave the recording out")
    }
    for flag in ["at", "key"] where invocation.has(flag) {
      throw Failure.usage("--\(flag) is about a recording; it does not go with --samples")
    }
    return try estimateSamples(samples, estimators, invocation)
  }
  guard !invocation.has("lift") else {
    throw Failure.usage("--lift goes with --samples; a recording knows its lifts, or use --at")
  }
  guard !invocation.positionals.isEmpty else {
    throw Failure.usage("kymo velocity wants a recording, or --samples FILE")
  }
  let source = try SessionArgument(invocation)
  _ = try source.keys(named: invocation.text("key"))
  let moment = try invocation.nanoseconds("at").map(Instant.init(nanoseconds:))
  let report = try VelocityReport(
    of: source.session, in: source.reader, estimators: estimators, at: moment)
  let writer = try invocation.rowWriter(columns: velocityColumns(invocation))
  for release in report.releases {
    for motion in release.motions where motion.isOf(key: invocation.text("key")) {
      writer.write(velocityFields(motion, at: release))
    }
  }
  writer.finish()
  if try invocation.outputFormat() == .table { report.releases.forEach(tellDecision) }
  return .yes
}

extension Invocation {
  /// The estimators that were asked for; empty: the session's own.
  fileprivate func estimators() throws -> [Estimator] {
    let names = Estimator.allCases.map(\.rawValue)
    guard let name = try choice("estimator", among: names + ["all"]) else { return [] }
    return name == "all" ? Estimator.allCases : Estimator(rawValue: name).map { [$0] } ?? []
  }
}

extension VelocityReport.Motion {
  fileprivate func isOf(key name: String?) -> Bool {
    guard let name else { return true }
    if case .key(let key) = subject { return key.name == name }
    return false
  }
}

/// The columns of a table for people are fewer than the fields of the other formats.
private func velocityColumns(_ invocation: Invocation) throws -> [String] {
  guard try invocation.outputFormat() == .table else { return [] }
  return [
    "key", "pointer", "axis", "value", "velocity", "low", "high", "unit", "samples", "estimator",
    "remaining", "relativeVelocity", "settleTime_s",
  ]
}

private func velocityFields(
  _ motion: VelocityReport.Motion, at release: VelocityReport.Release
) -> [Field] {
  var fields = [
    Field("transition", FieldValue(release.transition)), Field("t_ns", FieldValue(release.time)),
  ]
  switch motion.subject {
  case .key(let key):
    fields += [
      Field("key", .text(key.name)), Field("pointer", .null), Field("axis", .null),
      Field("unit", key.unit.isEmpty ? .null : .text("\(key.unit)/s")),
    ]
  case .pointer(let contact, let axis):
    fields += [
      Field("key", .null), Field("pointer", FieldValue(contact)), Field("axis", .text(axis)),
      Field("unit", .text("device/s")),
    ]
  }
  let decision = release.decision
  // At a moment that was asked for, the rule says what a release then would have been.
  let outcome = decision?.outcome ?? release.verdict?.outcome
  fields += [
    Field("value", .number(motion.value)), Field("estimator", .text(motion.estimate.estimator)),
    Field("velocity", FieldValue(motion.estimate.velocity)),
    Field("low", FieldValue(motion.estimate.low)), Field("high", FieldValue(motion.estimate.high)),
    Field("samples", FieldValue(motion.estimate.sampleCount)),
    Field("liftGap_ns", motion.estimate.liftGapNanoseconds.map(FieldValue.integer) ?? .null),
    Field("decision", FieldValue(outcome?.rawValue)),
    Field("decidedBy", FieldValue(decision?.decidedBy)),
    Field("rule", FieldValue(decision?.rule)),
    Field("ruleDecision", FieldValue(release.verdict?.outcome.rawValue)),
    Field("margin", FieldValue(decision?.marginProgress ?? release.verdict?.marginProgress)),
    Field("target", FieldValue(motion.target)), Field("remaining", FieldValue(motion.remaining)),
    Field("relativeVelocity", FieldValue(motion.relativeVelocity)),
    Field("settleTime_s", FieldValue(motion.settleTimeSeconds)),
    Field("settleDefinition", motion.target == nil ? .null : .text("core-animation")),
  ]
  return fields
}

/// One line for people under the table.
private func tellDecision(_ release: VelocityReport.Release) {
  func short(_ number: Double) -> String {
    let rounded = (number * 1000).rounded() / 1000
    return "\(rounded.isFinite ? rounded : number)"
  }
  let time = "\(short(release.time.seconds)) s"
  guard let decision = release.decision else {
    standardOutput.write("\nAt \(time): no release.\n")
    return
  }
  let word = decision.outcome == .finish ? "finish" : "cancel"
  let sign = decision.ruleOutcome == .finish ? "above" : "not above"
  var line =
    "\nAt \(time): \(word), decided by \(decision.decidedBy): progress \(short(decision.progress)) is "
    + "\(sign) the threshold \(short(decision.threshold)); "
    + "margin \(decision.marginProgress.map(short) ?? "none")."
  if decision.outcome != decision.ruleOutcome {
    line += " The rule would have said \(decision.ruleOutcome.rawValue)."
  }
  standardOutput.write(line + "\n")
}
