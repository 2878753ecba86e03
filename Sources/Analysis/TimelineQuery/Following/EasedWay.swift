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
  /// How far the numbers of the search may go: D in seconds, p/D, which values tell apart from D better than p, and how much
  /// later than at the first value it begins; and p. A way that began before cannot be told from one that is longer.
  private static let durations = 0.03...3.0
  private static let rates = 0.2...300.0
  private static let exponents = 0.7...9.0
  private static let delays = 0.0...0.05
  private static let (fewest, most, leastRange) = (8, 1024, 8.0)
  /// The search halves its steps so often, and has at most so many rounds of up to 14 sums.
  private static let (halvings, mostRounds) = (24, 200)

  /// Fits a way.
  ///
  /// - Parameters:
  ///   - times: Seconds.
  ///   - values: Points, as many.
  /// - Throws: fewer than eight values, or less than 8 points of way.
  /// - Complexity: at most 8,400 sums over at most 1,024 values.
  package init(times: [Double], values: [Double]) throws(TooShortToTell) {
    let count = min(times.count, values.count, EasedWay.most)
    guard count >= EasedWay.fewest else { throw .fewFrames }
    let seconds = times.prefix(count).map { $0 - times[0] }
    let places = values.prefix(count).map { $0 - values[0] }
    guard let lowest = places.min(), let highest = places.max(), let last = seconds.last,
      highest - lowest >= EasedWay.leastRange
    else { throw .littleWay }
    guard (seconds + places).allSatisfy({ abs($0) < 1e9 }), last > 0 else { throw .outOfRange }
    let limits = [EasedWay.durations, EasedWay.rates, EasedWay.delays]
    var best: (numbers: [Double], squares: Double)?
    for power in EasedWay.powers {
      let duration = min(max(last, limits[0].lowerBound), limits[0].upperBound)
      let start = [duration, power / duration, 0]
      let found = EasedWay.search(start, limits) { EasedWay.squares($0, seconds, places) }
      if found.squares < best?.squares ?? .infinity { best = found }
    }
    guard let best else { throw .outOfRange }
    (duration, power) = (best.numbers[0], EasedWay.power(best.numbers))
    rms = (best.squares / Double(count)).squareRoot()
  }

  /// The pattern search of R. Hooke and T. Jeeves, "Direct search" solution of numerical and statistical problems, 1961:
  /// tries a step of each number, and goes on the same way for as long as that leaves less.
  private static func search(
    _ start: [Double], _ limits: [ClosedRange<Double>], _ squares: ([Double]) -> Double
  ) -> (numbers: [Double], squares: Double) {
    func within(_ numbers: [Double]) -> [Double] {
      zip(numbers, limits).map { min(max($0, $1.lowerBound), $1.upperBound) }
    }
    var steps = [0.25 * start[0], 0.25 * start[1], 0.01]
    func explored(_ numbers: [Double], _ left: Double) -> (numbers: [Double], squares: Double) {
      var (best, least) = (numbers, left)
      for index in numbers.indices {
        for step in [steps[index], -steps[index]] {
          var next = best
          next[index] += step
          next = within(next)
          let found = squares(next)
          if found < least {
            (best, least) = (next, found)
            break
          }
        }
      }
      return (best, least)
    }
    var base = (numbers: start, squares: squares(start))
    var (halved, rounds) = (0, 0)
    while halved < halvings, rounds < mostRounds {
      rounds += 1
      let next = explored(base.numbers, base.squares)
      guard next.squares < base.squares else {
        halved += 1
        steps = steps.map { $0 / 2 }
        continue
      }
      let further = within(zip(next.numbers, base.numbers).map { 2 * $0 - $1 })
      base = next
      let beyond = explored(further, squares(further))
      if beyond.squares < base.squares { base = beyond }
    }
    return base
  }

  private static func power(_ numbers: [Double]) -> Double {
    min(max(numbers[0] * numbers[1], exponents.lowerBound), exponents.upperBound)
  }

  /// What a way leaves of the values where its ends are the best.
  private static func squares(
    _ numbers: [Double], _ times: [Double], _ values: [Double]
  ) -> Double {
    let power = power(numbers)
    var (one, two, cross, product, mean) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for (time, value) in zip(times, values) {
      let rest = max(0, min(1, 1 - (time - numbers[2]) / numbers[0]))
      let share = pow(rest, power)
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
