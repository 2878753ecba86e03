import JSONText
import TimelineModel
import TimelineSession
import TimelineStore

/// An event as the report shows it: when, what, and one text of its fields.
struct ReportEvent {
  var time: Instant
  var kind: TimelineEvent.Kind
  /// What it says, cut to a line. `nil` where the kind says all.
  var text: String?
  /// The viewport's new extent, of a change of bounds.
  var size: Size2D?
  /// The element of a clip that is lost or found.
  var item: String?

  /// The most events that a report holds.
  static let limit = 5000
  /// The most letters of an event's text.
  private static let textLimit = 200

  /// Reads a session's events but for traced calls of layouts, which come in thousands a second, and
  /// counts those that are too many.
  static func read(
    _ session: Int64, in reader: RecordingReader
  ) throws -> (events: [ReportEvent], leftOut: Int) {
    var events: [ReportEvent] = []
    var leftOut = 0
    let rows = try reader.events(in: session)
    while let row = try rows.next() {
      guard row.kind != .layoutCall, events.count < limit else {
        leftOut += 1
        continue
      }
      events.append(ReportEvent(row))
    }
    return (events, leftOut)
  }

  private init(_ row: EventRecord) {
    time = row.time
    kind = row.kind
    guard let fields = JSONFields(recorded: row.fieldsJSON) else { return }
    text = ReportEvent.text(of: fields)
    if ["video.lost", "video.found"].contains(kind.rawValue) {
      item = try? fields["item"]?.string()
    }
    if kind == .bounds, let extent = try? fields["to"]?.numbers(count: 2) {
      size = Size2D(width: extent[0], height: extent[1])
    }
  }

  /// The field that says most.
  private static func text(of fields: JSONFields) -> String? {
    for name in ["text", "message", "recognizer", "layout", "reason"] {
      if let text = try? fields[name]?.string() { return String(text.prefix(textLimit)) }
    }
    if let from = try? fields["from"]?.string(), let to = try? fields["to"]?.string() {
      return String("\(from) → \(to)".prefix(textLimit))
    }
    return nil
  }

  /// The event as the report reads it.
  var field: FieldValue {
    .object(named: ["t": time, "kind": kind.rawValue, "text": text, "size": size, "item": item])
  }
}
