import KymographCLibrary

/// A shape with its numbers, fitted to samples.
package struct FittedShape: Sendable, Hashable {
  package var shape: FitShape
  /// The nonlinear numbers.
  package var numbers: [Double]
  /// The linear ones.
  package var coefficients: [Double]
  /// The sum of squares that is left, weighted.
  package var squares: Double

  /// The value at a time, in seconds since the origin.
  package func value(at time: Double) -> Double {
    var columns = Array(repeating: 0.0, count: shape.columnCount)
    shape.fill(&columns, numbers, at: [time])
    var value = 0.0
    for (column, coefficient) in zip(columns, coefficients) { value += column * coefficient }
    return value
  }
}

/// Levenberg's and Marquardt's search for the numbers of a shape that leave least (D. Marquardt, An Algorithm for
/// Least-Squares Estimation of Nonlinear Parameters, 1963), of the residuals of a ``FitProjection``.
package struct FitSearch {
  private var projection: FitProjection
  private let seconds: Double

  /// The damping at first, and by how much it grows and shrinks.
  private static let damping = (first: 1e-3, up: 4.0, down: 5.0)
  /// The step of the central differences, and the longest step of a round.
  private static let (difference, longest) = (1e-5, 0.7)
  /// The gain below which, and the rounds after which, it ends.
  private static let (leastGain, mostRounds) = (1e-10, 60)
  /// The square that is left by rounding alone, for each sample.
  private static let rounding = 1e-28

  /// - Parameters:
  ///   - times: Seconds since the origin, rising strictly.
  ///   - values: As many. The shape should meet them.
  ///   - weights: How much each counts, as many.
  package init(times: [Double], values: [Double], weights: [Double]) {
    projection = FitProjection(times: times, values: values, weights: weights)
    seconds = times.last ?? 0
  }

  /// The sum of squares that numbers leave.
  package mutating func squares(_ shape: FitShape, _ numbers: [Double]) -> Double {
    projection.project(shape, numbers)
  }

  /// The best of several starts, the earliest of equal ones first.
  package mutating func best(_ count: Int, of starts: [[Double]], _ shape: FitShape) -> [[Double]] {
    var found: [(squares: Double, index: Int)] = []
    for (index, start) in starts.enumerated() {
      found.append((squares(shape, start), index))
    }
    found.sort { ($0.squares, $0.index) < ($1.squares, $1.index) }
    return found.prefix(count).map { starts[$0.index] }
  }

  /// Goes downhill from a start.
  package mutating func refine(_ shape: FitShape, from start: [Double]) -> FittedShape {
    let bounds = shape.bounds(seconds)
    var numbers = zip(start, bounds).map { max($1.lowerBound, min($1.upperBound, $0)) }
    var squares = projection.project(shape, numbers)
    var damping = FitSearch.damping.first
    var jacobian: [[Double]] = []
    var residuals: [Double] = []
    for _ in 0..<FitSearch.mostRounds {
      guard squares.isFinite, squares > FitSearch.rounding * Double(projection.times.count) else {
        break
      }
      if jacobian.isEmpty {
        _ = projection.project(shape, numbers)
        residuals = projection.residuals
        jacobian = differences(shape, numbers)
      }
      guard let step = step(jacobian, residuals, damping: damping) else { break }
      var next = numbers
      for index in next.indices {
        let bounded = max(-FitSearch.longest, min(FitSearch.longest, step[index]))
        next[index] = max(
          bounds[index].lowerBound, min(bounds[index].upperBound, next[index] + bounded))
      }
      guard next != numbers else { break }
      let left = projection.project(shape, next)
      if left < squares {
        let gain = (squares - left) / squares
        (numbers, squares) = (next, left)
        damping /= FitSearch.damping.down
        jacobian = []
        if gain < FitSearch.leastGain { break }
      } else {
        damping *= FitSearch.damping.up
      }
    }
    return solved(shape, numbers)
  }

  /// The shape with these numbers and the coefficients that leave least.
  package mutating func solved(_ shape: FitShape, _ numbers: [Double]) -> FittedShape {
    let squares = projection.project(shape, numbers)
    return FittedShape(
      shape: shape, numbers: numbers, coefficients: projection.coefficients, squares: squares)
  }

  /// How the residuals change with each number.
  private mutating func differences(_ shape: FitShape, _ numbers: [Double]) -> [[Double]] {
    numbers.indices.map { index in
      var moved = numbers
      moved[index] = numbers[index] + FitSearch.difference
      _ = projection.project(shape, moved)
      let above = projection.residuals
      moved[index] = numbers[index] - FitSearch.difference
      _ = projection.project(shape, moved)
      return zip(above, projection.residuals).map { ($0 - $1) / (2 * FitSearch.difference) }
    }
  }

  /// The step that solves (JᵀJ + λ diag JᵀJ) d = -Jᵀr. `nil` where nothing changes the residuals.
  private func step(_ jacobian: [[Double]], _ residuals: [Double], damping: Double) -> [Double]? {
    let count = jacobian.count
    var matrix = (0..<count).map { row in
      (0..<count).map { column in
        var sum = 0.0
        for (one, other) in zip(jacobian[row], jacobian[column]) { sum += one * other }
        return sum
      }
    }
    var right = jacobian.map { column in
      var sum = 0.0
      for (slope, residual) in zip(column, residuals) { sum -= slope * residual }
      return sum
    }
    guard (matrix.flatMap { $0 } + right).allSatisfy(\.isFinite) else { return nil }
    let largest = matrix.indices.map { matrix[$0][$0] }.max() ?? 0
    guard largest > 0 else { return nil }
    for index in matrix.indices {
      matrix[index][index] += damping * max(matrix[index][index], 1e-12 * largest)
    }
    // The matrix that a column leaves is positive, as the whole one is.
    for index in matrix.indices {
      for row in (index + 1)..<count {
        let share = matrix[row][index] / matrix[index][index]
        for column in index..<count { matrix[row][column] -= share * matrix[index][column] }
        right[row] -= share * right[index]
      }
    }
    for index in matrix.indices.reversed() {
      for column in (index + 1)..<count {
        right[index] -= matrix[index][column] * right[column]
      }
      right[index] /= matrix[index][index]
    }
    return right.allSatisfy(\.isFinite) ? right : nil
  }
}
