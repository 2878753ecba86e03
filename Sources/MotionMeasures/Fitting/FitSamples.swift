import KymographCLibrary
import MotionPhysics
import TimelineModel
import TimelineSession

/// Whether a value is at rest: it stays where it is, or within what its errors allow.
struct FitRest {
  private var rest: Double?
  private var error = 0.0

  /// Takes the next value.
  ///
  /// - Parameter error: The half-width of its 90 % interval. 0: it is exact.
  /// - Returns: Whether it leaves the rest. It is the next rest then.
  mutating func moves(_ value: Double, _ error: Double) -> Bool {
    let isMoved =
      rest.map { abs(value - $0) > ElementErrors.movingHalfWidths * max(error, self.error) }
      ?? false
    if isMoved || rest == nil { (rest, self.error) = (value, error) }
    return isMoved
  }
}

/// The samples of a settle, ready to be fitted: times rise strictly and count from where the settle begins, values are
/// finite and go from 0 over a range of 1.
struct FitSamples: Sendable {
  /// Seconds since the origin.
  private(set) var times: [Double] = []
  /// Values, as shares of the range, from the first one.
  private(set) var values: [Double] = []
  /// How much each counts: the root of a mean square is weighted with the squares, whose mean is 1. All are 1 if nothing is
  /// known of their errors.
  private(set) var weights: [Double] = []
  /// The first value, in the caller's unit.
  let offset: Double
  /// The largest value minus the smallest, in the caller's unit.
  let range: Double
  /// What values are rounded to, in the caller's unit. `nil` where no step divides them.
  let step: Double?
  /// What values are rounded to, their error, or the least difference that counts, as a share of the range.
  let floorStep: Double
  /// The half-width of the samples' 90 % intervals, in the caller's unit, as the root of their harmonic mean square.
  /// `nil`: it is not known.
  let error: Double?
  /// How many samples at the beginning are equal to the first, or within what their errors allow. 1 where motion begins in the first interval.
  let restingCount: Int
  /// Whether the value rests at the beginning.
  let rests: Bool
  /// The median interval, in seconds.
  let interval: Double
  /// Whether samples behind the most that are fitted were left out.
  let isShortened: Bool

  /// The fewest samples of a fit.
  static let fewest = 8
  /// The fewest steps that the values of a fit cover.
  static let fewestSteps = 2.0
  /// How many samples behind the last change are kept. The rest is at rest and is left out.
  static let mostAtRest = 6
  /// The most samples that are fitted, ours: 34 s at 120 Hz, longer than anything that settles.
  static let most = 4096
  /// The shortest and the longest time that is fitted, in seconds.
  static let seconds = 1e-6...1e6
  /// Differences below this share of the range count as none, so that rounding does not choose between models.
  static let finest = 1e-6
  /// A half-width of a 90 % interval in standard errors of a normal distribution.
  static let standardErrors = 1.645

  /// Takes samples in the order of recording: of several at one time the newest counts. What goes back in time or is
  /// not finite is left out.
  ///
  /// - Parameters:
  ///   - seconds: The times.
  ///   - values: The values, as many.
  ///   - origin: Where the settle begins. `nil`: at the first sample. Samples before it are left out.
  ///   - step: The values are rounded to it. `nil`: found in the values.
  ///   - errors: The half-widths of the values' 90 % intervals, as many, each above 0. Empty: they are not known.
  ///   - beginsAtRest: Whether the value is known to rest at the origin.
  init(
    seconds: [Double], values raw: [Double], origin: Double?, step known: Double?,
    errors halfWidths: [Double] = [], beginsAtRest: Bool = false
  ) throws(MotionFitError) {
    var times: [Double] = []
    var values: [Double] = []
    var errors: [Double] = []
    let isMeasured = halfWidths.count == raw.count && halfWidths.allSatisfy { $0 > 0 }
    for (index, time) in seconds.enumerated() where time.isFinite && raw[index].isFinite {
      guard time >= origin ?? time, time >= times.last ?? time else { continue }
      if time == times.last {
        times.removeLast()
        values.removeLast()
        errors.removeLast()
      }
      times.append(time)
      values.append(raw[index])
      errors.append(isMeasured ? halfWidths[index] : 0)
    }
    var rest = FitRest()
    // From the end on: the last one that is away from those behind it.
    let change = values.indices.reversed().first { rest.moves(values[$0], errors[$0]) }
      .map { $0 + 1 }
    guard let change else {
      throw MotionFitError(
        .noMotion,
        times.isEmpty ? "There is no sample to fit." : "The value does not move. Nothing settles.")
    }
    let kept = min(values.count, change + FitSamples.mostAtRest + 1)
    isShortened = kept > FitSamples.most
    times = Array(times.prefix(min(kept, FitSamples.most)))
    values = Array(values.prefix(times.count))
    errors = Array(errors.prefix(times.count))
    guard times.count >= FitSamples.fewest else {
      throw MotionFitError(
        .tooFewSamples,
        "\(times.count) samples until the value rests are too few. A fit needs \(FitSamples.fewest)."
      )
    }
    let start = origin ?? times[0]
    times = times.map { $0 - start }
    guard let lowest = values.min(), let highest = values.max(), let last = times.last,
      (highest - lowest).isFinite, FitSamples.seconds.contains(last)
    else {
      throw MotionFitError(
        .outOfRange,
        "The samples cover more than can be fitted. Times from \(FitSamples.seconds.lowerBound) s to "
          + "\(FitSamples.seconds.upperBound) s and finite differences of values can.")
    }
    let range = highest - lowest
    let square = errors.reduce(0) { $0 + 1 / ($1 * $1) } / Double(errors.count)
    weights = errors.map { isMeasured ? 1 / ($0 * square.squareRoot()) : 1 }
    error = isMeasured ? 1 / square.squareRoot() : nil
    step = known ?? (isMeasured ? nil : FitSamples.step(of: values))
    if let error, range < 2 * ElementErrors.movingHalfWidths * error {
      throw MotionFitError(
        .noMotion,
        "The values cover \(NumberText.short(range, digits: 3)), less than "
          + "\(Int(2 * ElementErrors.movingHalfWidths)) half-widths of their intervals. That is too little to fit."
      )
    }
    guard range > 0, range >= FitSamples.fewestSteps * (step ?? 0) else {
      throw MotionFitError(
        .noMotion,
        "The values cover \(range), less than \(Int(FitSamples.fewestSteps)) of the steps of \(step ?? 0) that "
          + "they are rounded to. That is too little to fit.")
    }
    let first = values[0]
    (offset, self.range) = (first, range)
    // The step whose rounding would have the standard error that half-widths stand for.
    let noise = error.map { $0 / FitSamples.standardErrors * (12.0).squareRoot() }
    floorStep = max((step ?? noise ?? FitSamples.singleStep(of: values)) / range, FitSamples.finest)
    rest = FitRest()
    restingCount = zip(values, errors).prefix { !rest.moves($0, $1) }.count
    rests = beginsAtRest || restingCount > 1
    let gaps = zip(times.dropFirst(), times).map { $0 - $1 }
    interval = gaps.upperMedian ?? 0
    self.times = times
    self.values = values.map { ($0 - first) / range }
  }

  /// A search for the numbers of shapes that go through these samples.
  var search: FitSearch { FitSearch(times: times, values: values, weights: weights) }

  /// Every so-manieth sample, so that there are about as many as asked for, for a search of starts.
  func thinned(to count: Int) -> FitSamples {
    let stride = max(1, (times.count + count - 1) / count)
    guard stride > 1 else { return self }
    let positions = Swift.stride(from: 0, to: times.count, by: stride)
    var few = self
    few.times = positions.map { times[$0] }
    few.values = positions.map { values[$0] }
    few.weights = positions.map { weights[$0] }
    return few
  }

  /// How many steps make a unit: a display's points, its pixels at three scales, then finer fractions and digits. The
  /// largest step that divides all values is taken.
  private static let stepsOfUnit: [Double] = [1, 2, 3, 4, 8, 10, 64, 100, 1024, 1e3, 1e4, 1e5, 1e6]

  /// The largest of the known steps that divides all values, within rounding to single precision.
  private static func step(of values: [Double]) -> Double? {
    stepsOfUnit.first { count in
      values.allSatisfy { value in
        let scaled = value * count
        let slack = min(0.02, 1e-9 + 1.2e-7 * abs(scaled))
        return abs(scaled - scaled.rounded()) <= slack
      }
    }.map { 1 / $0 }
  }

  /// The step of single precision where every value has it, else 0.
  private static func singleStep(of values: [Double]) -> Double {
    guard values.allSatisfy({ Double(Float($0)) == $0 }) else { return 0 }
    return (values.map(abs).max() ?? 0) * Double(Float.ulpOfOne)
  }
}
