package import TimelineModel
package import TimelineSession

/// Two curves of one key, compared: delay and shape told apart.
///
/// A raw distance alone calls a curve that is merely late more different than one of another shape.
/// So the lag is taken out first, and what is left is the shape.
package struct CurveComparison: Sendable, Hashable {
  /// Samples of A that lie where B has values too: the ones that were compared.
  package var matchedSampleCount: Int
  /// Samples of A outside B's time.
  package var onlyInACount: Int
  /// Samples of B outside A's time.
  package var onlyInBCount: Int
  /// How many samples each has.
  package var sampleCounts: (a: Int, b: Int) { (matchedSampleCount + onlyInACount, countOfB) }
  /// How many samples B has.
  package var countOfB: Int
  /// Seconds of time that both have.
  package var overlapSeconds: Double
  /// Whether the values hold between samples instead of going straight to the next.
  package var isStep: Bool
  /// The distance with the clocks as they are. `nil` where the curves do not overlap.
  package var aligned: CurveDifference?
  /// Seconds by which B is later than A. Negative where it is earlier. 0 where it cannot be told, as
  /// for a curve that does not move.
  package var lagSeconds: Double
  /// Whether the lag is at the end of the search, so that the true one may lie beyond.
  package var lagIsAtLimit: Bool
  /// The root mean square that is left after the lag is taken out. `nil` where nothing overlaps.
  package var residual: Double?
  /// The straight line of A that lies nearest to B, with the lag taken out or without, and what it leaves. `nil`
  /// where either does not move.
  package var fit: Fit?
  /// How many times as long B takes for the same, counted from the common clock's zero, and what that leaves.
  /// `nil` where nothing overlaps, where a curve does not move, and for more than 4,096 samples of both together.
  package var timeScale: TimeScale?
  /// The root mean square of how differently the two change within a frame, per second. `nil` without a frame
  /// to tell it by.
  package var frameIncrement: Double?
  /// The same within ``longIncrementSeconds``. `nil` where the overlap is no longer than that.
  package var longIncrement: Double?
  /// What is left when time itself may be stretched. `nil` where nothing overlaps.
  package var warp: CurveWarp?
  /// A's largest value minus its smallest.
  package var rangeOfA: Double

  /// A curve that was made faster or slower.
  package struct TimeScale: Sendable, Hashable {
    /// B's time in units of A's: 0.5 for twice as fast. No unit.
    package var factor: Double
    /// The root mean square that is left when B's time is divided by it, in the key's unit.
    package var residual: Double
  }

  /// A curve that was made greater or smaller: B is nearest to `offset + gain · A`.
  package struct Fit: Sendable, Hashable {
    /// How many times as far B goes. No unit.
    package var gain: Double
    /// What is added then, in the key's unit.
    package var offset: Double
    /// The root mean square that is left.
    package var residual: Double
    /// The shift of B at which it was fitted, in seconds: the lag, or none where that leaves less. A curve
    /// that only goes further looks late or early as well.
    package var lagSeconds: Double
  }

  /// The longer stretch over which changes are compared, in seconds: evo's relative error takes any. A tenth
  /// of a second is a dozen frames at 120 Hz, about the window that velocities are told from.
  package static let longIncrementSeconds = 0.1

  /// A comparison of no sample, to be filled in.
  init() {
    (matchedSampleCount, onlyInACount, onlyInBCount, countOfB) = (0, 0, 0, 0)
    (overlapSeconds, lagSeconds, rangeOfA) = (0, 0, 0)
    (isStep, lagIsAtLimit) = (false, false)
  }

  /// Compares two curves on one clock. Shift them first where they start elsewhere.
  ///
  /// - Parameters:
  ///   - a: The first curve.
  ///   - b: What is held against it.
  ///   - lagLimitSeconds: How far to search for a lag, each way, and how far time may be stretched.
  ///   - isStep: Whether the values hold between samples.
  ///   - frameSeconds: How long a frame is. `nil`: A's median interval.
  /// - Complexity: O(n + m).
  package init(
    _ a: Curve, _ b: Curve, lagLimitSeconds: Double = defaultLagLimitSeconds, isStep: Bool = false,
    frameSeconds: Double? = nil
  ) {
    self.init(
      Samples(a, b), pair: CurvePair(a, b, isStep: isStep), lagLimitSeconds: lagLimitSeconds,
      isStep: isStep, frameSeconds: frameSeconds)
  }

  /// What is needed of two curves that were paired: how many samples of each lie within the other, and extents.
  struct Samples {
    let (matchedCount, countOfA, countOfB, onlyInBCount): (Int, Int, Int, Int)
    let (rangeOfA, rangeOfB): (Double, Double)

    init(_ a: Curve, _ b: Curve) {
      matchedCount = CurveComparison.count(of: a, within: b)
      (countOfA, countOfB) = (a.count, b.count)
      onlyInBCount = b.count - CurveComparison.count(of: b, within: a)
      (rangeOfA, rangeOfB) = (CurveComparison.extent(of: a), CurveComparison.extent(of: b))
    }
  }

  /// Compares two curves that were paired already.
  ///
  /// - Parameters:
  ///   - share: Time scale and fit are computed if a larger share of A's range is left as ``residual``.
  ///   - hasIncrements: Whether increments are computed.
  ///   - warps: Whether the warp is.
  init(
    _ samples: Samples, pair: CurvePair?, lagLimitSeconds: Double, isStep: Bool,
    frameSeconds: Double?, explainsAbove share: Double = -1, hasIncrements: Bool = true,
    warps: Bool = true
  ) {
    rangeOfA = samples.rangeOfA
    matchedSampleCount = samples.matchedCount
    onlyInACount = samples.countOfA - samples.matchedCount
    onlyInBCount = samples.onlyInBCount
    countOfB = samples.countOfB
    lagSeconds = 0
    lagIsAtLimit = false
    overlapSeconds = 0
    self.isStep = isStep
    guard let pair else { return }
    if pair.isOfEqualCurves {
      agree(pair, lagLimitSeconds, frameSeconds, hasIncrements: hasIncrements, warps: warps)
    } else if let sides = CurveDistances(pair, shift: 0) {
      aligned = sides.difference(of: pair)
      overlapSeconds = sides.duration
      if hasIncrements {
        let frame = frameSeconds ?? CurvePair.medianInterval(pair.a.times)
        frameIncrement =
          frame.isFinite ? sides.incrementRMS(delta: frame).map(pair.unscaled) : nil
        longIncrement = sides.incrementRMS(delta: CurveComparison.longIncrementSeconds)
          .map(pair.unscaled)
      }
      if warps { warp = pair.warp(limitSeconds: lagLimitSeconds) }
    }
    residual = aligned?.rootMeanSquare
    // A curve that does not move fits as well at any shift.
    guard rangeOfA > 0, samples.rangeOfB > 0 else { return }
    if aligned?.maximum != 0 || !pair.isOfEqualCurves {
      let lag = pair.lag(limitSeconds: lagLimitSeconds, range: rangeOfA, distance: residual)
      lagSeconds = lag.seconds
      lagIsAtLimit = lag.isAtLimit
      residual = lag.residual ?? residual
    }
    guard residualShareOfRange ?? .infinity > share else { return }
    timeScale = pair.timeScale(about: Instant.zero.seconds(since: pair.origin), range: rangeOfA)
    let fits = (lagSeconds == 0 ? [0] : [0, lagSeconds]).compactMap { shift in
      pair.gain(shift: shift).map { found in
        Fit(
          gain: found.gain, offset: pair.unscaled(found.offset),
          residual: pair.unscaled(found.residual), lagSeconds: shift)
      }
    }
    fit = fits.min { $0.residual < $1.residual }
  }

  /// Sets the distances of curves with the same samples, which are 0 at every instant: as sessions of one build have them.
  private mutating func agree(
    _ pair: CurvePair, _ lagLimitSeconds: Double, _ frameSeconds: Double?, hasIncrements: Bool,
    warps: Bool
  ) {
    aligned = CurveDifference(
      maximum: 0, timeOfMaximum: pair.instant(pair.a.first), meanAbsolute: 0, rootMeanSquare: 0,
      bias: 0, percentile95: 0)
    overlapSeconds = pair.durations.a
    func increment(_ delta: Double) -> Double? {
      delta > 0 && pair.a.last - delta > pair.a.first ? 0 : nil
    }
    if hasIncrements {
      let frame = frameSeconds ?? CurvePair.medianInterval(pair.a.times)
      frameIncrement = frame.isFinite ? increment(frame) : nil
      longIncrement = increment(CurveComparison.longIncrementSeconds)
    }
    if warps { warp = pair.warp(limitSeconds: lagLimitSeconds) }
  }

  /// The residual as a share of A's range, no unit: 0 for none at all. `nil` where nothing overlaps, or
  /// where A does not move and a residual is left.
  package var residualShareOfRange: Double? { residual.flatMap(shareOfRange) }

  /// A distance as a share of A's range, no unit: 0 for none at all. `nil` where A does not move and there is
  /// a distance.
  package func shareOfRange(_ distance: Double) -> Double? {
    if distance == 0 { return 0 }
    let share = distance / rangeOfA
    return share.isFinite ? share : nil
  }

  private static func extent(of curve: Curve) -> Double {
    guard let range = curve.valueRange else { return 0 }
    return min(range.upperBound - range.lowerBound, .greatestFiniteMagnitude)
  }

  /// How many samples of one curve lie between the first and the last of the other.
  private static func count(of curve: Curve, within other: Curve) -> Int {
    guard let first = other.times.first, let last = other.times.last else { return 0 }
    let start = curve.times.partitioningIndex { $0 >= first }
    return max(0, curve.times.partitioningIndex { $0 > last } - start)
  }
}

/// How far two curves are apart, B minus A, in the key's unit.
///
/// Means are over time, not over samples: between the instants at which either curve has a sample both
/// are straight lines, so that the integrals are exact. A stretch with many samples weighs no more
/// than one with few.
package struct CurveDifference: Sendable, Hashable {
  /// The largest distance, never negative.
  package var maximum = 0.0
  /// When the largest distance first occurs, on A's clock.
  package var timeOfMaximum = Instant.zero
  /// The mean of the distance, never negative.
  package var meanAbsolute = 0.0
  /// The root of the mean of the squared distance (RMSE), never negative.
  package var rootMeanSquare = 0.0
  /// The mean of B minus A. Positive where B lies above A.
  package var bias = 0.0
  /// The distance that is not exceeded for 95 % of the time, never negative.
  package var percentile95 = 0.0
}
