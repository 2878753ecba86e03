import JSONText
import MotionPhysics
import TimelineQuery

extension Flag {
  /// Who tells velocities, and through which window.
  static let estimation: [Flag] = [
    Flag(
      "estimator", "NAME",
      "the velocity estimator, one of those below; the session's own by default"),
    Flag(
      "preset", "NAME",
      "the window of "
        + EstimationPreset.allCases.map(\.rawValue).joined(separator: ", ")
        + "; without --estimator also its estimator; a compositor's --rule brings its own"),
    Flag("window", "TIME", "how far back samples count (60ms, 0.1)"),
    Flag(
      "stop-gap", "TIME",
      "a longer pause discards the samples before it; before the lift it counts as a stop"),
  ]

  /// How finish or cancel is decided.
  static let rule: [Flag] = [
    Flag(
      "rule", "NAME",
      ReleaseRule.Kind.allCases.map(\.rawValue).joined(separator: ", ")
        + "; the session's own by default"),
    Flag("threshold", "P", "the progress that decides"),
    Flag("velocity-threshold", "V", "the velocity that decides, in the rule's own unit"),
    Flag(
      "deceleration-rate", "D",
      "the share of a velocity that is left after a millisecond, for rules that project"),
    Flag("distance", "POINTS", "how many points a progress of 1 is"),
    Flag("minimum-velocity", "V", "progress velocities below count as 0"),
    Flag("maximum-velocity", "V", "progress velocities are cut to this"),
    Flag("cross-velocity", "V", "points per second along the other axis, for flutter-dismissible"),
    Flag(
      "output-length", "POINTS",
      "how long the output is along the swipe, for cosmic; the session's own, or "
        + "\(Int(ReleaseRule.defaultOutputLength))"),
  ]

  /// The names of the estimators, for the end of a help text.
  static let estimatorNames =
    "Estimators: " + Estimator.allCases.map(\.rawValue).joined(separator: ", ")
    + ". step-mean and last-two tell distances by reports, which depend on the device's report rate; the "
    + "rules hyprland and wayfire compare them."
}

extension Invocation {
  /// What was said about estimators, window and rule.
  func velocityQuestion() throws -> VelocityQuestion {
    var question = VelocityQuestion()
    question.estimators = try estimators()
    question.preset = try choice("preset", of: EstimationPreset.self)
    question.horizonNanoseconds = try length("window")
    question.stopGapNanoseconds = try length("stop-gap")
    question.clamp = try speedLimits()
    question.rule = try ruleChange()
    guard let kind = question.rule.kind else { return question }
    // A compositor's rule brings the window, and where nobody is named the estimator, of its peer.
    if question.preset == nil, let preset = kind.preset,
      question.estimators.allSatisfy({ $0 == preset.estimator })
    {
      question.preset = preset
    }
    let named = question.preset.map(\.estimator)
    if let estimator = question.estimators.first ?? named, question.estimators.count < 2,
      !kind.takes(estimator)
    {
      let wanted = kind.preset.map { "is asked about \($0.estimator.rawValue)" }
      throw Failure.usage(
        "the rule \(kind.rawValue) \(wanted ?? "compares velocities by time"), and \(estimator.rawValue) tells "
          + (estimator.isPerReport ? "distances by reports" : "velocities by time"))
    }
    return question
  }

  /// The estimators that were asked for; empty: nobody in particular.
  private func estimators() throws -> [Estimator] {
    guard let name = text("estimator") else { return [] }
    if name == "all" { return Estimator.allCases }
    if let estimator = Estimator(rawValue: name) { return [estimator] }
    let names = Estimator.allCases.map(\.rawValue) + ["all"]
    let hint = didYouMean(name, among: names)
    throw Failure.usage(
      "there is no estimator '\(name)'\(hint ?? "; there are " + names.joined(separator: ", "))")
  }

  private func speedLimits() throws -> SpeedLimits? {
    guard let text = text("clamp") else { return nil }
    let numbers = text.split(separator: ":", omittingEmptySubsequences: false).map { Double($0) }
    guard numbers.count == 2, let minimum = numbers[0], let maximum = numbers[1], minimum >= 0,
      maximum >= minimum, maximum.isFinite
    else { throw Failure.usage("--clamp expects two speeds as 50:8000, not '\(text)'") }
    return SpeedLimits(minimum: minimum, maximum: maximum)
  }

  /// A length of time above 0.
  func length(_ name: String) throws -> Int64? {
    guard let time = try nanoseconds(name) else { return nil }
    guard time > 0 else { throw Failure.usage("--\(name) expects a time above 0") }
    return time
  }

  private func ruleChange() throws -> RuleChange {
    var change = RuleChange()
    change.kind = try choice("rule", of: ReleaseRule.Kind.self)
    // A range FROM:TO:STEP is read elsewhere.
    for (flag, parameter) in Invocation.ruleNumbers where !isRange(flag) {
      change[keyPath: parameter] = try number(flag)
    }
    try check(change)
    return change
  }

  /// Refuses what no rule can be judged by.
  func check(_ change: RuleChange) throws {
    if let rate = change.decelerationRate, !(rate > 0 && rate < 1) {
      throw Failure.usage("--deceleration-rate is between 0 and 1, as 0.998")
    }
    if let distance = change.distance, distance <= 0 {
      throw Failure.usage("--distance is above 0")
    }
    if let length = change.outputLength, length <= 0 {
      throw Failure.usage("--output-length is above 0")
    }
    if let kind = change.kind {
      if change.velocityThreshold != nil, kind.defaultVelocityThreshold == nil {
        throw Failure.usage("the rule \(kind.rawValue) has no --velocity-threshold")
      }
      if change.decelerationRate != nil, !kind.takesDecelerationRate {
        throw Failure.usage("the rule \(kind.rawValue) has no --deceleration-rate")
      }
    }
    for (name, value) in [
      ("velocity-threshold", change.velocityThreshold),
      ("minimum-velocity", change.minimumVelocity),
      ("maximum-velocity", change.maximumVelocity),
    ] {
      if let value, value < 0 { throw Failure.usage("--\(name) is a speed, 0 or more") }
    }
  }

  /// The flags of a rule that take a number.
  static var ruleNumbers: [(flag: String, parameter: WritableKeyPath<RuleChange, Double?>)] {
    [
      ("threshold", \.threshold), ("velocity-threshold", \.velocityThreshold),
      ("deceleration-rate", \.decelerationRate), ("distance", \.distance),
      ("minimum-velocity", \.minimumVelocity), ("maximum-velocity", \.maximumVelocity),
      ("cross-velocity", \.crossVelocity), ("output-length", \.outputLength),
    ]
  }

  /// Whether a flag's value is a range FROM:TO:STEP and the command sweeps through ranges.
  func isRange(_ name: String) -> Bool {
    command.name == "whatif" && text(name)?.contains(":") == true
  }
}
