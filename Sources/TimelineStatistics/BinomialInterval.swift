import KymographCLibrary

/// An interval of a share, from how many of some independent trials came out one way: that of Clopper and
/// Pearson (The use of confidence or fiducial limits illustrated in the case of the binomial, 1934).
///
/// Its ends are the shares at which so few, or so many, would come out with half of what the level leaves. It
/// covers the true share at least as often as its level says, and more often for few trials.
package struct BinomialInterval: Sendable, Hashable {
  /// The lower end, 0 to 1.
  package var low: Double
  /// The upper end, 0 to 1.
  package var high: Double

  /// Bisections of the search for an end: more change nothing in a floating-point number of 0 to 1.
  private static let bisections = 80

  /// Finds the interval.
  ///
  /// - Parameters:
  ///   - successes: How many trials came out that way, 0 to `trials`.
  ///   - trials: How many there were, 1 or more.
  ///   - level: Coverage, above 0 and below 1.
  /// - Returns: nil for other numbers.
  /// - Complexity: O(√n) for each bisection, O(n) near the ends.
  package init?(successes: Int, trials: Int, level: Double) {
    guard trials > 0, (0...trials).contains(successes), level > 0, level < 1 else { return nil }
    let tail = (1 - level) / 2
    low =
      successes == 0
      ? 0
      : BinomialInterval.share { share in
        // P(X ≥ k), which grows with the share.
        binomialTail(trials, atMost: trials - successes, share: 1 - share) > tail
      }
    high =
      successes == trials
      ? 1
      : BinomialInterval.share { share in
        binomialTail(trials, atMost: successes, share: share) <= tail
      }
  }

  /// The smallest share at which something holds that holds at every larger one.
  private static func share(_ holds: (Double) -> Bool) -> Double {
    var (below, above) = (0.0, 1.0)
    for _ in 0..<bisections {
      let middle = (below + above) / 2
      if holds(middle) { above = middle } else { below = middle }
    }
    return (below + above) / 2
  }
}

/// The probability of at most `successes` in `trials`, each coming out with a probability of `share`.
///
/// - Complexity: O(√n) away from the ends of the distribution.
func binomialTail(_ trials: Int, atMost successes: Int, share: Double) -> Double {
  guard successes >= 0 else { return 0 }
  guard successes < trials, share > 0 else { return 1 }
  guard share < 1 else { return 0 }
  // The smaller tail is summed up from its largest term outwards. The terms fall off quickly.
  guard Double(successes) < share * Double(trials) else {
    return 1 - binomialTail(trials, atMost: trials - successes - 1, share: 1 - share)
  }
  let logarithm =
    logarithmOfFactorial(trials) - logarithmOfFactorial(successes)
    - logarithmOfFactorial(trials - successes) + Double(successes) * log(share)
    + Double(trials - successes) * log1p(-share)
  return binomialSum(exp(logarithm), trials, downFrom: successes, share: share)
}

/// The sum of the probabilities from one that is known down to that of no success, at most 1.
func binomialSum(_ largest: Double, _ trials: Int, downFrom successes: Int, share: Double) -> Double
{
  var (term, sum, rank) = (largest, largest, successes)
  while rank > 0, term > sum * 0x1p-60 {
    term *= Double(rank) * (1 - share) / (Double(trials - rank + 1) * share)
    rank -= 1
    sum += term
  }
  return min(1, sum)
}
