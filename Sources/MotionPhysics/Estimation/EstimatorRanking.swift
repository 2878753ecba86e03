package import TimelineModel

/// Which estimator tells this recording's own motion best: the ranking behind `auto`.
///
/// Every estimator, and the lines and parabolas over further horizons, answer at held-out samples of
/// the recording: they see the samples up to the place, and are compared with a reference that may
/// look 22 ms ahead (the slope of the best parabola within 22 ms before and after the place). The
/// entries are ordered by
///
///     (n ln(e + 0.001) + 15 p) / (n + 15)
///
/// where n is the number of places, e = (mean of √error)² over them (between the median and the mean:
/// one wild place does not decide, ten do), errors are shares of the recording's peak speed, and p is
/// what typical motion lets one expect: see `EstimatorExperience`. So few places move the order a
/// little, and many decide it. Of the entries within 3 percent of the best, the steadiest comes
/// first: against a noisy reference equal errors hide unequal noise.
///
/// Samples after the lift are evidence for the ranking, where a recording has them, and never part of
/// an estimate. Pure: the same samples give the same ranking.
package struct EstimatorRanking: Hashable, Sendable {
  /// One candidate and how it did.
  package struct Entry: Hashable, Sendable {
    /// The estimator and its horizon ("lsq1 30 ms").
    package var name: String
    package var estimator: Estimator
    /// Which samples it looks at.
    package var window: EstimationWindow
    /// The median error over the held-out samples as a share of the largest reference speed among
    /// them (0.03: 3 percent). `nil` without places.
    package var medianError: Double?
    /// At how many places it was compared.
    package var heldOutCount: Int
    /// The number for the order. Lower is better, no unit, and only differences mean anything.
    package var score: Double
  }

  /// The candidates, best first. Never empty.
  package let entries: [Entry]
  /// The best one that gives a velocity at the lift. The best one where none does.
  package let chosen: Entry
  /// Whether there were too few places to choose by, and the order is that of typical short gestures.
  package let isFallback: Bool
  /// Why this one was chosen, in one sentence for people.
  package let note: String
}

extension EstimatorRanking {
  /// Ranks the estimators for a lift.
  ///
  /// Linear in the number of samples, and then at most 400 answers of each of about 36 candidates: a
  /// few milliseconds. Recordings without a single usable sample have a ranking too, the fallback.
  ///
  /// - Parameters:
  ///   - samples: The samples in recording order. Those after the lift count as evidence.
  ///   - resampled: Which of them the system computed. Those are left out.
  ///   - lift: When the value was let go.
  ///   - window: The window of the single estimators, and the rules of the others.
  package init(
    _ samples: [Sample], resampled: [Bool] = [], lift: Instant, window: EstimationWindow = .android
  ) {
    self = RankedCandidates(samples, resampled: resampled, lift: lift, window: window).ranking
  }
}

/// The slowest and the fastest speed that a velocity is clamped to, component by component.
package struct SpeedLimits: Hashable, Sendable {
  /// Units per second. Slower velocities are raised to it, except 0. Not negative.
  package var minimum: Double
  /// Units per second. Faster velocities are lowered to it. Not below the minimum.
  package var maximum: Double

  /// Makes limits in units per second. A negative number and NaN count as 0, and a maximum
  /// below the minimum as the minimum.
  package init(minimum: Double = 0, maximum: Double) {
    self.minimum = minimum > 0 ? min(minimum, .greatestFiniteMagnitude) : 0
    self.maximum = maximum > self.minimum ? maximum : self.minimum
  }

  /// The fling speeds of Flutter: 50 and 8000 logical pixels per second (kMinFlingVelocity and
  /// kMaxFlingVelocity of its published gesture constants).
  package static let flutterFling = SpeedLimits(minimum: 50, maximum: 8000)

  /// The velocity with its sign and a speed within the limits. 0 stays 0.
  package func clamp(_ velocity: Double) -> Double {
    guard velocity != 0 else { return velocity }
    let speed = min(max(abs(velocity), minimum), maximum)
    return velocity < 0 ? -speed : speed
  }
}
