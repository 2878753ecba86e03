import TimelineModel

/// Squared length, relative to the time span, below which samples lie too close together for a
/// parabola: a thousand times the rounding of one number, squared.
private let smallestParabola = 1e-25

/// The slope at the newest sample of the polynomial that fits best in the sense of least squares.
///
/// The polynomial is written in orthogonal polynomials of the samples' own times (G. E. Forsythe,
/// Generation and Use of Orthogonal Polynomials, 1957), so that no equations need solving and nothing
/// cancels: p0 = 1, p1 = s - mean, p2 = (s - alpha) p1 - beta. Times count from the newest sample in
/// units of the whole span, values from the newest value in units of the largest difference; so
/// neither a late hour nor large values cost digits. With few samples the degree falls to one less
/// than their number.
///
/// The variance of the slope is sigma^2 (p1'^2 / |p1|^2 + p2'^2 / |p2|^2), sigma^2 from the residuals.
///
/// - Returns: nil for fewer than two samples, or when the numbers overflow.
func leastSquaresVelocity(of samples: ArraySlice<Sample>, degree: Int) -> MeasuredVelocity? {
  guard samples.count > 1, let newest = samples.last, let oldest = samples.first else { return nil }
  let span = newest.time.seconds(since: oldest.time)
  let differences = samples.map { $0.value - newest.value }
  guard let scale = differences.lazy.map(abs).max(), scale.isFinite, span > 0 else { return nil }
  let count = Double(samples.count)
  if scale == 0 {
    return MeasuredVelocity(
      0, standardError: 0, degreesOfFreedom: samples.count - min(degree, samples.count - 1) - 1)
  }
  let times = samples.map { $0.time.seconds(since: newest.time) / span }
  let values = differences.map { $0 / scale }

  let mean = times.reduce(0, +) / count
  let line = times.map { $0 - mean }
  let lineSquare = sumOfProducts(line, line)
  let lineCoefficient = sumOfProducts(line, values) / lineSquare
  var slope = lineCoefficient
  var slopeVariance = 1 / lineSquare
  var fitted = line.map { $0 * lineCoefficient }
  var parameters = 2

  if degree > 1, samples.count > 2 {
    let alpha = zip(times, line).reduce(0) { $0 + $1.0 * $1.1 * $1.1 } / lineSquare
    let beta = lineSquare / count
    let parabola = zip(times, line).map { ($0 - alpha) * $1 - beta }
    let parabolaSquare = sumOfProducts(parabola, parabola)
    if parabolaSquare > smallestParabola {
      let coefficient = sumOfProducts(parabola, values) / parabolaSquare
      let derivativeAtNewest = -mean - alpha
      slope += coefficient * derivativeAtNewest
      slopeVariance += derivativeAtNewest * derivativeAtNewest / parabolaSquare
      fitted = zip(fitted, parabola).map { $0 + coefficient * $1 }
      parameters = 3
    }
  }

  let level = values.reduce(0, +) / count
  let residuals = zip(values, fitted).map { $0 - level - $1 }
  let degreesOfFreedom = samples.count - parameters
  let unit = scale / span
  let standardError =
    degreesOfFreedom > 0
    ? (sumOfProducts(residuals, residuals) / Double(degreesOfFreedom) * slopeVariance).squareRoot()
      * unit : nil
  return MeasuredVelocity(
    slope * unit, standardError: standardError, degreesOfFreedom: degreesOfFreedom)
}

/// The sum of the products, term by term.
private func sumOfProducts(_ left: [Double], _ right: [Double]) -> Double {
  zip(left, right).reduce(0) { $0 + $1.0 * $1.1 }
}
