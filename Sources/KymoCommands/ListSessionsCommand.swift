import MotionMeasures
import TimelineModel
import TimelineRendering
import TimelineStore

/// `kymo list sessions`: the sessions of a recording, one per row.
func listSessionsCommand() -> Command {
  Command(
    name: "list sessions", summary: "Print the sessions of a recording", arguments: "FILE",
    argumentCount: 1...1,
    examples: ["kymo list sessions pinch.kymo", "kymo list sessions pinch.kymo --json"],
    discussion: "FILE alone means all its sessions.",
    columns: SessionListing.fields.described(), flags: [Flags.listing], run: runSessions)
}

private let sessionsGuide = TableGuide(
  wanted: [
    "session", "name", "outcome", TimelineEvent.duration, "clean", "samples", "touches", "releases",
    "frames",
  ],
  meanings: [
    "clean": "clean: the recorder closed it", "samples": "samples: values of keys",
    "releases": "releases: moments that decide an outcome",
    "derived": "derived: those without a recorded decision",
    "labels": "labels: transitions whose meant outcome is known", "lost": "lost: records not kept",
  ])

private func runSessions(_ invocation: Invocation) throws -> ExitCode {
  let (path, selector) = SessionArgument.split(invocation.positionals[0])
  let reader = try invocation.console.openRecording(path)
  let sessions = try reader.sessions(selectedBy: selector)
  invocation.console.warnOfMissingLog(reader, sessions)
  let (labels, trouble) = try RecordingLabels.asFarAsReadable(of: reader)
  if let trouble { invocation.note("\(trouble)") }
  let format = try invocation.outputFormat()
  try invocation.print(
    try sessions.map { try SessionListing($0, in: reader, labels) },
    columns: SessionListing.columns(forPeople: format != .csv), for: sessionsGuide)
  return .yes
}

/// A row for people: by what a release was derived is said in words.
func derivedInWords(_ row: [EventField]) -> [EventField] {
  row.map { field in
    guard field.name.hasPrefix("derived"), case .text(let what) = field.value else { return field }
    return EventField(field.name, .text("derived from the \(what)"))
  }
}
