import TimelineModel

/// The time constant of the integrating filters in seconds: FILTER_TIME_CONSTANT of Android's
/// IntegratingVelocityTrackerStrategy, the same in Chromium's.
private let filterTimeConstant = 0.010

/// Segment velocities through a low-pass filter, in units per second: `int1` and `int2` of Android's
/// and Chromium's IntegratingVelocityTrackerStrategy.
///
/// The first segment gives the first velocity. Then, with u the velocity of a segment, dt its time
/// and a = dt / (10 ms + dt):
/// - order 1: v += (u - v) a;
/// - order 2: the acceleration is (u - v)/dt the first time, and then moves towards it by the share
///   a; v += acceleration dt a.
///
/// A step of at most `shortestStep` nanoseconds waits: its place is passed over, and the next
/// segment begins where the last one ended.
///
/// - Returns: nil before the first segment ends.
func integratedVelocity(of samples: SampleBuffer, order: Int, shortestStep: Int64) -> Double? {
  guard var last = samples.first else { return nil }
  var velocity: Double?
  var acceleration: Double?
  for sample in samples.dropFirst() where sample.time.nanoseconds(since: last.time) > shortestStep {
    let step = sample.time.seconds(since: last.time)
    guard step > 0 else { continue }
    let segment = (sample.value - last.value) / step
    last = sample
    guard let before = velocity else {
      velocity = segment
      continue
    }
    let share = step / (filterTimeConstant + step)
    if order == 1 {
      velocity = before + (segment - before) * share
    } else {
      let pull = (segment - before) / step
      let followed = acceleration.map { $0 + (pull - $0) * share } ?? pull
      acceleration = followed
      velocity = before + followed * step * share
    }
  }
  return velocity
}
