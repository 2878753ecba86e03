import TimelineModel

/// What `auto` says: `lsq2` in the window that was asked for, named as its choice.
func autoEstimate(
  _ samples: [Sample], resampled: [Bool], lift: Instant, window: EstimationWindow
) -> VelocityEstimate {
  var estimate = Estimator.lsq2.estimate(
    samples, resampled: resampled, lift: lift, window: window)
  estimate.estimator = Estimator.auto.rawValue
  estimate.chosen = "lsq2 \(window.horizonNanoseconds / 1_000_000) ms"
  return estimate
}
