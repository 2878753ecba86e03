import MotionPhysics

/// The slope at 0 of the polynomial that fits places best in the sense of least squares, with its standard error:
/// σ² |R⁻ᵀ g|², where the columns are Q R and g is the gradient of the slope.
struct PolynomialSlope {
  /// Units per second.
  var slope: Double
  /// Its standard error, in units per second.
  var error: Double
  /// How many places there are beyond the number of coefficients.
  var freedom: Int

  /// Fits a polynomial. `nil` where the degree leaves no freedom, or the numbers overflow.
  ///
  /// - Parameters:
  ///   - times: Seconds from the instant at which the slope is told.
  ///   - noise: The least standard deviation of a value, in its unit.
  init?(times: [Double], values: [Double], degree: Int, noise: Double) {
    let (count, width) = (times.count, degree + 1)
    freedom = count - width
    guard freedom > 0, values.count == count, let first = values.first else { return nil }
    guard let span = times.map(abs).max(), span > 0, span.isFinite else { return nil }
    var columns = Array(repeating: 1.0, count: count * width)
    for column in 1..<width {
      for index in 0..<count {
        columns[column * count + index] =
          columns[(column - 1) * count + index] * (times[index] / span)
      }
    }
    var triangle = Array(repeating: 0.0, count: width * width)
    orthonormalize(&columns, count: count, width: width, triangle: &triangle)
    guard (0..<width).allSatisfy({ triangle[$0 * width + $0] > 0 }) else { return nil }
    var residuals = values.map { $0 - first }
    // w = R⁻ᵀ g, so that the slope is the sum of w times the products.
    var weights = Array(repeating: 0.0, count: width)
    for row in 0..<width {
      var weight = row == 1 ? 1.0 : 0
      for before in 0..<row { weight -= triangle[before * width + row] * weights[before] }
      weights[row] = weight / triangle[row * width + row]
    }
    var (slope, square) = (0.0, 0.0)
    for column in 0..<width {
      var product = 0.0
      for index in 0..<count { product += columns[column * count + index] * residuals[index] }
      for index in 0..<count { residuals[index] -= product * columns[column * count + index] }
      slope += weights[column] * product
      square += weights[column] * weights[column]
    }
    let rest = residuals.reduce(0) { $0 + $1 * $1 }
    let variance = max(rest / Double(freedom), noise * noise)
    self.slope = slope / span
    error = (variance * square).squareRoot() / span
    guard self.slope.isFinite, error.isFinite else { return nil }
  }

  /// How far the slope may be off, in 90 of 100 cases.
  var margin: Double { (studentQuantile95(degreesOfFreedom: freedom) ?? .infinity) * error }
}
