import TimelineModel
import TimelineStore

/// `kymo sessions`: the sessions of a recording, a row each.
let sessionsCommand = Command(
  name: "sessions", summary: "the sessions of a recording, a row each", arguments: "FILE",
  argumentCount: 1...1,
  examples: ["kymo sessions pinch.kymo", "kymo sessions pinch.kymo --json"],
  flags: Flag.listing
) { invocation in
  let reader = try openRecording(invocation.positionals[0])
  let sessions = try reader.sessions()
  warnOfMissingLog(reader, sessions)
  try invocation.print(
    try sessions.map { try sessionFields($0, in: reader) }, columns: sessionColumns)
  return .yes
}

/// The columns that ``sessionFields(_:in:)`` fills.
let sessionColumns = [
  "session", "name", "uuid", "start", "duration_s", "outcome", "clean", "samples", "frames",
  "touches", "events", "lost", "clock", "refreshRate", "viewport", "software", "engine", "device",
  "gesture",
]

/// A session as `sessions` and `info` print it.
func sessionFields(_ session: SessionRecord, in reader: RecordingReader) throws -> [Field] {
  let description = session.description
  let counts = session.counts
  return [
    Field("session", .integer(session.number)),
    Field("name", FieldValue(description.name)),
    Field("uuid", .text(session.uuid)),
    Field("start", FieldValue(description.wallClockStartNanoseconds.map(timestamp))),
    Field("duration_s", FieldValue(session.end?.seconds)),
    Field("outcome", FieldValue(session.outcome?.rawValue)),
    Field("clean", .flag(session.isClean)),
    Field("samples", FieldValue(counts.map { Int($0.samples) })),
    Field("frames", FieldValue(counts.map { Int($0.frames) })),
    Field("touches", FieldValue(counts.map { Int($0.touches) })),
    Field("events", FieldValue(counts.map { Int($0.events) })),
    Field("lost", FieldValue(counts.map { Int($0.lost) })),
    Field("clock", .text(description.clock)),
    Field("refreshRate", FieldValue(description.refreshRate)),
    Field("viewport", description.viewport.map { FieldValue($0) } ?? .null),
    Field("software", .text(description.software)),
    Field("engine", FieldValue(description.engineVersion)),
    Field("device", FieldValue(description.device)),
    Field("gesture", FieldValue(description.gestureSource)),
  ]
}
