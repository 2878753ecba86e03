extension SegmentRecord {
  /// How many frames the segment has; nil when its numbers are none that a recorder writes, or are more
  /// than a reader makes room for.
  var frameCount: Int? {
    let (distance, overflow) = lastFrame.subtractingReportingOverflow(firstFrame)
    guard !overflow, firstFrame >= 0, lastFrame < Int64.max,
      (0..<Int64(SegmentRows.mostFrames)).contains(distance)
    else { return nil }
    return Int(distance) + 1
  }
}
