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

/// How a transition is run.
enum TransitionStyle {
  /// By a caller, to its release.
  case driven
  /// By itself, as if driven.
  case timed(seconds: Double, easing: Easing)
  /// As an exchange of layouts that nobody drives; at 0 seconds at once.
  case exchanged(seconds: Double, easing: Easing)
}

/// A transition that waits for the one under way.
struct QueuedTransition {
  var style: TransitionStyle
  var layout: TransitionLayout
  var completion: TransitionCompletion
  /// How it was released while it waited: the outcome, nil for the rule's, and who decided.
  var release: (outcome: ReleaseOutcome?, decidedBy: String)?
}
