import TimelineModel

/// How a finger's way goes in time: it lands, may rest, moves, may rest, and lifts. All lengths are milliseconds.
package struct FingerMotion: Hashable, Sendable {
  /// From its first move to its last place.
  package var duration: Double
  /// How long it rests before it lifts.
  package var hold: Double
  /// How long it rests after it has landed.
  package var holdFirst: Double
  package var path: FingerPath

  package init(duration: Double, hold: Double = 0, holdFirst: Double = 0, path: FingerPath) {
    (self.duration, self.hold) = (duration, hold)
    (self.holdFirst, self.path) = (holdFirst, path)
  }

  /// The time between the last place and the lift.
  private static let liftDelay = 4.0
  /// From the landing to the lift.
  var length: Double { FingerPath.onStep(holdFirst + duration + hold + Self.liftDelay) }

  /// The instants of the places from the landing on, and the share of the distance at each.
  var places: [(time: Double, share: Double)] {
    let moving = path.places(duration: duration)
    guard holdFirst > 0, let landing = moving.first else { return moving }
    return [landing] + moving.dropFirst().map { ($0.time + holdFirst, $0.share) }
  }

  /// Its fields in a recording, from which ``init(recorded:)`` makes it again.
  var fields: [EventField] {
    EventField.known([
      "path": path.rawValue, "duration_ms": duration, "hold_ms": hold,
      "hold_first_ms": holdFirst > 0 ? holdFirst : nil,
    ])
  }

  /// The motion that a recording's action has. `nil`: it has none.
  init?(recorded fields: FieldValue) {
    func length(_ name: String) -> Double? {
      fields[name]?.asNumber.flatMap { PageAction.lengths.contains($0) ? $0 : nil }
    }
    guard let duration = length("duration_ms"), let hold = length("hold_ms"),
      case .text(let name)? = fields["path"], let path = FingerPath(rawValue: name)
    else { return nil }
    let isHeldFirst = fields["hold_first_ms"] != nil
    guard let holdFirst = isHeldFirst ? length("hold_first_ms") : 0 else { return nil }
    self.init(duration: duration, hold: hold, holdFirst: holdFirst, path: path)
  }
}
