import MotionPhysics
import RunStudies

extension Invocation {
  /// The most combinations beside the thresholds; ours: each is a search of its own.
  private static let mostPoints = 1_000_000

  /// The settings that `--set` asks to search.
  func tuningSpace() throws -> TuningSpace {
    var space = TuningSpace()
    let asked = try releaseSettings(ReleaseField.searched)
    if asked.isEmpty { space.numbers = [(.threshold, .range(0.1...0.9))] }
    for (field, setting) in asked { try space.add(field, setting) }
    guard let count = space.pointCount, count <= Invocation.mostPoints else {
      throw Failure.usage(
        "--set asks for more than \(Invocation.mostPoints) combinations. Use larger steps")
    }
    for estimator in space.estimators
    where estimator.definition.measure.isByReports
      && !space.kinds.contains(where: { $0.definition.preset?.estimator == estimator })
    {
      throw Failure.usage(
        "the estimator '\(estimator.rawValue)' computes distances per report. Search the compositor's rule as well, "
          + "with --set release.rule=…")
    }
    let units = space.velocityThresholdUnits
    if space.values(of: .velocityThreshold) != nil {
      guard space.kinds.isEmpty || !units.isEmpty else {
        throw Failure.usage(
          "none of the rules has a release.velocityThreshold. Name a rule that has, such as velocity"
        )
      }
      guard units.count < 2 else {
        throw Failure.usage(
          "release.velocityThreshold is in \(units.joined(separator: " and in ")) for these rules. Search the rules of "
            + "one unit at a time")
      }
    }
    return space
  }
}

extension TuningSpace {
  /// Adds the values of one field.
  fileprivate mutating func add(_ field: ReleaseField, _ setting: Setting) throws {
    switch field {
    case .rule: kinds = try field.names(of: setting, ReleaseRule.Kind.self)
    case .estimator: estimators = try field.names(of: setting, Estimator.self)
    case .preset: presets = try field.names(of: setting, EstimationPreset.self)
    case .window: horizons = try TuningSpace.times(field, setting)
    case .stopGap: stopGaps = try TuningSpace.times(field, setting)
    default:
      guard let number = field.tuned else { return }
      numbers.append((number, try TuningSpace.values(field, number, setting)))
    }
  }

  /// Nanoseconds, rising.
  private static func times(_ field: ReleaseField, _ setting: Setting) throws -> [Int64] {
    guard setting.texts() != nil else { throw setting.stepIsMissing }
    return Set(try field.numbers(of: setting)).sorted().map { Int64($0) }
  }

  private static func values(
    _ field: ReleaseField, _ number: Number, _ setting: Setting
  ) throws -> Values {
    let numbers = try field.numbers(of: setting).map { field == .distance ? abs($0) : $0 }
    guard number != .threshold || numbers.allSatisfy({ 0...1 ~= $0 }) else {
      throw Failure.usage(
        "--set \(field.path) must be within 0 and 1, shares of the distance (got '\(setting.text)')"
      )
    }
    guard case .range(let range) = setting.values else {
      return .list(Set(numbers).sorted(), isRange: false)
    }
    if range.values != nil { return .list(numbers, isRange: true) }
    guard number.isExact else { throw setting.stepIsMissing }
    return .range(range.ends)
  }
}
