package import TimelineModel

/// Turns a host's seconds since its start-up, as display links and touches have them, into session time.
package struct HostClock: Hashable, Sendable {
  /// The host's time at the session's zero, in seconds.
  package let origin: Double

  /// Makes a clock whose zero is `origin`, in the host's seconds.
  package init(origin: Double) { self.origin = origin }

  /// The instant of a host time in seconds. `nil` for one that is not finite or 292 years away.
  package func instant(_ seconds: Double) -> Instant? { Instant(seconds: seconds - origin) }
}
