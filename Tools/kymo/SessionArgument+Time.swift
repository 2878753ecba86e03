import TimelineModel
import TimelineQuery
import TimelineStore

/// Refuses a stretch of time in which there is nothing of what is shown: its last frame would be taken for an answer.
/// A millisecond beyond the ends is within them, since a printed time is rounded.
///
/// - Parameters:
///   - range: The stretch; of a single instant both ends are that.
///   - extent: From where to where there is something.
///   - flag: The flag that names the time, for the message.
///   - what: What is shown, for the message.
func requireOverlap(
  _ range: ClosedRange<Instant>, with extent: ClosedRange<Instant>, flag: String, of what: String
) throws {
  guard
    range.upperBound < extent.lowerBound.advanced(byNanoseconds: -1_000_000)
      || range.lowerBound > extent.upperBound.advanced(byNanoseconds: 1_000_000)
  else { return }
  throw Failure.usage(
    "--\(flag) is outside of \(what), which goes from "
      + "\(FieldValue.jsonNumber(extent.lowerBound.seconds)) s to "
      + "\(FieldValue.jsonNumber(extent.upperBound.seconds)) s")
}

extension SessionArgument {
  /// Refuses a stretch of time in which there is nothing of the session.
  func requireOverlap(_ range: ClosedRange<Instant>, flag: String) throws {
    // From the session's start, or what is recorded before it, to its end, or the last that is recorded.
    var ends = [Instant.zero, session.end ?? .zero]
    let number = session.number
    for key in try reader.keySummaries(in: number) { ends += [key.first.time, key.last.time] }
    let last = try reader.frame(shownAt: Instant(nanoseconds: .max), in: number)
    ends += [try reader.frames(in: number).next(), last].compactMap(\.?.state.time)
    if session.end == nil {
      ends += try reader.touches(in: number).rest().map(\.time)
      ends += try reader.events(in: number).rest().map(\.time)
    }
    guard let first = ends.min(), let end = ends.max() else { return }
    try kymo.requireOverlap(range, with: first...end, flag: flag, of: session.label)
  }
}
