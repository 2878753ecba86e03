package import MotionMeasures
package import MotionPhysics

/// The settings among which a rule is searched: what is varied, and through which values. What is not varied is each
/// gesture's own.
package struct TuningSpace: Sendable, Hashable {
  /// A number of a release rule that can be varied. The raw values are the names in scenario files.
  package enum Number: String, CaseIterable, Sendable {
    /// ``MotionPhysics/ReleaseRule/threshold``.
    case threshold
    /// ``MotionPhysics/ReleaseRule/velocityThreshold``.
    case velocityThreshold
    /// ``MotionPhysics/ReleaseRule/decelerationRate``.
    case decelerationRate
    /// ``MotionPhysics/ReleaseRule/distance``.
    case distance
    /// ``MotionPhysics/ReleaseRule/minimumVelocity``.
    case minimumVelocity
    /// ``MotionPhysics/ReleaseRule/maximumVelocity``.
    case maximumVelocity

    /// Whether every value in a range can be searched, since the outcomes change at known places alone.
    package var isExact: Bool { self == .threshold || self == .velocityThreshold }

    package var path: WritableKeyPath<RuleChange, Double?> {
      switch self {
      case .threshold: \.threshold
      case .velocityThreshold: \.velocityThreshold
      case .decelerationRate: \.decelerationRate
      case .distance: \.distance
      case .minimumVelocity: \.minimumVelocity
      case .maximumVelocity: \.maximumVelocity
      }
    }

    /// The number that a rule has. `nil` for none.
    package func value(in rule: ReleaseRule) -> Double? {
      RuleChange(to: rule)[keyPath: path]
    }

    /// Whether a rule of a kind asks for it.
    package func matters(to kind: ReleaseRule.Kind) -> Bool {
      switch self {
      case .threshold: true
      case .velocityThreshold: kind.definition.usual.speed != nil
      case .decelerationRate: kind.definition.usual.decelerationRate != .unused
      case .distance:
        // A distance of the rule's own is part of its peer's account of a swipe.
        kind.definition.usual.distance == nil
          && kind.definition.usual.speed.map { $0.unit != .perSecond } ?? false
      case .minimumVelocity, .maximumVelocity: kind.definition.velocity != .unused
      }
    }
  }

  /// The values that a number takes.
  package enum Values: Hashable, Sendable {
    /// Every value from one to another, both included.
    case range(ClosedRange<Double>)
    /// These values, rising. `isRange` where they are the steps from one to another.
    case list([Double], isRange: Bool)

    /// The ends, where the values are a range. `nil` for a list of some values.
    package var ends: ClosedRange<Double>? {
      switch self {
      case .range(let range): range
      case .list(let values, let isRange):
        isRange && values.count > 1 ? values[0]...values[values.count - 1] : nil
      }
    }
  }

  /// A way to tell the velocity. What is nil is the session's own.
  package struct VelocityMeasure: Hashable, Sendable {
    package var estimator: Estimator?
    /// Whose window it looks through.
    package var preset: EstimationPreset?
    /// How far back it looks, in nanoseconds.
    package var horizonNanoseconds: Int64?
    /// The pause that forgets what was before it, in nanoseconds.
    package var stopGapNanoseconds: Int64?

    /// The question of the measure alone.
    package var question: VelocityQuestion {
      var question = VelocityQuestion()
      question.estimators = estimator.map { [$0] } ?? []
      question.preset = preset
      question.horizonNanoseconds = horizonNanoseconds
      question.stopGapNanoseconds = stopGapNanoseconds
      return question
    }
  }

  /// The rules. Empty: each gesture's own.
  package var kinds: [ReleaseRule.Kind] = []
  /// The rules' numbers, each at most once.
  package var numbers: [(number: Number, values: Values)] = [] {
    didSet { numbers.sort { $0.number.rawValue < $1.number.rawValue } }
  }
  /// The estimators. Empty: each session's own.
  package var estimators: [Estimator] = []
  /// The peers' windows. Empty: each session's own.
  package var presets: [EstimationPreset] = []
  /// How far back samples count, in nanoseconds, rising. Empty: each session's own.
  package var horizons: [Int64] = []
  /// The pauses, in nanoseconds, rising. Empty: each session's own.
  package var stopGaps: [Int64] = []

  /// Varies nothing.
  package init() {}

  package static func == (left: TuningSpace, right: TuningSpace) -> Bool {
    left.kinds == right.kinds && left.measures == right.measures
      && left.numbers.map(\.number) == right.numbers.map(\.number)
      && left.numbers.map(\.values) == right.numbers.map(\.values)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(kinds)
    hasher.combine(measures)
    for (number, values) in numbers {
      hasher.combine(number)
      hasher.combine(values)
    }
  }

  /// The ways in which velocities are estimated: first the sessions' own, then every combination that is varied.
  package var measures: [VelocityMeasure] {
    var measures = [VelocityMeasure()]
    func vary<Value>(_ values: [Value], _ path: WritableKeyPath<VelocityMeasure, Value?>) {
      guard !values.isEmpty else { return }
      measures = measures.flatMap { measure in
        values.map { value in
          var varied = measure
          varied[keyPath: path] = value
          return varied
        }
      }
    }
    vary(estimators, \.estimator)
    vary(presets, \.preset)
    vary(horizons, \.horizonNanoseconds)
    vary(stopGaps, \.stopGapNanoseconds)
    if measures != [VelocityMeasure()] { measures.insert(VelocityMeasure(), at: 0) }
    // What a compositor's rule measures by itself comes last.
    for kind in kinds where asksOwnMeasure(kind) {
      let own = VelocityMeasure(preset: kind.definition.preset)
      if !measures.contains(own) { measures.append(own) }
    }
    return measures
  }

  /// Whether a rule is asked about its compositor's own measure: where neither estimator nor preset is varied, and
  /// where it takes none of those that are.
  private func asksOwnMeasure(_ kind: ReleaseRule.Kind) -> Bool {
    guard kind.definition.preset != nil else { return false }
    return estimators.isEmpty && presets.isEmpty
      || !variedEstimators.contains { $0.map(kind.definition.accepts) ?? false }
  }

  /// The estimators that are varied. `nil` for a session's own.
  private var variedEstimators: [Estimator?] {
    estimators.isEmpty
      ? presets.isEmpty ? [nil] : presets.map(\.estimator) : estimators
  }

  /// The places of the measures that a rule is asked about.
  private func measures(of kind: ReleaseRule.Kind?, in measures: [VelocityMeasure]) -> [Int] {
    guard let kind else { return measures.count > 1 ? Array(measures.indices.dropFirst()) : [0] }
    guard kind.definition.velocity != .unused else { return [0] }
    if asksOwnMeasure(kind),
      let own = measures.firstIndex(of: VelocityMeasure(preset: kind.definition.preset))
    {
      return [own]
    }
    let owns = Set(
      kinds.filter(asksOwnMeasure).map { VelocityMeasure(preset: $0.definition.preset) })
    let varied = measures.indices.dropFirst().filter {
      let measure = measures[$0]
      let estimator = measure.estimator ?? measure.preset?.estimator
      return !(owns.contains(measure) && estimators.isEmpty && presets.isEmpty)
        && estimator.map(kind.definition.accepts) ?? true
    }
    return varied.isEmpty ? [0] : varied
  }

  /// The units of the speeds that the rules compare with their `velocityThreshold`, each once.
  package var velocityThresholdUnits: [String] {
    Set(kinds.compactMap(\.definition.usual.speed?.unit.rawValue)).sorted()
  }

  /// A number that is varied and that no gesture's own rule has. `nil`: there is none, or rules are varied too.
  package func unusedNumber(of gestures: [LabelledGestures.Gesture]) -> Number? {
    guard kinds.isEmpty, !gestures.isEmpty else { return nil }
    let own = Set(gestures.map(\.numbers.own.rule.kind))
    return numbers.first { !own.contains(where: $0.number.matters) }?.number
  }

  /// The values of a number. `nil` where it is not varied.
  package func values(of number: Number) -> Values? {
    numbers.first { $0.number == number }?.values
  }
}

/// One combination of what is varied beside the thresholds.
struct TuningPoint: Hashable, Sendable {
  /// The place of the measure in the space's list.
  var measure: Int
  /// What is different about each gesture's own rule. No threshold is in it.
  var change: RuleChange
  /// The numbers and names that differ from what decides now.
  var changedCount: Int
  var searchesThreshold: Bool
  var searchesVelocityThreshold: Bool
}

extension TuningSpace {
  /// How many points there are at most, the thresholds left aside. `nil` for more than an `Int` holds.
  package var pointCount: Int? {
    let counts =
      [max(1, kinds.count), max(1, measures.count - 1)]
      + numbers.compactMap { number, values in
        guard !number.isExact, case .list(let values, _) = values else { return nil }
        return max(1, values.count)
      }
    return counts.reduce(1) { product, count -> Int? in
      product.flatMap {
        let (result, overflow) = $0.multipliedReportingOverflow(by: count)
        return overflow ? nil : result
      }
    }
  }

  /// Every combination beside the thresholds, each once: what a rule does not ask for is not varied for it.
  ///
  /// - Parameters:
  ///   - current: What all gestures are decided by now, where they agree.
  ///   - body: Takes a point.
  func forEachPoint(now current: TuningCurrent, _ body: (TuningPoint) throws -> Void) rethrows {
    let measures = measures
    for kind in kinds.isEmpty ? [nil] : kinds.map(Optional.some) {
      let known = kind ?? current.kind
      let grids = numbers.compactMap { number, values -> (Number, [Double])? in
        guard !number.isExact, known.map(number.matters) ?? true,
          case .list(let values, _) = values
        else { return nil }
        return (number, values)
      }
      func isSearched(_ number: Number) -> Bool {
        values(of: number) != nil && (known.map(number.matters) ?? true)
      }
      for measure in self.measures(of: known, in: measures) {
        var positions = Array(repeating: 0, count: grids.count)
        while true {
          var point = TuningPoint(
            measure: measure, change: RuleChange(), changedCount: 0,
            searchesThreshold: isSearched(.threshold),
            searchesVelocityThreshold: isSearched(.velocityThreshold))
          point.change.kind = kind
          point.changedCount = current.changes(of: measures[measure])
          if let kind, kind != current.kind { point.changedCount += 1 }
          for (index, (number, values)) in zip(positions, grids) {
            point.change[keyPath: number.path] = values[index]
            if current.value(of: number) != values[index] { point.changedCount += 1 }
          }
          try body(point)
          guard let last = positions.indices.last(where: { positions[$0] + 1 < grids[$0].1.count })
          else { break }
          positions[last] += 1
          for index in positions.indices where index > last { positions[index] = 0 }
        }
      }
    }
  }
}

/// What the gestures are decided by now, where they agree on it.
struct TuningCurrent: Hashable, Sendable {
  /// The numbers of the rule on which they agree. Looked up only.
  private var numbers: [TuningSpace.Number: Double] = [:]
  /// The kind of rule. `nil` where they differ.
  var kind: ReleaseRule.Kind?
  /// The estimator. `nil` where they differ.
  var estimator: Estimator?
  /// The window. `nil` where they differ.
  var window: EstimationWindow?

  init(_ gestures: [TuningGesture]) {
    func common<Value: Equatable>(_ value: (ReleaseParameters) -> Value) -> Value? {
      guard let first = gestures.first.map({ value($0.own) }) else { return nil }
      return gestures.allSatisfy { value($0.own) == first } ? first : nil
    }
    kind = common(\.rule.kind)
    for number in TuningSpace.Number.allCases {
      numbers[number] = common { number.value(in: $0.rule) } ?? nil
    }
    (estimator, window) = (common(\.estimator), common(\.window))
  }

  /// A number of the rule. `nil` where they differ, and where there is none.
  func value(of number: TuningSpace.Number) -> Double? { numbers[number] }

  /// How many parts of a measure differ from what is in use.
  func changes(of measure: TuningSpace.VelocityMeasure) -> Int {
    [
      measure.estimator.map { $0 != estimator },
      measure.preset.map { $0.rawValue != window?.name },
      measure.horizonNanoseconds.map { $0 != window?.horizonNanoseconds },
      measure.stopGapNanoseconds.map { $0 != window?.stopGapNanoseconds },
    ].count { $0 == true }
  }
}
