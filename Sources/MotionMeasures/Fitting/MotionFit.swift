import KymographCLibrary
public import MotionPhysics
import TimelineModel

/// A settle as it was observed, turned into the parameters of a spring, a decay, a cubic or a timing curve.
///
/// Every model is fitted by least squares, and the one with the least corrected Akaike criterion is taken. A fit says
/// how far its numbers can be trusted (90 % intervals), what other models explain the samples as well, what samples cannot
/// determine, and how eight systems would be given the same motion.
///
/// ```swift
/// let fit = try MotionFit.fit(seconds: times, values: offsets)
/// fit.model                       // .spring
/// fit["damping_ratio"]?.interval   // 0.59...0.61
/// fit.words.first?.text           // .spring(duration: 0.4189, bounce: 0.4)
/// ```
public struct MotionFit: Sendable, Hashable {
  /// The kinds of motion. The raw values are the names in reports.
  public enum Model: String, CaseIterable, Sendable {
    /// A damped spring: target, value and velocity at the start, frequency and damping ratio.
    case spring
    /// A velocity that dies away: value and velocity at the start, rate.
    case decay
    /// The cubic that begins with a velocity and rests after its duration.
    case cubic
    /// A cubic Bézier curve over time, also one that has a name in CSS or Material Design.
    case bezier
    /// One of AHEasing's curves, which are no Bézier curves.
    case easing
  }

  /// One number of a model.
  public struct Parameter: Sendable, Hashable {
    /// Its name, as `damping_ratio`.
    public let name: String
    /// The value that leaves least.
    public let value: Double
    /// Bounds that hold the true value in 90 of 100 cases. `nil` where it was not estimated, or cannot be determined.
    public let interval: ClosedRange<Double>?
    /// The unit: `s`, `1/s`, `rad/s`, the value's own, that a second. `1` for none.
    public let unit: String
  }

  /// What a system calls the motion.
  public struct Words: Sendable, Hashable {
    /// The system, as `Jetpack Compose`.
    public let system: String
    /// An expression of that system, as it is pasted.
    public let text: String
  }

  /// What is known beforehand. A recording determines neither a mass nor how fast its clock ran.
  public struct Known: Sendable, Hashable {
    /// The spring's mass, above 0. `nil`: it is taken as 1.
    public var mass: Double?
    /// The duration in seconds, above 0, that the motion has where it is not slowed down: of a spring its response
    /// (SwiftUI's duration). Everything is stated in that time then. nil: the recorded time.
    public var durationSeconds: Double?

    /// Makes what is known.
    public init(mass: Double? = nil, durationSeconds: Double? = nil) {
      (self.mass, self.durationSeconds) = (mass, durationSeconds)
    }
  }

  /// The model.
  public let model: Model
  /// The name of its curve. `nil`: it has none.
  public let curveName: String?
  /// Its numbers.
  public let parameters: [Parameter]
  /// The root of the mean square that the model leaves, in the value's unit.
  public let rms: Double
  /// What the values are rounded to, in their unit. `nil` where no known step divides them.
  public let step: Double?
  /// The half-width of the samples' 90 % intervals, in the value's unit. `nil`: it is not known.
  package let error: Double?
  /// How many samples were fitted.
  public let sampleCount: Int
  /// Seconds from the origin to the last of them.
  public let seconds: Double
  /// The corrected Akaike criterion. Models whose criteria are within 4 of each other are as good.
  public let criterion: Double
  /// Whether so little is left that it is an answer: at most 0.45 steps, 0.2 % of the range, or the half-width of the
  /// samples' intervals. Otherwise no model fits, and this is the nearest.
  public let isAccepted: Bool
  /// By how much the recorded time is slower than that of the known duration, with its interval. `nil` where no duration
  /// is known or the model has none.
  public let timeScale: Parameter?
  /// What the samples do not determine, in sentences.
  public let limits: [String]
  /// The motion in the words of other systems.
  public let words: [Words]
  /// Models that explain the samples as well, of which none is a special case of the other.
  public let rivals: [MotionFit]

  /// The fewest samples of a fit.
  package static let fewestSamples = FitSamples.fewest
  /// The most samples that are fitted.
  package static let mostSamples = FitSamples.most

  let fitted: FittedShape
  private let offset: Double
  private let range: Double

  /// Fits samples.
  ///
  /// Of several samples at one time the newest counts. What goes back in time or is not finite is left out, and so is what
  /// follows six samples behind the last change. At most 4,096 samples are fitted.
  ///
  /// - Parameters:
  ///   - seconds: The times in seconds, in the order of recording.
  ///   - values: The values, as many, in any unit.
  ///   - origin: Where the settle begins, in seconds. `nil`: at the first sample.
  ///   - model: The only model to try. `nil`: all.
  ///   - curve: The only timing curve to try. `nil`: all.
  ///   - step: What the values are rounded to, above 0. `nil`: found in the values.
  ///   - errors: The half-widths of the values' 90 % intervals, as many and in the same unit, each above 0. Samples are
  ///     weighted by them, and a value moves if it leaves its rest by four of them. `nil`: they are not known.
  ///   - unit: The values' unit, for the parameters'.
  ///   - known: What is known beforehand.
  /// - Throws: fewer than eight samples, values that do not move or by less than two steps, a time in view outside of a
  ///   microsecond to eleven days, differences that overflow, or a known number that is not above 0.
  /// - Complexity: linear in the samples. About five milliseconds for 60 of them where all models are tried.
  public static func fit(
    seconds: [Double], values: [Double], origin: Double? = nil, model: Model? = nil,
    curve: Easing? = nil, step: Double? = nil, errors: [Double]? = nil, unit: String = "1",
    known: Known = Known()
  ) throws(MotionFitError) -> MotionFit {
    try fit(
      seconds: seconds, values: values, origin: origin, model: model, curve: curve, step: step,
      errors: errors, beginsAtRest: false, unit: unit, known: known)
  }

  /// Fits samples, as the public function does.
  ///
  /// - Parameter beginsAtRest: Whether the value rests at the origin, so that motion begins behind it, and without speed.
  static func fit(
    seconds: [Double], values: [Double], origin: Double?, model: Model?, curve: Easing?,
    step: Double?, errors: [Double]?, beginsAtRest: Bool, unit: String, known: Known
  ) throws(MotionFitError) -> MotionFit {
    for number in [step, known.mass, known.durationSeconds] {
      guard number.map({ $0 > 0 && $0.isFinite }) ?? true else {
        throw MotionFitError(
          .outOfRange, "A step, a mass and a duration that are known are numbers above 0.")
      }
    }
    let samples = try FitSamples(
      seconds: seconds, values: values, origin: origin, step: step, errors: errors ?? [],
      beginsAtRest: beginsAtRest)
    let choice = FitChoice(samples, model: model, curve: curve)
    guard let chosen = choice.best ?? choice.candidates.first else {
      throw MotionFitError(
        .tooFewSamples,
        "\(samples.times.count) samples until the value rests are too few for "
          + "\(model?.rawValue ?? "any model").")
    }
    return describe(
      chosen, of: samples, unit: unit, known: known,
      rivals: choice.rivals.map {
        describe($0, of: samples, unit: unit, known: known, rivals: [])
      })
  }

  /// Works out the numbers and words of a candidate.
  private static func describe(
    _ chosen: FitCandidate, of samples: FitSamples, unit: String, known: Known, rivals: [MotionFit]
  ) -> MotionFit {
    let numbers = FitNumbers(chosen, of: samples, unit: unit, known: known)
    return MotionFit(
      model: chosen.model, curveName: chosen.curveName, parameters: numbers.parameters,
      rms: chosen.rms * samples.range, step: samples.step,
      error: samples.error, sampleCount: samples.times.count,
      seconds: samples.times.last ?? 0, criterion: chosen.criterion,
      isAccepted: chosen.isAccepted, timeScale: numbers.timeScale, limits: numbers.limits,
      words: FitWords(numbers, fitted: chosen.fitted, curve: chosen.curveName, samples).all,
      rivals: rivals, fitted: chosen.fitted, offset: samples.offset, range: samples.range)
  }

  /// A number of the model by its name. `nil` where the model has none of that name.
  public subscript(name: String) -> Parameter? { parameters.first { $0.name == name } }

  /// The fitted value at a time in recorded seconds since the origin, in the values' unit. Always finite.
  public func value(atSeconds time: Double) -> Double {
    clampedToFinite(offset + range * fitted.value(at: time))
  }

  /// Whether a fitted Bézier curve is one: it goes somewhere, and its control points are not beyond all screens.
  static func isCurve(_ fitted: FittedShape) -> Bool {
    let way = fitted.coefficients[3]
    guard abs(way) > 1e-3 else { return false }
    return abs(fitted.coefficients[1] / way) < 20 && abs(fitted.coefficients[2] / way) < 20
  }
}

/// Why samples cannot be fitted.
public struct MotionFitError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is the matter with them.
  public enum Code: String, Sendable, CaseIterable {
    /// Fewer than eight.
    case tooFewSamples
    /// They do not move, or by less than two of the steps that they are rounded to.
    case noMotion
    /// Times or values that no number holds the differences of, or a step or a known number that is not above 0.
    case outOfRange
  }

  /// What is the matter.
  public let code: Code
  /// What is the matter, as a sentence.
  public let message: String

  /// The sentence.
  public var description: String { message }

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}
