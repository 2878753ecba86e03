public import TimelineModel

/// A way to tell a velocity from samples. The raw values are the names in scenario files and of
/// `--estimator`.
public enum Estimator: String, CaseIterable, Sendable {
  /// Least squares with a parabola; the velocity is its slope at the newest sample.
  case lsq2
  /// The speed at which the work done along the way would have left a body; sums segment by segment.
  case impulse
}

extension Estimator {
  /// Estimates the velocity at a lift, in units of the samples per second.
  ///
  /// Samples come in recording order; those after the lift are ignored, an equal time replaces, an
  /// earlier time is left out. The answer's `velocity` is
  /// - nil ("no velocity") for no sample, for one sample, and where the numbers are too large to
  ///   tell;
  /// - 0, with a `sampleCount` of 0, when the newest sample lies further before the lift than the
  ///   stop gap: a finger that rests sends nothing, so the pause itself is the evidence;
  /// - else the estimate, with its 90 % interval where the samples suffice for one.
  ///
  /// Pure: the same samples, lift and window give the same bits, live or from a recording. The cost
  /// is linear in the number of samples.
  public func estimate(
    _ samples: [Sample], lift: Instant, window: EstimationWindow = .android
  ) -> VelocityEstimate {
    let chosen = window.select(samples, lift: lift)
    if chosen.hasStopped {
      return VelocityEstimate(
        estimator: rawValue, velocity: 0, sampleCount: 0,
        liftGapNanoseconds: chosen.liftGapNanoseconds)
    }
    let measured: MeasuredVelocity? =
      switch self {
      case .lsq2: leastSquaresVelocity(of: chosen.samples, degree: 2)
      case .impulse: impulseVelocity(of: chosen.samples)
      }
    return VelocityEstimate(
      estimator: rawValue, velocity: measured?.velocity, low: measured?.interval?.lowerBound,
      high: measured?.interval?.upperBound, sampleCount: chosen.samples.count,
      liftGapNanoseconds: chosen.liftGapNanoseconds)
  }
}

/// A velocity with its 90 % interval, in units per second; always finite.
struct MeasuredVelocity {
  /// The estimate itself.
  var velocity: Double
  /// Where the velocity lies in 90 of 100 cases; nil when the samples do not tell.
  var interval: ClosedRange<Double>?

  /// Wraps an estimate with its standard error; nil when the velocity is not finite.
  ///
  /// - Parameters:
  ///   - velocity: The estimate, in units per second.
  ///   - standardError: Its standard error; nil where none can be told.
  ///   - degreesOfFreedom: How many free observations the standard error rests on.
  init?(_ velocity: Double, standardError: Double?, degreesOfFreedom: Int) {
    guard velocity.isFinite else { return nil }
    self.velocity = velocity
    guard let standardError, let quantile = studentQuantile95(degreesOfFreedom: degreesOfFreedom)
    else { return }
    let reach = quantile * standardError
    let low = velocity - reach
    let high = velocity + reach
    if low.isFinite, high.isFinite { interval = low...high }
  }
}
