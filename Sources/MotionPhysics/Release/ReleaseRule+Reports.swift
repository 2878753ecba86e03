package import TimelineModel

// Compositors do not ask about the progress and the velocity that anybody else tells, but keep account of a swipe's
// reports themselves: what they drop, what they cut off, and where their workspaces are then.

extension ReleaseRule {
  /// What the rule is asked about samples by themselves, at a lift with a last value. They are progresses, or places of
  /// a swipe in points: then ``distance`` of them make a progress of 1, counted from the first one, and the estimate's
  /// velocity is in points per second.
  package func question(
    about samples: [Sample], areProgress: Bool, resampled: [Bool], at lift: Instant, value: Double,
    estimate: VelocityEstimate
  ) -> (progress: Double, velocity: Double?, standardError: Double?) {
    let (start, unit) = areProgress ? (0, 1) : (samples.first?.value ?? 0, points)
    let shares = samples.map { Sample(time: $0.time, value: ($0.value - start) / unit) }
    return (
      progress(of: shares, resampled: resampled, at: lift) ?? (value - start) / unit,
      estimate.velocity.map { $0 / unit }, estimate.standardError.map { $0 / unit }
    )
  }

  /// What the rule is asked about at a lift: progress and velocity as its peer has them of the same reports.
  ///
  /// Of a compositor's rule, the progress is the one that the compositor would have, from the steps between the
  /// samples, each ``distance`` points long for a step of 1: `niri` and `cosmic` leave out reports that come too early,
  /// `hyprland` and `wayfire` keep an account of their own (`SwipeReports.swift`). And a rule whose thresholds an
  /// estimator's velocities cannot be held against (``RuleDefinition/accepts(_:)``) gets its own measure's, or none. Of the other
  /// rules both stay as they are.
  ///
  /// - Parameters:
  ///   - samples: The progress's samples in recording order; those after the lift are passed over.
  ///   - resampled: Which of them the system computed; those are left out.
  ///   - lift: The instant of the lift.
  ///   - progress: The progress that is known.
  ///   - estimate: What is known of its velocity.
  package func question(
    about samples: [Sample], resampled: [Bool] = [], at lift: Instant, progress: Double,
    estimate: VelocityEstimate
  ) -> (progress: Double, estimate: VelocityEstimate) {
    (
      self.progress(of: samples, resampled: resampled, at: lift) ?? progress,
      self.estimate(
        of: samples, resampled: resampled, at: lift, by: estimate)
    )
  }

  /// The estimate that the rule takes: the given one, its own measure's, or no velocity.
  private func estimate(
    of samples: [Sample], resampled: [Bool], at lift: Instant, by estimate: VelocityEstimate
  ) -> VelocityEstimate {
    let definition = kind.definition
    guard let estimator = estimate.estimator.estimator, !definition.accepts(estimator) else {
      return estimate
    }
    guard let preset = definition.preset, estimate.velocity != nil || estimate.sampleCount > 0
    else {
      return VelocityEstimate(estimator: EstimatorName(estimator), velocity: nil, sampleCount: 0)
    }
    let window = preset.window(for: preset.estimator).measuring(pointsPerUnit: points)
    return preset.estimator.estimate(samples, resampled: resampled, lift: lift, window: window)
  }

  /// The progress as the rule's compositor has it at a lift; nil for the other rules, and without a sample.
  package func progress(of samples: [Sample], resampled: [Bool] = [], at lift: Instant) -> Double? {
    guard let account = kind.definition.account, let preset = kind.definition.preset else {
      return nil
    }
    var acceptance = SampleAcceptance(preset.window(for: preset.estimator))
    var counted: [Sample] = []
    for (index, sample) in samples.enumerated() where sample.time <= lift {
      let isResampled = index < resampled.count && resampled[index]
      if case .accepted = acceptance.take(sample, isResampled: isResampled) {
        counted.append(acceptance.counted(sample))
      }
    }
    guard !counted.isEmpty else { return nil }
    return counted.withUnsafeBufferPointer { account($0, points) }
  }
}
