import TimelineModel

/// Which segment velocity the work of a segment is counted from.
enum ImpulseForm {
  /// From the speed that the work so far has given: V(W).
  case carried
  /// From the velocity of the segment before.
  case segments
}

/// The speed that the work done along the samples would give to a body of mass 1, in units per second.
///
/// With the segment velocities u_1, u_2, …: W = u_1|u_1|/2 to begin with (the body already moves at the
/// first segment's speed), then W += (u_i - V(W))|u_i| with V(W) = sign(W) sqrt(2|W|). The answer is
/// V(W). This is the code of Android's ImpulseVelocityTrackerStrategy today (`.carried`). Its source
/// comment of 2017 has u_(i-1) in place of V(W) (`.segments`), which overshoots by 9 to 45 percent of
/// the peak speed. A segment that takes no time is skipped. One without distance is a segment like
/// any other.
///
/// - Returns: nil with fewer than two samples at different times. Two give the plain difference.
func impulseVelocity(of samples: SampleBuffer, form: ImpulseForm) -> Double? {
  var fastest = 0.0
  var count = 0
  for index in 1..<max(1, samples.count) {
    guard let segment = samples.segmentVelocity(endingAt: index) else { continue }
    guard segment.isFinite else { return .infinity }
    fastest = max(fastest, abs(segment))
    count += 1
  }
  guard count > 0 else { return nil }
  // Work grows with the square of the scale: in units of the fastest segment it cannot overflow.
  let scale = powerOfTwo(upTo: fastest)
  var work = 0.0
  var previous: Double?
  for index in 1..<samples.count {
    guard let segment = samples.segmentVelocity(endingAt: index) else { continue }
    if count == 1 { return segment }
    let velocity = segment / scale
    if let previous {
      let before = form == .carried ? speed(forWork: work) : previous
      work += (velocity - before) * abs(velocity)
    } else {
      work = velocity * abs(velocity) / 2
    }
    previous = velocity
  }
  return speed(forWork: work) * scale
}

/// The signed speed of a body of mass 1 on which this work was done.
private func speed(forWork work: Double) -> Double {
  let speed = (2 * abs(work)).squareRoot()
  return work < 0 ? -speed : speed
}
