import TimelineModel

/// Touches in the order of the recording, cut where the time changes.
///
/// A time that runs backwards acts at the latest time before it, so that the engine's clock never goes
/// back; the sample itself keeps its time.
struct TouchGroups {
  private let touches: [TouchSample]
  private var start = 0
  private var latest = Instant(nanoseconds: .min)

  init(_ touches: [TouchSample]) {
    self.touches = touches
  }

  /// When the next group acts; nil when there is none.
  var nextTime: Instant? {
    start < touches.count ? max(latest, touches[start].time) : nil
  }

  /// The next group, which is not empty.
  mutating func takeNext() -> ArraySlice<TouchSample> {
    guard let time = nextTime else { return [] }
    let rest = touches[start...]
    let count = rest.prefix { $0.time == rest[start].time }.count
    latest = time
    start += count
    return rest.prefix(count)
  }
}
