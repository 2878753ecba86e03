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

/// What one `--vary` asks for: a name and its values.
struct Variation {
  /// The values that are searched through.
  enum Values {
    case rules([ReleaseRule.Kind])
    case estimators([Estimator])
    case presets([EstimationPreset])
    /// Nanoseconds.
    case windows([Int64])
    /// Nanoseconds.
    case stopGaps([Int64])
    case numbers(TuningSpace.Number, TuningSpace.Values)
  }

  let name: VariedName
  let values: Values

  /// More steps are a mistyped step.
  private static let mostSteps = 100_000

  /// What is varied if nothing is named.
  static var usual: Variation {
    Variation(name: .threshold, values: .numbers(.threshold, .range(0.1...0.9)))
  }

  private init(name: VariedName, values: Values) { (self.name, self.values) = (name, values) }

  /// Reads `NAME=VALUES`.
  init(_ text: String) throws {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard let name = VariedName(rawValue: String(parts[0])) else {
      let names = VariedName.allCases.map(\.rawValue)
      let hint = didYouMean(String(parts[0]), among: names)
      throw Failure.usage(
        "--vary does not know '\(parts[0])'\(hint ?? "; it varies " + names.joined(separator: ", "))"
      )
    }
    guard parts.count == 2, !parts[1].isEmpty else {
      throw Failure.usage("--vary \(name.rawValue) expects values: \(name.rawValue)=…")
    }
    self.init(name: name, values: try Variation.values(of: name, String(parts[1])))
  }

  private static func values(of name: VariedName, _ text: String) throws -> Values {
    if let number = name.number {
      return .numbers(number, try values(name, text) { Double($0) })
    }
    switch name {
    case .rule: return .rules(try named(name, text, ReleaseRule.Kind.self))
    case .estimator: return .estimators(try named(name, text, Estimator.self))
    case .preset: return .presets(try named(name, text, EstimationPreset.self))
    case .window: return .windows(try times(name, text))
    default: return .stopGaps(try times(name, text))
    }
  }

  /// Reads times in nanoseconds.
  private static func times(_ name: VariedName, _ text: String) throws -> [Int64] {
    let times = try values(name, text) { parseTime($0).map { Double($0) } }
    guard case .list(let nanoseconds, _) = times else { return [] }
    return nanoseconds.map { Int64($0) }
  }

  private static func named<Name: CaseIterable & RawRepresentable>(
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
  private static func values(
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
    guard count < Double(mostSteps) else {
      throw Failure.usage(
        "--vary \(name.rawValue)=\(text) is more than \(mostSteps) steps; take a larger step"
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

extension TuningSpace {
  /// Adds what one `--vary` asks for.
  fileprivate mutating func add(_ variation: Variation) {
    switch variation.values {
    case .rules(let kinds): self.kinds = kinds
    case .estimators(let estimators): self.estimators = estimators
    case .presets(let presets): self.presets = presets
    case .windows(let nanoseconds): horizons = nanoseconds
    case .stopGaps(let nanoseconds): stopGaps = nanoseconds
    case .numbers(let number, let values): numbers.append((number, values))
    }
  }
}

extension Invocation {
  /// The most combinations beside the thresholds; ours: each is a search of its own.
  private static let mostPoints = 1_000_000

  /// The settings among which `--vary` searches.
  func tuningSpace() throws -> TuningSpace {
    var space = TuningSpace()
    var seen: Set<VariedName> = []
    let asked = try allValues(TuneFlags.vary)
    for variation in asked.isEmpty ? [.usual] : asked {
      let name = variation.name
      guard seen.insert(name).inserted else {
        throw Failure.usage("--vary \(name.rawValue) is given twice; give its values once")
      }
      space.add(variation)
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
}
