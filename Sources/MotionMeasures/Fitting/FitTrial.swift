import KymographCLibrary
import MotionPhysics

/// The models' starts and their fits.
struct FitTrial {
  let samples: FitSamples
  private(set) var candidates: [FitCandidate] = []
  private var search: FitSearch
  private let seconds: Double
  /// When motion begins where the value rests at first, in seconds. 0 where it does not.
  private let begin: Double

  /// How many numbers each model has, with the variance.
  private static let counts = (decay: 4, named: 5, cubic: 5, spring: 6, bezier: 9)
  /// The frequencies and ratios at which the search for a spring starts, and how many of the best are refined.
  private static let frequencies = spread(14, 1.5...120)
  private static let ratios = [0.02, 0.1, 0.25, 0.5, 0.75, 1.0001, 1.6, 3]
  private static let refinedSprings = 3
  /// The rates at which that for a decay starts, per second.
  private static let rates = spread(40, 0.5...60)
  /// How many durations are tried, and how far from the time in view they lie.
  private static let (durationCount, durationShares) = (80, 0.1...4.0)
  /// How many Bézier curves with a name are refined, and how many of the other curves.
  private static let (refinedBeziers, refinedEasings) = (4, 3)
  /// Where between the last sample at rest and the next one the search for a start begins, in intervals.
  private static let sharesOfInterval = [0.0, 0.5, 1]
  private static let middle = 0.5
  /// By so many intervals a start may be off: more is no matter of the clock.
  private static let mostIntervals = 2.0
  /// The x of control points where no curve with a name is near.
  private static let shares = [0.05, 0.25, 0.5, 0.75, 0.95]
  /// How many samples starts are compared by.
  private static let (manySamples, someSamples) = (256, 64)

  init(_ samples: FitSamples) {
    self.samples = samples
    search = samples.search
    seconds = samples.times.last ?? 0
    begin = samples.restingCount > 1 ? samples.times[samples.restingCount - 1] : 0
  }

  /// Numbers that grow by the same factor.
  private static func spread(_ count: Int, _ range: ClosedRange<Double>) -> [Double] {
    let factor = log(range.upperBound / range.lowerBound) / Double(count - 1)
    return (0..<count).map { range.lowerBound * exp(factor * Double($0)) }
  }

  private mutating func add(
    _ model: MotionFit.Model, _ fitted: FittedShape, count: Int, curve: String? = nil
  ) {
    let total = Double(samples.times.count)
    // The correction divides by what is left of the samples, and the uncertainty by degrees of freedom.
    guard fitted.squares.isFinite, total > Double(count + 1) else { return }
    let mean = fitted.squares / total
    let rms = mean.squareRoot()
    candidates.append(
      FitCandidate(
        model: model, curveName: curve, fitted: fitted, count: count, rms: rms,
        criterion: criterion(mean, count: count),
        isAccepted: rms
          <= max(
            FitChoice.mostOfStep * (samples.step ?? 0) / samples.range, FitChoice.mostOfRange,
            FitChoice.mostOfError * (samples.error ?? 0) / samples.range)))
  }

  /// Adds a model that starts anywhere. Of exact samples it must be clearly better than the same model from where it is
  /// said to start.
  private mutating func addStartingAnywhere(
    _ model: MotionFit.Model, _ fitted: FittedShape, count: Int, curve: String? = nil
  ) {
    let others = candidates.filter { $0.model == model && $0.isAccepted }.map(\.criterion)
    add(model, fitted, count: count, curve: curve)
    // What was measured begins at a frame only by chance.
    guard samples.error == nil else { return }
    guard let best = others.min(), let own = candidates.last?.criterion,
      own > best - FitChoice.alike, candidates.last?.fitted == fitted
    else { return }
    candidates.removeLast()
  }

  /// The corrected criterion of a model with `count` numbers that leaves a mean square.
  private func criterion(_ mean: Double, count: Int) -> Double {
    let (total, numbers) = (Double(samples.times.count), Double(count))
    let rounding = samples.floorStep * samples.floorStep / 12
    return total * log(max(mean, rounding)) + 2 * numbers
      + 2 * numbers * (numbers + 1) / (total - numbers - 1)
  }

  /// Whether a model with `count` numbers would be no better and no rival if it left no more than the rounding.
  private func isBeaten(count: Int) -> Bool {
    guard samples.times.count > count + 1,
      let best = candidates.filter(\.isAccepted).map(\.criterion).min()
    else { return false }
    return criterion(0, count: count) > best + FitChoice.alike
  }

  /// The best fit from several starts. Of equal ones that from the better start.
  private mutating func best(
    _ shape: FitShape, _ starts: [[Double]], refined: Int, by count: Int
  ) -> FittedShape? {
    let few = samples.thinned(to: count)
    var coarse = few.search
    var best: FittedShape?
    for start in coarse.best(refined, of: starts, shape) {
      let one = search.refine(shape, from: start)
      // Frequencies beyond what the samples resolve can look the same: the first one counts.
      if best.map({ one.squares < $0.squares * (1 - 1e-9) }) ?? one.squares.isFinite { best = one }
    }
    return best
  }

  /// Fits a model from the origin, and where the value rests at first also from where motion begins, which is one more
  /// number.
  private mutating func addFromBoth(
    _ model: MotionFit.Model, count: Int, starts: [[Double]], refined: Int,
    _ shape: (Double) -> FitShape
  ) {
    for start in begin > 0 ? [0, begin] : [0] {
      if let fitted = best(shape(start), starts, refined: refined, by: FitTrial.manySamples) {
        add(
          model, model == .spring ? cappingDampingRatio(fitted) : fitted,
          count: count + (start > 0 ? 1 : 0))
      }
    }
  }

  /// Fits a model that rests until it starts, anywhere up to an interval behind the last sample at rest.
  private mutating func addFromRest(
    _ model: MotionFit.Model, count: Int, starts: [[Double]], refined: Int, _ shape: FitShape
  ) {
    guard samples.rests, !isBeaten(count: count) else { return }
    let delays = FitTrial.sharesOfInterval.map { begin / samples.interval + $0 }
    let all = starts.flatMap { start in delays.map { start + [$0] } }
    if let fitted = best(shape, all, refined: refined, by: FitTrial.manySamples) {
      addStartingAnywhere(model, fitted, count: count)
    }
  }

  mutating func addSpring() {
    // A swing faster than half of the samples' rate looks the same as a slower one.
    let fastest = .pi / samples.interval
    let starts = FitTrial.frequencies.flatMap { frequency in
      FitTrial.ratios.compactMap { ratio -> [Double]? in
        let swing = frequency * max(0, 1 - ratio * ratio).squareRoot()
        return swing > fastest ? nil : [log(frequency), log(ratio)]
      }
    }
    addFromBoth(
      .spring, count: FitTrial.counts.spring, starts: starts, refined: FitTrial.refinedSprings
    ) { .spring(from: $0) }
    addFromRest(
      .spring, count: FitTrial.counts.spring, starts: starts, refined: FitTrial.refinedSprings,
      .springFromRest(delayUnit: samples.interval))
  }

  /// A spring that creeps, taken to just above the ratio from which on only its slow rate is printed where the samples do not
  /// exclude that one: the rest that is left may grow there by what 90 % allow. Along the ridge on which slow rates are
  /// alike, an interval about the best ratio would be too narrow.
  private mutating func cappingDampingRatio(_ fitted: FittedShape) -> FittedShape {
    let (frequency, ratio) = (exp(fitted.numbers[0]), exp(fitted.numbers[1]))
    let limit = FitNumbers.mostRatio
    guard ratio > 1, ratio <= limit else { return fitted }
    let center = log(frequency / slowing(ratio) * slowing(limit))
    let above = log(limit).nextUp.nextUp
    // By golden sections.
    let share = 0.6180339887498949
    var (low, high) = (center - 0.3, center + 0.3)
    for _ in 0..<30 {
      let (one, other) = (high - share * (high - low), low + share * (high - low))
      if search.squares(fitted.shape, [one, above]) < search.squares(fitted.shape, [other, above]) {
        high = other
      } else {
        low = one
      }
    }
    let found = search.solved(fitted.shape, [(low + high) / 2, above])
    let uncertainty = FitUncertainty(of: fitted, in: samples)
    guard let quantile = uncertainty.quantile,
      found.squares - fitted.squares <= quantile * quantile * uncertainty.variance
    else { return fitted }
    return found
  }

  mutating func addDecay() {
    addFromBoth(
      .decay, count: FitTrial.counts.decay, starts: FitTrial.rates.map { [log($0)] }, refined: 3
    ) { .decay(from: $0) }
    addFromRest(
      .decay, count: FitTrial.counts.decay + 1, starts: FitTrial.rates.map { [log($0)] },
      refined: 3, .decayFromRest(delayUnit: samples.interval))
  }

  mutating func addCubic() {
    addFromBoth(.cubic, count: FitTrial.counts.cubic, starts: durations.map { [$0] }, refined: 3) {
      .cubic(from: $0)
    }
  }

  private var durations: [Double] {
    FitTrial.spread(FitTrial.durationCount, FitTrial.durationShares).map { log($0 * seconds) }
  }

  // MARK: Curves of time

  /// Where a curve of time starts: with the release where motion begins in the first interval, else anywhere before the
  /// last sample at rest.
  private func starts(_ unit: Double?) -> [[Double]] {
    guard let unit else { return durations.map { [$0] } }
    return [0, 0.5, 1].flatMap { share in durations.map { [$0, share * begin / unit] } }
  }

  /// A curve of time fitted coarsely, by the best of its starts.
  private func coarse(_ easing: Easing, delayUnit: Double?) -> (squares: Double, start: [Double]) {
    let few = samples.thinned(to: FitTrial.someSamples)
    var search = few.search
    let shape = FitShape.easing(easing, delayUnit: delayUnit)
    let start = search.best(1, of: starts(delayUnit), shape)[0]
    return (search.squares(shape, start), start)
  }

  /// The curves that leave least.
  private func nearest(
    _ count: Int, of easings: [Easing], delayUnit: Double?
  ) -> [(easing: Easing, start: [Double])] {
    easings.enumerated().map { index, easing in
      let found = coarse(easing, delayUnit: delayUnit)
      return (found.squares, index, easing, found.start)
    }.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.prefix(count).map { ($0.2, $0.3) }
  }

  /// Fits Bézier curves that have a name, then any.
  mutating func addBezier() {
    let unit = begin > 0 ? samples.interval : nil
    for (easing, start) in nearest(
      FitTrial.refinedBeziers, of: NamedCurve.beziers.map(\.easing) + NamedCurve.starts,
      delayUnit: unit)
    {
      if let name = NamedCurve.beziers.first(where: { $0.easing == easing })?.name {
        addNamed(.bezier, easing, name, from: start, unit: unit, count: FitTrial.counts.named)
      }
      guard let points = easing.controlPoints else { continue }
      addAny(from: [start[0], logit(points.x1), logit(points.x2)] + start.dropFirst(), unit: unit)
    }
    guard !isBeaten(count: FitTrial.counts.bezier),
      !candidates.contains(where: { $0.model == .bezier && $0.isAccepted })
    else { return }
    // No curve with a name is near: points all over the square.
    let points = FitTrial.shares.flatMap { first in
      FitTrial.shares.flatMap { second in
        starts(unit).map { [$0[0], logit(first), logit(second)] + $0.dropFirst() }
      }
    }
    let few = samples.thinned(to: FitTrial.someSamples)
    var coarse = few.search
    let shape = FitShape.bezier(delayUnit: unit)
    for start in coarse.best(2 * FitTrial.refinedBeziers, of: points, shape) {
      addAny(from: start, unit: unit)
    }
  }

  private mutating func addAny(from numbers: [Double], unit: Double?) {
    guard !isBeaten(count: FitTrial.counts.bezier) else { return }
    let fitted = search.refine(.bezier(delayUnit: unit), from: numbers)
    guard MotionFit.isCurve(fitted) else { return }
    add(.bezier, fitted, count: FitTrial.counts.bezier)
    guard unit == nil, !isBeaten(count: FitTrial.counts.bezier) else { return }
    let free = search.refine(
      .bezier(delayUnit: samples.interval), from: fitted.numbers + [FitTrial.middle])
    guard MotionFit.isCurve(free), abs(free.numbers[3]) <= FitTrial.mostIntervals else { return }
    addStartingAnywhere(.bezier, free, count: FitTrial.counts.bezier)
  }

  /// Fits the curves that are no Bézier curves. There are thirty, so that one of them is near to almost anything: each
  /// counts as many numbers as a free Bézier curve.
  mutating func addEasings() {
    guard !isBeaten(count: FitTrial.counts.bezier) else { return }
    let unit = begin > 0 ? samples.interval : nil
    for (easing, start) in nearest(
      FitTrial.refinedEasings, of: NamedCurve.families, delayUnit: unit)
    {
      addNamed(
        .easing, easing, easing.name, from: start, unit: unit, count: FitTrial.counts.bezier)
    }
  }

  /// Fits one curve.
  mutating func add(_ easing: Easing) {
    let unit = begin > 0 ? samples.interval : nil
    addNamed(
      easing.controlPoints == nil ? .easing : .bezier, easing, easing.name,
      from: coarse(easing, delayUnit: unit).start, unit: unit, count: FitTrial.counts.named)
  }

  /// Fits a curve that has a name, and where it should begin with the release also a little before or after.
  private mutating func addNamed(
    _ model: MotionFit.Model, _ easing: Easing, _ name: String, from start: [Double], unit: Double?,
    count: Int
  ) {
    let fitted = search.refine(.easing(easing, delayUnit: unit), from: start)
    add(model, fitted, count: count, curve: name)
    guard unit == nil, !isBeaten(count: count) else { return }
    let free = search.refine(
      .easing(easing, delayUnit: samples.interval), from: fitted.numbers + [FitTrial.middle])
    guard abs(free.numbers[1]) <= FitTrial.mostIntervals else { return }
    addStartingAnywhere(model, free, count: count, curve: name)
  }

  /// The number whose ``logistic(_:)`` a share is, held within what can be searched.
  private func logit(_ share: Double) -> Double {
    let inner = max(0.01, min(0.99, share))
    return log(inner / (1 - inner))
  }
}

/// The curves that a fit knows by name.
private enum NamedCurve {
  /// Bézier curves: those of CSS, and of Material Design by their names in Jetpack Compose and Flutter.
  static let beziers: [(name: String, easing: Easing)] =
    ["linear", "ease", "ease-in", "ease-out", "ease-in-out"].compactMap { name in
      Easing(named: name).map { (name, $0) }
    }
    + [
      ("FastOutSlowIn", 0.4, 0, 0.2, 1), ("LinearOutSlowIn", 0, 0, 0.2, 1),
      ("FastOutLinearIn", 0.4, 0, 1, 1),
    ].compactMap { (name: String, x1, y1, x2, y2) in
      (try? Easing(bezier: x1, y1, x2, y2)).map { (name, $0) }
    }

  /// More shapes to start from: beyond the end and back, before the start first, both, steep in the middle.
  static let starts: [Easing] = [
    (0.34, 1.56, 0.64, 1), (0.36, 0, 0.66, -0.56), (0.68, -0.6, 0.32, 1.6), (0.85, 0, 0.15, 1),
    (0.16, 1, 0.3, 1),
  ].compactMap { try? Easing(bezier: $0, $1, $2, $3) }

  /// AHEasing's families.
  static let families: [Easing] = EasingFamily.allCases.flatMap { family in
    EasingDirection.allCases.map { Easing(family, $0) }
  }
}
