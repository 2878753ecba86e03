// More than 400 lines: the search is held against trying everything, and each part of its answer against a known truth.
import Foundation
import MotionPhysics
import TestSupport
import Testing
import TimelineModel

@testable import MotionMeasures
@testable import RunStudies

@Suite struct RuleTuningTests {
  /// A set of gestures whose numbers are few and round, so that many are equal.
  private static func gestures(
    _ count: Int, _ dice: inout SplitMix, measures: Int = 1, own: ReleaseRule = ReleaseRule()
  ) -> [TuningGesture] {
    var release = ReleaseParameters()
    release.rule = own
    return (0..<count).map { _ in
      TuningGesture(
        isMeantToFinish: dice.number(below: 2) == 0,
        progress: Double(dice.number(below: 11)) / 10 + (dice.number(below: 8) == 0 ? 0.05 : 0),
        velocities: (0..<measures).map { _ in
          dice.number(below: 9) == 0 ? nil : Double(dice.number(below: 13)) / 4 - 1.5
        },
        own: release, finishesNow: dice.number(below: 2) == 0)
    }
  }

  /// Places on both sides of every number that anything is compared with, on it, and at the ends.
  private static func candidates(_ numbers: [Double], in range: ClosedRange<Double>) -> [Double] {
    let edges = Set(numbers.filter(range.contains) + [range.lowerBound, range.upperBound]).sorted()
    let middles = zip(edges, edges.dropFirst()).map { ($0 + $1) / 2 }
    return edges + middles
      + edges.flatMap { [$0.nextDown, $0.nextUp] }.filter(range.contains)
  }

  /// What turns a progress velocity into the unit of a rule's threshold of the speed, of its own distance.
  private static func speedScale(_ kind: ReleaseRule.Kind) -> Double {
    switch kind {
    case .gnome: 0.001
    case .cosmic: 150 / 1920
    case .hyprland: 300
    case .wayfire: 256
    default: 1
    }
  }

  /// The least cost that any setting has, by asking the rule about every gesture at every place.
  private static func leastCost(
    _ gestures: [TuningGesture], _ kinds: [ReleaseRule.Kind], _ measures: Range<Int>,
    _ range: ClosedRange<Double>, _ speeds: ClosedRange<Double>?, _ weights: TuningWeights
  ) -> Double {
    var least = Double.infinity
    for kind in kinds {
      for measure in measures {
        let rules = gestures.map { gesture -> ReleaseRule in
          var change = RuleChange()
          change.kind = kind
          return change.applied(to: gesture.own.rule)
        }
        // Where a rule changes its mind is asked of the rule's own margins, which the search does not use.
        let compared = zip(gestures, rules).flatMap { gesture, rule -> [Double] in
          let decision = rule.decide(
            progress: gesture.progress, velocity: gesture.velocities[measure])
          return [gesture.progress, 1 - gesture.progress, decision.projectedProgress ?? 0]
            + [0.0, 1e9].flatMap { threshold -> [Double] in
              var rule = rule
              rule.velocityThreshold = rule.velocityThreshold.map { _ in threshold }
              let decision = rule.decide(
                progress: gesture.progress, velocity: gesture.velocities[measure])
              return [decision.projectedProgress ?? 0]
            }
        }
        let thresholds = candidates(compared, in: range)
        let scale = speedScale(rules[0].kind)
        let triedSpeeds =
          speeds.map { range in
            candidates(gestures.map { abs($0.velocities[measure] ?? 0) * scale }, in: range)
          } ?? [.nan]
        for threshold in thresholds {
          for speed in triedSpeeds {
            var (finishes, cancels) = (0, 0)
            for (gesture, own) in zip(gestures, rules) {
              var rule = own
              rule.threshold = threshold
              if !speed.isNaN, rule.velocityThreshold != nil { rule.velocityThreshold = speed }
              let outcome = rule.outcome(
                progress: gesture.progress, velocity: gesture.velocities[measure])
              if gesture.isMeantToFinish, outcome == .cancel { cancels += 1 }
              if !gesture.isMeantToFinish, outcome == .finish { finishes += 1 }
            }
            least = min(least, weights.cost(wrongFinishes: finishes, wrongCancels: cancels))
          }
        }
      }
    }
    return least
  }

  @Test("the best of 200 random small sets costs what asking every gesture at every place costs")
  func exhaustive() {
    var dice = SplitMix(seed: 20)
    let kinds = ReleaseRule.Kind.allCases
    for round in 0..<(TestRounds.asked ?? 1) * 200 {
      let kind = kinds[round % kinds.count]
      let searchesSpeeds = kind.definition.usual.speed != nil && round % 3 > 0
      var gestures = Self.gestures(1 + dice.number(below: 12), &dice, measures: 2)
      if round % 4 == 0 {
        for place in gestures.indices { gestures[place].own.rule.minimumVelocity = 0.5 }
      }
      // Velocities that the rule can compare.
      for place in gestures.indices {
        gestures[place].own.estimator = kind.definition.preset?.estimator ?? .lsq2
      }
      let weights = TuningWeights(
        wrongFinish: [1, 2, 0.5][dice.number(below: 3)],
        wrongCancel: [1, 1, 3][dice.number(below: 3)])
      let range = [0.0...1, 0.1...0.9, 0.3...0.7, 0.5...0.5][dice.number(below: 4)]
      let speeds: ClosedRange<Double>? =
        searchesSpeeds
        ? kind == .gnome
          ? 0...0.0015
          : dice.number(below: 2) == 0
            ? 0...2 * Self.speedScale(kind) : 0.25 * Self.speedScale(kind)...Self.speedScale(kind)
        : nil
      let now = TuningCurrent(gestures)
      var space = TuningSpace()
      space.kinds = [kind]
      space.numbers = [(.threshold, .range(range))]
      if let speeds { space.numbers.append((.velocityThreshold, .range(speeds))) }
      var search = ThresholdSearch(space, weights: weights, now: now)
      var profile = RuleProfile(gestures)
      var best = ThresholdSearch.Best()
      for measure in 0..<2 {
        var change = RuleChange()
        change.kind = kind
        let point = TuningPoint(
          measure: measure, change: change, changedCount: 0, searchesThreshold: true,
          searchesVelocityThreshold: searchesSpeeds)
        profile.fill(gestures, at: point)
        search.search(profile, taking: { _ in true }, at: point, number: measure, into: &best)
      }
      let least = Self.leastCost(gestures, [kind], 0..<2, range, speeds, weights)
      #expect(best.cost == least, "round \(round), \(kind.rawValue)")
      // What was found costs what it says, by the rule itself.
      var change = RuleChange()
      change.kind = kind
      change.threshold = best.threshold
      if !best.velocityThreshold.isNaN { change.velocityThreshold = best.velocityThreshold }
      let setting = TuningSetting(measure: best.point, change: change)
      #expect(
        RuleTuning.Errors(gestures, weights: weights) { $0.finishes(by: setting) }.cost
          == best.cost)
      #expect(range.contains(best.threshold))
      if let speeds { #expect(speeds.contains(best.velocityThreshold)) }
    }
  }

  @Test("steps of a threshold give the least cost that any of them has")
  func steps() {
    var dice = SplitMix(seed: 3)
    for _ in 0..<100 {
      let gestures = Self.gestures(12, &dice)
      var space = TuningSpace()
      let values = (0...10).map { Double($0) / 10 }
      space.numbers = [(.threshold, .list(values, isRange: true))]
      let now = TuningCurrent(gestures)
      var search = ThresholdSearch(space, weights: TuningWeights(), now: now)
      var profile = RuleProfile(gestures)
      var best = ThresholdSearch.Best()
      space.forEachPoint(now: now) { point in
        profile.fill(gestures, at: point)
        search.search(profile, taking: { _ in true }, at: point, number: 0, into: &best)
      }
      let costs = values.map { value in
        gestures.count { ($0.progress > value) != $0.isMeantToFinish }
      }
      #expect(Double(costs.min() ?? -1) == best.cost)
    }
  }

  /// Gestures whose intent turns at a progress, with some noise: the chance to mean finish is a logistic function.
  private static func swipes(
    _ count: Int, turningAt truth: Double, width: Double, _ dice: inout SplitMix
  ) -> [TuningGesture] {
    var release = ReleaseParameters()
    release.rule.threshold = 0.5
    return (0..<count).map { _ in
      let progress = dice.unit()
      let chance = width == 0 ? 0.5 : 1 / (1 + exp(-(progress - truth) / width))
      return TuningGesture(
        isMeantToFinish: dice.unit() < chance, progress: progress,
        velocities: [dice.unit() * 4 - 2], own: release, finishesNow: progress > 0.5)
    }
  }

  private static var threshold: TuningSpace {
    var space = TuningSpace()
    space.numbers = [(.threshold, .range(0.05...0.95))]
    return space
  }

  @Test("the region covers a known threshold, and the nested estimate the known share of errors")
  func knownTruth() throws {
    var dice = SplitMix(seed: 11)
    let rounds = TestRounds.asked.map { $0 * 40 } ?? 60
    for (count, width) in [(40, 0.04), (120, 0.06)] {
      var (covered, difference, tried) = (0, 0.0, 0)
      for _ in 0..<rounds {
        let truth = 0.3 + dice.unit() * 0.4
        let tuning = RuleTuning.search(
          Self.swipes(count, turningAt: truth, width: width, &dice), in: Self.threshold)
        guard let found = tuning.found else { continue }
        tried += 1
        if found.regions[0].range.contains(truth) { covered += 1 }
        // The share of errors that the found threshold makes of all gestures there can be.
        let best = try #require(found.best.setting.change.threshold)
        let errors = (0..<2000).map { place -> Double in
          let progress = (Double(place) + 0.5) / 2000
          let chance = 1 / (1 + exp(-(progress - truth) / width))
          return progress > best ? 1 - chance : chance
        }
        difference += found.expected.errorShare - errors.reduce(0, +) / 2000
      }
      #expect(tried > rounds * 9 / 10)
      #expect(Double(covered) >= 0.8 * Double(tried), "\(covered) of \(tried)")
      #expect(abs(difference / Double(tried)) < 0.02)
    }
  }

  @Test("labels that a coin tossed are called better in one set of ten at most")
  func coins() {
    var dice = SplitMix(seed: 5)
    let rounds = TestRounds.asked.map { $0 * 40 } ?? 60
    var space = Self.threshold
    space.kinds = [.progress, .velocity]
    space.numbers.append((.velocityThreshold, .range(0.1...2)))
    var claims = 0
    for round in 0..<rounds {
      let tuning = RuleTuning.search(
        Self.swipes(round % 2 == 0 ? 40 : 80, turningAt: 0.5, width: 0, &dice), in: space)
      if tuning.isClaimed { claims += 1 }
    }
    #expect(claims * 10 <= rounds, "\(claims) of \(rounds)")
  }

  @Test("fewer than ten labels of an outcome are refused, and nothing is searched")
  func fewLabels() {
    var dice = SplitMix(seed: 1)
    var gestures = Self.gestures(40, &dice)
    for place in gestures.indices { gestures[place].isMeantToFinish = place < 9 }
    let tuning = RuleTuning.search(gestures, in: Self.threshold)
    #expect(tuning.refusals == [.fewLabels(finish: 9, cancel: 31)])
    #expect(tuning.found == nil)
    #expect(!tuning.isClaimed)
    #expect(
      RuleTuning.search([], in: Self.threshold).refusals == [.fewLabels(finish: 0, cancel: 0)])
  }

  @Test("labels that say nothing of a threshold are refused, with its region")
  func wideRegion() throws {
    // Nobody lifts between 0.1 and 0.9.
    let gestures = (0..<40).map { place in
      TuningGesture(
        isMeantToFinish: place % 2 == 0, progress: place % 2 == 0 ? 0.93 : 0.07,
        velocities: [0], own: ReleaseParameters(), finishesNow: place % 2 == 0)
    }
    let tuning = RuleTuning.search(gestures, in: Self.threshold)
    guard case .wideRegion(.threshold, let region, let range) = try #require(tuning.refusals.first)
    else { return #expect(Bool(false)) }
    #expect(region.lowerBound <= 0.1)
    #expect(region.upperBound >= 0.9)
    #expect(range == 0.05...0.95)
    // The threshold in use is as good as any, and stays.
    #expect(tuning.found?.best.setting.change.threshold == 0.5)
  }

  @Test("of equal costs the fewest changes win, then the middle of the widest cell")
  func ties() throws {
    var gestures: [TuningGesture] = []
    for place in 0..<12 {
      for (start, isMeantToFinish) in [(0.2, false), (0.8, true)] {
        let progress = start + Double(place) / 100
        gestures.append(
          TuningGesture(
            isMeantToFinish: isMeantToFinish, progress: progress, velocities: [0],
            own: ReleaseParameters(), finishesNow: progress > 0.5))
      }
    }
    let kept = try #require(RuleTuning.search(gestures, in: Self.threshold).found)
    #expect(kept.best.setting.change.threshold == 0.5)
    #expect(kept.best.errors.cost == 0)
    #expect(kept.better.b == 0)
    #expect(kept.better.p == 1)
    #expect(kept.moreToClaim == nil)
    for place in gestures.indices {
      gestures[place].own.rule.threshold = 0.1
      gestures[place].finishesNow = true
    }
    let moved = try #require(RuleTuning.search(gestures, in: Self.threshold).found)
    let best = try #require(moved.best.setting.change.threshold)
    #expect(abs(best - (0.31 + 0.8) / 2) < 1e-12)
    #expect(abs((moved.best.smallestMargin ?? 0) - (0.8 - 0.31) / 2) < 1e-12)
    #expect(moved.better.b == 12)
    #expect(moved.better.claim)
    #expect(moved.moreToClaim == 0)
  }

  @Test(
    "a gesture that every near setting decides otherwise is perhaps mislabelled, others are not")
  func mislabelled() throws {
    var dice = SplitMix(seed: 8)
    var gestures = Self.swipes(80, turningAt: 0.45, width: 0.001, &dice)
    let high = try #require(gestures.indices.first { gestures[$0].progress > 0.85 })
    gestures[high].isMeantToFinish = false
    let found = try #require(RuleTuning.search(gestures, in: Self.threshold).found)
    #expect(found.perhapsMislabelled == [high])
    #expect(found.best.errors.wrongFinish.contains(high))
  }

  @Test("gestures of one group are left out together, and a single group is refused")
  func groups() throws {
    var dice = SplitMix(seed: 2)
    var gestures = Self.swipes(100, turningAt: 0.45, width: 0.05, &dice)
    for place in gestures.indices { gestures[place].group = "person \(place % 7)" }
    let folds = try #require(TuningFolds(gestures, seed: 1))
    #expect(folds.count == 7)
    #expect(!folds.isLeavingOneOut)
    for place in gestures.indices { #expect(folds.fold[place] == folds.fold[place % 7]) }
    // People who differ: of seven the interval is wider than of a hundred gestures that are all their own.
    func expected(_ group: (Int) -> String?) throws -> RuleTuning.Expectation {
      for place in gestures.indices {
        gestures[place].group = group(place)
        if place % 7 < 2 { gestures[place].isMeantToFinish = gestures[place].progress < 0.5 }
      }
      return try #require(RuleTuning.search(gestures, in: Self.threshold).found).expected
    }
    let grouped = try expected { "person \($0 % 7)" }
    let single = try expected { _ in nil }
    #expect(grouped.groupCount == 7)
    #expect(grouped.isApproximate)
    #expect(single.groupCount == nil)
    #expect(grouped.low <= grouped.errorShare)
    #expect(grouped.errorShare <= grouped.high)
    #expect(grouped.high - grouped.low > 1.2 * (single.high - single.low))
    for place in gestures.indices {
      gestures[place].isMeantToFinish = gestures[place].progress > 0.5
    }
    let flawless = try expected { "person \($0 % 7 + 7)" }
    #expect(flawless.groupCount == 7)
    #expect(flawless.high > flawless.errorShare)
    for place in gestures.indices { gestures[place].group = "one" }
    #expect(RuleTuning.search(gestures, in: Self.threshold).refusals == [.oneGroup])
    for place in gestures.indices { gestures[place].group = nil }
    let dealt = try #require(TuningFolds(gestures, seed: 1))
    #expect(dealt.count == 10)
    for fold in 0..<10 {
      let part = gestures.indices.filter { dealt.fold[$0] == fold }
      #expect(part.count == 10)
      let finishes = Double(gestures.count(where: \.isMeantToFinish)) / 10
      #expect(abs(Double(part.count { gestures[$0].isMeantToFinish }) - finishes) < 1)
    }
    #expect(TuningFolds(Array(gestures.prefix(40)), seed: 1)?.isLeavingOneOut == true)
    #expect(TuningFolds(gestures, seed: 1)?.fold == dealt.fold)
    #expect(TuningFolds(gestures, seed: 2)?.fold != dealt.fold)
  }

  @Test("a best value at the end of the range is named, and unequal weights move the threshold")
  func endsAndWeights() throws {
    var dice = SplitMix(seed: 4)
    let gestures = Self.swipes(100, turningAt: 0.2, width: 0.02, &dice)
    var space = TuningSpace()
    space.numbers = [(.threshold, .range(0.4...0.9))]
    #expect(try #require(RuleTuning.search(gestures, in: space).found).atEnds == [.threshold])
    #expect(try #require(RuleTuning.search(gestures, in: Self.threshold).found).atEnds.isEmpty)
    let noisy = Self.swipes(200, turningAt: 0.5, width: 0.1, &dice)
    func best(_ weights: TuningWeights) throws -> Double {
      var options = RuleTuning.Options()
      options.weights = weights
      let found = try #require(RuleTuning.search(noisy, in: Self.threshold, options: options).found)
      #expect(found.expected.isOfCost == (weights.wrongFinish != weights.wrongCancel))
      #expect(found.expected.low <= found.expected.high)
      return try #require(found.best.setting.change.threshold)
    }
    let equal = try best(TuningWeights())
    #expect(try best(TuningWeights(wrongFinish: 5)) > equal)
    #expect(try best(TuningWeights(wrongCancel: 5)) < equal)
  }

  @Test(
    "numbers that no rule can be made of, and ones at the ends of what a number holds, give an answer"
  )
  func extremes() {
    let wild = [
      0, -0.0, 1, -1, .infinity, -.infinity, .nan, .greatestFiniteMagnitude, .leastNonzeroMagnitude,
      0.5,
    ]
    let gestures = wild.flatMap { progress in
      wild.prefix(6).enumerated().map { place, velocity in
        TuningGesture(
          isMeantToFinish: place % 2 == 0, progress: progress,
          velocities: Array(repeating: velocity, count: 6), own: ReleaseParameters(),
          finishesNow: false)
      }
    }
    var space = TuningSpace()
    space.kinds = ReleaseRule.Kind.allCases.filter {
      $0.definition.usual.speed?.unit != .pointsPerSecond
    }
    // The sessions' own way, and the five that compositors measure by.
    #expect(space.measures.count == 6)
    space.numbers = [(.threshold, .range(0...1)), (.velocityThreshold, .range(0...1e300))]
    let tuning = RuleTuning.search(gestures, in: space)
    #expect(tuning.found?.best.errors.cost.isFinite == true)
  }
}

extension SplitMix {
  fileprivate mutating func number(below count: Int) -> Int {
    Int.random(in: 0..<count, using: &self)
  }
  fileprivate mutating func unit() -> Double { Double.random(in: 0..<1, using: &self) }
}
