import JSONText
package import TimelineModel

extension NDJSONReader {
  /// How an exported session ended.
  package struct Recorded {
    /// Its last instant. `nil` where it was never closed.
    package var end: Instant?
    /// How it ended.
    package var outcome: SessionOutcome?

    init() {}

    /// Reads what an export says of the session that it was made from.
    ///
    /// What names the old recording (uuid, number, schema) is looked at and not taken over: the lines make a
    /// session of its own.
    init(_ facts: JSONReader, into session: inout SessionDescription) throws(JSONError) {
      let fields = try facts.object(allowing: [
        "uuid", "session", "schemaVersion", "precision", "wallClock_ns", "end_ns", "outcome",
        "engineVersion", "gestureSource", "scenario", "transition", "settle", "release",
        "redaction", "layouts",
      ])
      end = try fields["end_ns"].map { field throws(JSONError) in
        Instant(nanoseconds: try field.integer())
      }
      outcome = try fields["outcome"]?.choice(SessionOutcome.self)
      session.wallClockStartNanoseconds = try fields["wallClock_ns"]?.integer()
      session.engineVersion = try fields["engineVersion"]?.string()
      session.gestureSource = try fields["gestureSource"]?.string()
      session.scenario = try fields["scenario"]?.string()
      session.transition = try fields["transition"]?.string()
      session.settle = try fields["settle"]?.string()
      session.release = try fields["release"]?.string()
      session.redaction = try fields["redaction"]?.string()
      for element in try fields["layouts"]?.array() ?? [] {
        let layout = try element.object(allowing: ["name", "type", "parameters"])
        session.layouts.append(
          LayoutDescription(
            name: try layout.required("name").string(), type: try layout.required("type").string(),
            parameters: try layout.required("parameters").string()))
      }
    }
  }
}

extension SessionOrigin {
  /// Reads what the header says of the session that this one was run again from.
  init(_ reader: JSONReader) throws(JSONError) {
    let fields = try reader.object(allowing: ["uuid", "file", "engineVersion", "changes"])
    var changes: [String] = []
    for change in try fields.required("changes").array() { changes.append(try change.string()) }
    self.init(
      uuid: try fields.required("uuid").string(), file: try fields["file"]?.string(),
      engineVersion: try fields["engineVersion"]?.string(), changes: changes)
  }
}
