import MotionMeasures
import MotionPhysics
import TimelineModel

/// A walk through all points of a space: what it meets, for all gestures and without each fold.
struct TuningWalk {
  let weights: TuningWeights
  /// The best of all gestures.
  private(set) var best = ThresholdSearch.Best()

  private let gestures: [TuningGesture]
  private let space: TuningSpace
  private let now: TuningCurrent
  private let measures: [TuningSpace.VelocityMeasure]
  private var search: ThresholdSearch
  private var profile: RuleProfile
  private var bestOfFold: [ThresholdSearch.Best] = []
  /// The least cost at each point, so that the second walk passes over what is far from the best.
  private var leastCosts: [Double] = []
  /// The best of each rule, estimator and preset, in the order in which they were met.
  private var bestOfFamily: [(family: Family, best: ThresholdSearch.Best)] = []

  /// What makes two settings rivals rather than two values of one.
  private struct Family: Hashable {
    var kind: ReleaseRule.Kind?
    var estimator: Estimator?
    var preset: EstimationPreset?
  }

  init(
    _ gestures: [TuningGesture], _ space: TuningSpace, _ weights: TuningWeights,
    _ now: TuningCurrent
  ) {
    self.gestures = gestures
    self.space = space
    self.weights = weights
    self.now = now
    measures = space.measures
    search = ThresholdSearch(space, weights: weights, now: now)
    profile = RuleProfile(gestures)
  }

  /// Searches every point once for all gestures and once without each fold. How many points there were.
  mutating func search(_ folds: TuningFolds, progress: (Double) -> Void) -> Int {
    let (space, now, gestures) = (space, now, gestures)
    bestOfFold = Array(repeating: ThresholdSearch.Best(), count: folds.count)
    let share = 1 / Double(max(1, space.pointCount ?? 1))
    var number = 0
    space.forEachPoint(now: now) { point in
      profile.fill(gestures, at: point)
      var bestHere = ThresholdSearch.Best()
      search.search(profile, taking: { _ in true }, at: point, number: number, into: &bestHere)
      leastCosts.append(bestHere.cost)
      if bestHere.isBetter(than: best) { best = bestHere }
      let family = family(of: point)
      if let index = bestOfFamily.firstIndex(where: { $0.family == family }) {
        if bestHere.isBetter(than: bestOfFamily[index].best) {
          bestOfFamily[index].best = bestHere
        }
      } else {
        bestOfFamily.append((family, bestHere))
      }
      for left in 0..<folds.count {
        search.search(
          profile, taking: { folds.fold[$0] != left }, at: point, number: number,
          into: &bestOfFold[left])
      }
      number += 1
      progress(Double(number) * share)
    }
    return number
  }

  private func family(of point: TuningPoint) -> Family {
    let measure = measures[point.measure]
    return Family(kind: point.change.kind, estimator: measure.estimator, preset: measure.preset)
  }

  /// What a cell stands for.
  func setting(of cell: ThresholdSearch.Best) -> TuningSetting {
    settings(of: [cell])[0]
  }

  /// What cells stand for, found in one walk.
  private func settings(of cells: [ThresholdSearch.Best]) -> [TuningSetting] {
    var settings = cells.map { _ in TuningSetting(measure: 0, change: RuleChange()) }
    var number = 0
    space.forEachPoint(now: now) { point in
      for (index, cell) in cells.enumerated() where cell.point == number {
        var change = point.change
        if !cell.threshold.isNaN { change.threshold = cell.threshold }
        if !cell.velocityThreshold.isNaN { change.velocityThreshold = cell.velocityThreshold }
        settings[index] = TuningSetting(measure: point.measure, change: change)
      }
      number += 1
    }
    return settings
  }

  /// Whether each gesture is decided otherwise than labelled by what was found without its fold.
  func nestedErrors(_ folds: TuningFolds, _ gestures: [TuningGesture]) -> [Bool] {
    let settings = settings(of: bestOfFold)
    return zip(gestures, folds.fold).map { gesture, fold in
      gesture.finishes(by: settings[fold]) != gesture.isMeantToFinish
    }
  }

  /// Those of some wrong gestures that no setting within a cost decides as labelled.
  mutating func alwaysWrong(_ wrong: [Int], within limit: Double) -> [Int] {
    let (space, now, gestures) = (space, now, gestures)
    var left = wrong
    var number = 0
    space.forEachPoint(now: now) { point in
      defer { number += 1 }
      guard !left.isEmpty, leastCosts[number] <= limit else { return }
      profile.fill(gestures, at: point)
      search.removeSolvable(among: &left, within: limit, profile, at: point)
    }
    return left
  }

  /// The best settings of other rules and estimators within a cost, the best first.
  func rivals(
    besides best: TuningSetting, within limit: Double, at most: Int
  ) -> [RuleTuning.Rival] {
    let near = bestOfFamily.map(\.best)
      .filter { $0.cost <= limit && $0.point != self.best.point }
    let ordered = near.enumerated().sorted { left, right in
      left.element.isBetter(than: right.element)
        || !right.element.isBetter(than: left.element) && left.offset < right.offset
    }.prefix(most).map(\.element)
    return zip(settings(of: ordered), ordered)
      .filter { $0.0 != best }
      .map { RuleTuning.Rival(setting: $0, cost: $1.cost) }
  }

  /// The region of every number that is varied and that the best rule asks for, the others fixed.
  mutating func regions(of best: TuningSetting, within limit: Double) -> [RuleTuning.Region] {
    let kind = best.change.kind ?? now.kind
    return space.numbers.compactMap { number, values in
      guard kind.map(number.matters) ?? true else { return nil }
      let costs = costs(of: number, values, around: best)
      let near = costs.filter { $0.cost <= limit }
      guard let low = near.first?.low, let high = near.map(\.high).max() else { return nil }
      return RuleTuning.Region(
        number: number, range: low...high, asked: values.ends, costs: costs)
    }
  }

  /// The region of every time that is varied, the others fixed.
  func timeRegions(of best: TuningSetting, within limit: Double) -> [RuleTuning.TimeRegion] {
    let kind = best.change.kind ?? now.kind
    guard kind?.definition.velocity != .unused else { return [] }
    func region(
      _ name: String, _ path: WritableKeyPath<TuningSpace.VelocityMeasure, Int64?>, _ times: [Int64]
    ) -> RuleTuning.TimeRegion? {
      let near = times.filter { time in
        var measure = measures[best.measure]
        measure[keyPath: path] = time
        var setting = best
        guard let index = measures.firstIndex(of: measure) else { return false }
        setting.measure = index
        return RuleTuning.Errors(gestures, weights: weights) { $0.finishes(by: setting) }.cost
          <= limit
      }
      guard let low = near.min(), let high = near.max() else { return nil }
      return RuleTuning.TimeRegion(name: name, nanoseconds: low...high)
    }
    return [
      region("window", \.horizonNanoseconds, space.horizons),
      region("stopGap", \.stopGapNanoseconds, space.stopGaps),
    ].compactMap { $0 }
  }

  private mutating func costs(
    of number: TuningSpace.Number, _ values: TuningSpace.Values, around best: TuningSetting
  ) -> [RuleTuning.Region.Step] {
    guard number.isExact else {
      guard case .list(let values, _) = values else { return [] }
      return values.map { value in
        var setting = best
        setting.change[keyPath: number.path] = value
        let errors = RuleTuning.Errors(gestures, weights: weights) { $0.finishes(by: setting) }
        return RuleTuning.Region.Step(low: value, high: value, cost: errors.cost)
      }
    }
    var point = TuningPoint(
      measure: best.measure, change: best.change, changedCount: 0,
      searchesThreshold: number == .threshold,
      searchesVelocityThreshold: number == .velocityThreshold)
    point.change[keyPath: number.path] = nil
    profile.fill(gestures, at: point)
    return search.costs(profile, at: point).map {
      RuleTuning.Region.Step(low: $0.low, high: $0.high, cost: $0.cost)
    }
  }

  /// The numbers whose best value has no room towards an end of the range that was asked for: the outcomes may get
  /// better beyond it.
  mutating func numbersAtEnds(of best: TuningSetting) -> [TuningSpace.Number] {
    let kind = best.change.kind ?? now.kind
    return space.numbers.compactMap { number, values in
      guard let ends = values.ends, ends.lowerBound < ends.upperBound else { return nil }
      guard kind.map(number.matters) ?? true, let value = best.change[keyPath: number.path] else {
        return nil
      }
      let steps = costs(of: number, values, around: best)
      guard let first = steps.first, let last = steps.last else { return nil }
      let isAtEnd =
        number.isExact && !values.isList
        ? value <= first.high || value >= last.low
        : value == ends.lowerBound || value == ends.upperBound
      return isAtEnd ? number : nil
    }
  }
}

extension TuningSpace.Values {
  fileprivate var isList: Bool {
    if case .list = self { return true }
    return false
  }
}

extension ThresholdSearch.Best {
  /// By cost, then by fewer changed numbers, then by the larger margin.
  func isBetter(than other: ThresholdSearch.Best) -> Bool {
    if cost != other.cost { return cost < other.cost }
    if changedCount != other.changedCount { return changedCount < other.changedCount }
    return margin > other.margin
  }
}
