import TimelineModel

/// A polynomial, and the time before the newest sample that it looks at.
private struct Look {
  let degree: Int
  let nanoseconds: Int64

  init(_ degree: Int, milliseconds: Int64) {
    self.degree = degree
    nanoseconds = milliseconds * 1_000_000
  }

  /// The fit. `nil` if so few samples leave no degree of freedom.
  func fit(_ samples: SampleBuffer, leastError: Double) -> FittedVelocity? {
    guard let newest = samples.last else { return nil }
    var first = samples.count - 1
    while first > 0, newest.time.nanoseconds(since: samples[first - 1].time) <= nanoseconds {
      first -= 1
    }
    let part = SampleBuffer(rebasing: samples[first...])
    guard part.count > degree + 1,
      let fit = leastSquaresVelocity(of: part, degree: degree, leastError: leastError),
      fit.degreesOfFreedom == part.count - degree - 1
    else { return nil }
    return fit
  }
}

/// The fits whose slope is the value of `lsq-span`. The first that has a degree of freedom counts.
private let ofValue = [
  Look(3, milliseconds: 100), Look(3, milliseconds: 80), Look(2, milliseconds: 60),
  Look(1, milliseconds: 25),
]

/// The fits whose slopes the interval of `lsq-span` holds. They differ by the cost of a model of the hand.
private let ofInterval = [
  Look(2, milliseconds: 40), Look(2, milliseconds: 60), Look(3, milliseconds: 80),
  Look(3, milliseconds: 100), Look(4, milliseconds: 100),
]

/// The fit of `lsq-span`: the slope at the newest sample of the cubic over 100 ms. If the samples are too few for it, it is
/// that of a parabola over 60 ms, or of a line over 25 ms, and else of a line over all samples, without a standard error.
///
/// Local polynomials at the boundary (J. Fan, I. Gijbels, Local Polynomial Modelling and Its Applications, 1996, section
/// 3.2.5): the higher degree leaves less bias where the motion bends, and the longer span less scatter.
///
/// - Parameter leastError: The least standard deviation of a position, in units of the samples.
/// - Returns: nil with fewer than two samples at different times.
func spanFit(_ samples: SampleBuffer, leastError: Double) -> FittedVelocity? {
  for look in ofValue {
    if let fit = look.fit(samples, leastError: leastError) { return fit }
  }
  guard var line = leastSquaresVelocity(of: samples, degree: 1) else { return nil }
  line.standardError = nil
  return line
}

/// The lowest and the highest slope of the fits whose slopes the interval holds. `nil` of none.
func spanOfSlopes(_ samples: SampleBuffer, leastError: Double) -> ClosedRange<Double>? {
  var range: ClosedRange<Double>?
  for look in ofInterval {
    guard let slope = look.fit(samples, leastError: leastError)?.velocity, slope.isFinite else {
      continue
    }
    range = min(range?.lowerBound ?? slope, slope)...max(range?.upperBound ?? slope, slope)
  }
  return range
}
