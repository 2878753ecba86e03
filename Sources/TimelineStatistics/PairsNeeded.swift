import KymographCLibrary

/// About how many pairs McNemar's test takes to call one of two ways better, if they go on to differ as they have:
/// n = ((z₁ √ψ + z₂ √(ψ − δ²)) / δ)², with ψ the share of pairs that changed and δ by how much more often they
/// changed for the better (Connor, Sample size for testing differences in proportions for the paired-sample
/// design, 1987). z₁ = 1.645 is a two-sided level of 0.1, z₂ = 0.842 a power of four in five.
///
/// - Parameters:
///   - gained: Pairs that changed for the better.
///   - lost: Pairs that changed for the worse.
///   - count: All pairs, those that agree among them.
/// - Returns: the number of pairs in all, rounded up. `nil` where nothing points to the better way, so that no number
///   would show it, and where it is more than an `Int` holds.
package func pairsNeeded(gained: Int, lost: Int, of count: Int) -> Int? {
  guard gained >= 0, lost >= 0, count > 0, gained > lost, gained + lost <= count else { return nil }
  let changed = Double(gained + lost) / Double(count)
  let better = Double(gained - lost) / Double(count)
  let root =
    (normalQuantile(upperTail: 0.05) * changed.squareRoot()
      + normalQuantile(upperTail: 1 - RunsNeeded.usualPower)
      * max(0, changed - better * better).squareRoot()) / better
  let needed = (root * root).rounded(.up)
  return Int(exactly: needed)
}
