import MotionMeasures
import MotionPhysics
import TimelineModel
import TimelineRendering
import TimelineReport
import TimelineSession

/// `kymo velocity` of a file of samples: one row for every estimator and axis.
///
/// - Parameter readAs: The field that says how the file was read.
func estimateSamples(
  _ file: SampleFile, readAs: [EventField], _ question: VelocityQuestion, _ invocation: Invocation
) throws -> ExitCode {
  let answers = try sampleAnswers(
    file, question, lift: try invocation.instant(VelocityFlags.lift))
  if let rule = answers.lazy.compactMap(\.decision).first?.rule, !file.swipes.isEmpty,
    rule.distance == nil, rule.kind.definition.usual.distance == nil
  {
    invocation.note(
      "a progress of 1 is treated as one point. Use --set release.distance=POINTS to name its length"
    )
  }
  let isTable = try invocation.outputFormat() == .table
  if question.explains, !isTable {
    try invocation.print(
      answers.flatMap { answer in
        answer.motion.storyRows(lift: answer.lift).map {
          answer.whose(question) + $0.row + readAs
        }
      })
  } else {
    let rows = answers.map { $0.row(question) }
    let columns = VelocityRow.tableColumns(
      ofSamples: rows, withDecision: !question.rule.isEmpty, withClamp: question.clamp != nil)
    try invocation.print(
      rows.map { VelocityRow.sampleFields.row(of: $0) + readAs }, columns: isTable ? columns : [],
      for: samplesGuide)
  }
  guard isTable else { return .yes }
  if !question.rule.isEmpty, answers.contains(where: \.estimator.definition.measure.isByReports) {
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
  return .yes
}

private let samplesGuide = TableGuide(
  wanted: [
    "pointer", "axis", "estimator", "velocity", "low", "high", "unit", "clamped_velocity",
    "decision", "margin", "direction", "samples",
  ],
  meanings: [
    "pointer": "pointer: contact", "low": "low, high: 90 % interval",
    "samples": "samples: how many count", "margin": "margin: how far from the other outcome",
    "lift_gap_ns": "lift_gap_ns: last sample to lift",
  ])

/// The answers about every track by every estimator, and of a rule about every swipe.
///
/// - Parameter lift: The lift of all of them. `nil`: each has its own.
func sampleAnswers(
  _ file: SampleFile, _ question: VelocityQuestion, lift: Instant?
) throws -> [SampleAnswer] {
  let estimators =
    question.estimators.isEmpty
    ? question.preset.map { [$0.estimator] } ?? Estimator.allCases : question.estimators
  var answers = file.tracks.flatMap { track in
    estimators.map { SampleAnswer(track, by: $0, lift: lift ?? track.lift, question) }
  }
  for swipe in file.swipes {
    try addDecision(
      of: swipe, to: &answers, by: estimators, lift: lift ?? swipe.lift, file, question)
  }
  return answers
}

/// Adds what a rule decides about a swipe: to the rows of its only contact along the axis, or as rows of the mean.
private func addDecision(
  of swipe: Swipe, to answers: inout [SampleAnswer], by estimators: [Estimator], lift: Instant,
  _ file: SampleFile, _ question: VelocityQuestion
) throws {
  guard let axis = try file.decidingAxis(of: swipe, question, at: lift) else { return }
  var own = ReleaseRule()
  if file.isOfTouchpad, let kind = question.rule.kind {
    own = ReleaseRule(ofTouchpad: kind, isVertical: axis == .y)
  }
  let rule = question.rule.applied(to: own)
  func decision(by estimator: Estimator) -> ReleaseRule.Decision? {
    guard rule.kind.definition.accepts(estimator) else { return nil }
    return swipe.decision(
      by: rule, along: axis, question.course, estimator: estimator,
      window: question.window(for: estimator, own: ReleaseParameters()).measuring(pointsPerUnit: 1),
      at: lift)
  }
  if swipe.fingers == 1 {
    for index in answers.indices
    where answers[index].track.pointer == swipe.contacts[0]
      && answers[index].track.axis == axis.rawValue
    {
      answers[index].decision = decision(by: answers[index].estimator)
    }
    return
  }
  let mean = SampleFile.Track(
    pointer: swipe.contacts[0], axis: axis.rawValue, samples: swipe.samples(axis),
    resampled: swipe.resampled, lift: swipe.lift, isCancelled: swipe.isCancelled)
  let rows = estimators.map { estimator in
    var answer = SampleAnswer(mean, ofSwipe: swipe.fingers, by: estimator, lift: lift, question)
    answer.decision = decision(by: estimator)
    return answer
  }
  let last = answers.lastIndex { $0.track.pointer.map(swipe.contacts.contains) ?? false }
  answers.insert(contentsOf: rows, at: last.map { $0 + 1 } ?? answers.endIndex)
}

/// One estimator's answer about one track.
struct SampleAnswer {
  let track: SampleFile.Track
  let estimator: Estimator
  let lift: Instant
  var motion: VelocityReport.Motion
  var decision: ReleaseRule.Decision?

  /// - Parameter fingers: The number of contacts of which the track is the mean. `nil`: it is one contact's, or a table's.
  init(
    _ track: SampleFile.Track, ofSwipe fingers: Int? = nil, by estimator: Estimator, lift: Instant,
    _ question: VelocityQuestion
  ) {
    self.track = track
    self.estimator = estimator
    self.lift = lift
    // With a rule a table's values are progresses if they can be. Else, and of contacts, they are points.
    let isTable = track.pointer == nil
    let isProgress = isTable && !question.rule.isEmpty && track.mayBeProgress
    let rule = isProgress ? question.rule.applied(to: ReleaseRule()) : nil
    let window = question.window(for: estimator, own: ReleaseParameters())
      .measuring(pointsPerUnit: rule == nil ? 1 : rule?.knownPoints)
    let value = track.samples.last { $0.time <= lift }?.value
    let isCancelled = track.isCancelled && lift >= track.lift
    motion = VelocityReport.Motion(
      fingers.map { .swipe(fingers: $0, axis: track.axis) }
        ?? .pointer(contact: track.pointer ?? 0, axis: track.axis),
      samples: track.samples, resampled: track.resampled, value: value ?? 0, by: estimator,
      at: lift,
      window: window, explains: question.explains, isCancelled: isCancelled,
      isFinger: fingers == nil && !isTable)
    guard let rule, let value, rule.kind.definition.accepts(estimator) else { return }
    let asked = rule.question(
      about: track.samples, areProgress: true, resampled: track.resampled, at: lift, value: value,
      estimate: motion.estimate)
    let decision = rule.decide(
      progress: asked.progress, velocity: asked.velocity, standardError: asked.standardError,
      estimator: estimator)
    self.decision = decision
    motion.settle(
      to: decision.outcome == .finish ? 1 : 0,
      by: question.settle ?? SettleParameters(), samples: track.samples)
  }

  /// The name that `--key` takes. Of a swipe, what its rows are about.
  var name: String { motion.isOfSwipe ? motion.name : track.name }

  func whose(_ question: VelocityQuestion) -> [EventField] {
    VelocityRow.whose.row(of: row(question))
  }

  func row(_ question: VelocityQuestion) -> VelocityRow {
    VelocityRow(
      motion, decision, by: estimator, settle: question.settle ?? SettleParameters(),
      isOfTable: track.pointer == nil,
      isRuled: !question.rule.isEmpty && (track.pointer != nil || track.mayBeProgress))
  }
}
