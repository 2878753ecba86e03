import TimelineModel
import TimelineQuery
import TimelineRendering
import TimelineStore

/// `kymo info`: what is in a recording.
func infoCommand() -> Command {
  Command(
    name: "info", summary: "sizes, sessions, keys, outcome and gaps of a recording",
    arguments: "FILE [SESSION]", argumentCount: 1...2,
    examples: ["kymo info pinch.kymo", "kymo info pinch.kymo#2 --json"],
    discussion: """
      Lists every session, or the one that is named, and the keys of each. JSON has one object
      a session with its keys inside; "recorder" is finished, recording, ended (killed before it
      could finish) or unknown, and "recovered" counts rows that came out of the crash journal of
      one that was killed. "sealed_from" is the frame from which on poses are sealed: other SQLite
      tools read those of key frames alone, until kymo expand.
      """,
    flags: [
      Flags.listing
    ], run: runInfo)
}

private func runInfo(_ invocation: Invocation) throws -> ExitCode {
  let (path, fragment) = SessionArgument.split(invocation.positionals[0])
  let reader = try invocation.console.openRecording(path)
  let sessions = try reader.sessions(selectedBy: invocation.selector ?? fragment)
  invocation.console.warnOfMissingLog(reader, sessions)
  let (labels, trouble) = try RecordingLabels.asFarAsReadable(of: reader, sessions: sessions)
  if let trouble { invocation.note("\(trouble)") }
  if try invocation.outputFormat() == .table {
    try printOverview(reader, sessions, labels, invocation)
    return .yes
  }
  let sizes = reader.fileSizes
  // All of it is read before a word is printed: a damaged file gives a sentence, never half an answer.
  try invocation.print(
    sessions.map { session in
      EventField.list([
        "file": path, "bytes": sizes.databaseBytes, "log_bytes": sizes.logBytes,
        "schema": try reader.schemaVersion(),
      ]) + (try SessionOverview(session, in: reader, labels: labels).row)
        + EventField.list([
          "keys": try reader.keyRows(in: session.number).map(FieldValue.object)
        ])
    })
  return .yes
}

private func printOverview(
  _ reader: RecordingReader, _ sessions: [SessionRecord], _ labels: RecordingLabels,
  _ invocation: Invocation
) throws {
  let sizes = reader.fileSizes
  var head = "\(DisplayText.harmless(reader.path)): \(sizes.databaseBytes) bytes"
  if sizes.logBytes > 0 { head += " and \(sizes.logBytes) in its log" }
  head += ", schema \(try reader.schemaVersion()), "
  head += sessions.count == 1 ? "1 session\n" : "\(sessions.count) sessions\n"
  var text = head
  for session in sessions {
    let overview = try SessionOverview(session, in: reader, labels: labels)
    text += "\n" + DisplayText.harmless(overview.headline) + "\n"
    if let origin = session.description.origin {
      text += "run again from " + DisplayText.harmless(origin.words) + "\n"
    }
    text += renderedRows(
      try reader.keyRows(in: session.number), as: .table,
      columns: KeyListing.overviewColumns, width: invocation.console.width)
    for line in overview.remarks { text += "! \(line)\n" }
  }
  invocation.output.write(text)
}
