import TimelineModel

/// The share of the places that an interval has to contain.
private let heldShare = 0.9

/// How much the recording's own error counts in the scale of an interval.
private let shareOfTypicalError = 0.3

/// How much the speed counts in the scale where places are few.
private let shareOfSpeed = 0.1

/// Up to about this many places the speed stands in for the recording's own error.
private let errorPriorCount = 3.0

/// How many places the typical errors below count for beside a recording's own.
private let weightOfTypicalErrors = 8.0

/// How much of one error more the quantile allows for. Conformal prediction asks for a whole one,
/// whatever the errors are, and then holds 94 of 100 places of generated flings. Without, 89 to 90
/// (`Tests/Oracles/auto.py`).
private let shareOfUnknownError = 0.5

/// The same where the places are sparse, and the reference rests on three of them: the whole one.
private let shareOfUnknownSparseError = 1.0

/// Errors of `auto`'s choice in units of the scale, on generated flings at most 12 ms from place to
/// place that are cut at the lift and have at most 10 held-out samples: the quantiles at 5 %, 10 % …
/// 95 %, as `Tests/Oracles/auto.py --calibrate` prints them.
private let typicalErrors: [Double] = [
  0.05, 0.10, 0.15, 0.20, 0.26, 0.34, 0.42, 0.50, 0.57, 0.66,
  0.76, 0.88, 1.05, 1.23, 1.42, 1.69, 2.04, 2.62, 3.86,
]

/// The same on generated flings at 60 places a second, where 22 ms hold one place on either side.
private let typicalSparseErrors: [Double] = [
  0.06, 0.13, 0.18, 0.23, 0.27, 0.34, 0.42, 0.50, 0.59, 0.70,
  0.82, 1.03, 1.15, 1.36, 1.58, 2.01, 2.49, 3.14, 5.05,
]

extension RankedCandidates {
  /// How far the reference lies from the chosen answer at the lift in 90 of 100 cases, in units per
  /// second.
  ///
  /// Split conformal prediction with a local scale (J. Lei, M. G'Sell, A. Rinaldo, R. J. Tibshirani,
  /// L. Wasserman, Distribution-Free Predictive Inference for Regression, 2018, section 5.2): the
  /// chosen candidate's errors at the held-out samples, each divided by the scale there, give a
  /// distribution. Its 90 % quantile times the scale at the lift is the answer. The scale is
  ///
  ///     spread + 0.3 e n/(n + 3) + 0.1 u 3/(n + 3)
  ///
  /// with the mean distance of seven candidates of short and long memory from their median, the
  /// recording's own error e, and the speed u of the fastest of the newest three segments. Few places
  /// are filled up with eight typical errors.
  ///
  /// - Returns: nil when the numbers overflow.
  func reachOfInterval() -> Double? {
    guard let newest = heldOut.newest else { return nil }
    let errors = heldOut.errors(ofCandidate: chosen)
    let count = Double(errors.count)
    let meanRoot = errors.reduce(0) { $0 + $1.squareRoot() / count }
    let error = errors.isEmpty ? 0 : meanRoot * meanRoot * heldOut.peakSpeed
    func scale(spread: Double, at position: Int) -> Double {
      let ownShare = count / (count + errorPriorCount)
      return spread + shareOfTypicalError * error * ownShare
        + shareOfSpeed * heldOut.speed(before: position) * (1 - ownShare)
    }
    let members = candidates.indices.filter { candidates[$0].isInSpread }
    let typical = heldOut.areSparse ? typicalSparseErrors : typicalErrors
    var weighted: [(size: Double, weight: Double)] = typical.map {
      ($0, weightOfTypicalErrors / Double(typical.count))
    }
    for (referenceIndex, position) in heldOut.positions.enumerated() {
      let spread = distanceFromMedian(
        members.map { heldOut.answers[$0 * heldOut.positions.count + referenceIndex] })
      let size = errors[referenceIndex] * heldOut.peakSpeed
      let local = scale(spread: spread, at: position)
      let ratio = size / local
      weighted.append((size == 0 ? 0 : ratio.isNaN ? .infinity : ratio, 1))
    }
    weighted.sort { $0.size < $1.size }
    let unknown = heldOut.areSparse ? shareOfUnknownSparseError : shareOfUnknownError
    let wanted = heldShare * (count + weightOfTypicalErrors + unknown)
    var sum = 0.0
    var quantile = 0.0
    for error in weighted {
      quantile = error.size
      sum += error.weight
      if sum >= wanted { break }
    }
    let spread = distanceFromMedian(members.map { answersAtLift[$0] ?? 0 })
    let local = scale(spread: spread, at: newest)
    let reach = local == 0 ? 0 : quantile * local
    return reach.isFinite ? reach : nil
  }
}

extension HeldOutSamples {
  /// The speed of the fastest of the newest three segments up to a place, units per second. 0 without
  /// a segment.
  fileprivate func speed(before position: Int) -> Double {
    guard position > 0 else { return 0 }
    var fastest = 0.0
    for end in max(1, position - 2)...position {
      let seconds = samples[end].time.seconds(since: samples[end - 1].time)
      fastest = max(fastest, abs((samples[end].value - samples[end - 1].value) / seconds))
    }
    return fastest
  }
}

/// The mean distance of values from their median. 0 of nothing.
private func distanceFromMedian(_ values: [Double]) -> Double {
  guard let middle = median(values) else { return 0 }
  return values.reduce(0) { $0 + abs($1 - middle) / Double(values.count) }
}
