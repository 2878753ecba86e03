import AppTimeline
import TimelineModel

/// The object behind a `kymograph_timeline`.
final class TimelineHandle {
  let timeline: HostTimeline
  private let owner: RecorderHandle
  /// Whether touches do not come into the timeline: a release dated by a lift that is not recorded would puzzle readers.
  let leavesOutTouches: Bool

  init(_ owner: RecorderHandle, distance: Double?) {
    self.owner = owner
    leavesOutTouches = owner.redaction.leavesOutTouches
    timeline = HostTimeline(sink: owner.sink, distance: distance)
  }

  /// Whether its recorder is another process's.
  var isInForkedChild: Bool { owner.isInForkedChild }
}

extension OpaquePointer {
  /// Lends the timeline to a piece of work.
  ///
  /// - Returns: nil in a forked child, in which the timeline of its parent does nothing.
  @discardableResult
  func withTimeline<Value>(_ body: (TimelineHandle) -> Value) -> Value? {
    with(TimelineHandle.self) { $0.isInForkedChild ? nil : body($0) }
  }
}

@available(*, unavailable, message: "it belongs to one thread at a time")
extension TimelineHandle: Sendable {}
