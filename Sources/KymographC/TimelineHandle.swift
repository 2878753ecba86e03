import AppTimeline
import TimelineModel

/// The object behind a `kymograph_timeline`.
final class TimelineHandle {
  let timeline: HostTimeline
  /// Whether touches do not come into the timeline: a release dated by a lift that is not recorded would puzzle readers.
  let leavesOutTouches: Bool

  init(_ owner: RecorderHandle, distance: Double?) {
    leavesOutTouches = owner.redaction.leavesOutTouches
    timeline = HostTimeline(sink: owner.sink, distance: distance)
  }
}

@available(*, unavailable, message: "it belongs to one thread at a time")
extension TimelineHandle: Sendable {}
