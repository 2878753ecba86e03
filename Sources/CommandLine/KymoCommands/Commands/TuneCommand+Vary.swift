import JSONText
import MotionPhysics
import TimelineQuery

/// What `--vary` names, and how its values are written.
enum VariedName: String, CaseIterable {
  case threshold, velocityThreshold, decelerationRate, distance, minimumVelocity, maximumVelocity
  case rule, estimator, preset, window, stopGap

  /// The number of a rule; nil for the others.
  var number: TuningSpace.Number? { TuningSpace.Number(rawValue: rawValue) }

  /// What values it takes, as the end of a sentence.
  fileprivate var domain: String {
    switch self {
    case .threshold: "a share of the way, 0 to 1"
    case .decelerationRate: "above 0 and below 1"
    case .distance: "above 0"
    case .velocityThreshold, .minimumVelocity, .maximumVelocity: "a speed, 0 or more"
    case .window, .stopGap: "a time above 0, such as 60ms"
    case .rule, .estimator, .preset: "a name"
    }
  }

  fileprivate func takes(_ value: Double) -> Bool {
    switch self {
    case .threshold: 0...1 ~= value
    case .decelerationRate: value > 0 && value < 1
    case .distance, .window, .stopGap: value > 0
    default: value >= 0
    }
  }
}

extension Invocation {
  /// The most combinations beside the thresholds; ours: each is a search of its own.
  private static let mostPoints = 1_000_000
  /// More steps are a mistyped step.
  private static let mostSteps = 100_000

  /// What is varied; the threshold from 0.1 to 0.9 where nothing is named.
  func tuningSpace() throws -> TuningSpace {
    var space = TuningSpace()
    var seen: Set<VariedName> = []
    let asked = texts(TuneFlags.vary)
    for text in asked.isEmpty ? ["threshold=0.1:0.9"] : asked {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let names = VariedName.allCases.map(\.rawValue)
      guard let name = VariedName(rawValue: String(parts[0])) else {
        let hint = didYouMean(String(parts[0]), among: names)
        throw Failure.usage(
          "--vary does not know '\(parts[0])'\(hint ?? "; it varies " + names.joined(separator: ", "))"
        )
      }
      guard parts.count == 2, !parts[1].isEmpty else {
        throw Failure.usage("--vary \(name.rawValue) expects values: \(name.rawValue)=…")
      }
      guard seen.insert(name).inserted else {
        throw Failure.usage("--vary \(name.rawValue) is given twice; give its values once")
      }
      try vary(name, String(parts[1]), &space)
    }
    guard let count = space.pointCount, count <= Invocation.mostPoints else {
      throw Failure.usage(
        "--vary asks for more than \(Invocation.mostPoints) combinations; take larger steps")
    }
    for estimator in space.estimators
    where estimator.isPerReport
      && !space.kinds.contains(where: { $0.preset?.estimator == estimator })
    {
      throw Failure.usage(
        "\(estimator.rawValue) tells distances by reports, which no rule that is named compares; --vary rule is to name "
          + "the compositor's")
    }
    let units = Set(space.kinds.compactMap(\.velocityThresholdUnit)).sorted()
    if space.values(of: .velocityThreshold) != nil {
      guard space.kinds.isEmpty || !units.isEmpty else {
        throw Failure.usage("none of the rules that are named has a velocityThreshold")
      }
      guard units.count < 2 else {
        throw Failure.usage(
          "velocityThreshold is in \(units.joined(separator: " and in ")) for the rules that are named; search "
            + "those of one unit at a time")
      }
    }
    return space
  }

  private func vary(_ name: VariedName, _ text: String, _ space: inout TuningSpace) throws {
    switch name {
    case .rule: space.kinds = try named(name, text, ReleaseRule.Kind.self)
    case .estimator: space.estimators = try named(name, text, Estimator.self)
    case .preset: space.presets = try named(name, text, EstimationPreset.self)
    case .window, .stopGap:
      let values = try values(name, text) { parseTime($0).map { Double($0) } }
      guard case .list(let nanoseconds, _) = values else { return }
      if name == .window {
        space.horizons = nanoseconds.map { Int64($0) }
      } else {
        space.stopGaps = nanoseconds.map { Int64($0) }
      }
    default:
      guard let number = name.number else { return }
      space.numbers.append((number, try values(name, text) { Double($0) }))
    }
  }

  private func named<Name: CaseIterable & RawRepresentable>(
    _ name: VariedName, _ text: String, _ type: Name.Type
  ) throws -> [Name] where Name.RawValue == String {
    var found: [Name] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let names = type.allCases.map(\.rawValue)
      guard let one = Name(rawValue: String(part)) else {
        let hint = didYouMean(String(part), among: names)
        throw Failure.usage(
          "there is no \(name.rawValue) '\(part)'\(hint ?? "; there are " + names.joined(separator: ", "))"
        )
      }
      guard !found.contains(where: { $0.rawValue == one.rawValue }) else {
        throw Failure.usage("--vary \(name.rawValue) names \(part) twice")
      }
      found.append(one)
    }
    return found
  }

  /// Reads `FROM:TO`, `FROM:TO:STEP` or values with commas between.
  private func values(
    _ name: VariedName, _ text: String, _ read: (String) -> Double?
  ) throws -> TuningSpace.Values {
    func number(_ part: Substring) throws -> Double {
      guard let value = read(String(part)), value.isFinite else {
        throw Failure.usage(
          "--vary \(name.rawValue) expects FROM:TO, FROM:TO:STEP or values with commas between, not '\(text)'"
        )
      }
      return value
    }
    func inDomain(_ value: Double) throws -> Double {
      guard name.takes(value) else {
        throw Failure.usage("\(name.rawValue) is \(name.domain); --vary has '\(text)'")
      }
      return value
    }
    guard text.contains(":") else {
      let list = try text.split(separator: ",", omittingEmptySubsequences: false).map {
        try inDomain(try number($0))
      }
      return .list(Set(list).sorted(), isRange: false)
    }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count) else {
      _ = try number(Substring(text))
      return .list([], isRange: false)
    }
    let (from, to) = (try inDomain(try number(parts[0])), try inDomain(try number(parts[1])))
    guard from <= to else {
      throw Failure.usage(
        "--vary \(name.rawValue)=\(text) runs backwards; the smaller end comes first")
    }
    guard parts.count == 3 else {
      guard name.number?.isExact == true else {
        throw Failure.usage(
          "--vary \(name.rawValue)=\(text) needs a step, FROM:TO:STEP; only thresholds are searched without one"
        )
      }
      return .range(from...to)
    }
    let step = try number(parts[2])
    guard step > 0 else {
      throw Failure.usage("--vary \(name.rawValue)=\(text) has a step of 0 or less")
    }
    // A last step that misses the end by this share of a step hits it.
    let count = ((to - from) / step + 1e-9).rounded(.down)
    guard count < Double(Invocation.mostSteps) else {
      throw Failure.usage(
        "--vary \(name.rawValue)=\(text) is more than \(Invocation.mostSteps) steps; take a larger step"
      )
    }
    return .list(
      (0...Int(count)).map { index in
        // Without what adding up leaves behind the twelfth digit.
        let value = min(to, from + Double(index) * step)
        return abs(value) < 1000 ? (value * 1e12).rounded() / 1e12 : value
      }, isRange: true)
  }
}
