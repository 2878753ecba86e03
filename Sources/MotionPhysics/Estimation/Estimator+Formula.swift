import TimelineModel

extension Estimator {
  /// The estimator's formula, in units per second, over the samples that the window lets through.
  ///
  /// - Parameter pause: Nanoseconds from the newest sample to the lift.
  /// - Returns: nil when the samples are too few for it; what is not finite when the numbers are too
  ///   large. `auto` has no formula, and answers as `lsq2`.
  func formula(_ samples: SampleBuffer, window: EstimationWindow, pause: Int64?) -> Double? {
    switch self {
    case .lsq1, .lsq2, .lsq3, .wlsq2Delta, .wlsq2Central, .wlsq2Recent, .auto:
      fittedVelocity(samples)?.velocity
    case .lsq2Restricted: fittedVelocity(samples).map { restricted($0.velocity, samples) }
    case .int1, .int2:
      integratedVelocity(
        of: samples, order: self == .int1 ? 1 : 2, shortestStep: window.filterStepNanoseconds)
    case .legacy: legacyVelocity(of: samples)
    case .impulse: impulseVelocity(of: samples, form: .carried)
    case .impulse2017: impulseVelocity(of: samples, form: .segments)
    case .mean: meanVelocity(of: samples)
    case .mean5: meanOfSegments(of: samples)
    case .ios3: blendedVelocity(of: samples, blend: .ios)
    case .macos3: blendedVelocity(of: samples, blend: .macOS)
    case .swiftui: samplerVelocity(of: samples)
    case .twoPoint: twoPointVelocity(of: samples)
    case .kalmanConstantVelocity, .kalmanConstantAcceleration: filteredVelocity(samples)?.velocity
    case .oneEuro: oneEuroVelocity(of: samples)
    case .meanSteps: meanStepsVelocity(of: samples, pause: window.ageOrigin == .lift ? pause : nil)
    case .stepMean:
      HyprlandSwipe(samples, pointsPerUnit: window.pointsPerUnit).meanStep / window.pointsPerUnit
    case .lastTwo:
      WayfireSwipe(samples, pointsPerUnit: window.pointsPerUnit).lastTwo / window.pointsPerUnit
    }
  }

  /// The fit of the least-squares family.
  func fittedVelocity(_ samples: SampleBuffer) -> FittedVelocity? {
    let degree =
      switch self {
      case .lsq1: 1
      case .lsq3: 3
      default: 2
      }
    return leastSquaresVelocity(of: samples, degree: degree, weighting: weighting)
  }

  /// How the fit weighs its samples; none outside the weighted fits.
  var weighting: FitWeighting {
    switch self {
    case .wlsq2Delta: .delta
    case .wlsq2Central: .central
    case .wlsq2Recent: .recent
    default: .none
    }
  }

  /// The answer of a Kalman filter; nil for the other estimators.
  func filteredVelocity(_ samples: SampleBuffer) -> FilteredVelocity? {
    switch self {
    case .kalmanConstantVelocity: kalmanVelocity(of: samples, filter: ConstantVelocityFilter.self)
    case .kalmanConstantAcceleration:
      kalmanVelocity(of: samples, filter: ConstantAccelerationFilter.self)
    default: nil
    }
  }

  /// 0 for a velocity whose sign opposes the way from the oldest sample to the newest, as Chromium's
  /// RESTRICTION_ALIGNED_DIRECTIONS does for both axes together.
  private func restricted(_ velocity: Double, _ samples: SampleBuffer) -> Double {
    velocity.isFinite && opposesDisplacement(velocity, samples) ? 0 : velocity
  }
}

/// Whether a velocity points against the way from the oldest sample to the newest.
func opposesDisplacement(_ velocity: Double, _ samples: SampleBuffer) -> Bool {
  guard let oldest = samples.first?.value, let newest = samples.last?.value else { return false }
  return velocity > 0 && newest < oldest || velocity < 0 && newest > oldest
}
