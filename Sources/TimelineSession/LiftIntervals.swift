import JSONText
import TimelineModel
import TimelineStore

/// When fingers lifted that were seen in pictures: after the last picture with the finger, and not after the first one
/// without it.
package struct LiftIntervals: Sendable {
  private struct Lift {
    var contact: Int64
    var earliest: Instant
    var latest: Instant
  }

  /// The event that says it, with the fields `contact`, `earliest_ns` and `latest_ns`.
  private static let event = "video.lift"
  /// Two of its fields.
  package static let (earliest, latest) = ("earliest_ns", "latest_ns")

  private var lifts: [Lift] = []

  /// Reads them from a session's events.
  ///
  /// - Throws: `StoreError` if the recording cannot be read.
  /// - Complexity: linear in the events of a session of pictures. Others have none, and only their first events are read.
  package init(_ source: some SessionSource) throws {
    guard try source.isOfPictures() else { return }
    try source.forEachEvent { event in
      guard event.kind.rawValue == Self.event, let fields = JSONFields(recorded: event.fieldsJSON),
        let contact = fields.integer("contact"), let earliest = fields.integer(Self.earliest),
        let latest = fields.integer(Self.latest)
      else { return }
      lifts.append(
        Lift(
          contact: contact, earliest: Instant(nanoseconds: earliest),
          latest: Instant(nanoseconds: latest)))
    }
  }

  /// The earliest instant at which a contact lifted whose end is recorded at an instant. `nil`: it lifted at that.
  func earliest(of contact: Int, recordedAt lift: Instant) -> Instant? {
    lifts.first {
      $0.contact == Int64(contact) && $0.earliest <= lift && lift <= $0.latest
    }?.earliest
  }
}
