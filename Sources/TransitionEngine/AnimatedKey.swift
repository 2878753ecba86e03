import TimelineModel

/// A value that a transition layout animates: what it is, what it was, and where a settle takes it.
struct AnimatedKey {
  var name: String
  /// The last value; nil until one is set.
  var value: Double?
  /// Every value that was set, with its instant: what its speed is told from.
  var history: [Sample] = []
  var finishTarget = 0.0
  var cancelTarget = 0.0
  /// Whether a settle leaves the value where it is.
  var isFrozen = false
  /// The unit, as free text; empty: not stated.
  var unit = ""
  var handle: KeyHandle?

  func target(_ outcome: ReleaseOutcome) -> Double? {
    guard !isFrozen else { return nil }
    return outcome == .finish ? finishTarget : cancelTarget
  }
}
