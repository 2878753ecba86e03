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
func legacyVelocity(of places: Places) -> Double? {
  guard let oldest = places.first else { return nil }
  var average: Double?
  var before = 0.0
  for place in places.dropFirst() {
    let nanoseconds = place.time.nanoseconds(since: oldest.time)
    guard nanoseconds >= shortestLegacyDuration else { continue }
    let duration = Double(nanoseconds) / 1e9
    let velocity = (place.value - oldest.value) / duration
    average = ((average ?? 0) * before + velocity * duration) / (before + duration)
    before = duration
  }
  return average
}
