import SystemLibrary

/// The marks of an axis: round numbers between two ends.
enum AxisTicks {
  /// Numbers that are multiples of 1, 2 or 5 times a power of ten.
  ///
  /// - Parameters:
  ///   - range: The ends of the axis.
  ///   - count: About how many are wanted, at least 1.
  /// - Returns: The marks, rising; none for an axis without extent, or one that cannot be divided.
  static func values(in range: ClosedRange<Double>, about count: Int) -> [Double] {
    let extent = range.upperBound - range.lowerBound
    guard extent > 0, extent.isFinite else { return [] }
    let rough = extent / Double(max(1, count))
    guard rough > 0, let power = Double("1e\(Int(floor(log10(rough))))"), power > 0 else {
      return []
    }
    let step = [1.0, 2, 5, 10].map { $0 * power }.first { $0 >= rough * 0.999 } ?? rough
    let first = (range.lowerBound / step).rounded(.up)
    let last = (range.upperBound / step).rounded(.down)
    // Whole numbers beyond this cannot be told apart.
    guard step > 0, step.isFinite, abs(first) < 1e15, abs(last) < 1e15, last - first < 1000 else {
      return []
    }
    return stride(from: first, through: last, by: 1).map { $0 * step }
  }
}
