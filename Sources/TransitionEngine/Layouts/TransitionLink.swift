import TimelineModel

/// What ties a transition layout to the view that it is installed in: the clock that stamps its
/// values and the sink that keeps them.
final class TransitionLink {
  let clock: DisplayClock
  let sink: any TimelineSink
  let progressKey: KeyHandle
  weak var view: CollectionView?
  var phase = Phase.driving
  /// Whether the view itself is setting the settle's values just now.
  var isAdvancing = false
  /// Whether values are set only to look at the poses that they make, and are not recorded.
  var isTrying = false
  /// Whether the transition is over and the layout no longer installed.
  var isDetached = false

  init(view: CollectionView, progressKey: KeyHandle) {
    self.view = view
    self.clock = view.clock
    self.sink = view.sink
    self.progressKey = progressKey
  }

  func warn(_ code: String, _ message: String) {
    sink.record(
      Event(
        time: clock.now, kind: .warning,
        fields: [Field("code", .text(code)), Field("message", .text(message))]))
  }
}
