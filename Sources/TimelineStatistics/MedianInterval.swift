/// Two of the numbers themselves between which the median of their source lies.
///
/// Of n independent numbers, the k-th from below and the k-th from above have the source's median between them
/// with probability `P(k ≤ B ≤ n − k)`, where B is binomial with n trials of one half. Nothing is assumed about
/// the source but that it is continuous (Conover, Practical Nonparametric Statistics, 3.2). The innermost pair
/// that reaches the wanted level is taken, so that the coverage is the smallest one that does.
package struct MedianInterval: Sendable, Hashable {
  package var low: Double
  /// The upper end.
  package var high: Double
  /// The probability that is really reached, 0 to 1. At least the requested one.
  package var coverage: Double
  /// Which number from below and from above the ends are, counted from 1.
  package var rank: Int

  /// How many numbers it takes for an interval at all: the smallest n with `1 − 2^(1−n) ≥ level`, 6 for 95 %.
  ///
  /// - Parameter level: Above 0 and below 1.
  /// - Returns: nil for another level, which no number of numbers reaches or which asks for nothing.
  package static func neededCount(level: Double) -> Int? {
    guard level > 0, level < 1 else { return nil }
    var count = 2
    var missed = 0.5
    while 1 - missed < level {
      count += 1
      missed /= 2
    }
    return count
  }
}

extension SortedValues {
  /// The interval of the median at a level, without assumptions about the numbers' source.
  ///
  /// - Parameter level: Above 0 and below 1. 0.95 for 95 %.
  /// - Returns: nil where there are fewer numbers than ``MedianInterval/neededCount(level:)``, and for another
  ///   level.
  /// - Complexity: O(√n).
  package func medianInterval(level: Double = 0.95) -> MedianInterval? {
    guard let needed = MedianInterval.neededCount(level: level), count >= needed else { return nil }
    // From the middle outwards: P(B = rank) up to P(B = n − rank).
    var rank = count / 2
    var probability = binomialHalf(count, rank)
    var coverage = count.isMultiple(of: 2) ? probability : 2 * probability
    while coverage < level, rank > 1 {
      probability *= Double(rank) / Double(count - rank + 1)
      rank -= 1
      coverage += 2 * probability
    }
    return MedianInterval(
      low: values[rank - 1], high: values[count - rank], coverage: min(1, coverage), rank: rank)
  }
}
