import JSONText
import MotionMeasures
import MotionPhysics
import TransitionScenarios

extension Flags {
  /// The names of the estimators, for the end of a help text.
  static var estimatorNames: String {
    "Estimators: " + Estimator.offered.map(\.rawValue).joined(separator: ", ")
      + ". step-mean and last-two estimate distances per report, which depend on the device's report rate. "
      + "Only the rules hyprland and wayfire accept them."
  }
}

/// The estimators that are asked.
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

extension Invocation {
  /// The paths of `settle` that `kymo velocity` lists in an error.
  private static let settlePaths = [
    "mass", "stiffness", "damping", "dampingRatio", "response", "duration", "bounce", "type",
    "completionSpeed", "easing", "overshoot", "definition",
  ].map { "settle.\($0)" }

  /// What the flags say of estimators, window and rule.
  ///
  /// - Parameters:
  ///   - sweeps: Whether a number of the rule may have several values. It is left out of the question then.
  ///   - settles: Whether `--set` may change the settle as well.
  func velocityQuestion(sweeps: Bool = false, settles: Bool = false) throws -> VelocityQuestion {
    var question = VelocityQuestion()
    question.estimators = try value(Flags.estimator)?.estimators ?? []
    question.preset = try value(Flags.preset)
    question.clamp = try value(Flags.clamp)
    question.rule.kind = try value(Flags.rule)
    let settings = try releaseSettings(besides: settles ? Invocation.settlePaths : [])
    for (field, setting) in settings {
      if !setting.isOne, sweeps, field.parameter != nil { continue }
      guard setting.isOne else {
        let command = field.parameter == nil ? "rule tune" : "rule try"
        throw Failure.usage(
          "--set \(field.path) must be one value here (got '\(setting.text)'). kymo \(command) takes several"
        )
      }
      try refuseShortForm(of: field)
      switch field {
      case .rule: question.rule.kind = try field.names(of: setting, ReleaseRule.Kind.self)[0]
      case .estimator: question.estimators = try field.names(of: setting, Estimator.self)
      case .preset: question.preset = try field.names(of: setting, EstimationPreset.self)[0]
      case .window: question.horizonNanoseconds = Int64(try field.numbers(of: setting)[0])
      case .stopGap: question.stopGapNanoseconds = Int64(try field.numbers(of: setting)[0])
      default:
        if let parameter = field.parameter {
          question.rule[keyPath: parameter] = try field.numbers(of: setting)[0]
        }
      }
    }
    try refuseUnused(settings.map(\.field), by: question.rule.kind)
    question.course = try swipeCourse(settings)
    question.rule.distance = question.rule.distance.map { abs($0) }
    guard let kind = question.rule.kind else { return question }
    // A compositor's rule brings the window, and unless an estimator is named the estimator, of its peer.
    if question.preset == nil, let preset = kind.definition.preset,
      question.estimators.allSatisfy({ $0 == preset.estimator })
    {
      question.preset = preset
    }
    let named = question.preset.map(\.estimator)
    if let estimator = question.estimators.first ?? named, question.estimators.count < 2,
      !kind.definition.accepts(estimator)
    {
      let own = kind.definition.preset.map { "distances per report by \($0.estimator.rawValue)" }
      throw Failure.usage(
        "the rule '\(kind.rawValue)' compares \(own ?? "velocities over time"), and the estimator "
          + "'\(estimator.rawValue)' computes "
          + (estimator.definition.measure.isByReports
            ? "distances per report" : "velocities over time")
          + ". Leave out the estimator, or name another rule")
    }
    return question
  }

  /// The direction in which a swipe's progress counts: that of `--towards`, or of a distance below 0.
  func swipeCourse(
    _ settings: [(field: ReleaseField, setting: Setting)]
  ) throws -> SwipeCourse {
    let towards = try value(Flags.towards)
    guard let setting = settings.first(where: { $0.field == .distance })?.setting else {
      return towards.map(SwipeCourse.towards) ?? .fingers
    }
    let isNegative = try ReleaseField.distance.numbers(of: setting).contains { $0 < 0 }
    guard isNegative || towards != nil else { return .fingers }
    guard setting.isOne else {
      throw Failure.usage(
        "--set release.distance must be one value if a direction is named (got '\(setting.text)')")
    }
    guard let towards else { return .backwards }
    guard !isNegative else {
      throw Failure.usage(
        "--towards and a release.distance below 0 both name a direction. Use one of them")
    }
    return .towards(towards)
  }

  /// Refuses a field that its short form gives as well.
  private func refuseShortForm(of field: ReleaseField) throws {
    let isGiven =
      switch field {
      case .rule: has(Flags.rule)
      case .estimator: has(Flags.estimator)
      case .preset: has(Flags.preset)
      default: false
      }
    guard isGiven else { return }
    throw Failure.usage("--\(field.rawValue) and --set \(field.path) are the same. Use one of them")
  }

  /// Refuses numbers that a named rule does not have.
  private func refuseUnused(_ fields: [ReleaseField], by kind: ReleaseRule.Kind?) throws {
    guard let kind else { return }
    for field in fields where !field.isUsed(by: kind) {
      throw Failure.usage("the rule '\(kind.rawValue)' has no \(field.path). Name another rule")
    }
  }

  /// The settle that `--set settle.…` makes of a session's own. `nil` if nothing of it is set.
  func settle(changing own: SettleParameters) throws -> SettleParameters? {
    let settings = try settings().filter { $0.root == "settle" }
    guard !settings.isEmpty else { return nil }
    let before = MotionParameters(release: ReleaseParameters(), settle: own)
    var edit = ScenarioEdit(before.json)
    for setting in settings {
      guard setting.isOne else {
        throw Failure.usage(
          "--set \(setting.path) must be one value here (got '\(setting.text)'). kymo rerun takes several"
        )
      }
      do throws(JSONError) {
        try edit.set(setting.path, to: try setting.json(setting.text))
      } catch {
        throw ScenarioError(file: setting.words, path: error.path, message: error.message)
      }
    }
    let words = settings.map(\.words).joined(separator: " ")
    return try MotionParameters(edit.value, before: before, name: words).settle
  }
}

extension ReleaseField {
  /// Whether a rule of a kind reads it.
  func isUsed(by kind: ReleaseRule.Kind) -> Bool {
    switch self {
    case .velocityThreshold: kind.definition.usual.speed != nil
    case .decelerationRate: kind.definition.usual.decelerationRate != .unused
    default: true
    }
  }
}
