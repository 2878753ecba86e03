import TimelineModel

/// What share of the places an interval is to hold.
private let heldShare = 0.9

/// How much the recording's own error counts in the scale of an interval.
private let shareOfTypicalError = 0.3

/// How much the speed counts in the scale where places are few.
private let shareOfSpeed = 0.1

/// Up to about this many places the speed stands in for the recording's own error.
private let placesThatTellTheError = 3.0

/// How many places the typical errors below count for beside a recording's own.
private let weightOfTypicalErrors = 8.0

/// How much of one error more the quantile allows for. Conformal prediction asks for a whole one,
/// whatever the errors are, and then holds 94 of 100 places of generated flings; without, 89 to 90
/// (`Tests/Oracles/auto.py`).
private let shareOfUnknownError = 0.5

/// Errors of `auto`'s choice in units of the scale, on generated flings cut at the lift with at most
/// 10 held-out places: the quantiles at 5 %, 10 % … 95 %, as `Tests/Oracles/auto.py --calibrate`
/// prints them.
private let typicalErrors: [Double] = [
  0.05, 0.10, 0.15, 0.19, 0.25, 0.32, 0.38, 0.46, 0.53, 0.61,
  0.73, 0.83, 0.98, 1.17, 1.41, 1.68, 2.09, 2.72, 4.15,
]

extension RankedCandidates {
  /// How far the reference lies from the chosen answer at the lift in 90 of 100 cases, in units per
  /// second.
  ///
  /// Split conformal prediction with a local scale (J. Lei, M. G'Sell, A. Rinaldo, R. J. Tibshirani,
  /// L. Wasserman, Distribution-Free Predictive Inference for Regression, 2018, section 5.2): the
  /// chosen candidate's errors at the held-out places, each divided by the scale there, give a
  /// distribution; its 90 % quantile times the scale at the lift is the answer. The scale is
  ///
  ///     spread + 0.3 e n/(n + 3) + 0.1 u 3/(n + 3)
  ///
  /// with the mean distance of seven candidates of short and long memory from their median, the
  /// recording's own error e, and the speed u of the fastest of the newest three segments. Few places
  /// are filled up with eight typical errors.
  ///
  /// - Returns: nil when the numbers overflow.
  func reachOfInterval() -> Double? {
    guard let newest = places.newest else { return nil }
    let errors = places.errors(ofCandidate: chosen)
    let count = Double(errors.count)
    let meanRoot = errors.reduce(0) { $0 + $1.squareRoot() / count }
    let error = errors.isEmpty ? 0 : meanRoot * meanRoot * places.peakSpeed
    func scale(spread: Double, at position: Int) -> Double {
      let told = count / (count + placesThatTellTheError)
      return spread + shareOfTypicalError * error * told
        + shareOfSpeed * places.speed(before: position) * (1 - told)
    }
    let members = candidates.indices.filter { candidates[$0].isInSpread }
    var weighted: [(size: Double, weight: Double)] = typicalErrors.map {
      ($0, weightOfTypicalErrors / Double(typicalErrors.count))
    }
    for (place, position) in places.positions.enumerated() {
      let spread = distanceFromMedian(
        members.map { places.answers[$0 * places.positions.count + place] })
      let size = errors[place] * places.peakSpeed
      let local = scale(spread: spread, at: position)
      let ratio = size / local
      weighted.append((size == 0 ? 0 : ratio.isNaN ? .infinity : ratio, 1))
    }
    weighted.sort { $0.size < $1.size }
    let wanted = heldShare * (count + weightOfTypicalErrors + shareOfUnknownError)
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

extension HeldOutPlaces {
  /// The speed of the fastest of the newest three segments up to a place, units per second; 0 without
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

/// The mean distance of values from their median; 0 of nothing.
private func distanceFromMedian(_ values: [Double]) -> Double {
  guard let middle = median(values) else { return 0 }
  return values.reduce(0) { $0 + abs($1 - middle) / Double(values.count) }
}
