import TimelineModel

/// The weights of the newest three segments, the oldest first.
struct ThreeSegmentBlend {
  var oldest: Double
  var middle: Double
  var newest: Double

  /// Flutter's IOSScrollViewFlingVelocityTracker.
  static let ios = ThreeSegmentBlend(oldest: 0.60, middle: 0.35, newest: 0.05)
  /// Flutter's MacOSScrollViewFlingVelocityTracker.
  static let macOS = ThreeSegmentBlend(oldest: 0.15, middle: 0.65, newest: 0.20)
}

/// The weighted sum of the newest three segment velocities, in units per second: `ios3` and `macos3`.
///
/// A segment that is missing, or takes no time, counts as 0, as in Flutter. So two samples give only
/// the newest segment's share.
///
/// - Returns: nil with fewer than two samples.
func blendedVelocity(of samples: SampleBuffer, blend: ThreeSegmentBlend) -> Double? {
  let newest = samples.count - 1
  guard newest > 0 else { return nil }
  return (samples.segmentVelocity(endingAt: newest - 2) ?? 0) * blend.oldest
    + (samples.segmentVelocity(endingAt: newest - 1) ?? 0) * blend.middle
    + (samples.segmentVelocity(endingAt: newest) ?? 0) * blend.newest
}

/// The weight of the segment before the newest in SwiftUI's sampler (previousSampleWeight in the public
/// twin, OpenSwiftUI's VelocitySampler). The newest has the rest.
private let previousSegmentWeight = 0.75

/// 0.75 of the segment before the newest and 0.25 of the newest, in units per second: SwiftUI's
/// velocity sampler. With one segment, that one. Segments that take no time are passed over.
///
/// - Returns: nil without a segment.
func samplerVelocity(of samples: SampleBuffer) -> Double? {
  var newest: Double?
  var index = samples.count - 1
  while index > 0 {
    if let segment = samples.segmentVelocity(endingAt: index) {
      guard let newest else {
        newest = segment
        index -= 1
        continue
      }
      return segment * previousSegmentWeight + newest * (1 - previousSegmentWeight)
    }
    index -= 1
  }
  return newest
}

/// The newest segment velocity, in units per second: the difference that motion, react-spring and
/// use-gesture take. Segments that take no time are passed over.
///
/// - Returns: nil without a segment.
func twoPointVelocity(of samples: SampleBuffer) -> Double? {
  var index = samples.count - 1
  while index > 0 {
    if let segment = samples.segmentVelocity(endingAt: index) { return segment }
    index -= 1
  }
  return nil
}

extension SampleBuffer {
  /// The velocity from one sample to the next in units per second. `nil` when no time passes between
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
/// - Returns: The smallest normal number for what is below it. 1 for 0 and for a number that is not finite.
func powerOfTwo(upTo magnitude: Double) -> Double {
  guard magnitude.isFinite, magnitude > 0 else { return 1 }
  guard magnitude >= .leastNormalMagnitude else { return .leastNormalMagnitude }
  return Double(sign: .plus, exponent: magnitude.exponent, significand: 1)
}
