package import TimelineSession

/// A place of a finger, in points, and when it was there, in seconds of the session.
package struct FingerPlace {
  package var time: Double
  package var x: Double
  package var y: Double
  /// Whether the system computed it.
  package var isResampled = false
  /// When the page was told of it; nil: not known.
  package var heard: Double?

  package init(time: Double, x: Double, y: Double, isResampled: Bool = false, heard: Double? = nil)
  {
    self.time = time
    self.x = x
    self.y = y
    self.isResampled = isResampled
    self.heard = heard
  }

  package func along(_ axis: FingerAxis) -> Double { axis == .x ? x : y }
}
