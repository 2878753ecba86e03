import KymographCLibrary
package import TimelineModel

extension Estimator {
  /// Estimates the velocity at a lift, in units of the samples per second, with all that can be said
  /// about it.
  ///
  /// Samples come in recording order. Those after the lift are passed over, and the window's rules
  /// say which of the others count. The answer's `velocity` is
  /// - nil ("no velocity") where the samples are too few and the window answers `none`, and where the
  ///   numbers are too large to tell;
  /// - 0, with a `sampleCount` of 0, when the newest sample lies further before the lift than the
  ///   lift gap: a finger that rests sends nothing, so the pause itself is the evidence;
  /// - else the estimate. Its standard error comes from the covariance of the fit (least squares) or
  ///   of the filter (Kalman), and from the jackknife for all others. `low` and `high` bound 90 % by
  ///   Student's t. `one-euro` and `last-two` have neither, and no confidence.
  ///
  /// `confidence` is R² for the fits, as Flutter reports it, and v²/(v² + standard error²) for the
  /// others: the share of the velocity in what the samples say.
  ///
  /// Pure: the same samples, lift and window give the same bits, live or from a recording. About
  /// 10 µs for 20 samples, without an allocation. Linear in the number of samples outside the
  /// window, quadratic inside.
  ///
  /// - Parameters:
  ///   - samples: The samples in recording order.
  ///   - resampled: Which of them the system computed between two measured places. Those are left
  ///     out, as Android does. Samples beyond its end are measured ones.
  ///   - lift: When the value was let go.
  ///   - window: Which samples count.
  package func estimate(
    _ samples: [Sample], resampled: [Bool] = [], lift: Instant, window: EstimationWindow = .android
  ) -> VelocityEstimate {
    guard self != .auto else {
      return answer(samples, resampled: resampled, lift: lift, window: window).estimate
    }
    let definition = definition
    return samples.withUnsafeBufferPointer { samples in
      resampled.withUnsafeBufferPointer { resampled in
        window.withSelection(of: samples, resampled: resampled, lift: lift) { selection in
          definition.estimate(selection, window: window)
        }
      }
    }
  }

  /// The velocity of `estimate(_:resampled:lift:window:)` alone: the same bits, in under 2 µs for 20
  /// samples and without an allocation. `auto` takes as long as its estimate.
  package func velocity(
    _ samples: [Sample], resampled: [Bool] = [], lift: Instant, window: EstimationWindow = .android
  ) -> Double? {
    guard self != .auto else {
      return answer(samples, resampled: resampled, lift: lift, window: window).estimate.velocity
    }
    let definition = definition
    return samples.withUnsafeBufferPointer { samples in
      resampled.withUnsafeBufferPointer { resampled in
        window.withSelection(of: samples, resampled: resampled, lift: lift) { selection in
          definition.answer(selection, window: window)
        }
      }
    }
  }

  /// What there is to say where the system took the contact away: no velocity, whatever was before, as in
  /// AOSP, whose tracker forgets everything at ACTION_CANCEL.
  package var ofCancelledContact: VelocityEstimate {
    VelocityEstimate(estimator: EstimatorName(self), velocity: nil, sampleCount: 0)
  }
}

extension EstimatorDefinition {
  /// The velocity that the selected samples give.
  func answer(_ selection: SampleSelection, window: EstimationWindow) -> Double? {
    if selection.hasStopped { return 0 }
    guard selection.samples.count >= window.minimumSamples,
      let velocity = velocity(selection.samples, window, selection.liftGapNanoseconds)
    else { return window.answerForTooFew == .zero ? 0 : nil }
    guard velocity.isFinite else { return nil }
    return velocity * window.idleShare(after: selection.liftGapNanoseconds)
  }

  /// All that can be said from the selected samples.
  func estimate(_ selection: SampleSelection, window: EstimationWindow) -> VelocityEstimate {
    let selected = selection.samples
    var estimate = VelocityEstimate(
      estimator: EstimatorName(estimator), velocity: answer(selection, window: window),
      sampleCount: selected.count, leftOut: selection.leftOut,
      liftGapNanoseconds: selection.liftGapNanoseconds)
    guard let velocity = estimate.velocity else { return estimate }
    estimate.clampedVelocity = window.clamp?.clamp(velocity)
    guard !selection.hasStopped, selected.count >= window.minimumSamples else { return estimate }
    let idle = window.idleShare(after: selection.liftGapNanoseconds)
    var spread: LeaveOneOutSpread?
    if !measure.isByReports {
      estimate.opposesDisplacement = MotionPhysics.opposesDisplacement(velocity, selected)
      estimate.liftArtefactSuspected = isLiftArtefactSuspected(selected)
      spread = leaveOneOutSpread(selection, window: window)
      estimate.leaveOneOutLow = spread.map { $0.low * idle }
      estimate.leaveOneOutHigh = spread.map { $0.high * idle }
    }
    switch uncertainty {
    case .unknown: break
    case .fit:
      guard case .polynomial(let degree, let weighting) = family,
        let fit = leastSquaresVelocity(of: selected, degree: degree, weighting: weighting)
      else { break }
      estimate.confidence = fit.determination
      estimate.setInterval(
        around: fit.velocity * idle, standardError: fit.standardError.map { $0 * idle },
        degreesOfFreedom: fit.degreesOfFreedom)
    case .span:
      guard let fit = spanFit(selected, leastError: window.leastError) else { break }
      estimate.confidence = fit.determination
      estimate.setInterval(
        around: fit.velocity * idle, standardError: fit.standardError.map { $0 * idle },
        degreesOfFreedom: fit.degreesOfFreedom)
      guard let slopes = spanOfSlopes(selected, leastError: window.leastError),
        let low = estimate.low, let high = estimate.high
      else { break }
      estimate.low = min(low, slopes.lowerBound * idle)
      estimate.high = max(high, slopes.upperBound * idle)
    case .scatter(let scatter):
      guard let found = scatter(selected, window) else { break }
      estimate.setInterval(
        around: velocity, standardError: found.standardError.map { $0 * idle },
        degreesOfFreedom: found.degreesOfFreedom)
    case .jackknife:
      estimate.setInterval(
        around: velocity, standardError: spread?.standardError.map { $0 * idle },
        degreesOfFreedom: selected.count - 1)
    }
    return estimate
  }
}

extension VelocityEstimate {
  /// The velocity by time, in units per second. `nil` for a measure by reports too, which says nothing of how fast a
  /// settle begins.
  package var velocityPerSecond: Double? {
    estimator.estimator?.definition.measure.isByReports == true ? nil : velocity
  }
}

extension EstimationWindow {
  /// The share of a velocity after a rest of so many nanoseconds: 0 to 1, no unit.
  func idleShare(after nanoseconds: Int64?) -> Double {
    guard idleDecayPerMillisecond != 1, let nanoseconds, nanoseconds > 0 else { return 1 }
    let share = pow(idleDecayPerMillisecond, Double(nanoseconds) / 1e6)
    return share.isNaN ? 1 : min(1, max(0, share))
  }
}

extension VelocityEstimate {
  /// Sets the standard error and, with a degree of freedom, the 90 % interval by Student's t, and the
  /// confidence where no fit has told it. The interval always holds the velocity: where a
  /// restriction moved that away from the fit, it is widened to it.
  fileprivate mutating func setInterval(
    around center: Double, standardError: Double?, degreesOfFreedom: Int
  ) {
    guard let velocity, let standardError, standardError.isFinite else { return }
    self.standardError = standardError
    if confidence == nil {
      let ratio = standardError / abs(velocity)
      confidence = ratio.isNaN ? 1 : 1 / (1 + ratio * ratio)
    }
    guard let quantile = studentQuantile95(degreesOfFreedom: degreesOfFreedom) else { return }
    let low = min(center - quantile * standardError, velocity)
    let high = max(center + quantile * standardError, velocity)
    guard low.isFinite, high.isFinite else { return }
    self.low = low
    self.high = high
  }
}

/// From this ratio on, the last segment stands out from the one before: a swipe recorded on a Pixel
/// Tablet, whose last place jumps as the contact shrinks, has 1.9, while a finger that accelerates
/// steadily adds far less per segment.
private let artefactRatio = 1.5

/// From this ratio on, a last segment that goes back stands out: half as fast as the one before.
private let reversalRatio = 0.5

/// The segments before the last agree when they differ by at most this share of the faster one.
private let agreementShare = 0.3

/// Whether the last step before the lift stands out, as a finger that rolls off the glass makes it.
///
/// The named rule: the last segment is over 1.5 times as fast as the one before, or over half as fast
/// the other way, while the three before the last agree to within 30 percent and move. A fling that
/// accelerates all along is not flagged, since its earlier segments differ as well.
func isLiftArtefactSuspected(_ selected: SampleBuffer) -> Bool {
  let newest = selected.count - 1
  guard newest > 3, let last = selected.segmentVelocity(endingAt: newest),
    let before = selected.segmentVelocity(endingAt: newest - 1),
    let second = selected.segmentVelocity(endingAt: newest - 2),
    let third = selected.segmentVelocity(endingAt: newest - 3)
  else { return false }
  let fastest = max(abs(before), abs(second), abs(third))
  let spread = max(before, second, third) - min(before, second, third)
  guard before != 0, spread <= agreementShare * fastest else { return false }
  let ratio = last / before
  return ratio > artefactRatio || ratio < -reversalRatio
}
