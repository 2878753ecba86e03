import KymographCLibrary

/// Whether one of two groups has the larger numbers: the test of Mann, Whitney and Wilcoxon, two-sided.
///
/// All numbers are ranked together, ties by their middle rank. `U = R₁ − n₁(n₁+1)/2`, where R₁ is the sum of the
/// first group's ranks: of all pairs, those in which the first group's number is the larger, ties for a half
/// (Mann and Whitney, On a test of whether one of two random variables is stochastically larger, 1947).
///
/// Up to ``exactLimit`` numbers p is exact: all ways to deal the ranks that are there to two groups of these sizes
/// are counted, with or without ties, and p is twice the smaller tail. Above, p is the normal distribution's, with
/// the variance `n₁n₂/12 · (N + 1 − Σ(t³ − t)/(N(N − 1)))` and a half taken off for continuity.
package struct RankSumTest: Sendable, Hashable {
  /// How many finite numbers the first group has.
  package var firstCount: Int
  /// How many the second one has.
  package var secondCount: Int
  /// U of the first group, 0 to `firstCount · secondCount`.
  package var u: Double
  /// The probability of so great a difference or a greater one by chance alone, 0 to 1. 1 where all numbers are
  /// the same, nil where a group is empty.
  package var p: Double?
  /// How p was found.
  package var method: TestMethod
  /// Whether two numbers are the same.
  package var hasTies: Bool

  /// Numbers of both groups together up to which p is exact. Ours: 30 against 30 take some milliseconds.
  package static let exactLimit = 60

  /// Tests two groups of independent numbers. Numbers that are not finite are left out.
  ///
  /// - Complexity: O(n log n), and up to ``exactLimit`` numbers the cost of counting.
  package init(_ first: [Double], _ second: [Double]) {
    let first = first.filter(\.isFinite)
    let second = second.filter(\.isFinite)
    (firstCount, secondCount) = (first.count, second.count)
    let count = firstCount + secondCount
    let ranks = MidRanks(first + second)
    hasTies = ranks.hasTies
    method = count <= RankSumTest.exactLimit ? .exact : .normal
    let n = Double(firstCount)
    let m = Double(secondCount)
    u = Double(ranks.doubled[..<firstCount].reduce(0, +)) / 2 - n * (n + 1) / 2
    guard !first.isEmpty, !second.isEmpty else { return }
    if method == .exact {
      let (whole, _) = ranks.whole
      // The smaller group is dealt out. The other's sum follows from it.
      let isFirst = firstCount <= secondCount
      let dealt = isFirst ? whole[..<firstCount] : whole[firstCount...]
      p = ArrangementCounts(choosing: dealt.count, of: whole).twoSided(dealt.reduce(0, +))
    } else {
      let total = n + m
      let variance = n * m / 12 * (total + 1 - ranks.tieTerm / (total * (total - 1)))
      p = normalTwoSided(distance: abs(u - n * m / 2), variance: variance)
    }
  }

  /// The smallest p that groups of these sizes can reach: the two arrangements furthest apart, of all
  /// `C(n + m, n)`. 0.1 for 3 against 3, so that no result of theirs can be significant at 0.05.
  ///
  /// - Returns: 1 where a group is empty or a count is negative.
  package static func smallestP(_ first: Int, _ second: Int) -> Double {
    guard first > 0, second > 0 else { return 1 }
    var ways = 1.0
    let few = min(first, second)
    var step = 0
    // After k steps there are at least C(2k, k) ways, which pass the largest number before k is 520.
    while step < few, ways.isFinite {
      ways = ways * (Double(first) + Double(second) - Double(step)) / Double(step + 1)
      step += 1
    }
    return min(1, 2 / ways)
  }
}

/// Twice the normal tail beyond a distance from the mean, less a half for continuity. 1 without variance.
func normalTwoSided(distance: Double, variance: Double) -> Double {
  guard variance > 0 else { return 1 }
  return min(1, 2 * normalUpperTail((distance - 0.5) / variance.squareRoot()))
}

/// The probability that a standard normal number is above z. By the C library's complementary error function.
func normalUpperTail(_ z: Double) -> Double {
  0.5 * erfc(z * 0.5.squareRoot())
}

/// The number that a standard normal number exceeds with a probability.
///
/// - Parameter probability: Above 0 and at most 1/2.
/// - Returns: 0 or more, to the last digit or two. Found by halving, since it is asked for a few times a run.
func normalQuantile(upperTail probability: Double) -> Double {
  // Beyond 38.5 the tail is below the smallest number there is.
  var low = 0.0
  var high = 38.5
  while true {
    let middle = 0.5 * (low + high)
    guard middle > low, middle < high else { return middle }
    if normalUpperTail(middle) > probability { low = middle } else { high = middle }
  }
}

/// How a test's p value was found.
package enum TestMethod: String, Sendable, CaseIterable {
  /// All arrangements that chance alone could have made were counted. Ties count as they are.
  case exact
  /// By the normal distribution, with corrections for ties and for continuity: too many numbers to count.
  case normal
}

/// The ranks of numbers, each tie given the middle of the ranks that it takes up. Doubled, so that all are
/// whole numbers.
struct MidRanks {
  /// Twice the rank of each number, in the order given. Ranks are counted from 1.
  let doubled: [Int]
  /// Whether two numbers are the same.
  let hasTies: Bool
  /// The sum of t³ − t over all ties of t numbers, for the correction of variances.
  let tieTerm: Double

  init(_ numbers: [Double]) {
    let order = numbers.indices.sorted { numbers[$0] < numbers[$1] }
    var doubled = Array(repeating: 0, count: numbers.count)
    var tieTerm = 0.0
    var start = 0
    while start < order.count {
      var end = start + 1
      while end < order.count, numbers[order[end]] == numbers[order[start]] { end += 1 }
      // They take up the ranks start + 1 to end.
      for index in start..<end { doubled[order[index]] = start + 1 + end }
      let size = Double(end - start)
      tieTerm += size * (size * size - 1)
      start = end
    }
    self.doubled = doubled
    self.tieTerm = tieTerm
    hasTies = tieTerm > 0
  }

  /// The ranks as small whole numbers, and what they were multiplied by: 1 without ties, 2 with.
  var whole: (ranks: [Int], factor: Int) {
    hasTies ? (doubled, 2) : (doubled.map { $0 / 2 }, 1)
  }
}
