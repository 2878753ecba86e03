import TimelineModel
import TimelineQuery
import TimelineRendering
import TimelineStore

/// `kymo sessions`: the sessions of a recording, one per row.
func sessionsCommand() -> Command {
  Command(
    name: "sessions", summary: "the sessions of a recording, one per row", arguments: "FILE",
    argumentCount: 1...1,
    examples: ["kymo sessions pinch.kymo", "kymo sessions pinch.kymo --json"],
    flags: [
      Flags.listing
    ], run: runSessions)
}

private func runSessions(_ invocation: Invocation) throws -> ExitCode {
  let reader = try invocation.console.openRecording(invocation.positionals[0])
  let sessions = try reader.sessions()
  invocation.console.warnOfMissingLog(reader, sessions)
  let (labels, trouble) = try RecordingLabels.asFarAsReadable(of: reader)
  if let trouble { invocation.note("\(trouble)") }
  // Where a session was run again from is an object, which no table has room for.
  let columns = sessionColumns + (try invocation.outputFormat() == .csv ? ["origin"] : [])
  try invocation.print(
    try sessions.map { session in
      let releases = try reader.releases(in: session.number).all
      return sessionFields(session) + [
        EventField("releases", FieldValue(releases.count)),
        EventField("derived", FieldValue(releases.count { $0.derived != nil })),
        EventField("labels", FieldValue(labels.labels(in: session.number).count)),
      ]
    }, columns: columns)
  return .yes
}

/// The columns of a table; `derived` counts the releases that no decision was recorded of.
private var sessionColumns: [String] {
  [
    "session", "name", "uuid", "start", "duration_s", "outcome", "clean", "samples", "frames",
    "touches", "events", "releases", "derived", "labels", "lost", "clock", "refreshRate",
    "viewport",
    "software", "engine", "device",
    "gesture",
  ]
}

/// A session as `sessions` and `info` print it.
func sessionFields(_ session: SessionRecord) -> [EventField] {
  let description = session.description
  let counts = session.counts
  return [
    EventField("session", .integer(session.number)),
    EventField("name", FieldValue(description.name)),
    EventField("uuid", .text(session.uuid)),
    EventField("start", FieldValue(description.wallClockStartNanoseconds.map(timestamp))),
    EventField("duration_s", FieldValue(session.end?.seconds)),
    EventField("outcome", FieldValue(session.outcome?.rawValue)),
    EventField("clean", .flag(session.isClean)),
    EventField("samples", FieldValue(counts.map { Int($0.samples) })),
    EventField("frames", FieldValue(counts.map { Int($0.frames) })),
    EventField("touches", FieldValue(counts.map { Int($0.touches) })),
    EventField("events", FieldValue(counts.map { Int($0.events) })),
    EventField("lost", FieldValue(counts.map { Int($0.lost) })),
    EventField("clock", .text(description.clock)),
    EventField("refreshRate", FieldValue(description.refreshRate)),
    EventField("viewport", description.viewport.map { FieldValue($0) } ?? .null),
    EventField("software", .text(description.software)),
    EventField("engine", FieldValue(description.engineVersion)),
    EventField("device", FieldValue(description.device)),
    EventField("gesture", FieldValue(description.gestureSource)),
    EventField("origin", description.origin?.value ?? .null),
  ]
}

/// A row for people: by what a release was derived is said in words.
func derivedInWords(_ row: [EventField]) -> [EventField] {
  row.map { field in
    guard field.name.hasPrefix("derived"), case .text(let what) = field.value else { return field }
    return EventField(field.name, .text("derived from the \(what)"))
  }
}
