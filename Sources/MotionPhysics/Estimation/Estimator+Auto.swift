package import TimelineModel

extension Estimator {
  /// The estimate of `estimate(_:resampled:lift:window:)`, and for `auto` the ranking that it rests on, which
  /// is worked out once for both. `nil` for the other estimators.
  package func answer(
    _ samples: [Sample], resampled: [Bool] = [], lift: Instant, window: EstimationWindow = .android
  ) -> (estimate: VelocityEstimate, ranking: EstimatorRanking?) {
    guard self == .auto else {
      return (estimate(samples, resampled: resampled, lift: lift, window: window), nil)
    }
    let ranked = RankedCandidates(samples, resampled: resampled, lift: lift, window: window)
    return (
      autoEstimate(samples, resampled: resampled, lift: lift, ranked: ranked), ranked.ranking
    )
  }
}

/// The answer of `auto`: the estimate of the candidate that tells held-out samples of the same recording
/// best (`EstimatorRanking`), named in `chosen`, with an interval from its errors there.
///
/// All but the interval is the chosen candidate's own estimate. `low` and `high` are meant to hold, in
/// 90 of 100 places, the slope that a parabola within 22 ms before and after the lift would have: see
/// `RankedCandidates.reachOfInterval()`. `standardError` is the interval's half width by the normal
/// distribution's 1.645. A value that had stopped is 0 without an interval, as everywhere.
///
/// Pure, and a few milliseconds for a recording of any length beyond 400 places.
private func autoEstimate(
  _ samples: [Sample], resampled: [Bool], lift: Instant, ranked: RankedCandidates
) -> VelocityEstimate {
  let chosen = ranked.candidates[ranked.chosen]
  var estimate = chosen.estimator.estimate(
    samples, resampled: resampled, lift: lift, window: chosen.window)
  estimate.estimator = EstimatorName(.auto)
  estimate.chosen = chosen.name
  guard let velocity = estimate.velocity, estimate.sampleCount > 1 else { return estimate }
  estimate.low = nil
  estimate.high = nil
  estimate.standardError = nil
  guard let reach = ranked.reachOfInterval() else { return estimate }
  let low = velocity - reach
  let high = velocity + reach
  guard low.isFinite, high.isFinite else { return estimate }
  estimate.low = low
  estimate.high = high
  estimate.standardError = reach / normalQuantile95
  return estimate
}
