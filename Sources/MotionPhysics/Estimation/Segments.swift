import TimelineModel

extension Places {
  /// The velocity from one sample to the next in units per second; nil when no time passes between
  /// them, or none forward.
  func segmentVelocity(endingAt index: Int) -> Double? {
    guard index > 0 else { return nil }
    let (earlier, later) = (self[index - 1], self[index])
    guard later.time > earlier.time else { return nil }
    return (later.value - earlier.value) / later.time.seconds(since: earlier.time)
  }
}

/// The power of two just below a magnitude. To divide by it costs no digit, so that squares of large
/// and of tiny values neither overflow nor vanish.
///
/// - Returns: 1 for 0, for what is not finite and for magnitudes too small to be divided by.
func scale(for magnitude: Double) -> Double {
  guard magnitude.isFinite, magnitude >= Double.leastNormalMagnitude else {
    return magnitude > 0 && magnitude.isFinite ? Double.leastNormalMagnitude : 1
  }
  return Double(sign: .plus, exponent: magnitude.exponent, significand: 1)
}
