/// Numbers of animations.
enum StageNumber {
  /// Digits behind the point that a thinned animation keeps: a ten-thousandth is far below any tolerance that
  /// can be seen.
  private static let kept = 10_000.0

  /// The number with four digits behind the point, unless nothing may be off.
  static func rounded(_ value: Double, tolerance: Double) -> Double {
    guard tolerance > 0, abs(value) < 1e11 else { return value }
    let rounded = (value * kept).rounded() / kept
    return rounded == 0 ? 0 : rounded
  }
}

extension Int64 {
  /// A length rounded up to a whole number.
  init(clamping length: Double) {
    self = Int64(exactly: length.rounded(.up)) ?? Int64(Int32.max)
  }
}
