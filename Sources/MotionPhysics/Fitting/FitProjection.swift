import KymographCLibrary

/// Samples, and their residuals when a shape's linear coefficients are the best: variable projection (G. Golub and
/// V. Pereyra, The Differentiation of Pseudo-Inverses and Nonlinear Least Squares Problems, 1973). The linear part is
/// solved by QR, in the form of Gram and Schmidt with a second pass, which keeps orthogonal columns so.
struct FitProjection {
  let times: [Double]
  let values: [Double]
  private let weights: [Double]
  /// The columns, orthonormal after ``project(_:_:)``.
  private(set) var columns: [Double] = []
  /// The mixture that the columns were made of, row after row.
  private var triangle: [Double] = []
  private var products: [Double] = []
  /// The residual of each value, times its weight.
  private(set) var residuals: [Double] = []

  init(times: [Double], values: [Double], weights: [Double]) {
    (self.times, self.values, self.weights) = (times, values, weights)
  }

  /// The sum of the squares that are left. Infinite where a number overflows.
  mutating func project(_ shape: FitShape, _ numbers: [Double]) -> Double {
    let (count, width) = (times.count, shape.columnCount)
    if columns.count != count * width {
      columns = Array(repeating: 0, count: count * width)
      triangle = Array(repeating: 0, count: width * width)
      products = Array(repeating: 0, count: width)
    }
    shape.fill(&columns, numbers, at: times)
    residuals = values
    for index in 0..<count where weights[index] != 1 {
      residuals[index] *= weights[index]
      for column in 0..<width { columns[column * count + index] *= weights[index] }
    }
    orthonormalize(&columns, count: count, width: width, triangle: &triangle)
    var squares = 0.0
    for column in 0..<width {
      var product = 0.0
      for index in 0..<count { product += columns[column * count + index] * residuals[index] }
      for index in 0..<count { residuals[index] -= product * columns[column * count + index] }
      products[column] = product
    }
    for residual in residuals { squares += residual * residual }
    return squares.isFinite ? squares : .infinity
  }

  /// The coefficients of the last projection. 0 for a column that is made of those before it.
  var coefficients: [Double] {
    let width = products.count
    var found = products
    for row in (0..<width).reversed() {
      for column in (row + 1)..<width {
        found[row] -= triangle[row * width + column] * found[column]
      }
      let diagonal = triangle[row * width + row]
      found[row] = diagonal > 0 ? found[row] / diagonal : 0
    }
    return found
  }
}

/// A column whose part outside of the others is less than this share of it counts as made of them.
private let leastOwnShare = 1e-11

/// Makes columns orthonormal. A column that is made of those before it becomes 0, and so does its place in the diagonal.
///
/// - Parameter triangle: Gets the upper triangle R of columns = Q R, row after row.
package func orthonormalize(
  _ columns: inout [Double], count: Int, width: Int, triangle: inout [Double]
) {
  columns.withUnsafeMutableBufferPointer { columns in
    for column in 0..<width {
      let own = columns[(column * count)..<((column + 1) * count)]
      var before = 0.0
      for value in own { before += value * value }
      for row in 0..<width { triangle[row * width + column] = 0 }
      for _ in 0..<2 {
        for row in 0..<column {
          var product = 0.0
          for index in 0..<count {
            product += columns[row * count + index] * columns[column * count + index]
          }
          triangle[row * width + column] += product
          for index in 0..<count {
            columns[column * count + index] -= product * columns[row * count + index]
          }
        }
      }
      var square = 0.0
      for index in 0..<count {
        square += columns[column * count + index] * columns[column * count + index]
      }
      let norm = square.squareRoot()
      let isOwn = norm > leastOwnShare * before.squareRoot() && norm.isFinite && norm > 0
      triangle[column * width + column] = isOwn ? norm : 0
      for index in 0..<count {
        columns[column * count + index] = isOwn ? columns[column * count + index] / norm : 0
      }
    }
  }
}
