import MotionMeasures
import MotionPhysics
import RunStudies

/// A field of a scenario's `release` by which a recorded gesture can be decided again.
enum ReleaseField: String, CaseIterable {
  case threshold, velocityThreshold, rule, estimator, preset, window, stopGap
  case decelerationRate, distance, minimumVelocity, maximumVelocity, crossVelocity, outputLength

  /// The field of a path such as `release.threshold`.
  init?(path: String) {
    guard path.hasPrefix("release.") else { return nil }
    self.init(rawValue: String(path.dropFirst("release.".count)))
  }

  /// The path in a scenario file.
  var path: String { "release.\(rawValue)" }

  /// The number of a rule. `nil` for the other fields.
  var parameter: WritableKeyPath<RuleChange, Double?>? {
    switch self {
    case .crossVelocity: \.crossVelocity
    case .outputLength: \.outputLength
    default: tuned?.path
    }
  }

  /// Whether its values are numbers or lengths of time rather than names.
  var isNumeric: Bool { ![.rule, .estimator, .preset].contains(self) }

  /// The number that a rule search varies. `nil` for none.
  var tuned: TuningSpace.Number? { TuningSpace.Number(rawValue: rawValue) }

  /// The fields that a rule search varies.
  static var searched: [ReleaseField] {
    allCases.filter { $0.parameter == nil || $0.tuned != nil }
  }

  /// The values that it takes, as the end of a sentence.
  private var domain: String {
    switch self {
    case .decelerationRate: "above 0 and below 1, such as 0.998"
    case .distance: "a number other than 0"
    case .outputLength: "above 0"
    case .velocityThreshold, .minimumVelocity, .maximumVelocity: "a speed, 0 or more"
    case .window, .stopGap: "a time above 0, such as 60ms"
    case .threshold, .crossVelocity: "a number"
    case .rule, .estimator, .preset: "a name"
    }
  }

  private func takes(_ value: Double) -> Bool {
    switch self {
    case .decelerationRate: value > 0 && value < 1
    case .distance: value != 0
    case .outputLength, .window, .stopGap: value > 0
    case .velocityThreshold, .minimumVelocity, .maximumVelocity: value >= 0
    default: true
    }
  }

  /// The numbers of a setting, all of them within what the field takes. Times are in nanoseconds.
  ///
  /// A range without a step has its ends alone.
  func numbers(of setting: Setting) throws -> [Double] {
    var numbers: [Double?]
    switch setting.values {
    case .one(let text): numbers = [Setting.number(text, at: path)]
    case .list(let texts): numbers = texts.map { Setting.number($0, at: path) }
    case .range(let range):
      numbers = range.values ?? [range.ends.lowerBound, range.ends.upperBound]
    }
    return try numbers.map {
      guard let number = $0, number.isFinite, takes(number) else {
        throw Failure.usage("--set \(path) must be \(domain) (got '\(setting.text)')")
      }
      return number
    }
  }

  /// The names of a setting, each once.
  func names<Name: CaseIterable & RawRepresentable>(
    of setting: Setting, _ type: Name.Type
  ) throws -> [Name] where Name.RawValue == String {
    let names = (type as? any OfferedNames.Type)?.offeredNames ?? type.allCases.map(\.rawValue)
    var found: [Name] = []
    for text in setting.texts() ?? [] {
      guard let name = Name(rawValue: text) else {
        throw Failure.unknown(text, of: "set \(path)", among: names)
      }
      guard !found.contains(where: { $0.rawValue == name.rawValue }) else {
        throw Failure.usage("--set \(path) names '\(text)' twice")
      }
      found.append(name)
    }
    return found
  }
}

extension Invocation {
  /// What `--set` gives of the release.
  ///
  /// - Parameters:
  ///   - fields: The fields that the command reads.
  ///   - others: The paths elsewhere in a scenario that it reads as well.
  /// - Throws: a path is neither.
  func releaseSettings(
    _ fields: [ReleaseField] = ReleaseField.allCases, besides others: [String] = []
  ) throws -> [(field: ReleaseField, setting: Setting)] {
    try settings().compactMap { setting in
      if let field = ReleaseField(path: setting.path), fields.contains(field) {
        return (field, setting)
      }
      guard !others.contains(setting.path) else { return nil }
      let paths = fields.map(\.path) + others
      // A field without its object.
      let whole = "release." + setting.path
      let hint =
        paths.contains(whole)
        ? "Did you mean \(whole)?"
        : choices(near: setting.path, among: paths, listedBy: "kymo help rule try")
      throw Failure.usage("--set: unknown path '\(setting.path)'. \(hint)")
    }
  }
}
