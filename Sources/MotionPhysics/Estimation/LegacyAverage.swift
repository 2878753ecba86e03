import TimelineModel

/// Samples closer to the oldest one than this do not count, in nanoseconds: MIN_DURATION of Android's
/// LegacyVelocityTrackerStrategy. Velocities over shorter times are mostly noise.
private let shortestLegacyDuration: Int64 = 10_000_000

/// A running average of the velocities since the oldest sample, in units per second: Android's
/// LegacyVelocityTrackerStrategy, used before Android 4.0. Its own window is 200 ms long.
///
/// With d_i the time since the oldest sample and v_i = (x_i - x_0)/d_i, over the samples with d_i of
/// at least 10 ms: V = (V d_before + v_i d_i) / (d_before + d_i), where d_before is the time of the
/// sample that was averaged before, 0 at first.
///
/// - Returns: nil when all samples lie within 10 ms.
func legacyVelocity(of samples: SampleBuffer) -> Double? {
  guard let oldest = samples.first else { return nil }
  var average: Double?
  var before = 0.0
  for sample in samples.dropFirst() {
    let nanoseconds = sample.time.nanoseconds(since: oldest.time)
    guard nanoseconds >= shortestLegacyDuration else { continue }
    let duration = Double(nanoseconds) / 1e9
    let velocity = (sample.value - oldest.value) / duration
    average = ((average ?? 0) * before + velocity * duration) / (before + duration)
    before = duration
  }
  return average
}

/// How many of the newest segments Firefox averages: apz.max_velocity_queue_size.
private let firefoxSegments = 5

/// The displacement from the oldest sample to the newest by its time, in units per second: GNOME's
/// calculate_velocity (libadwaita's adw-swipe-tracker.c), whose window is the last 150 ms.
///
/// - Returns: nil when the two have the same time, or there is only one.
func meanVelocity(of samples: SampleBuffer) -> Double? {
  guard let oldest = samples.first, let newest = samples.last, newest.time > oldest.time else {
    return nil
  }
  return (newest.value - oldest.value) / newest.time.seconds(since: oldest.time)
}

/// The average of the newest five segment velocities, or of those there are, in units per second:
/// Firefox's SimpleVelocityTracker, whose window merges places and drops segments that end too long
/// before the lift. Segments that take no time are passed over.
///
/// - Returns: nil without a segment.
func meanOfSegments(of samples: SampleBuffer) -> Double? {
  var sum = 0.0
  var count = 0
  var index = samples.count - 1
  while index > 0, count < firefoxSegments {
    if let segment = samples.segmentVelocity(endingAt: index) {
      sum += segment
      count += 1
    }
    index -= 1
  }
  return count > 0 ? sum / Double(count) : nil
}
