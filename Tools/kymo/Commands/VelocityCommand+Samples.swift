import MotionPhysics
import TimelineModel
import TimelineQuery
import TimelineRendering

/// The answers about more contacts than these, each by every estimator, would take hundreds of megabytes.
private let mostContacts = 1000

/// `kymo velocity --samples FILE`: one row for every estimator and axis.
func estimateSamples(
  _ file: SampleFile, of path: String, _ question: VelocityQuestion, _ invocation: Invocation
) throws -> ExitCode {
  var lift: Instant?
  if let text = invocation.text("lift") {
    guard let time = Int64(text) else {
      throw Failure.usage("--lift expects whole nanoseconds, not '\(text)'")
    }
    lift = Instant(nanoseconds: time)
  }
  let pointer = try invocation.pointer()
  if let pointer, !file.tracks.contains(where: { $0.pointer == pointer }) {
    throw Failure.usage("there is no contact \(pointer) in these samples")
  }
  let estimators =
    question.estimators.isEmpty
    ? question.preset.map { [$0.estimator] } ?? Estimator.allCases : question.estimators
  let tracks = file.tracks.filter { pointer == nil || $0.pointer == pointer }
  guard tracks.count <= 2 * mostContacts else {
    throw Failure.unreadable(
      "\(path) has more than \(mostContacts) contacts, the most that are estimated at once; choose one by --pointer"
    )
  }
  let answers = tracks.flatMap { track in
    estimators.map {
      SampleAnswer(track, by: $0, lift: lift ?? track.lift, question)
    }
  }
  let isTable = try invocation.outputFormat() == .table
  if question.explains, !isTable {
    try invocation.print(
      answers.flatMap { answer in
        storyRows(answer.motion, lift: answer.lift).map { answer.whose + $0 }
      })
  } else {
    let whose = answers.contains { $0.track.pointer != nil } ? ["pointer", "axis"] : ["axis"]
    let unit = answers.contains { $0.estimator.isPerReport } ? ["unit"] : []
    let decision = question.rule.isEmpty ? [] : ["decision", "margin"]
    let clamped = question.clamp == nil ? [] : ["clampedVelocity"]
    try invocation.print(
      answers.map { $0.fields(question) },
      columns: isTable
        ? whose + ["estimator", "velocity", "low", "high"] + unit + ["samples", "liftGap_ns"]
          + decision + clamped : [])
  }
  guard isTable else { return file.hasLosses ? .loss : .yes }
  if !question.rule.isEmpty, answers.contains(where: \.estimator.isPerReport) {
    standardOutput.write("\n\(reportRateNote)\n")
  }
  let cancelled = answers.filter { $0.motion.isCancelled && $0.track.axis == "x" }
  for pointer in Set(cancelled.compactMap(\.track.pointer)).sorted() {
    standardOutput.write("\nContact \(pointer) was cancelled: no velocity.\n")
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

extension Invocation {
  /// The contact that was asked for.
  func pointer() throws -> Int? {
    try text("pointer").map { text in
      guard let number = Int(text), number >= 0 else {
        throw Failure.usage("--pointer expects the number of a contact, not '\(text)'")
      }
      return number
    }
  }
}

/// One estimator's answer about one track.
private struct SampleAnswer {
  let track: SampleFile.Track
  let estimator: Estimator
  let lift: Instant
  var motion: VelocityReport.Motion
  var estimatorDecision: VelocityReport.EstimatorDecision?

  init(
    _ track: SampleFile.Track, by estimator: Estimator, lift: Instant,
    _ question: VelocityQuestion
  ) {
    self.track = track
    self.estimator = estimator
    self.lift = lift
    let rule = question.rule.applied(to: ReleaseRule())
    // With a rule a table's values are progresses; else, and of contacts, they are points.
    let pointsPerUnit = question.rule.isEmpty || track.pointer != nil ? 1 : rule.points
    let window = question.window(for: estimator, own: ReleaseParameters())
      .measuring(pointsPerUnit: pointsPerUnit)
    let value = track.samples.last { $0.time <= lift }?.value
    let isCancelled = track.isCancelled && lift >= track.lift
    motion = VelocityReport.Motion(
      .pointer(contact: track.pointer ?? 0, axis: track.axis), samples: track.samples,
      resampled: track.resampled, value: value ?? 0, by: estimator, at: lift, window: window,
      explains: question.explains, isCancelled: isCancelled)
    guard !question.rule.isEmpty, let value, rule.kind.takes(estimator) else { return }
    let asked = SampleAnswer.asked(rule, track, motion.estimate, value, at: lift)
    let estimatorDecision = VelocityReport.EstimatorDecision(
      estimator: estimator, rule: rule, progress: asked.progress, velocity: asked.velocity,
      standardError: asked.standardError)
    self.estimatorDecision = estimatorDecision
    guard !SampleAnswer.isSwipe(track, rule) else { return }
    motion.settle(
      to: estimatorDecision.ruleDecision.outcome == .finish ? 1 : 0,
      by: question.settle ?? SettleParameters())
  }

  /// Whether a contact's way is held against a compositor's rule: its points are no progress, but its distance is a
  /// progress of 1.
  private static func isSwipe(_ track: SampleFile.Track, _ rule: ReleaseRule) -> Bool {
    track.pointer != nil && rule.kind.defaultDistance != nil
  }

  /// What a rule is asked about.
  private static func asked(
    _ rule: ReleaseRule, _ track: SampleFile.Track, _ estimate: VelocityEstimate, _ value: Double,
    at lift: Instant
  ) -> (progress: Double, velocity: Double?, standardError: Double?) {
    var samples = track.samples
    var (value, points) = (value, 1.0)
    if isSwipe(track, rule) {
      points = rule.points
      let start = samples.first?.value ?? 0
      samples = samples.map { Sample(time: $0.time, value: ($0.value - start) / points) }
      value = (value - start) / points
    }
    let progress = rule.progress(of: samples, resampled: track.resampled, at: lift) ?? value
    return (
      progress, estimate.velocity.map { $0 / points }, estimate.standardError.map { $0 / points }
    )
  }

  /// The track's name for people.
  var name: String { track.pointer.map { "pointer \($0) \(track.axis)" } ?? track.axis }

  var whose: [EventField] {
    (track.pointer.map { [EventField("pointer", FieldValue($0))] } ?? [])
      + [EventField("axis", .text(track.axis))]
  }

  func fields(_ question: VelocityQuestion) -> [EventField] {
    var fields =
      whose + [EventField("unit", .text(estimator.velocityUnit(of: "")))]
      + estimateFields(motion.estimate)
    if let estimatorDecision {
      fields += decisionFields(nil, estimatorDecision, question)
      fields += settleFields(motion, question.settle ?? SettleParameters())
    }
    if let ranking = motion.ranking { fields.append(EventField("ranking", rankingValue(ranking))) }
    return fields
  }
}
