import TestSupport
import Testing
import TimelineStatistics

/// Small cases counted out here by walking through every arrangement, with ties and zeros.
@Suite struct CountingTests {
  private func numbers(_ count: Int, below limit: UInt64, _ dice: inout SplitMix) -> [Double] {
    (0..<count).map { _ in Double(dice.next() % limit) }
  }

  /// Twice the smaller share of sums at or beyond one.
  private func twoSided(_ sums: [Double], _ found: Double) -> Double {
    let below = sums.count { $0 <= found + 1e-9 }
    let above = sums.count { $0 >= found - 1e-9 }
    return min(1, 2 * Double(min(below, above)) / Double(sums.count))
  }

  /// How many pairs of numbers the first group wins, ties for a half, when the bits of a mask say who is in it.
  private func pairsWon(_ pool: [Double], _ mask: Int) -> Double {
    var won = 0.0
    for one in pool.indices where mask >> one & 1 == 1 {
      for other in pool.indices where mask >> other & 1 == 0 {
        won += pool[one] > pool[other] ? 1 : pool[one] == pool[other] ? 0.5 : 0
      }
    }
    return won
  }

  @Test func `p of two groups is the share of all deals`() throws {
    var dice = SplitMix(seed: 61)
    for _ in 0..<60 {
      let n = 1 + Int(dice.next() % 5)
      let m = 1 + Int(dice.next() % 5)
      let limit = 1 + dice.next() % 8
      let pool = numbers(n + m, below: limit, &dice)
      let deals = (0..<(1 << (n + m))).filter { $0.nonzeroBitCount == n }
      let sums = deals.map { pairsWon(pool, $0) }
      let test = RankSumTest(Array(pool[..<n]), Array(pool[n...]))
      #expect(test.u == pairsWon(pool, (1 << n) - 1))
      #expect(abs(try #require(test.p) - twoSided(sums, test.u)) < 1e-12, "\(pool) \(n)")
    }
  }

  @Test func `p of pairs is the share of all signs`() throws {
    var dice = SplitMix(seed: 62)
    for _ in 0..<60 {
      let n = 1 + Int(dice.next() % 9)
      let limit = 2 + dice.next() % 9
      let differences = numbers(n, below: limit, &dice).map { $0 - Double(limit / 2) }
      let ranked = differences.filter { $0 != 0 }
      // The middle rank is one more than half of all that are smaller or equal but itself.
      let ranks = ranked.map { one in
        let smaller = ranked.count { abs($0) < abs(one) }
        let equal = ranked.count { abs($0) == abs(one) }
        return Double(smaller) + Double(equal + 1) / 2
      }
      let sums = (0..<(1 << ranked.count)).map { mask in
        ranks.indices.reduce(0.0) { mask >> $1 & 1 == 1 ? $0 + ranks[$1] : $0 }
      }
      let test = SignedRankTest(differences: differences)
      let sum = zip(ranked, ranks).reduce(0.0) { $1.0 > 0 ? $0 + $1.1 : $0 }
      #expect(test.positiveRankSum == sum)
      #expect(test.zeroCount == n - ranked.count)
      #expect(abs(try #require(test.p) - twoSided(sums, sum)) < 1e-12, "\(differences)")
    }
  }

  @Test func `shifts are the medians of all differences and means`() throws {
    var dice = SplitMix(seed: 63)
    for round in 0..<80 {
      let first = numbers(1 + Int(dice.next() % 12), below: round < 40 ? 5 : 1_000_003, &dice)
      let second = numbers(1 + Int(dice.next() % 12), below: round < 40 ? 5 : 1_000_003, &dice)
        .map { $0 - 3.25 }
      let differences = SortedValues(second.flatMap { number in first.map { number - $0 } })
      let shift = try #require(LocationShift(from: first, to: second, level: 0.9))
      #expect(shift.estimate == differences.median)
      if let low = shift.low, let high = shift.high {
        #expect(differences.values.contains(low))
        #expect(differences.values.contains(high))
        #expect(low <= shift.estimate)
        #expect(shift.estimate <= high)
        #expect(try #require(shift.coverage) >= 0.9)
      }
      let means = SortedValues(
        second.indices.flatMap { i in (i..<second.count).map { second[i] / 2 + second[$0] / 2 } })
      #expect(try #require(LocationShift(ofPairs: second)).estimate == means.median)
    }
  }

  @Test func `at the limit of counting both ways tell nearly the same`() throws {
    var dice = SplitMix(seed: 64)
    for _ in 0..<5 {
      let first = numbers(30, below: 1000, &dice)
      let second = numbers(30, below: 1000, &dice).map { $0 + 120 }
      let exact = RankSumTest(first, second)
      // A number that is far below all others on both sides changes neither order nor evidence much.
      let more = RankSumTest(first + [-5000], second + [-6000])
      #expect(exact.method == .exact)
      #expect(more.method == .normal)
      #expect(abs(try #require(exact.p) - (try #require(more.p))) < 0.03)
    }
  }

  @Test func `an interval of the median covers as often as it says`() throws {
    var dice = SplitMix(seed: 65)
    var covered = 0
    let rounds = 2000
    for _ in 0..<rounds {
      let sample = (0..<10).map { _ in Double(dice.next() >> 11) }
      let interval = try #require(SortedValues(sample).medianInterval())
      if interval.low <= 0x1p52, 0x1p52 <= interval.high { covered += 1 }
    }
    // 97.85 %, give or take three standard errors.
    #expect(abs(Double(covered) / Double(rounds) - 0.9785) < 0.01)
  }

  @Test func `a bootstrap says the same again, and something else for another seed`() throws {
    let numbers = [3.0, 4, 5, 6, 7, 8, 11, 15]
    func interval(_ seed: UInt64) throws -> Bootstrap.Interval {
      try #require(
        Bootstrap(seed: seed).interval(of: numbers, and: [1, 2, 4]) { first, second in
          guard let one = first.median, let other = second.median else { return nil }
          return one / other
        })
    }
    #expect(try interval(7) == interval(7))
    #expect(try interval(7).definedCount == 2000)
    #expect(try interval(7).low < 3 && interval(7).high > 3)
    let means = try (1...5).map { seed in
      try #require(
        Bootstrap(seed: UInt64(seed)).interval(of: numbers) {
          $0.values.reduce(0, +) / Double($0.count)
        })
    }
    #expect(Set(means).count > 1)
  }

  @Test func `a figure that too few drawings tell has no interval`() {
    let found = Bootstrap(seed: 1).interval(of: [1, 2, 3]) { $0.values == [1, 2, 3] ? 1 : nil }
    #expect(found == nil)
  }

  @Test func `quantiles are straight lines between numbers`() {
    let values = SortedValues([4, 1, 3, 2])
    #expect(values.quantile(0.25) == 1.75)
    #expect(values.median == 2.5)
    #expect(values.quantile(0.9) == 3.7)
    #expect(SortedValues([1, 2, 3, 4, 5]).quantile(0.1) == 1.4)
  }
}
