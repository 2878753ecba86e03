import TimelineModel

/// All that is particular to an estimator. The list ``all`` is the only one.
///
/// The candidates of `auto` are the table ``EstimatorExperience/all``, which needs numbers for each of them.
package struct EstimatorDefinition: Sendable {
  /// The estimator, whose raw value is the name.
  package let estimator: Estimator
  /// The samples that it needs.
  let family: Family
  /// The source of the interval.
  var uncertainty = Uncertainty.jackknife
  /// The samples that it looks at if a window has the 20 of most peers, which are 20 ms at 1,000 Hz. `nil`: 20.
  var mostSamples: Int?
  /// The denominator of a velocity.
  package var measure = Measure.perSecond
  /// Whether the mirror image of a motion has the same estimate: the estimate is the length of steps.
  package var isUnsigned = false
  /// The formula, in units of ``measure``, over the samples that a window lets through. Nanoseconds pass from the newest
  /// sample to the lift. Nil if the samples are too few, and not finite if the numbers are too large.
  let velocity: @Sendable (SampleBuffer, EstimationWindow, _ pause: Int64?) -> Double?

  /// Every estimator, in the order of its cases. `auto` has no formula, and answers as `lsq2`.
  package static let all: [EstimatorDefinition] = [
    polynomial(.lsq1, degree: 1), polynomial(.lsq2), polynomial(.lsq3, degree: 3),
    EstimatorDefinition(
      estimator: .lsqSpan, family: .polynomial(degree: 3, .none), uncertainty: .span,
      mostSamples: 640
    ) { samples, window, _ in spanFit(samples, leastError: window.leastError)?.velocity },
    EstimatorDefinition(
      estimator: .lsq2Restricted, family: .polynomial(degree: 2, .none), uncertainty: .fit,
      velocity: lsq2Restricted),
    polynomial(.wlsq2Delta, .delta), polynomial(.wlsq2Central, .central),
    polynomial(.wlsq2Recent, .recent),
    EstimatorDefinition(estimator: .int1, family: .recursive) { samples, window, _ in
      integratedVelocity(of: samples, order: 1, shortestStep: window.filterStepNanoseconds)
    },
    EstimatorDefinition(estimator: .int2, family: .recursive) { samples, window, _ in
      integratedVelocity(of: samples, order: 2, shortestStep: window.filterStepNanoseconds)
    },
    plain(.legacy, legacyVelocity),
    plain(.impulse) { impulseVelocity(of: $0, form: .carried) },
    plain(.impulse2017) { impulseVelocity(of: $0, form: .segments) },
    plain(.mean, meanVelocity), plain(.mean5, meanOfSegments),
    plain(.ios3) { blendedVelocity(of: $0, blend: .ios) },
    plain(.macos3) { blendedVelocity(of: $0, blend: .macOS) },
    plain(.swiftui, samplerVelocity), plain(.twoPoint, twoPointVelocity),
    filter(.kalmanConstantVelocity) {
      kalmanVelocity(of: $0, filter: ConstantVelocityFilter.self)
    },
    filter(.kalmanConstantAcceleration) {
      kalmanVelocity(of: $0, filter: ConstantAccelerationFilter.self)
    },
    // It lags by a time that the samples do not tell, which their scatter does not cover.
    EstimatorDefinition(estimator: .oneEuro, family: .recursive, uncertainty: .unknown) {
      samples, _, _ in oneEuroVelocity(of: samples)
    },
    EstimatorDefinition(estimator: .meanSteps, family: .reports) { samples, window, pause in
      meanStepsVelocity(of: samples, pause: window.ageOrigin == .lift ? pause : nil)
    },
    EstimatorDefinition(
      estimator: .stepMean, family: .reports, uncertainty: .scatter(scatterOfSteps),
      measure: .perReport, isUnsigned: true
    ) { samples, window, _ in
      HyprlandSwipe(samples, pointsPerUnit: window.pointsPerUnit).meanStep / window.pointsPerUnit
    },
    // It comes from two reports, and from nothing else.
    EstimatorDefinition(
      estimator: .lastTwo, family: .reports, uncertainty: .unknown, measure: .perTwoReports
    ) { samples, window, _ in
      WayfireSwipe(samples, pointsPerUnit: window.pointsPerUnit).lastTwo / window.pointsPerUnit
    },
    plain(.auto) { leastSquaresVelocity(of: $0, degree: 2)?.velocity },
  ]
}

extension EstimatorDefinition {
  /// The denominator of a velocity. Without time, the same motion is half as fast if it is reported twice as often. Such a
  /// velocity says nothing of how a settle goes on, and no rule but its peer's can compare it.
  package enum Measure: Sendable {
    case perSecond
    case perReport
    case perTwoReports

    /// The unit of a velocity of values of a unit, such as "pt/s" or "pt/report". "" is not a unit.
    package func unit(of unit: String) -> String {
      switch self {
      case .perSecond: unit + "/s"
      case .perReport: unit + "/report"
      case .perTwoReports: unit + "/2 reports"
      }
    }

    package var isByReports: Bool { self != .perSecond }
  }

  enum Family {
    /// A weighted fit of a polynomial, which has a covariance and a coefficient of determination.
    case polynomial(degree: Int, FitWeighting)
    /// A filter whose state comes from the gesture's start. It has no horizon of its own.
    case recursive
    /// A formula over the samples of the window.
    case windowed
    /// A compositor's measure of a swipe's reports, with a window of its own under every preset.
    case reports

    var isPolynomial: Bool { if case .polynomial = self { true } else { false } }
    var isRecursive: Bool { if case .recursive = self { true } else { false } }
    var measuresReports: Bool { if case .reports = self { true } else { false } }

    /// How a fit weighs its samples.
    var weighting: FitWeighting {
      if case .polynomial(_, let weighting) = self { weighting } else { .none }
    }
  }

  /// The source of an interval.
  enum Uncertainty: Sendable {
    /// The covariance of the polynomial.
    case fit
    /// The covariance of the fit of `lsq-span`, and the slopes of its other fits.
    case span
    /// The scatter that the formula has by itself. `nil` without an estimate.
    case scatter(@Sendable (SampleBuffer, EstimationWindow) -> Scatter?)
    /// The velocities without one of the samples.
    case jackknife
    /// There is none.
    case unknown
  }

  struct Scatter {
    var standardError: Double?
    var degreesOfFreedom: Int
  }

  private static func polynomial(
    _ estimator: Estimator, degree: Int = 2, _ weighting: FitWeighting = .none
  ) -> EstimatorDefinition {
    EstimatorDefinition(
      estimator: estimator, family: .polynomial(degree: degree, weighting), uncertainty: .fit
    ) { samples, _, _ in
      leastSquaresVelocity(of: samples, degree: degree, weighting: weighting)?.velocity
    }
  }

  private static func plain(
    _ estimator: Estimator, _ velocity: @escaping @Sendable (SampleBuffer) -> Double?
  ) -> EstimatorDefinition {
    EstimatorDefinition(estimator: estimator, family: .windowed) { samples, _, _ in
      velocity(samples)
    }
  }

  private static func filter(
    _ estimator: Estimator, _ filtered: @escaping @Sendable (SampleBuffer) -> FilteredVelocity?
  ) -> EstimatorDefinition {
    EstimatorDefinition(
      estimator: estimator, family: .windowed,
      uncertainty: .scatter { samples, _ in
        filtered(samples).map {
          Scatter(standardError: $0.standardError, degreesOfFreedom: $0.degreesOfFreedom)
        }
      }
    ) { samples, _, _ in filtered(samples)?.velocity }
  }

  private static func scatterOfSteps(
    _ samples: SampleBuffer, _ window: EstimationWindow
  ) -> Scatter? {
    let swipe = HyprlandSwipe(samples, pointsPerUnit: window.pointsPerUnit)
    return Scatter(
      standardError: swipe.standardError.map { $0 / window.pointsPerUnit },
      degreesOfFreedom: swipe.count - 1)
  }

  /// 0 for a velocity whose sign opposes the displacement from the oldest sample to the newest, as Chromium's
  /// RESTRICTION_ALIGNED_DIRECTIONS does for both axes together.
  private static func lsq2Restricted(
    _ samples: SampleBuffer, _: EstimationWindow, _: Int64?
  ) -> Double? {
    leastSquaresVelocity(of: samples, degree: 2).map {
      $0.velocity.isFinite && opposesDisplacement($0.velocity, samples) ? 0 : $0.velocity
    }
  }
}

/// Whether a velocity points against the displacement from the oldest sample to the newest.
func opposesDisplacement(_ velocity: Double, _ samples: SampleBuffer) -> Bool {
  guard let oldest = samples.first?.value, let newest = samples.last?.value else { return false }
  return velocity > 0 && newest < oldest || velocity < 0 && newest > oldest
}
