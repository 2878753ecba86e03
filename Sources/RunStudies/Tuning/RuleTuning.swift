import TimelineStatistics

/// The rule that decides labelled gestures with the least cost, with what can be said of it honestly: what it would
/// do with new gestures, how far the labels settle its numbers, and whether it is better than what is in use.
package struct RuleTuning: Sendable {
  /// The question.
  package struct Options: Hashable, Sendable {
    /// The costs of wrong decisions.
    package var weights = TuningWeights()
    /// Where the random numbers begin that deal gestures into folds, and those of the bootstrap.
    package var seed: UInt64 = 1
    /// Coverage of the interval for new gestures.
    package static let level = 0.9
    /// The level of the sign test.
    package static let claimLevel = 0.1
    /// Labels of each outcome, below which nothing is searched.
    package static let fewestLabels = 10
    /// Labels up to which each gesture is left out by itself.
    package static let mostLeftOutSingly = 40
    /// Folds above that.
    package static let foldCount = 10
    /// A region over so much of the range that was asked for settles nothing.
    package static let widestRegion = 0.5

    /// Equal weights.
    package init() {}
  }

  /// Why there is no answer.
  package enum Refusal: Hashable, Sendable {
    /// There are fewer than ``Options/fewestLabels`` of an outcome.
    case fewLabels(finish: Int, cancel: Int)
    /// All gestures belong to one group, so that none is left to learn from.
    case oneGroup
    /// The labels hardly limit a number within the range that was asked for.
    case wideRegion(TuningSpace.Number, region: ClosedRange<Double>, range: ClosedRange<Double>)
  }

  /// Wrong decisions and their cost.
  package struct Errors: Hashable, Sendable {
    /// The summed weights.
    package var cost: Double
    /// Places of gestures that finish though they were meant to cancel.
    package var wrongFinish: [Int]
    /// Places of gestures that cancel though they were meant to finish.
    package var wrongCancel: [Int]

    /// All wrong gestures in their order.
    package var all: [Int] { (wrongFinish + wrongCancel).sorted() }
  }

  /// The best setting.
  package struct Best: Hashable, Sendable {
    /// Measure and numbers.
    package var setting: TuningSetting
    /// What it decides wrongly.
    package var errors: Errors
    /// How far the threshold is from a value at which an outcome changes, no unit. `nil` where it was not searched as
    /// a range.
    package var thresholdMargin: Double?
    /// The same of the threshold of the speed, in its unit.
    package var velocityThresholdMargin: Double?
    /// The only one of both, in its unit, or of both the smaller in standard deviations of progress and velocity.
    package var smallestMargin: Double?
  }

  /// What new gestures are to be expected to cost.
  package struct Expectation: Hashable, Sendable {
    /// How gestures were left out.
    package enum Method: String, Sendable {
      /// Each by itself, or each group by itself.
      case leaveOneOut = "leave-one-out"
      case tenFolds = "10-folds"
    }

    /// How gestures were left out.
    package var method: Method
    /// The parts that were left out.
    package var foldCount: Int
    /// The summed weights of the gestures that were decided wrongly by what the others had found.
    package var cost: Double
    /// How many these are.
    package var errorCount: Int
    /// Their share, 0 to 1.
    package var errorShare: Double
    /// The ends of the interval: of ``errorShare``, or of ``cost`` where the weights differ.
    package var low: Double
    package var high: Double
    /// Whether the interval is of the cost, and approximate.
    package var isOfCost: Bool
    /// How many groups the interval is over, which is approximate then. `nil`: it is over gestures.
    package var groupCount: Int?

    /// Whether the interval only approximates its coverage.
    package var isApproximate: Bool { isOfCost || groupCount != nil }
    /// Where the random numbers began.
    package var seed: UInt64
  }

  /// A number's values that are about as good as the best one, the others fixed.
  package struct Region: Hashable, Sendable {
    package var number: TuningSpace.Number
    /// From the smallest to the largest.
    package var range: ClosedRange<Double>
    /// The range that was asked for. `nil` for some values.
    package var asked: ClosedRange<Double>?
    /// The cost in every stretch of values, rising.
    package var costs: [Step]

    /// A stretch of values with one cost.
    package struct Step: Hashable, Sendable {
      package var low: Double
      package var high: Double
      package var cost: Double
    }
  }

  /// The times of a velocity estimate that are about as good as the best one, the others fixed.
  package struct TimeRegion: Hashable, Sendable {
    /// `window` or `stopGap`.
    package var name: String
    /// From the shortest to the longest of those that were tried, in nanoseconds.
    package var nanoseconds: ClosedRange<Int64>
  }

  /// The best setting against what is in use now, on gestures that were left out.
  package struct Better: Hashable, Sendable {
    /// Gestures that only the tuned setting decides as meant.
    package var b: Int
    /// Gestures that only the one in use does.
    package var c: Int
    /// The exact two-sided sign test of these.
    package var p: Double
    /// Whether it can be called better.
    package var claim: Bool
  }

  /// Another rule, or another estimator, that does about as well.
  package struct Rival: Hashable, Sendable {
    /// Its best setting.
    package var setting: TuningSetting
    package var cost: Double
  }

  /// Everything that a search found.
  package struct Found: Sendable {
    /// How many combinations were searched, the thresholds left aside.
    package var pointCount: Int
    /// The best setting.
    package var best: Best
    /// For new gestures.
    package var expected: Expectation
    /// A region of each number that was varied and has a say.
    package var regions: [Region]
    /// The same of window and stop gap, where they were varied.
    package var timeRegions: [TimeRegion]
    /// Against what is in use.
    package var better: Better
    /// About how many more labels a claim takes. `nil`: none would show it.
    package var moreToClaim: Int?
    /// About how many more it takes to halve a region.
    package var moreToHalve: Int
    /// Up to what cost a setting is about as good.
    package var nearCost: Double
    /// Other rules and estimators within that cost, the best first.
    package var rivals: [Rival]
    /// Gestures that every setting within that cost decides otherwise than labelled.
    package var perhapsMislabelled: [Int]
    /// Numbers whose best value is at an end of the range that was asked for.
    package var atEnds: [TuningSpace.Number]
  }

  /// How many gestures were meant to finish, and to cancel.
  package let finishCount: Int
  package let cancelCount: Int
  /// The errors of the setting that is in use now.
  package let current: Errors
  /// Why there is no answer, most important first. Empty: there is one.
  package let refusals: [Refusal]
  /// What the search found. `nil` if it was not begun.
  package let found: Found?

  /// Whether the best setting can be called better than what is in use.
  package var isClaimed: Bool { refusals.isEmpty && found?.better.claim == true }

  /// The most rivals that are listed.
  private static let mostRivals = 10

  /// Searches a space for the setting of least cost.
  ///
  /// - Parameters:
  ///   - gestures: The labelled gestures.
  ///   - space: What is varied.
  ///   - options: Costs and seed.
  ///   - progress: Called with progress, 0 to 1.
  /// - Complexity: for each point of the space O(n log n) for one threshold and O(n²) for two, 12 times or, up to 40
  ///   labels, n + 2 times. Memory linear in gestures and points.
  package static func search(
    _ gestures: [TuningGesture], in space: TuningSpace, options: Options = Options(),
    progress: (Double) -> Void = { _ in }
  ) -> RuleTuning {
    let finishCount = gestures.count(where: \.isMeantToFinish)
    let cancelCount = gestures.count - finishCount
    func tuning(_ refusals: [Refusal], _ found: Found? = nil) -> RuleTuning {
      RuleTuning(
        finishCount: finishCount, cancelCount: cancelCount,
        current: Errors(gestures, weights: options.weights) { $0.finishesNow },
        refusals: refusals, found: found)
    }
    guard min(finishCount, cancelCount) >= Options.fewestLabels else {
      return tuning([.fewLabels(finish: finishCount, cancel: cancelCount)])
    }
    guard let folds = TuningFolds(gestures, seed: options.seed) else { return tuning([.oneGroup]) }
    let found = search(gestures, in: space, folds, options, progress)
    return tuning(found.wideRegions, found)
  }

  /// Searches a space with gestures that can be dealt into folds.
  private static func search(
    _ gestures: [TuningGesture], in space: TuningSpace, _ folds: TuningFolds, _ options: Options,
    _ progress: (Double) -> Void
  ) -> Found {
    let weights = options.weights
    let now = TuningCurrent(gestures)
    var walk = TuningWalk(gestures, space, weights, now)
    let points = walk.search(folds, progress: progress)
    let best = Best(walk, gestures)
    let nearCost = weights.near(best.errors.cost)
    let regions = walk.regions(of: best.setting, within: nearCost)
    let errors = walk.nestedErrors(folds, gestures)
    let expected = Expectation(errors, folds, gestures, options)
    let better = Better(errors, gestures)
    var moreToClaim = pairsNeeded(gained: better.b, lost: better.c, of: gestures.count)
      .map { max(0, $0 - gestures.count) }
    if better.claim { moreToClaim = 0 } else if moreToClaim == 0 { moreToClaim = 1 }
    return Found(
      pointCount: points, best: best, expected: expected, regions: regions,
      timeRegions: walk.timeRegions(of: best.setting, within: nearCost), better: better,
      moreToClaim: moreToClaim, moreToHalve: 7 * gestures.count, nearCost: nearCost,
      rivals: walk.rivals(besides: best.setting, within: nearCost, at: mostRivals),
      perhapsMislabelled: walk.alwaysWrong(best.errors.all, within: nearCost),
      atEnds: walk.numbersAtEnds(of: best.setting))
  }
}

extension RuleTuning.Found {
  /// A refusal for each number that the labels hardly limit.
  fileprivate var wideRegions: [RuleTuning.Refusal] {
    regions.compactMap { region in
      guard let asked = region.asked,
        region.range.upperBound - region.range.lowerBound
          > RuleTuning.Options.widestRegion * (asked.upperBound - asked.lowerBound)
      else { return nil }
      return .wideRegion(region.number, region: region.range, range: asked)
    }
  }
}

extension RuleTuning.Errors {
  init(_ gestures: [TuningGesture], weights: TuningWeights, finishes: (TuningGesture) -> Bool) {
    let wrong = gestures.indices.filter { finishes(gestures[$0]) != gestures[$0].isMeantToFinish }
    wrongFinish = wrong.filter { !gestures[$0].isMeantToFinish }
    wrongCancel = wrong.filter { gestures[$0].isMeantToFinish }
    cost = weights.cost(wrongFinishes: wrongFinish.count, wrongCancels: wrongCancel.count)
  }
}

extension RuleTuning.Best {
  init(_ walk: TuningWalk, _ gestures: [TuningGesture]) {
    let found = walk.best
    setting = walk.setting(of: found)
    let setting = setting
    errors = RuleTuning.Errors(gestures, weights: walk.weights) { $0.finishes(by: setting) }
    func finite(_ margin: Double) -> Double? { margin.isFinite ? margin : nil }
    thresholdMargin = finite(found.margins.threshold)
    velocityThresholdMargin = finite(found.margins.speed)
    smallestMargin =
      thresholdMargin != nil && velocityThresholdMargin != nil
      ? found.margin : thresholdMargin ?? velocityThresholdMargin
  }
}

extension RuleTuning.Expectation {
  init(
    _ isWrong: [Bool], _ folds: TuningFolds, _ gestures: [TuningGesture],
    _ options: RuleTuning.Options
  ) {
    let weights = options.weights
    method = folds.isLeavingOneOut ? .leaveOneOut : .tenFolds
    foldCount = folds.count
    let costs = zip(isWrong, gestures).map { wrong, gesture -> Double in
      wrong ? gesture.isMeantToFinish ? weights.wrongCancel : weights.wrongFinish : 0
    }
    errorCount = isWrong.count { $0 }
    errorShare = Double(errorCount) / Double(max(1, gestures.count))
    let finishes = zip(isWrong, gestures).count { $0 && !$1.isMeantToFinish }
    cost = weights.cost(wrongFinishes: finishes, wrongCancels: errorCount - finishes)
    seed = options.seed
    isOfCost = weights.wrongFinish != weights.wrongCancel
    let groups = TuningFolds.groups(of: gestures)
    groupCount = groups.count < gestures.count ? groups.count : nil
    let binomial = BinomialInterval(
      successes: errorCount, trials: gestures.count, level: RuleTuning.Options.level)
    (low, high) = (binomial?.low ?? 0, binomial?.high ?? 1)
    guard isOfCost || groupCount != nil else { return }
    // Groups, and not their gestures, are drawn: one person's gestures are alike.
    let measure = isOfCost ? costs : isWrong.map { $0 ? 1 : 0 }
    let whole = isOfCost ? Double(gestures.count) : 1
    let sums = groups.map { $0.reduce(0) { $0 + measure[$1] } }
    let interval = Bootstrap(seed: options.seed, level: RuleTuning.Options.level)
      .interval(of: groups.indices.map(Double.init)) { drawn in
        let positions = drawn.values.map { Int($0) }
        let count = positions.reduce(0) { $0 + groups[$1].count }
        return whole * positions.reduce(0) { $0 + sums[$1] } / Double(max(1, count))
      }
    // Without an error nothing else is drawn, but so many trials do not exclude one.
    let most = isOfCost ? whole * max(weights.wrongFinish, weights.wrongCancel) : 1
    let unseen = BinomialInterval(
      successes: 0, trials: groups.count, level: RuleTuning.Options.level)
    let value = isOfCost ? cost : errorShare
    let drawn = (
      low: interval?.low ?? value,
      high: errorCount == 0 ? most * (unseen?.high ?? 1) : interval?.high ?? value
    )
    // Gestures of a group are never worth more than as many of their own.
    (low, high) =
      isOfCost ? (drawn.low, drawn.high) : (min(low, drawn.low), max(high, drawn.high))
  }
}

extension RuleTuning.Better {
  init(_ isWrong: [Bool], _ gestures: [TuningGesture]) {
    var (b, c) = (0, 0)
    for (wrong, gesture) in zip(isWrong, gestures) {
      let isWrongNow = gesture.finishesNow != gesture.isMeantToFinish
      if isWrongNow, !wrong { b += 1 }
      if !isWrongNow, wrong { c += 1 }
    }
    let test = McNemarTest(gained: b, lost: c)
    (self.b, self.c, p) = (b, c, test.p)
    claim = b > c && p <= RuleTuning.Options.claimLevel
  }
}
