import KymographCLibrary

/// The spring from rest that is nearest to a curve of time: the one whose largest distance from it is least.
struct NearestSpring: Sendable {
  let spring: DampedSpring
  /// The largest distance at any time, as a share of the way. Behind its end the curve is 1.
  let error: Double

  /// Searches a net of frequencies and damping ratios, and then around its best knot in steps that are halved.
  ///
  /// - Parameters:
  ///   - curve: The share of the way by the share of the time.
  ///   - seconds: How long the curve takes. Above 0.
  ///   - mostDamped: The greatest damping ratio, above 0.05. At 4 springs have long been all but one exponential.
  /// - Complexity: about 700 springs at 150 times, and 200 at 600.
  init?(to curve: (Double) -> Double, seconds: Double, mostDamped: Double = 4) {
    func heights(_ count: Int) -> [Double] { (0...count).map { curve(Double($0) / Double(count)) } }
    let (coarse, fine) = (heights(100), heights(400))
    var (best, frequency, ratio) = (Double.infinity, 0.0, 0.0)
    // Knots are the logarithms of w0 times the duration, 1 to 60, and of ζ.
    let (least, most) = (log(0.05), log(mostDamped))
    for row in 0..<32 {
      for column in 0..<22 {
        let place = (log(60.0) * Double(row) / 31, least + (most - least) * Double(column) / 21)
        let error = NearestSpring.error(exp(place.0), exp(place.1), coarse)
        if error < best { (best, frequency, ratio) = (error, place.0, place.1) }
      }
    }
    best = NearestSpring.error(exp(frequency), exp(ratio), fine)
    var step = 0.1
    while step > 1e-6 {
      var isBetter = false
      for (across, along) in [
        (1.0, 0.0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1),
      ] {
        let place = (frequency + step * across, min(ratio + step * along, most))
        let error = NearestSpring.error(exp(place.0), exp(place.1), fine)
        if error < best {
          (best, frequency, ratio, isBetter) = (error, place.0, place.1, true)
        }
      }
      if !isBetter { step /= 2 }
    }
    guard best.isFinite,
      let spring = try? DampedSpring(
        angularFrequency: exp(frequency) / seconds, dampingRatio: exp(ratio))
    else { return nil }
    (self.spring, error) = (spring, best)
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
