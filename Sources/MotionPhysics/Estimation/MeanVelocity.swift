import TimelineModel

/// How many of the newest segments Firefox averages: apz.max_velocity_queue_size.
private let firefoxSegments = 5

/// The way from the oldest sample to the newest by its time, in units per second: GNOME's
/// calculate_velocity (libadwaita's adw-swipe-tracker.c), whose window is the last 150 ms.
///
/// - Returns: nil when the two have the same time, or there is only one.
func meanVelocity(of places: Places) -> Double? {
  guard let oldest = places.first, let newest = places.last, newest.time > oldest.time else {
    return nil
  }
  return (newest.value - oldest.value) / newest.time.seconds(since: oldest.time)
}

/// The average of the newest five segment velocities, or of those there are, in units per second:
/// Firefox's SimpleVelocityTracker, whose window merges places and drops segments that end too long
/// before the lift. Segments that take no time are passed over.
///
/// - Returns: nil without a segment.
func meanOfSegments(of places: Places) -> Double? {
  var sum = 0.0
  var count = 0
  var index = places.count - 1
  while index > 0, count < firefoxSegments {
    if let segment = places.segmentVelocity(endingAt: index) {
      sum += segment
      count += 1
    }
    index -= 1
  }
  return count > 0 ? sum / Double(count) : nil
}
