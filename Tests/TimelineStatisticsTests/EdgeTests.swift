import TestSupport
import Testing
import TimelineStatistics

/// What is told of no numbers, one, equal ones, huge ones and such as are none.
@Suite struct EdgeTests {
  private let odd = [Double.nan, .infinity, -.infinity]
  private let huge = [Double.greatestFiniteMagnitude, -.greatestFiniteMagnitude]

  @Test func `no numbers have no figures`() {
    let none = SortedValues(odd)
    #expect(none.isEmpty)
    #expect(none.leftOutCount == 3)
    #expect(none.isConstant)
    #expect(none.median == nil)
    #expect(none.medianInterval() == nil)
    #expect(none.quantile(0.5) == nil)
    #expect(RankSumTest([], odd).p == nil)
    #expect(RankSumTest([1], []).p == nil)
    #expect(RankSumTest([], []).u == 0)
    #expect(SignedRankTest(differences: odd).p == nil)
    #expect(LocationShift(from: odd, to: [1]) == nil)
    #expect(LocationShift(ofPairs: []) == nil)
    #expect(GeometricMean(of: []) == .refused(.empty))
    #expect(Bootstrap(seed: 1).interval(of: odd, figure: \.median) == nil)
    #expect(Bootstrap(seed: 1).interval(of: [1], and: odd) { first, _ in first.median } == nil)
    #expect(RunsNeeded().perSide(base: [1], new: [1, 2]) == nil)
    #expect(RunsNeeded().pairs(base: [], differences: []) == nil)
    #expect(holmAdjusted([]).isEmpty)
  }

  @Test func `one number is its own median and shift, without an interval`() throws {
    let one = SortedValues([7] + odd)
    #expect(one.median == 7)
    #expect(one.quantile(0) == 7)
    #expect(one.quantile(1) == 7)
    #expect(one.medianInterval() == nil)
    #expect(RankSumTest([1], [2]).p == 1)
    let shift = try #require(LocationShift(from: [1], to: [3]))
    #expect(shift.estimate == 2)
    #expect(shift.low == nil)
    #expect(shift.coverage == nil)
    #expect(SignedRankTest(differences: [3]).p == 1)
    let interval = try #require(Bootstrap(seed: 1).interval(of: [5], figure: \.median))
    #expect(interval.low == 5)
    #expect(interval.high == 5)
  }

  @Test func `equal numbers give p 1 and no spread`() throws {
    let same = Array(repeating: 4.0, count: 8)
    #expect(RankSumTest(same, same).p == 1)
    #expect(RankSumTest(Array(repeating: 4, count: 90), same).p == 1)
    #expect(RankSumTest(Array(repeating: 4, count: 90), same).method == .normal)
    let none = SignedRankTest(differences: [0, 0, -0.0])
    #expect(none.p == 1)
    #expect(none.zeroCount == 3)
    #expect(none.count == 0)
    #expect(LocationShift(from: same, to: same)?.estimate == 0)
    let interval = try #require(SortedValues(same).medianInterval())
    #expect(interval.low == 4)
    #expect(interval.high == 4)
    // Without any scatter the tests' own least number of runs is left.
    #expect(RunsNeeded().perSide(base: same, new: same) == 4)
    #expect(RunsNeeded().pairs(base: same, differences: [0, 0]) == 6)
    #expect(RunsNeeded().perSide(base: [0, 0], new: [0, 0]) == nil)
  }

  @Test func `the largest numbers overflow nothing`() throws {
    #expect(SortedValues(huge).median == 0)
    #expect(SortedValues([huge[0], huge[0]]).median == huge[0])
    #expect(SortedValues(huge).quantile(0.75).map { $0.isFinite && $0 > 0 } == true)
    let shift = try #require(LocationShift(from: [huge[1]], to: [huge[0]]))
    #expect(shift.estimate == huge[0])
    #expect(try #require(LocationShift(ofPairs: [huge[0], huge[0]])).estimate == huge[0])
    #expect(try #require(LocationShift(ofPairs: huge)).estimate == 0)
    #expect(RunsNeeded().perSide(base: huge, new: huge) == nil)
    #expect(GeometricMean(of: [huge[0], huge[0]]).value.map { $0 > 1e308 && $0.isFinite } == true)
    #expect(McNemarTest(gained: .max, lost: .max).p <= 1)
    #expect(McNemarTest(gained: .max, lost: 0).p == 0)
    #expect(McNemarTest(gained: -3, lost: 0).p == 1)
    #expect(RankSumTest.smallestP(.max, .max) == 0)
    #expect(RankSumTest.smallestP(0, 5) == 1)
    #expect(RankSumTest.smallestP(-1, 5) == 1)
    #expect(SignedRankTest.smallestP(0) == 1)
    #expect(SignedRankTest.smallestP(2000) == 0)
  }

  @Test func `levels outside of 0 to 1 give nothing`() {
    for level in [0, 1, -1, 2, Double.nan, .infinity] {
      #expect(MedianInterval.neededCount(level: level) == nil)
      #expect(SortedValues([1, 2, 3, 4, 5, 6, 7]).medianInterval(level: level) == nil)
      #expect(LocationShift(from: [1, 2, 3, 4, 5], to: [1, 2, 3, 4, 5], level: level)?.low == nil)
      #expect(Bootstrap(seed: 1, level: level).interval(of: [1, 2], figure: \.median) == nil)
      #expect(RunsNeeded(level: level).perSide(base: [1, 2], new: [1, 2]) == nil)
      #expect(RunsNeeded(power: level).perSide(base: [1, 2], new: [1, 2]) == nil)
    }
    #expect(Bootstrap(seed: 1, resampleCount: 0).interval(of: [1, 2], figure: \.median) == nil)
    #expect(SortedValues([1, 2]).quantile(.nan) == nil)
    #expect(SortedValues([1, 2]).quantile(-3) == 1)
    #expect(SortedValues([1, 2]).quantile(.infinity) == 2)
  }

  @Test func `an interval at 95 percent takes 6 numbers`() {
    #expect(MedianInterval.neededCount(level: 0.95) == 6)
    #expect(MedianInterval.neededCount(level: 0.99) == 8)
    #expect(MedianInterval.neededCount(level: 0.5) == 2)
    #expect(SortedValues([1, 2, 3, 4, 5]).medianInterval() == nil)
  }

  @Test func `three against three cannot be significant`() {
    #expect(RankSumTest.smallestP(3, 3) == 0.1)
    for (n, p) in [(4, 0.029), (5, 0.0079), (6, 0.0022)] {
      #expect(abs(RankSumTest.smallestP(n, n) - p) < 5e-4)
      let far = RankSumTest((0..<n).map { Double($0) }, (0..<n).map { Double($0 + 100) })
      #expect(far.p.map { abs($0 - RankSumTest.smallestP(n, n)) < 1e-15 } == true)
    }
    #expect(SignedRankTest.smallestP(6) == 0.03125)
  }

  @Test func `what is no test is not counted among the tests`() {
    let found = holmAdjusted([nil, 0.02, .nan, 0.5])
    #expect(found == [nil, 0.04, nil, 0.5])
    #expect(holmAdjusted([0.6, 0.7]) == [1, 1])
    // Negative and larger than 1 are taken as the ends.
    #expect(holmAdjusted([-1, 2]) == [0, 1])
  }

  @Test func `a geometric mean is refused with its reason`() {
    #expect(GeometricMean(of: [2, 8]).value.map { abs($0 - 4) < 1e-12 } == true)
    #expect(GeometricMean(of: [2, 0, -1]) == .refused(.zero(at: 1)))
    #expect(GeometricMean(of: [2, -1, 0]) == .refused(.negative(at: 1)))
    #expect(GeometricMean(of: [2, .nan]) == .refused(.notFinite(at: 1)))
    #expect(GeometricMean(of: [2, .infinity]).value == nil)
  }

  @Test func `equal numbers are drawn once, and have the interval of all drawings`() {
    let bootstrap = Bootstrap(seed: 1)
    func interval(_ numbers: [Double]) -> (found: Bootstrap.Interval?, definedCount: Int) {
      var definedCount = 0
      let found = bootstrap.interval(of: numbers) {
        definedCount += 1
        return $0.median
      }
      return (found, definedCount)
    }
    let one = interval([7, 7, 7])
    #expect(one.definedCount == 1)
    #expect(one.found?.low == 7)
    #expect(one.found?.high == 7)
    #expect(one.found?.definedCount == 2_000)
    #expect(interval([7, 8, 7]).definedCount == 2_000)
    #expect(bootstrap.interval(of: [7, 7]) { _ in nil } == nil)
  }
}
