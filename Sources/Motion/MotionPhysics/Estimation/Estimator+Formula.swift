import TimelineModel

extension Estimator {
  /// The estimator's formula, in units per second, over the samples that the window lets through.
  ///
  /// - Parameter pause: Nanoseconds from the newest sample to the lift.
  /// - Returns: nil when the samples are too few for it; what is not finite when the numbers are too
  ///   large. `auto` has no formula, and answers as `lsq2`.
  func formula(_ places: Places, window: EstimationWindow, pause: Int64?) -> Double? {
    switch self {
    case .lsq1, .lsq2, .lsq3, .wlsq2Delta, .wlsq2Central, .wlsq2Recent, .auto:
      fittedVelocity(places)?.velocity
    case .lsq2Restricted: fittedVelocity(places).map { restricted($0.velocity, places) }
    case .int1, .int2:
      integratedVelocity(
        of: places, order: self == .int1 ? 1 : 2, shortestStep: window.filterStepNanoseconds)
    case .legacy: legacyVelocity(of: places)
    case .impulse: impulseVelocity(of: places, form: .carried)
    case .impulse2017: impulseVelocity(of: places, form: .segments)
    case .mean: meanVelocity(of: places)
    case .mean5: meanOfSegments(of: places)
    case .ios3: blendedVelocity(of: places, blend: .ios)
    case .macos3: blendedVelocity(of: places, blend: .macOS)
    case .swiftui: samplerVelocity(of: places)
    case .twoPoint: twoPointVelocity(of: places)
    case .kalmanConstantVelocity, .kalmanConstantAcceleration: filteredVelocity(places)?.velocity
    case .oneEuro: oneEuroVelocity(of: places)
    case .meanSteps: meanStepsVelocity(of: places, pause: window.ageOrigin == .lift ? pause : nil)
    case .stepMean:
      HyprlandSwipe(places, pointsPerUnit: window.pointsPerUnit).meanStep / window.pointsPerUnit
    case .lastTwo:
      WayfireSwipe(places, pointsPerUnit: window.pointsPerUnit).lastTwo / window.pointsPerUnit
    }
  }

  /// The fit of the least-squares family.
  func fittedVelocity(_ places: Places) -> FittedVelocity? {
    let degree =
      switch self {
      case .lsq1: 1
      case .lsq3: 3
      default: 2
      }
    return leastSquaresVelocity(of: places, degree: degree, weighting: weighting)
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
  func filteredVelocity(_ places: Places) -> FilteredVelocity? {
    switch self {
    case .kalmanConstantVelocity: kalmanVelocity(of: places, filter: ConstantVelocityFilter.self)
    case .kalmanConstantAcceleration:
      kalmanVelocity(of: places, filter: ConstantAccelerationFilter.self)
    default: nil
    }
  }

  /// 0 for a velocity whose sign opposes the way from the oldest sample to the newest, as Chromium's
  /// RESTRICTION_ALIGNED_DIRECTIONS does for both axes together.
  private func restricted(_ velocity: Double, _ places: Places) -> Double {
    velocity.isFinite && opposesDisplacement(velocity, places) ? 0 : velocity
  }
}

/// Whether a velocity points against the way from the oldest sample to the newest.
func opposesDisplacement(_ velocity: Double, _ places: Places) -> Bool {
  guard let oldest = places.first?.value, let newest = places.last?.value else { return false }
  return velocity > 0 && newest < oldest || velocity < 0 && newest > oldest
}
