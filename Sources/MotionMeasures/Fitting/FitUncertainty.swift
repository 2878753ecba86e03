import KymographCLibrary
import MotionPhysics

/// How certain the numbers of a fit are: of all its numbers at once, linear or not.
///
/// The variance of what is left is σ² = max(RSS/(n - p), step²/12) (1 + ρ)/(1 - ρ), where ρ is the correlation of
/// neighbours, 0 to 0.9. No variance is below HC3 (J. MacKinnon and H. White, Some heteroskedasticity-consistent
/// covariance matrix estimators with improved finite sample properties, 1985), which knows that a clock that is off costs
/// most where the motion is fast.
struct FitUncertainty {
  /// The orthonormal columns of the Jacobian.
  private let columns: [Double]
  private let triangle: [Double]
  private let width: Int
  private let residuals: [Double]
  /// For each sample 1 - its leverage.
  private let freedoms: [Double]
  /// The variance of a sample.
  let variance: Double
  /// What the robust variance is multiplied by.
  private let robustFactor: Double
  /// Which numbers the samples leave open.
  private let isOpen: [Bool]
  /// Student's t that bounds 90 %. `nil` without a degree of freedom.
  let quantile: Double?

  /// The greatest correlation of neighbours that is counted.
  private static let mostCorrelation = 0.9
  /// The least that is counted of measured samples: in moving pictures of 40 clips it was 0.13, and 0.25 in a quarter of them.
  private static let measuredCorrelation = 0.25

  /// Looks at a fit.
  init(of fitted: FittedShape, in samples: FitSamples) {
    let (count, times) = (samples.times.count, samples.times)
    let parameterCount = fitted.shape.parameterCount
    let width = parameterCount + fitted.shape.columnCount
    var jacobian = FitUncertainty.slopes(of: fitted, at: times)
    var linear = Array(repeating: 0.0, count: count * fitted.shape.columnCount)
    fitted.shape.fill(&linear, fitted.numbers, at: times)
    var residuals = samples.values
    for (column, coefficient) in fitted.coefficients.enumerated() {
      for index in 0..<count { residuals[index] -= coefficient * linear[column * count + index] }
    }
    jacobian += linear
    for index in 0..<count where samples.weights[index] != 1 {
      residuals[index] *= samples.weights[index]
      for column in 0..<width { jacobian[column * count + index] *= samples.weights[index] }
    }
    var triangle = Array(repeating: 0.0, count: width * width)
    orthonormalize(&jacobian, count: count, width: width, triangle: &triangle)
    freedoms = (0..<count).map { index in
      var leverage = 0.0
      for column in 0..<width {
        leverage += jacobian[column * count + index] * jacobian[column * count + index]
      }
      return 1 - leverage
    }
    let squares = residuals.reduce(0) { $0 + $1 * $1 }
    let degrees = count - width
    let rounding = samples.floorStep * samples.floorStep / 12
    var neighbours = 0.0
    for index in residuals.indices.dropFirst() {
      neighbours += residuals[index] * residuals[index - 1]
    }
    let correlation = squares > 0 ? neighbours / squares : 0
    let least = samples.error == nil ? 0 : FitUncertainty.measuredCorrelation
    let rho = max(least, min(FitUncertainty.mostCorrelation, correlation))
    variance = max(squares / Double(max(1, degrees)), rounding) * (1 + rho) / (1 - rho)
    robustFactor = (1 + least) / (1 - least)
    quantile = studentQuantile95(degreesOfFreedom: degrees)
    var isOpen = Array(repeating: false, count: width)
    for column in 0..<width where !(triangle[column * width + column] > 0) {
      isOpen[column] = true
      // Nor are those that it is made of determined.
      let size = (0..<width).map { abs(triangle[$0 * width + column]) }.max() ?? 0
      for row in 0..<column where abs(triangle[row * width + column]) > 1e-6 * size {
        isOpen[row] = true
      }
    }
    (self.isOpen, self.width) = (isOpen, width)
    (columns, self.triangle, self.residuals) = (jacobian, triangle, residuals)
  }

  /// The standard error of what changes so with the numbers, first those that are not linear. `nil` where the samples
  /// leave one of them open.
  func standardError(_ gradient: [Double]) -> Double? {
    for (index, slope) in gradient.enumerated() where slope != 0 && isOpen[index] { return nil }
    let count = residuals.count
    // w = R⁻ᵀ g
    var weights = gradient
    for row in 0..<width {
      for before in 0..<row { weights[row] -= triangle[before * width + row] * weights[before] }
      let diagonal = triangle[row * width + row]
      weights[row] = diagonal > 0 ? weights[row] / diagonal : 0
    }
    let usual = variance * weights.reduce(0) { $0 + $1 * $1 }
    var robust = 0.0
    for index in 0..<count where freedoms[index] > 1e-9 {
      var influence = 0.0
      for column in 0..<width { influence += columns[column * count + index] * weights[column] }
      let part = influence * residuals[index] / freedoms[index]
      robust += part * part
    }
    let error = max(usual, robustFactor * robust).squareRoot()
    return error.isFinite ? error : nil
  }

  /// How the value changes with each number that is not linear, one column after the other. Of a Bézier curve with the
  /// x of its control points, not with their logits.
  private static func slopes(of fitted: FittedShape, at times: [Double]) -> [Double] {
    let difference = 1e-5
    func values(_ numbers: [Double]) -> [Double] {
      var columns = Array(repeating: 0.0, count: times.count * fitted.shape.columnCount)
      fitted.shape.fill(&columns, numbers, at: times)
      return times.indices.map { index in
        var value = 0.0
        for (column, coefficient) in fitted.coefficients.enumerated() {
          value += coefficient * columns[column * times.count + index]
        }
        return value
      }
    }
    return fitted.numbers.indices.flatMap { index in
      var moved = fitted.numbers
      moved[index] = fitted.numbers[index] + difference
      let above = values(moved)
      moved[index] = fitted.numbers[index] - difference
      var width = 2 * difference
      if case .bezier = fitted.shape, index == 1 || index == 2 {
        let x = logistic(fitted.numbers[index])
        width *= max(x * (1 - x), .leastNormalMagnitude)
      }
      return zip(above, values(moved)).map { ($0 - $1) / width }
    }
  }
}
