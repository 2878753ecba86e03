import MotionPhysics

/// How a transition is run.
enum TransitionStyle {
  /// By a caller, to its release.
  case driven
  /// By itself, as if driven.
  case timed(seconds: Double, easing: Easing)
  /// As an exchange of layouts that nobody drives; at 0 seconds at once.
  case exchanged(seconds: Double, easing: Easing)
}
