/// How many runs it takes to see an effect, from how much the runs at hand scatter.
///
/// For two groups of n each, `n = 2 · ((z₁ + z₂) · s / δ)² · π/3`, for n pairs the same without the 2: the normal
/// approximation of a t test (z₁ leaves half of the level above it, z₂ one minus the power), divided by 3/π, by
/// which the rank tests need more runs where the numbers are normal (Lehmann, Nonparametrics, 2.4). s is the
/// standard deviation within the groups, or of the pairs' differences; δ is the effect. It is never less than what
/// the tests need to reach the level at all. An estimate: where the numbers are far from normal, or few, it is
/// rough.
package struct RunsNeeded: Sendable, Hashable {
  /// The effect as a share of the base's median, or of ``scale``, no unit.
  package var effect: Double
  /// The base of the effect's share. `nil`: the base's median.
  package var scale: Double?
  /// The level that p has to be below, 0 to 1.
  package var level: Double
  /// How likely the effect is to be seen, 0 to 1.
  package var power: Double

  /// The power that is asked for unless told otherwise: four in five, Cohen's convention.
  package static let usualPower = 0.8
  /// Above so many runs nobody waits for them. Ours.
  package static let mostRuns = 1_000_000

  package init(effect: Double = 0.05, level: Double = 0.05, power: Double = RunsNeeded.usualPower) {
    self.effect = effect
    self.level = level
    self.power = power
  }

  /// Runs on each side for two groups of independent runs.
  ///
  /// - Returns: nil for fewer than two finite numbers in a group, a base whose median is 0 and no scale, parameters outside of
  ///   their ranges, and more than ``mostRuns``.
  package func perSide(base: [Double], new: [Double]) -> Int? {
    let base = SortedValues(base)
    let new = SortedValues(new)
    guard base.count > 1, new.count > 1, let median = base.median else { return nil }
    let freedom = Double(base.count + new.count - 2)
    let variance = (squares(base.values) + squares(new.values)) / freedom
    return runs(2 * variance, median: median) { RankSumTest.smallestP($0, $0) }
  }

  /// Pairs of runs.
  ///
  /// - Parameters:
  ///   - base: The base's numbers, whose median the effect is a share of.
  ///   - differences: The new number minus the base's, of each pair.
  /// - Returns: nil as for groups.
  package func pairs(base: [Double], differences: [Double]) -> Int? {
    let differences = SortedValues(differences).values
    guard differences.count > 1, let median = SortedValues(base).median else { return nil }
    let variance = squares(differences) / Double(differences.count - 1)
    return runs(variance, median: median, smallestP: SignedRankTest.smallestP)
  }

  private func runs(
    _ variance: Double, median: Double, smallestP: (Int) -> Double
  ) -> Int? {
    let delta = effect * (scale ?? abs(median))
    guard delta > 0, level > 0, level < 1, power > 0.5, power < 1, variance.isFinite else {
      return nil
    }
    let quantiles = normalQuantile(upperTail: level / 2) + normalQuantile(upperTail: 1 - power)
    let ratio = quantiles * variance.squareRoot() / delta
    let count = (ratio * ratio * .pi / 3).rounded(.up)
    guard count <= Double(RunsNeeded.mostRuns) else { return nil }
    var runs = max(1, Int(count))
    while smallestP(runs) >= level, runs < RunsNeeded.mostRuns { runs += 1 }
    return runs
  }

  /// The sum of the squares of the distances from the mean.
  private func squares(_ numbers: [Double]) -> Double {
    let count = Double(numbers.count)
    let mean = numbers.reduce(0) { $0 + $1 / count }
    return numbers.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
  }
}
