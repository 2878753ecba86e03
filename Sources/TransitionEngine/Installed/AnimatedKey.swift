import TimelineModel

/// A value that a transition layout animates: its present value, its earlier values, and where a settle takes it.
struct AnimatedKey {
  var name: String
  /// The last value. `nil` until one is set.
  var value: Double?
  /// Every value that was set, with its instant: the base of its speed.
  var history: [Sample] = []
  var finishTarget = 0.0
  var cancelTarget = 0.0
  /// Whether a settle leaves the value where it is.
  var isFrozen = false
  /// The unit, as free text. Empty: not stated.
  var unit = ""
  var handle: KeyHandle?
  /// How it goes on by itself in a transition that took it over from another one, until it is set.
  var coast: Coast?

  /// A settle that goes on under another transition.
  struct Coast {
    var motion: Settle.Motion
    var start: Instant
    var durationSeconds: Double

    func value(at time: Instant) -> Double {
      let elapsed = time.seconds(since: start)
      let value = motion.value(atSeconds: elapsed)
      return elapsed >= durationSeconds || !value.isFinite ? motion.target : value
    }

    func velocity(at time: Instant) -> Double {
      let elapsed = time.seconds(since: start)
      let velocity = motion.velocity(atSeconds: elapsed)
      return elapsed >= durationSeconds || !velocity.isFinite ? 0 : velocity
    }
  }

  func target(_ outcome: ReleaseOutcome) -> Double? {
    guard !isFrozen else { return nil }
    return outcome == .finish ? finishTarget : cancelTarget
  }
}
