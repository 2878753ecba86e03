import TimelineSession

/// A place of a finger, in points, and when it was there, in seconds of the session.
struct FingerPlace {
  var time: Double
  var x: Double
  var y: Double
  /// Whether the system computed it.
  var isResampled = false
  /// When the page was told of it; nil: not known.
  var heard: Double?

  func along(_ axis: FingerAxis) -> Double { axis == .x ? x : y }
}
