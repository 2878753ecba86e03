/// Intervals of any figure by drawing the numbers again: the percentile bootstrap (Efron and Tibshirani, An
/// Introduction to the Bootstrap, 13.3), seeded.
///
/// As many numbers as there are are drawn with replacement, the figure is computed from them, and this is done
/// ``resampleCount`` times. The interval lies between the quantiles of what came out. It is too narrow for few
/// numbers, a tenth or so for a dozen. Each call begins at the seed, so that its answer hangs on nothing else.
package struct Bootstrap: Sendable, Hashable {
  /// Where ``SplitMix64`` begins.
  package var seed: UInt64
  /// How often the numbers are drawn again.
  package var resampleCount: Int
  /// Coverage of the intervals, above 0 and below 1.
  package var level: Double

  /// How often numbers are drawn unless told otherwise: Efron and Tibshirani ask for at least 1000 for percentiles.
  package static let usualResampleCount = 2000

  /// Makes a bootstrap. A count below 1 draws nothing, and every interval is nil.
  package init(
    seed: UInt64, resampleCount: Int = Bootstrap.usualResampleCount, level: Double = 0.95
  ) {
    self.seed = seed
    self.resampleCount = resampleCount
    self.level = level
  }

  /// An interval of a figure.
  package struct Interval: Sendable, Hashable {
    package var low: Double
    /// The upper end.
    package var high: Double
    /// How many drawings told the figure. Those that did not, and those that told no finite one, are left out.
    package var definedCount: Int
  }

  /// The interval of a figure of one group. Numbers that are not finite are left out.
  ///
  /// - Returns: nil for an empty group, a level outside 0 to 1, and where less than half of the drawings tell
  ///   the figure.
  /// - Complexity: O(resamples · n), and the cost of the figure.
  package func interval(
    of numbers: [Double], figure: (SortedValues) -> Double?
  ) -> Interval? {
    let sorted = SortedValues(numbers).values
    guard !sorted.isEmpty else { return nil }
    return interval(isFixed: sorted.first == sorted.last) { dice in
      figure(drawn(from: sorted, &dice))
    }
  }

  /// The interval of a figure of two groups, each drawn by itself. Numbers that are not finite are left out.
  ///
  /// - Returns: nil as for one group, and where either is empty.
  /// - Complexity: O(resamples · (n + m)), and the cost of the figure.
  package func interval(
    of first: [Double], and second: [Double], figure: (SortedValues, SortedValues) -> Double?
  ) -> Interval? {
    let firstSorted = SortedValues(first).values
    let secondSorted = SortedValues(second).values
    guard !firstSorted.isEmpty, !secondSorted.isEmpty else { return nil }
    let isFixed =
      firstSorted.first == firstSorted.last && secondSorted.first == secondSorted.last
    return interval(isFixed: isFixed) { dice in
      let firstDrawn = drawn(from: firstSorted, &dice)
      return figure(firstDrawn, drawn(from: secondSorted, &dice))
    }
  }

  /// - Parameter isFixed: Whether the numbers are equal, so that one drawing is like all others.
  private func interval(
    isFixed: Bool, computing figure: (inout SplitMix64) -> Double?
  ) -> Interval? {
    guard level > 0, level < 1, resampleCount > 0 else { return nil }
    let drawings = isFixed ? 1 : resampleCount
    var dice = SplitMix64(seed: seed)
    var figures: [Double] = []
    figures.reserveCapacity(min(drawings, 1 << 20))
    for _ in 0..<drawings {
      if let figure = figure(&dice) { figures.append(figure) }
    }
    let defined = SortedValues(figures)
    guard 2 * defined.count >= drawings, let low = defined.quantile((1 - level) / 2),
      let high = defined.quantile((1 + level) / 2)
    else { return nil }
    return Interval(low: low, high: high, definedCount: defined.count * (resampleCount / drawings))
  }

  /// Draws as many numbers as there are, and leaves them in order.
  private func drawn(from sorted: [Double], _ dice: inout SplitMix64) -> SortedValues {
    var times = Array(repeating: 0, count: sorted.count)
    for _ in sorted.indices { times[dice.index(below: sorted.count)] += 1 }
    var drawn: [Double] = []
    drawn.reserveCapacity(sorted.count)
    for (number, count) in zip(sorted, times) {
      for _ in 0..<count { drawn.append(number) }
    }
    return SortedValues(sorted: drawn)
  }
}

/// A small random number generator of 64 bits: Steele, Lea and Flood's SplitMix64 (Fast splittable pseudorandom
/// number generators, 2014), so that a seed gives the same numbers on every machine and in every release.
package struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Makes the generator. Any seed will do.
  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// A whole number from 0 up to a count, which it never reaches: the upper half of a product (Lemire, Fast
  /// random integer generation in an interval, 2019). That some come up more often by one in 2^64/count is
  /// left as it is.
  mutating func index(below count: Int) -> Int {
    Int(next().multipliedFullWidth(by: UInt64(count)).high)
  }
}
