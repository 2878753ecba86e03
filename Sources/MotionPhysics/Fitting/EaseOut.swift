import KymographCLibrary

/// A way that is eased out and ends at a time: 1 - (1 - t/D)^p, which a spring may fit passably and is none.
package struct EaseOut: Hashable, Sendable {
  /// D, in seconds.
  package let duration: Double
  /// p. No unit.
  package let power: Double
  /// The root of the mean square that is left, in the value's unit.
  package let rms: Double

  /// The powers that are looked at, and how late a way may end, in seconds from the first value.
  private static let powers = 0.7...9.0
  private static let latest = 3.0
  private static let (fewest, most, leastRange) = (8, 1024, 8.0)
  /// In how many even steps a minimum is looked for, and how often the stretch around it is shortened.
  private static let (steps, cuts) = (24, 24)

  /// Fits a way.
  ///
  /// How it ends depends on its end and its power alone, so these two are searched. Its beginning is where the curve, run
  /// back, meets the place before the first step.
  ///
  /// - Parameters:
  ///   - times: Seconds.
  ///   - values: Points, as many.
  /// - Returns: `nil` for fewer than eight values, for less than 8 points of way, or if a number is out of range.
  /// - Complexity: at most 2,500 sums over at most 1,024 values.
  package init?(times: [Double], values: [Double]) {
    let count = min(times.count, values.count, EaseOut.most)
    guard count >= EaseOut.fewest else { return nil }
    let all = (
      seconds: times.prefix(count).map { $0 - times[0] },
      places: values.prefix(count).map { $0 - values[0] }
    )
    guard let lowest = all.places.min(), let highest = all.places.max(),
      highest - lowest >= EaseOut.leastRange
    else { return nil }
    guard (all.seconds + all.places).allSatisfy({ abs($0) < 1e9 }) else { return nil }
    // What rests before the first step says nothing about the curve.
    let first = all.places.firstIndex { abs($0) > 1e-6 * (highest - lowest) } ?? 1
    let seconds = Array(all.seconds[first...])
    let places = Array(all.places[first...])
    guard seconds.count >= EaseOut.fewest - 1, let begin = seconds.first else { return nil }
    guard let last = seconds.last, last > begin else { return nil }
    func fit(_ power: Double) -> (end: Double, fit: Line) {
      let range = (begin + 0.01)...(max(last, begin + 0.01) + 0.25 * EaseOut.latest)
      let end = EaseOut.minimum(in: range) {
        EaseOut.line(end: $0, power: power, seconds, places).squares
      }
      return (end, EaseOut.line(end: end, power: power, seconds, places))
    }
    power = EaseOut.minimum(in: EaseOut.powers) { fit($0).fit.squares }
    let best = fit(power)
    guard best.fit.slope != 0, best.fit.squares.isFinite else { return nil }
    rms = (best.fit.squares / Double(seconds.count)).squareRoot()
    let share = (0 - best.fit.offset) / best.fit.slope
    guard share > 0, share.isFinite else { return nil }
    duration = pow(share, 1 / power)
    guard duration.isFinite, duration <= EaseOut.latest else { return nil }
  }

  /// Where a function of one number is least: the least of even steps, then the golden section of J. Kiefer, Sequential
  /// minimax search for a maximum, 1953.
  private static func minimum(in range: ClosedRange<Double>, _ function: (Double) -> Double)
    -> Double
  {
    let step = (range.upperBound - range.lowerBound) / Double(steps)
    let grid = (0...steps).map { range.lowerBound + step * Double($0) }
    let values = grid.map(function)
    let least = values.indices.min { values[$0] < values[$1] } ?? 0
    var (low, high) = (grid[max(0, least - 1)], grid[min(steps, least + 1)])
    let golden = (5.0.squareRoot() - 1) / 2
    var (left, right) = (high - golden * (high - low), low + golden * (high - low))
    var (atLeft, atRight) = (function(left), function(right))
    for _ in 0..<cuts {
      if atLeft < atRight {
        (high, right, atRight) = (right, left, atLeft)
        left = high - golden * (high - low)
        atLeft = function(left)
      } else {
        (low, left, atLeft) = (left, right, atRight)
        right = low + golden * (high - low)
        atRight = function(right)
      }
    }
    return atLeft < atRight ? left : right
  }

  /// A straight line through values over the shares of a curve.
  private struct Line {
    var offset: Double
    var slope: Double
    /// The sum of the squares that are left.
    var squares: Double
  }

  /// The best line of values over (end - t)^power.
  private static func line(
    end: Double, power: Double, _ times: [Double], _ values: [Double]
  ) -> Line {
    let shares = times.map { pow(max(0, end - $0), power) }
    let count = Double(times.count)
    let (meanShare, mean) = (shares.reduce(0, +) / count, values.reduce(0, +) / count)
    var (variance, covariance, total) = (0.0, 0.0, 0.0)
    for (share, value) in zip(shares, values) {
      variance += (share - meanShare) * (share - meanShare)
      covariance += (share - meanShare) * (value - mean)
      total += (value - mean) * (value - mean)
    }
    guard variance > 0 else { return Line(offset: mean, slope: 0, squares: total) }
    let slope = covariance / variance
    return Line(
      offset: mean - slope * meanShare, slope: slope,
      squares: max(0, total - slope * covariance))
  }
}
