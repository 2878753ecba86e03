import KymographCLibrary

/// The spring from rest that is nearest to a curve of time: the one whose largest distance from it is least.
struct NearestSpring: Sendable {
  let spring: DampedSpring
  /// The largest distance at any time, as a share of the distance. After its end the curve is 1.
  let error: Double

  /// Searches the frequency for each damping ratio, and the damping ratio among those answers: on a net first, and then by
  /// golden sections around its best knot. The largest distance has edges, on which a search in all directions stops.
  ///
  /// - Parameters:
  ///   - curve: The share of the distance by the share of the time.
  ///   - seconds: How long the curve takes. Above 0.
  ///   - mostDamped: The greatest damping ratio, above 0.05. At 4 springs have long been all but one exponential.
  /// - Complexity: about 3,000 springs at 600 times.
  init?(to curve: (Double) -> Double, seconds: Double, mostDamped: Double = 4) {
    let count = 400
    let heights = (0...count).map { curve(Double($0) / Double(count)) }
    guard heights.allSatisfy(\.isFinite) else { return nil }
    // Logarithms of ζ and of w0 times the duration.
    let ratios = log(0.05)...log(mostDamped)
    func best(_ ratio: Double) -> Place {
      NearestSpring.least(over: log(0.5)...log(400.0), knots: 24) { frequency in
        NearestSpring.error(exp(frequency), exp(ratio), heights)
      }
    }
    let found = NearestSpring.least(over: ratios, knots: 32) { best($0).error }
    let place = best(found.position)
    guard place.error.isFinite,
      let spring = try? DampedSpring(
        angularFrequency: exp(place.position) / seconds, dampingRatio: exp(found.position))
    else { return nil }
    (self.spring, error) = (spring, place.error)
  }

  private struct Place {
    var position: Double
    var error: Double
  }

  /// The place of the least value: the best of even knots, and then a golden section between its neighbours.
  private static func least(
    over range: ClosedRange<Double>, knots: Int, _ value: (Double) -> Double
  ) -> Place {
    let step = (range.upperBound - range.lowerBound) / Double(knots)
    var best = Place(position: range.lowerBound, error: .infinity)
    func look(_ position: Double) -> Double {
      let error = value(position)
      if error < best.error { best = Place(position: position, error: error) }
      return error
    }
    for knot in 0...knots { _ = look(range.lowerBound + step * Double(knot)) }
    var low = max(range.lowerBound, best.position - step)
    var high = min(range.upperBound, best.position + step)
    let share = (5.0.squareRoot() - 1) / 2
    var (first, second) = (high - share * (high - low), low + share * (high - low))
    var (left, right) = (look(first), look(second))
    while high - low > 1e-6 {
      if left <= right {
        (high, second, right) = (second, first, left)
        first = high - share * (high - low)
        left = look(first)
      } else {
        (low, first, left) = (first, second, right)
        second = low + share * (high - low)
        right = look(second)
      }
    }
    return best
  }

  /// The largest distance of a spring over a duration of 1 from heights at even times, and from 1 for half as long again.
  private static func error(_ frequency: Double, _ ratio: Double, _ heights: [Double]) -> Double {
    guard let spring = try? DampedSpring(angularFrequency: frequency, dampingRatio: ratio) else {
      return .infinity
    }
    let path = SpringPath(curve: SettleCurve(spring).cleared, offset: -1, velocity: 0)
    let count = heights.count - 1
    var largest = 0.0
    for step in 0...(count * 3 / 2) {
      let height = step <= count ? heights[step] : 1
      largest = max(
        largest, abs(1 + path.offset(atSeconds: Double(step) / Double(count)) - height))
    }
    return largest
  }
}
