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
    try sessions.map { session in
      let releases = try reader.releases(in: session.number).all
      return sessionFields(session) + [
        Field("releases", FieldValue(releases.count)),
        Field("derived", FieldValue(releases.count { $0.derived != nil })),
      ]
    }, columns: sessionColumns)
  return .yes
}

/// The columns of a table; `derived` counts the releases that no decision was recorded of.
private let sessionColumns = [
  "session", "name", "uuid", "start", "duration_s", "outcome", "clean", "samples", "frames",
  "touches", "events", "releases", "derived", "lost", "clock", "refreshRate", "viewport",
  "software", "engine", "device",
  "gesture",
]

/// A session as `sessions` and `info` print it.
func sessionFields(_ session: SessionRecord) -> [Field] {
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

/// A row for people: by what a release was derived is said in words.
func derivedInWords(_ row: [Field]) -> [Field] {
  row.map { field in
    guard field.name.hasPrefix("derived"), case .text(let what) = field.value else { return field }
    return Field(field.name, .text("derived from the \(what)"))
  }
}
