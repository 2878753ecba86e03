import MotionPhysics
import TimelineModel

/// Drives a transition by the time alone.
struct TimedDriver {
  var start: Instant
  var durationSeconds: Double
  var easing: Easing

  /// The share of the duration that has passed, 0 to 1.
  func fraction(at time: Instant) -> Double {
    min(max(time.seconds(since: start) / durationSeconds, 0), 1)
  }
}
