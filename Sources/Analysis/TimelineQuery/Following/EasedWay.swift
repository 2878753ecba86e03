import KymographCLibrary

/// A way that is eased out and ends at a time: 1 - (1 - t/D)^p, which a spring may fit passably and is none.
package struct EasedWay: Hashable, Sendable {
  /// D, in seconds.
  package let duration: Double
  /// p; no unit.
  package let power: Double
  /// The root of the mean square that is left, in the value's unit.
  package let rms: Double

  /// The powers at which the search starts.
  private static let powers = [2.0, 3, 5]
  /// How far the numbers may go: seconds, powers, and how much earlier or later than at the first value it begins.
  private static let durations = 0.03...3.0
  private static let exponents = 0.7...9.0
  private static let delays = -0.05...0.05
  private static let (fewest, most, leastRange) = (8, 1024, 8.0)
  /// The search halves its steps so often, and changes a number at most so often.
  private static let (halvings, changes) = (24, 120)

  /// Fits a way.
  ///
  /// - Parameters:
  ///   - times: Seconds.
  ///   - values: Points, as many.
  /// - Throws: fewer than eight values, or less than 8 points of way.
  /// - Complexity: at most 3,000 sums over at most 1,024 values.
  package init(times: [Double], values: [Double]) throws(TooShortToTell) {
    let count = min(times.count, values.count, EasedWay.most)
    guard count >= EasedWay.fewest else { throw .fewFrames }
    let seconds = times.prefix(count).map { $0 - times[0] }
    let places = values.prefix(count).map { $0 - values[0] }
    guard let lowest = places.min(), let highest = places.max(), let last = seconds.last,
      highest - lowest >= EasedWay.leastRange
    else { throw .littleWay }
    guard (seconds + places).allSatisfy({ abs($0) < 1e9 }), last > 0 else { throw .outOfRange }
    let limits = [EasedWay.durations, EasedWay.exponents, EasedWay.delays]
    var best: (numbers: [Double], squares: Double)?
    for power in EasedWay.powers {
      var numbers = [min(max(last, limits[0].lowerBound), limits[0].upperBound), power, 0]
      var left = EasedWay.squares(numbers, seconds, places)
      var steps = [0.25 * numbers[0], 0.25 * power, 0.01]
      var (halved, changed) = (0, 0)
      // The pattern search of R. Hooke and T. Jeeves, "Direct search" solution of numerical and statistical problems, 1961.
      while halved < EasedWay.halvings, changed < EasedWay.changes {
        let before = left
        for index in numbers.indices {
          for step in [steps[index], -steps[index]] {
            var next = numbers
            next[index] = min(
              max(next[index] + step, limits[index].lowerBound), limits[index].upperBound)
            let squares = EasedWay.squares(next, seconds, places)
            if squares < left {
              (numbers, left) = (next, squares)
              changed += 1
              break
            }
          }
        }
        if left == before {
          halved += 1
          for index in steps.indices { steps[index] /= 2 }
        }
      }
      if left < best?.squares ?? .infinity { best = (numbers, left) }
    }
    guard let best else { throw .outOfRange }
    (duration, power) = (best.numbers[0], best.numbers[1])
    rms = (best.squares / Double(count)).squareRoot()
  }

  /// What a way leaves of the values where its ends are the best.
  private static func squares(
    _ numbers: [Double], _ times: [Double], _ values: [Double]
  ) -> Double {
    var (one, two, cross, product, mean) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for (time, value) in zip(times, values) {
      let rest = max(0, min(1, 1 - (time - numbers[2]) / numbers[0]))
      let share = pow(rest, numbers[1])
      one += share
      two += share * share
      cross += value * share
      mean += value
      product += value * value
    }
    let count = Double(times.count)
    let determinant = two - one * one / count
    let covariance = cross - one * mean / count
    let variance = product - mean * mean / count
    guard determinant > 1e-12 * count else { return max(0, variance) }
    return max(0, variance - covariance * covariance / determinant)
  }
}
