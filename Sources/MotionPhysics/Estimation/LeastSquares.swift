import TimelineModel

/// Squared length, relative to the time span, below which samples lie too close together for a
/// polynomial of that degree: a thousand times the rounding of one number, squared.
private let smallestPolynomial = 1e-25

/// The answer of a least-squares fit about the velocity at the newest sample.
struct FittedVelocity {
  /// Units per second.
  var velocity: Double
  /// Its standard error in units per second. `nil` without a degree of freedom.
  var standardError: Double?
  /// How many samples there are beyond the number of coefficients.
  var degreesOfFreedom: Int
  /// The coefficient of determination R² = 1 - SSE/SST, both weighted, about the plain mean of the
  /// values, as in the solvers of Android and Flutter. 1 where the values do not differ.
  var determination: Double
}

private struct FitSample {
  /// Time from the newest sample, in units of the whole span: -1 to 0.
  var time: Double
  /// The residual of the polynomials so far, in units of the largest difference.
  var residual: Double
  /// The square of its weight.
  var weight: Double
  /// The last orthogonal polynomial at its time, and the one before.
  var polynomial: Double
  var previous: Double
}

/// The slope at the newest sample of the polynomial that fits best in the sense of weighted least
/// squares: lsq1 to lsq3 and wlsq2 of Android's and Chromium's LeastSquaresVelocityTrackerStrategy,
/// lsq2 of Flutter, Compose and React Native Gesture Handler.
///
/// Minimises sum w_i² (x_i - sum_j a_j s_i^j)². The polynomial is written in orthogonal polynomials
/// of the samples' own times (G. E. Forsythe, Generation and Use of Orthogonal Polynomials, 1957),
/// so that no equations need solving and nothing cancels: p_(k+1) = (s - alpha_k) p_k - beta_k
/// p_(k-1). Times count from the newest sample in units of the whole span, values from the newest
/// value in units of the largest difference. So neither a late hour nor large values cost digits.
/// The degree falls to one less than the number of different times.
///
/// The variance of the slope is sigma² sum_k p_k'² / |p_k|², sigma² = sum w² r² / (n - degree - 1).
///
/// - Returns: nil with fewer than two samples at different times. A velocity that is not finite
///   where the numbers overflow.
///
/// - Parameters:
///   - origin: The instant of the slope. `nil`: that of the newest sample.
///   - leastError: The least standard deviation of a value, in its unit.
func leastSquaresVelocity(
  of selected: SampleBuffer, degree: Int, weighting: FitWeighting = .none,
  at origin: Instant? = nil,
  leastError: Double = 0
) -> FittedVelocity? {
  guard let newest = selected.last, selected.count > 1 else { return nil }
  let origin = origin ?? newest.time
  var span = 0.0
  var largest = 0.0
  for sample in selected {
    span = max(span, abs(sample.time.seconds(since: origin)))
    largest = max(largest, abs(sample.value - newest.value))
  }
  guard span > 0 else { return nil }
  guard largest.isFinite else {
    return FittedVelocity(velocity: .infinity, degreesOfFreedom: 0, determination: 0)
  }
  return withUnsafeTemporaryAllocation(of: FitSample.self, capacity: selected.count) { scratch in
    let scale = powerOfTwo(upTo: largest)
    for index in selected.indices {
      let weight = weighting.weight(at: index, of: selected)
      scratch.initializeElement(
        at: index,
        to: FitSample(
          time: selected[index].time.seconds(since: origin) / span,
          residual: (selected[index].value - newest.value) / scale,
          weight: weight * weight, polynomial: 1, previous: 0))
    }
    return fit(scratch, degree: degree, unit: scale / span, leastError: leastError / scale)
  }
}

/// Fits polynomials of rising degree to the residuals. `unit` turns the slope to units per second.
private func fit(
  _ samples: UnsafeMutableBufferPointer<FitSample>, degree: Int, unit: Double, leastError: Double
) -> FittedVelocity {
  var mean = 0.0
  for sample in samples { mean += sample.residual }
  mean /= Double(samples.count)
  var totalSquares = 0.0
  for sample in samples {
    totalSquares += sample.weight * (sample.residual - mean) * (sample.residual - mean)
  }

  var slope = 0.0
  var slopeVariance = 0.0
  // Values and derivatives of the last two polynomials at the newest sample, where the time is 0.
  var (value, previousValue) = (1.0, 0.0)
  var (derivative, previousDerivative) = (0.0, 0.0)
  var previousSquare = 0.0
  var parameters = 0
  while true {
    var square = 0.0
    var product = 0.0
    var moment = 0.0
    for sample in samples {
      let weighted = sample.weight * sample.polynomial
      square += weighted * sample.polynomial
      product += weighted * sample.residual
      moment += weighted * sample.polynomial * sample.time
    }
    guard square > smallestPolynomial else { break }
    let coefficient = product / square
    slope += coefficient * derivative
    slopeVariance += derivative * derivative / square
    parameters += 1
    let alpha = moment / square
    let beta = previousSquare > 0 ? square / previousSquare : 0
    for index in samples.indices {
      let sample = samples[index]
      samples[index].residual = sample.residual - coefficient * sample.polynomial
      samples[index].polynomial =
        (sample.time - alpha) * sample.polynomial - beta * sample.previous
      samples[index].previous = sample.polynomial
    }
    if parameters > degree || parameters == samples.count { break }
    (derivative, previousDerivative) =
      (value - alpha * derivative - beta * previousDerivative, derivative)
    (value, previousValue) = (-alpha * value - beta * previousValue, value)
    previousSquare = square
  }

  var residualSquares = 0.0
  for sample in samples { residualSquares += sample.weight * sample.residual * sample.residual }
  let degreesOfFreedom = samples.count - parameters
  let standardError =
    degreesOfFreedom > 0
    ? (max(residualSquares / Double(degreesOfFreedom), leastError * leastError) * slopeVariance)
      .squareRoot() * unit : nil
  let determination = totalSquares > 0 ? min(1, max(0, 1 - residualSquares / totalSquares)) : 1
  return FittedVelocity(
    velocity: slope * unit, standardError: standardError, degreesOfFreedom: degreesOfFreedom,
    determination: determination)
}
