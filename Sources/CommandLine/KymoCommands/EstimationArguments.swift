import JSONText
import MotionPhysics
import TimelineQuery

extension Flags {
  /// The names of the estimators, for the end of a help text.
  static var estimatorNames: String {
    "Estimators: " + Estimator.allCases.map(\.rawValue).joined(separator: ", ")
      + ". step-mean and last-two tell distances by reports, which depend on the device's report rate; the "
      + "rules hyprland and wayfire compare them."
  }
}

/// Who is asked about velocities.
enum EstimatorChoice: Equatable {
  case one(Estimator)
  case all

  /// The estimators in the order of their list.
  var estimators: [Estimator] {
    switch self {
    case .one(let estimator): [estimator]
    case .all: Estimator.allCases
    }
  }
}

extension Flag<Double> {
  /// The flag as `kymo rule try` reads it when the value is a range FROM:TO:STEP.
  func swept(most: Int) -> Flag<SteppedRange> {
    Flag<SteppedRange>(declaration) { text, name in
      try SteppedRange(text, of: "--\(name)", most: most)
    }
  }
}

extension Invocation {
  /// What was said about estimators, window and rule.
  func velocityQuestion() throws -> VelocityQuestion {
    var question = VelocityQuestion()
    question.estimators = try value(Flags.estimator)?.estimators ?? []
    question.preset = try value(Flags.preset)
    question.horizonNanoseconds = try value(Flags.window)
    question.stopGapNanoseconds = try value(Flags.stopGap)
    question.clamp = try value(Flags.clamp)
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
      !kind.accepts(estimator)
    {
      let wanted = kind.preset.map { "is asked about \($0.estimator.rawValue)" }
      throw Failure.usage(
        "the rule \(kind.rawValue) \(wanted ?? "compares velocities by time"), and \(estimator.rawValue) tells "
          + (estimator.isPerReport ? "distances by reports" : "velocities by time"))
    }
    return question
  }

  private func ruleChange() throws -> RuleChange {
    var change = RuleChange()
    change.kind = try value(Flags.rule)
    // A range is read by the flag's `swept(most:)`.
    for (flag, parameter) in Invocation.ruleNumbers where !isRange(flag) {
      change[keyPath: parameter] = try value(flag)
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
      (Flags.velocityThreshold.name, change.velocityThreshold),
      (Flags.minimumVelocity.name, change.minimumVelocity),
      (Flags.maximumVelocity.name, change.maximumVelocity),
    ] {
      if let value, value < 0 { throw Failure.usage("--\(name) is a speed, 0 or more") }
    }
  }

  /// The flags of a rule that take a number.
  static var ruleNumbers: [(flag: Flag<Double>, parameter: WritableKeyPath<RuleChange, Double?>)] {
    [
      (Flags.threshold, \.threshold), (Flags.velocityThreshold, \.velocityThreshold),
      (Flags.decelerationRate, \.decelerationRate), (Flags.distance, \.distance),
      (Flags.minimumVelocity, \.minimumVelocity), (Flags.maximumVelocity, \.maximumVelocity),
      (Flags.crossVelocity, \.crossVelocity), (Flags.outputLength, \.outputLength),
    ]
  }

  /// Whether a flag's value is a range FROM:TO:STEP and the command sweeps through ranges.
  func isRange(_ flag: Flag<Double>) -> Bool {
    command.name == "whatif" && text(of: flag.name)?.contains(":") == true
  }
}
