import Testing
import TimelineStatistics

/// Hollander and Wolfe, Nonparametric Statistical Methods (1973): the examples that R's manual of wilcox.test
/// takes over, with the answers of the book.
@Suite struct PublishedTests {
  /// Table 4.1: permeability of membranes at term and at 12 to 26 weeks.
  private let term = [0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46]
  private let early = [1.15, 0.88, 0.90, 0.74, 1.21]
  /// Table 3.1: a depression scale at two visits of nine patients.
  private let firstVisit = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30]
  private let secondVisit = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29]

  private func near(_ found: Double?, _ right: Double, _ tolerance: Double = 1e-9) -> Bool {
    found.map { abs($0 - right) <= tolerance } ?? false
  }

  @Test func `permeabilities differ with p 0.2544 by 35 pairs`() {
    let test = RankSumTest(term, early)
    #expect(test.u == 35)
    #expect(test.method == .exact)
    #expect(!test.hasTies)
    #expect(near(test.p, 764 / 3003))
    #expect(near(test.p, 0.2544, 5e-5))
    #expect(RankSumTest(early, term).p == test.p)
    #expect(RankSumTest(early, term).u == 15)
  }

  @Test func `permeabilities are shifted by 0.305, from -0.15 to 0.76`() throws {
    let shift = try #require(LocationShift(from: early, to: term))
    #expect(near(shift.estimate, 0.305))
    #expect(near(shift.low, -0.15))
    #expect(near(shift.high, 0.76))
    #expect(near(shift.coverage, 0.96, 5e-4))
  }

  @Test func `patients feel better with p 0.039`() {
    let test = SignedRankTest(differences: zip(firstVisit, secondVisit).map { $0 - $1 })
    #expect(test.positiveRankSum == 40)
    #expect(test.count == 9)
    #expect(test.zeroCount == 0)
    #expect(test.method == .exact)
    #expect(test.p == 0.0390625)
  }

  @Test func `patients feel better by 0.46, from 0.01 to 0.786`() throws {
    let shift = try #require(
      LocationShift(ofPairs: zip(firstVisit, secondVisit).map { $0 - $1 }))
    #expect(near(shift.estimate, 0.46))
    #expect(near(shift.low, 0.01))
    #expect(near(shift.high, 0.786))
    #expect(near(shift.coverage, 1 - 0.0390625))
  }

  /// Two groups whose U is a given number, without ties.
  private func p(u: Int, _ n: Int, _ m: Int) -> Double? {
    // Each of the first group's numbers lies above `u / n` or one more of the second's.
    let second = (0..<m).map { Double($0) }
    let first = (0..<n).map { place in
      let below = u / n + (place < u % n ? 1 : 0)
      return Double(below) - 0.5 + Double(n - place) * 1e-3
    }
    let test = RankSumTest(first, second)
    return test.u == Double(u) ? test.p : nil
  }

  /// Siegel, Nonparametric Statistics (1956), table K: critical values of U, two-sided at 0.05.
  @Test func `critical values of U are those of the table`() throws {
    for (n, m, critical) in [
      (4, 4, 0), (5, 5, 2), (6, 8, 8), (10, 10, 23), (9, 20, 48), (20, 20, 127),
    ] {
      #expect(try #require(p(u: critical, n, m)) <= 0.05, "\(n) \(m)")
      #expect(try #require(p(u: critical + 1, n, m)) > 0.05, "\(n) \(m)")
    }
  }

  /// McCornack, Extended tables of the Wilcoxon matched pair signed rank statistic (1965): critical values of the
  /// smaller sum, two-sided at 0.05.
  @Test func `critical values of the signed rank sum are those of the table`() throws {
    for (n, critical) in [(6, 0), (7, 2), (8, 3), (9, 5), (10, 8), (15, 25), (20, 52), (25, 89)] {
      for sum in [critical, critical + 1] {
        // Ranks from the largest down until the sum is made are the positive ones.
        var left = sum
        let differences = (1...n).reversed().map { rank -> Double in
          guard rank <= left else { return -Double(rank) }
          left -= rank
          return Double(rank)
        }
        let test = SignedRankTest(differences: differences)
        #expect(test.positiveRankSum == Double(sum))
        #expect((try #require(test.p) <= 0.05) == (sum == critical), "\(n) \(sum)")
      }
    }
  }

  /// Siegel, table D: binomial tails of one half, to three digits.
  @Test func `flips have the tails of the table`() {
    for (gained, lost, oneTail) in [(1, 9, 0.011), (0, 5, 0.031), (3, 12, 0.018), (7, 18, 0.022)] {
      #expect(near(McNemarTest(gained: gained, lost: lost).p, 2 * oneTail, 1e-3))
      #expect(
        McNemarTest(gained: lost, lost: gained).p == McNemarTest(gained: gained, lost: lost).p)
    }
    #expect(McNemarTest(gained: 4, lost: 4).p == 1)
    #expect(McNemarTest(gained: 1, lost: 9).p == 22.0 / 1024)
  }

  /// Gibbons and Chakraborti, Nonparametric Statistical Inference, 5.2: n, rank and coverage.
  @Test func `the median lies between the ranks of the table`() throws {
    for (n, rank, coverage) in [(6, 1, 0.9688), (8, 1, 0.9922), (10, 2, 0.9785), (20, 6, 0.9586)] {
      let found = try #require(SortedValues((1...n).map { Double($0) }).medianInterval())
      #expect(found.rank == rank)
      #expect(found.low == Double(rank))
      #expect(found.high == Double(n + 1 - rank))
      #expect(near(found.coverage, coverage, 5e-5))
    }
  }

  /// The example of the Holm-Bonferroni article's adjusted p values: 0.01, 0.04, 0.03 and 0.005.
  @Test func `four tests are adjusted step by step`() {
    let found = holmAdjusted([0.01, 0.04, 0.03, 0.005])
    for (found, right) in zip(found, [0.03, 0.06, 0.06, 0.02]) {
      #expect(near(found, right, 1e-12))
    }
  }

  /// The first numbers of the seed 1234567, as the generator's reference program in C prints them.
  @Test func `the generator gives the numbers of its reference program`() {
    var dice = SplitMix64(seed: 1_234_567)
    #expect(
      (0..<3).map { _ in dice.next() } == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
      ])
  }

  /// Cohen, Statistical Power Analysis (1988), table 2.4.1: 64 a group for half a standard deviation, 17 for one.
  @Test func `a half standard deviation takes about 64 runs and a whole one about 17`() {
    let scattered = (0..<40).map { $0.isMultiple(of: 2) ? 19.0 : 21.0 }
    // Their standard deviation is 1.0127; 0.05 of the median 20 is 1.
    let one = RunsNeeded(effect: 0.05).perSide(base: scattered, new: scattered)
    #expect(one == 17)
    let half = RunsNeeded(effect: 0.025).perSide(base: scattered, new: scattered)
    #expect(half.map { abs(Double($0) - 64 * 1.0256 * 1.0472) < 2 } == true)
  }
}
