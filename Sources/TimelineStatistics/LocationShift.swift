/// By how much one group lies above another, or pairs differ: the estimate of Hodges and Lehmann, with an
/// interval that goes with the rank tests.
///
/// Between groups it is the median of all differences of a second number minus a first one. Of pairs it is the
/// median of the means of every two differences, each with itself too (Hodges and Lehmann, Estimates of location
/// based on rank tests, 1963). The interval is made of two of those numbers, chosen by the distribution of U or of
/// the signed rank sum: exact where ``RankSumTest`` and ``SignedRankTest`` count (there the coverage holds for
/// continuous numbers, and is larger with ties), the normal distribution's above (Hollander and Wolfe,
/// Nonparametric Statistical Methods, 3.3 and 4.3).
package struct LocationShift: Sendable, Hashable {
  /// The shift, in the numbers' unit.
  package var estimate: Double
  /// The lower end of the interval. `nil` where so few numbers reach no such level.
  package var low: Double?
  /// The upper end.
  package var high: Double?
  /// The probability that the interval really has. `nil` without one.
  package var coverage: Double?
  /// Whether the interval is counted out or the normal distribution's.
  package var method: TestMethod

  /// How far the second group lies above the first. Numbers that are not finite are left out.
  ///
  /// - Parameters:
  ///   - first: The numbers that are compared with.
  ///   - second: The numbers whose shift is computed.
  ///   - level: Coverage of the interval, above 0 and below 1. Another one gives no interval.
  /// - Returns: nil where a group is empty.
  /// - Complexity: O((n + m) log), and no memory for the differences.
  package init?(from first: [Double], to second: [Double], level: Double = 0.95) {
    let first = SortedValues(first).values
    let second = SortedValues(second).values
    guard !first.isEmpty, !second.isEmpty else { return nil }
    let differences = SortedPairs(count: first.count &* second.count) { limit in
      var count = 0
      var end = 0
      for number in first {
        while end < second.count, second[end] - number <= limit { end += 1 }
        count += end
      }
      return count
    }
    let count = first.count + second.count
    method = count <= RankSumTest.exactLimit ? .exact : .normal
    estimate = differences.median
    guard level > 0, level < 1 else { return }
    let tail: (sum: Int, tail: Double)?
    if method == .exact {
      let size = min(first.count, second.count)
      // Sums of ranks begin at 1 + … + size, where U is 0.
      tail = ArrangementCounts(choosing: size, of: Array(1...count))
        .largestSum(withTail: (1 - level) / 2).map { ($0.sum - size * (size + 1) / 2, $0.tail) }
    } else {
      let n = Double(first.count)
      let m = Double(second.count)
      tail = normalTail(mean: n * m / 2, variance: n * m * (n + m + 1) / 12, level: level)
    }
    setInterval(of: differences, tail: tail)
  }

  /// How far pairs lie apart, from their differences. Numbers that are not finite are left out.
  ///
  /// - Parameters:
  ///   - differences: The second number minus the first, of each pair.
  ///   - level: Coverage of the interval, above 0 and below 1. Another one gives no interval.
  /// - Returns: nil where there is no pair.
  /// - Complexity: O(n log), and no memory for the means.
  package init?(ofPairs differences: [Double], level: Double = 0.95) {
    let halves = SortedValues(differences).values.map { $0 / 2 }
    guard !halves.isEmpty else { return nil }
    let n = halves.count
    let means = SortedPairs(count: n &* (n + 1) / 2) { limit in
      var count = 0
      var end = n
      for (index, half) in halves.enumerated() {
        while end > index, half + halves[end - 1] > limit { end -= 1 }
        guard end > index else { break }
        count += end - index
      }
      return count
    }
    method = n <= SignedRankTest.exactLimit ? .exact : .normal
    estimate = means.median
    guard level > 0, level < 1 else { return }
    let tail: (sum: Int, tail: Double)?
    if method == .exact {
      tail = ArrangementCounts(subsetsOf: Array(1...n)).largestSum(withTail: (1 - level) / 2)
    } else {
      let n = Double(n)
      tail = normalTail(
        mean: n * (n + 1) / 4, variance: n * (n + 1) * (2 * n + 1) / 24, level: level)
    }
    setInterval(of: means, tail: tail)
  }

  private mutating func setInterval(of pairs: SortedPairs, tail: (sum: Int, tail: Double)?) {
    guard let tail, tail.sum >= 0, 2 * tail.sum < pairs.count else { return }
    low = pairs.number(at: tail.sum)
    high = pairs.number(at: pairs.count - 1 - tail.sum)
    coverage = 1 - 2 * tail.tail
  }
}

/// The largest whole number at or below which a normal number, rounded, comes out with half of what a level
/// leaves over.
private func normalTail(mean: Double, variance: Double, level: Double) -> (Int, Double)? {
  let deviation = variance.squareRoot()
  let sum = (mean - 0.5 - normalQuantile(upperTail: (1 - level) / 2) * deviation).rounded(.down)
  guard let whole = Int(exactly: sum), whole >= 0 else { return nil }
  return (whole, normalUpperTail((mean - sum - 0.5) / deviation))
}

/// Many numbers made of pairs, which are never written down: only how many are at or below a limit is known.
private struct SortedPairs {
  let count: Int
  /// How many of them are at or below a limit.
  let countAtMost: (Double) -> Int

  /// Half the sum of the two in the middle, or the only one.
  var median: Double {
    let upper = number(at: count / 2)
    guard count.isMultiple(of: 2) else { return upper }
    return number(at: count / 2 - 1) / 2 + upper / 2
  }

  /// The number at a place in rising order, found by halving all floating-point numbers, 64 times at most.
  func number(at position: Int) -> Double {
    var low = Self.order(-Double.greatestFiniteMagnitude)
    var high = Self.order(Double.greatestFiniteMagnitude)
    while low < high {
      // Both are of at most 63 bits and a sign: the distance may need all 64.
      let middle = low + Int64((UInt64(bitPattern: high &- low)) / 2)
      if countAtMost(Self.number(middle)) > position { high = middle } else { low = middle + 1 }
    }
    let number = Self.number(low)
    return number == 0 ? 0 : number
  }

  /// Finite numbers in their order as whole numbers in theirs.
  private static func order(_ number: Double) -> Int64 {
    let bits = Int64(bitPattern: number.bitPattern)
    return bits >= 0 ? bits : bits ^ .max
  }

  private static func number(_ order: Int64) -> Double {
    Double(bitPattern: UInt64(bitPattern: order >= 0 ? order : order ^ .max))
  }
}
