import MotionPhysics
import TimelineAnalysis
import TimelineModel
import TimelineRendering
import TimelineReport

/// The answers about more contacts than these, each by every estimator, would take hundreds of megabytes.
private let mostContacts = 1000

/// `kymo velocity` of a file of samples: one row for every estimator and axis.
func estimateSamples(
  _ file: SampleFile, of path: String, _ question: VelocityQuestion, _ invocation: Invocation
) throws -> ExitCode {
  let lift = try invocation.instant(VelocityFlags.lift)
  let estimators =
    question.estimators.isEmpty
    ? question.preset.map { [$0.estimator] } ?? Estimator.allCases : question.estimators
  let tracks = file.tracks
  guard tracks.count <= 2 * mostContacts else {
    throw Failure.unreadable(
      "\(path) has more than \(mostContacts) contacts, the most that are estimated at once. Choose some "
        + "with --key finger.N.x")
  }
  let answers = tracks.flatMap { track in
    estimators.map {
      SampleAnswer(
        track, by: $0, lift: lift ?? track.lift, question, ofTouchpad: file.areDeltas)
    }
  }
  if let rule = answers.first(where: { $0.track.pointer != nil })?.rule, rule.distance == nil,
    rule.kind.defaultDistance == nil
  {
    invocation.note(
      "a progress of 1 is treated as one point. Use --set release.distance=POINTS to name its length"
    )
  }
  let isTable = try invocation.outputFormat() == .table
  if question.explains, !isTable {
    try invocation.print(
      answers.flatMap { answer in
        answer.motion.storyRows(lift: answer.lift).map { answer.whose + $0.row }
      })
  } else {
    let rows = answers.map { $0.row(question) }
    let columns = VelocityRow.tableColumns(
      ofSamples: rows, withDecision: !question.rule.isEmpty, withClamp: question.clamp != nil)
    try invocation.print(
      rows.map(VelocityRow.sampleFields.row), columns: isTable ? columns : [])
  }
  guard isTable else { return file.hasLosses ? .loss : .yes }
  if !question.rule.isEmpty, answers.contains(where: \.estimator.isPerReport) {
    invocation.output.write("\n\(reportRateNote)\n")
  }
  let cancelled = answers.filter(\.motion.isCancelled)
  for pointer in Set(cancelled.compactMap(\.track.pointer)).sorted() {
    invocation.output.write("\nContact \(pointer) was cancelled, so it has no velocity.\n")
  }
  for answer in answers {
    if let ranking = answer.motion.ranking {
      try printRanking(ranking, of: answer.name, invocation)
    }
    if question.explains {
      try printStory(answer.motion, of: answer.name, lift: answer.lift, invocation)
    }
  }
  return file.hasLosses ? .loss : .yes
}

/// One estimator's answer about one track.
private struct SampleAnswer {
  let track: SampleFile.Track
  let estimator: Estimator
  let lift: Instant
  var motion: VelocityReport.Motion
  var estimatorDecision: VelocityReport.EstimatorDecision?

  /// What decides; nil where nobody asked.
  let rule: ReleaseRule?

  init(
    _ track: SampleFile.Track, by estimator: Estimator, lift: Instant,
    _ question: VelocityQuestion, ofTouchpad: Bool
  ) {
    self.track = track
    self.estimator = estimator
    self.lift = lift
    var own = ReleaseRule()
    if ofTouchpad, let kind = question.rule.kind {
      own = ReleaseRule(ofTouchpad: kind, isVertical: track.axis == "y")
    }
    let rule = question.rule.isEmpty ? nil : question.rule.applied(to: own)
    self.rule = rule
    // With a rule a table's values are progresses; else, and of contacts, they are points.
    let window = question.window(for: estimator, own: ReleaseParameters())
      .measuring(pointsPerUnit: track.pointer == nil ? rule?.points ?? 1 : 1)
    let value = track.samples.last { $0.time <= lift }?.value
    let isCancelled = track.isCancelled && lift >= track.lift
    motion = VelocityReport.Motion(
      .pointer(contact: track.pointer ?? 0, axis: track.axis), samples: track.samples,
      resampled: track.resampled, value: value ?? 0, by: estimator, at: lift, window: window,
      explains: question.explains, isCancelled: isCancelled)
    guard let rule, let value, rule.kind.accepts(estimator) else { return }
    let asked = rule.question(
      about: track.samples, areProgress: track.pointer == nil, resampled: track.resampled, at: lift,
      value: value, estimate: motion.estimate)
    let decision = VelocityReport.EstimatorDecision(
      estimator: estimator, rule: rule, progress: asked.progress, velocity: asked.velocity,
      standardError: asked.standardError)
    estimatorDecision = decision
    guard track.pointer == nil else { return }
    motion.settle(
      to: decision.ruleDecision.outcome == .finish ? 1 : 0,
      by: question.settle ?? SettleParameters(), samples: track.samples)
  }

  /// The name that `--key` takes.
  var name: String { track.name }

  var whose: [EventField] { VelocityRow.whose.row(of: row(VelocityQuestion())) }

  func row(_ question: VelocityQuestion) -> VelocityRow {
    VelocityRow(
      motion, estimatorDecision, by: estimator, settle: question.settle ?? SettleParameters(),
      isOfTable: track.pointer == nil)
  }
}
