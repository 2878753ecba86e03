import KymographCLibrary
import MotionPhysics
package import TimelineModel

/// A settle as a damped spring of which nothing is known: target, place and speed at its first frame, frequency and ratio.
///
/// The search is that of ``FitSearch``, the intervals those of ``FitUncertainty``.
package struct FreeSpring: Sendable {
  /// Where the spring comes to rest, in the value's unit.
  package let target: Double
  /// ω² of a mass of 1, in 1/s².
  package let stiffness: Estimated
  /// 2ζω of a mass of 1, in 1/s.
  package let damping: Estimated
  /// ζ. No unit.
  package let ratio: Double
  /// The speed at the first value, in units per second.
  package let startVelocity: Estimated
  /// The root of the mean square that is left, in the value's unit.
  package let rms: Double
  /// Whether so little is left that it may be called a spring: 0.08 % of the range, or the rounding of a browser.
  package let isGood: Bool

  /// The most values that are looked at: 8 s at 120 Hz.
  package static let mostValues = 1024

  private let fitted: FittedShape
  private let uncertainty: FitUncertainty
  private let samples: FitSamples
  private let start: Double

  /// Where the search for frequency, in rad/s, and ratio starts: what moves on a display, about critical damping.
  private static let frequencies = [6.0, 12, 20, 35]
  private static let ratios = [0.5, 0.95, 1.4]
  /// How many of the best starts are refined at most.
  private static let refined = 3
  /// What is left of a spring at most, as a share of the range, or in its unit.
  private static let most = (share: 0.0008, rest: 0.06)
  /// The least range that can be told from rounding, in its unit.
  private static let leastRange = 2.0

  /// Fits a spring.
  ///
  /// - Parameters:
  ///   - times: Seconds. The settle begins at the first.
  ///   - values: Points, as many.
  /// - Throws: why nothing can be told: fewer than eight values until it rests, less than 2 points of way.
  /// - Complexity: at most 1,000 sums over at most ``mostValues`` values.
  package init(times: [Double], values: [Double]) throws(TooShortToTell) {
    guard let start = times.first(where: \.isFinite),
      let samples = try? FitSamples(
        seconds: Array(times.prefix(FreeSpring.mostValues)),
        values: Array(values.prefix(FreeSpring.mostValues)), origin: start, step: nil)
    else { throw .fewFrames }
    guard samples.range >= FreeSpring.leastRange else { throw .littleWay }
    var search = samples.search
    let shape = FitShape.spring(from: 0)
    let starts = FreeSpring.frequencies.flatMap { frequency in
      FreeSpring.ratios.map { [log(frequency), log($0)] }
    }
    func isRounding(_ fitted: FittedShape) -> Bool {
      (fitted.squares / Double(samples.times.count)).squareRoot() * samples.range
        <= FreeSpring.most.rest / 2
    }
    var best: FittedShape?
    for start in search.best(FreeSpring.refined, of: starts, shape) {
      let found = search.refine(shape, from: start)
      if found.squares < best?.squares ?? .infinity { best = found }
      if let best, isRounding(best) { break }
    }
    guard let fitted = best else { throw .outOfRange }
    uncertainty = FitUncertainty(of: fitted, in: samples)
    (self.fitted, self.samples, self.start) = (fitted, samples, start)
    let (frequency, ratio) = (exp(fitted.numbers[0]), exp(fitted.numbers[1]))
    self.ratio = ratio
    target = samples.offset + samples.range * fitted.coefficients[0]
    rms = (fitted.squares / Double(samples.times.count)).squareRoot() * samples.range
    isGood = rms < max(FreeSpring.most.rest, FreeSpring.most.share * samples.range)
    let (stiffness, damping) = (frequency * frequency, 2 * ratio * frequency)
    // The search knows the logarithms of both, so that neither interval has an end below 0.
    self.stiffness = uncertainty.estimated(logOf: stiffness, [2, 0, 0, 0, 0])
    self.damping = uncertainty.estimated(logOf: damping, [1, 1, 0, 0, 0])
    startVelocity = FreeSpring.velocity(0, fitted, uncertainty).scaled(by: samples.range)
    guard target.isFinite, stiffness.isFinite, startVelocity.value.isFinite else {
      throw .outOfRange
    }
  }

  /// The value at a time, which may be before the first one, in the value's unit.
  package func value(at time: Double) -> Double {
    samples.offset + samples.range
      * FreeSpring.value(time - start, fitted.numbers, fitted.coefficients)
  }

  /// The speed at a time, which may be before the first one, in units per second.
  package func velocity(at time: Double) -> Double { estimatedVelocity(at: time).value }

  /// The speed at a time with its interval, in units per second.
  package func estimatedVelocity(at time: Double) -> Estimated {
    FreeSpring.velocity(time - start, fitted, uncertainty).scaled(by: samples.range)
  }

  private static func value(
    _ time: Double, _ numbers: [Double], _ coefficients: [Double]
  ) -> Double {
    let spring = SpringBasis(frequency: exp(numbers[0]), ratio: exp(numbers[1]))
    let (cosine, sine) = spring.values(at: time)
    return coefficients[0] + coefficients[1] * cosine + coefficients[2] * sine
  }

  /// The speed at a time, by differences, and how it changes with each number.
  private static func velocity(
    _ time: Double, _ fitted: FittedShape, _ uncertainty: FitUncertainty
  ) -> Estimated {
    let (instant, difference) = (1e-5, 1e-5)
    func speed(_ numbers: [Double], _ coefficients: [Double]) -> Double {
      (value(time + instant, numbers, coefficients) - value(time - instant, numbers, coefficients))
        / (2 * instant)
    }
    let all = fitted.numbers + fitted.coefficients
    let split = fitted.numbers.count
    let gradient = all.indices.map { index in
      var (above, below) = (all, all)
      above[index] += difference
      below[index] -= difference
      return
        (speed(Array(above[..<split]), Array(above[split...]))
        - speed(Array(below[..<split]), Array(below[split...]))) / (2 * difference)
    }
    return uncertainty.estimated(speed(fitted.numbers, fitted.coefficients), gradient)
  }
}

extension FitUncertainty {
  /// A number with its interval. Without one where the samples leave it open.
  fileprivate func estimated(_ value: Double, _ gradient: [Double]) -> Estimated {
    guard let error = standardError(gradient), let quantile else {
      return Estimated(value, low: -.infinity, high: .infinity)
    }
    return Estimated(value, low: value - quantile * error, high: value + quantile * error)
  }

  /// A positive number with the interval of its logarithm, which changes with each number by a gradient.
  fileprivate func estimated(logOf value: Double, _ gradient: [Double]) -> Estimated {
    guard let error = standardError(gradient), let quantile else {
      return Estimated(value, low: 0, high: .infinity)
    }
    let factor = exp(quantile * error)
    return Estimated(value, low: value / factor, high: value * factor)
  }
}
