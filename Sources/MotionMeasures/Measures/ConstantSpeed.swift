import TimelineSession

/// Whether something goes at constant speed: no value is further from the straight line through all of them, in the sense of
/// least squares, than 1 % of their extent.
package enum ConstantSpeed {
  /// The share of the extent. No unit, ours.
  private static let share = 0.01

  /// Tests values.
  ///
  /// - Parameters:
  ///   - times: Seconds.
  ///   - values: As many.
  /// - Returns: false for fewer than three values, and for what does not move.
  package static func holds(_ times: ArraySlice<Double>, _ values: ArraySlice<Double>) -> Bool {
    guard let first = times.first,
      let line = PolynomialSlope(
        times: times.map { $0 - first }, values: Array(values), degree: 1, noise: 0)
    else { return false }
    let count = Double(times.count)
    let middle = times.reduce(0) { $0 + $1 - first } / count
    let mean = values.reduce(0, +) / count
    let worst = zip(times, values).map { abs($1 - mean - line.slope * ($0 - first - middle)) }.max()
    return worst ?? 0 < share * values.extent
  }
}
