import TimelineModel

/// A line of a recording: its instant, and its fields in their order.
struct PageLine: Hashable, Sendable {
  /// Nanoseconds since the session's start.
  var time: Int64
  /// All fields but the time.
  var fields: [EventField]

  /// An event.
  ///
  /// - Parameter time: Milliseconds since the session's start.
  init(time: Double, event: String, _ fields: [EventField]) {
    self.time = Int64((time * 1e6).rounded())
    self.fields = [EventField("event", .text(event))] + fields
  }

  /// A line as the recorder wrote it. `nil` for what has no time or is not an object.
  init?(_ bytes: [UInt8]) {
    guard case .object(var fields)? = FieldValue(json: bytes),
      let index = fields.firstIndex(where: { $0.name == Self.timeName }),
      case .integer(let time) = fields.remove(at: index).value
    else { return nil }
    (self.time, self.fields) = (time, fields)
  }

  static let timeName = "t_ns"

  subscript(name: String) -> FieldValue? {
    get { fields.first { $0.name == name }?.value }
    set {
      guard let index = fields.firstIndex(where: { $0.name == name }), let newValue else { return }
      fields[index].value = newValue
    }
  }

  var json: String {
    FieldValue.object([EventField(Self.timeName, .integer(time))] + fields).json
  }
}
