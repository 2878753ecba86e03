/// Whether the differences of pairs lean to one side: Wilcoxon's signed rank test, two-sided.
///
/// Pairs without a difference are left out, as Wilcoxon did (Individual comparisons by ranking methods, 1945).
/// The others are ranked by the size of their difference, ties by their middle rank. Up to ``exactLimit``
/// differences p is exact, with or without ties: every choice of signs is counted, and p is twice the smaller tail.
/// Above, p is the normal distribution's, with the variance `n(n+1)(2n+1)/24 − Σ(t³ − t)/48` and a half taken off
/// for continuity.
package struct SignedRankTest: Sendable, Hashable {
  /// How many differences were ranked: those that are finite and not 0.
  package var count: Int
  /// How many differences are 0 and were left out.
  package var zeroCount: Int
  /// The sum of the ranks of the differences above 0.
  package var positiveRankSum: Double
  /// The probability of so lopsided signs or more so by chance alone, 0 to 1. 1 where no pair differs, nil where
  /// there is no pair.
  package var p: Double?
  /// How p was found.
  package var method: TestMethod
  /// Whether two differences have the same size.
  package var hasTies: Bool

  /// Differences up to which p is exact. Ours: with ties 100 take a million additions.
  package static let exactLimit = 100

  /// Tests the differences of pairs. Numbers that are not finite are left out.
  ///
  /// - Complexity: O(n log n), and up to ``exactLimit`` differences the cost of counting.
  package init(differences: [Double]) {
    let finite = differences.filter(\.isFinite)
    let ranked = finite.filter { $0 != 0 }
    count = ranked.count
    zeroCount = finite.count - ranked.count
    let ranks = MidRanks(ranked.map { abs($0) })
    hasTies = ranks.hasTies
    method = count <= SignedRankTest.exactLimit ? .exact : .normal
    let doubledSum = zip(ranked, ranks.doubled).reduce(0) { $1.0 > 0 ? $0 + $1.1 : $0 }
    positiveRankSum = Double(doubledSum) / 2
    guard !finite.isEmpty else { return }
    if method == .exact {
      let (whole, factor) = ranks.whole
      p = ArrangementCounts(subsetsOf: whole).twoSided(doubledSum * factor / 2)
    } else {
      let n = Double(count)
      let variance = n * (n + 1) * (2 * n + 1) / 24 - ranks.tieTerm / 48
      p = normalTwoSided(
        distance: abs(positiveRankSum - n * (n + 1) / 4), variance: variance)
    }
  }

  /// The smallest p that a number of differing pairs can reach, 2^(1−n): 6 pairs for less than 0.05.
  package static func smallestP(_ count: Int) -> Double {
    guard count > 0 else { return 1 }
    return 2 * binomialHalf(count, 0)
  }
}
