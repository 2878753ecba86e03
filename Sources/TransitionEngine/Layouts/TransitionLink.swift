import TimelineModel

/// What ties a transition layout to the view that it is installed in, and says what may be set on it.
final class TransitionLink {
  let log: EventLog
  let progressKey: KeyHandle
  weak var installed: InstalledLayout?
  var phase = Phase.driving
  /// Whether the time alone drives it.
  var isTimed = false
  /// Whether the view itself is setting the settle's values just now.
  var isAdvancing = false
  /// Whether values are set only to look at the poses that they make, and are not recorded.
  var isTrying = false
  /// Whether the transition is over and the layout no longer installed.
  var isDetached = false

  init(installed: InstalledLayout, log: EventLog, progressKey: KeyHandle) {
    self.installed = installed
    self.log = log
    self.progressKey = progressKey
  }

  var now: Instant { log.clock.now }
}
