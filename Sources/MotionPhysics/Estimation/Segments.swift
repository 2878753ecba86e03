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

/// The largest power of two that is not above a magnitude. To divide by it costs no digit, so that
/// squares of large and of tiny values neither overflow nor vanish.
///
/// - Returns: The smallest normal number for what is below it; 1 for 0 and for what is not finite.
func powerOfTwo(upTo magnitude: Double) -> Double {
  guard magnitude.isFinite, magnitude > 0 else { return 1 }
  guard magnitude >= .leastNormalMagnitude else { return .leastNormalMagnitude }
  return Double(sign: .plus, exponent: magnitude.exponent, significand: 1)
}
