import TimelineModel

/// The speed that the work done along the samples would give to a body of mass 1.
///
/// With the segment velocities u_1, u_2, …: W = u_1|u_1|/2 to begin with (the body already moves at the
/// first segment's speed), then W += (u_i - V(W))|u_i| with V(W) = sign(W) sqrt(2|W|); the answer is
/// V(W). This is the form of Android's code today, not the one of its 2017 comment. A segment that
/// takes no time is skipped; one without distance is a segment like any other.
///
/// The interval is the jackknife's (Tukey 1958; Efron and Tibshirani, An Introduction to the
/// Bootstrap, chapter 11): every sample is left out once, and the spread of those answers tells the
/// standard error. It finds the one place at the lift that a nearly lifted finger spoils.
///
/// - Returns: nil for fewer than two samples, or when the numbers overflow. Two samples give the
///   plain difference, without an interval.
func impulseVelocity(of samples: ArraySlice<Sample>) -> MeasuredVelocity? {
  guard let velocity = impulse(of: samples) else { return nil }
  guard samples.count > 2 else {
    return MeasuredVelocity(velocity, standardError: nil, degreesOfFreedom: 0)
  }
  var leftOut: [Double] = []
  for index in samples.indices {
    if let other = impulse(of: samples[..<index] + samples[(index + 1)...]) {
      leftOut.append(other)
    }
  }
  let count = Double(samples.count)
  let mean = leftOut.reduce(0) { $0 + $1 / count }
  let standardError =
    leftOut.count == samples.count
    ? (leftOut.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } * (count - 1) / count).squareRoot()
    : nil
  return MeasuredVelocity(
    velocity, standardError: standardError, degreesOfFreedom: samples.count - 1)
}

/// The impulse alone; nil for fewer than two samples or when a segment's velocity overflows.
private func impulse(of samples: ArraySlice<Sample>) -> Double? {
  var segments: [Double] = []
  for (earlier, later) in zip(samples, samples.dropFirst()) where later.time > earlier.time {
    segments.append((later.value - earlier.value) / later.time.seconds(since: earlier.time))
  }
  guard let first = segments.first, let scale = segments.lazy.map(abs).max(), scale.isFinite else {
    return nil
  }
  if segments.count == 1 || scale == 0 { return first }
  // Work grows with the square of the scale: computed in units of the fastest segment it cannot
  // overflow, whatever the key's unit.
  let start = first / scale
  var work = start * abs(start) / 2
  for segment in segments.dropFirst() {
    let next = segment / scale
    work += (next - speed(forWork: work)) * abs(next)
  }
  return speed(forWork: work) * scale
}

/// The signed speed of a body of mass 1 on which this work was done.
private func speed(forWork work: Double) -> Double {
  let speed = (2 * abs(work)).squareRoot()
  return work < 0 ? -speed : speed
}
