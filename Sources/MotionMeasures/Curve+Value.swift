import MotionPhysics
package import TimelineModel
package import TimelineSession

extension Curve {
  /// The value at an instant, on the straight line between the samples around it. Exact at a sample.
  ///
  /// - Returns: nil before the first and after the last sample.
  /// - Complexity: O(log n).
  package func value(at time: Instant) -> Double? {
    guard let index = indexOfSample(atOrBefore: time) else { return nil }
    if times[index] == time { return values[index] }
    guard index + 1 < times.count else { return nil }
    let share =
      time.seconds(since: times[index]) / times[index + 1].seconds(since: times[index])
    return lerp(values[index], values[index + 1], share)
  }
}
