import MotionJudgement
import MotionMeasures
import TimelineModel
import TimelineRendering
import TimelineReport
import TimelineStore

/// `kymo show`: what a recording contains, and a session in words.
func showCommand() -> Command {
  Command(
    name: "show", summary: "Summarize a recording, or a session in words",
    arguments: "FILE…", argumentCount: 1...Int.max,
    examples: ["kymo show pinch.kymo", "kymo show pinch.kymo#2 --format markdown"],
    exits: [
      .loss:
        "if a session is too large or too damaged to be described, or a part of a text could not be read"
    ],
    discussion: """
      FILE alone means all its sessions. kymo prints each session with its keys, and the description
      if there is only one session. FILE#SESSION prints the description of that session.

      \(Flags.texts)

      The description has at most 2,000 bytes: touches, keys, decisions, and the story of the motion.

      The story has the elements that followed the finger and their lag, the speed that the release
      kept, and the spring of the settle. A line with ! is a fault in nearly every design. "16 ms (14
      to 20)" is a number with its 90 % interval. Seconds are those of the session, also in brackets.

      The same session gives the same text. kymo replaces the characters of names that a terminal,
      Markdown or HTML would interpret.

      JSON of FILE has an object for each session, with its keys inside. "recorder" is finished,
      recording, ended if the recorder was killed, or unknown. "recovered" counts rows from the
      crash journal. JSON of FILE#SESSION has a row for each sentence and each fact.
      """,
    columns: FileOverview.fields.described() + [InputText.readAsColumn]
      + StoryFact.fields.described(),
    flags: [Flags.gestureReading, Flags.listing, Flags.allLines.declarations], run: runShow)
}

private func runShow(_ invocation: Invocation) throws -> ExitCode {
  let format = try invocation.outputFormat()
  var rows: [[EventField]] = []
  var describes: Bool?
  var code = ExitCode.yes
  // Of several names a wrong one is reported before the first answer.
  for name in invocation.positionals where invocation.positionals.count > 1 {
    let (path, selector) = SessionArgument.split(name)
    if try selector == nil && !InputText.isOne(path) { _ = try RecordingReader(path: path) }
  }
  for (index, name) in invocation.positionals.enumerated() {
    let isSession = SessionArgument.split(name).selector != nil
    guard
      format == .table || format == .markdown && isSession || describes ?? isSession == isSession
    else { throw Failure.usage("whole files and sessions give different rows. Name only one kind") }
    describes = isSession
    if index > 0, format == .table { invocation.output.write("\n") }
    if isSession {
      rows += try describe(SessionArgument(invocation, name), format, invocation)
    } else {
      rows += try overview(of: name, format, invocation, &code)
    }
  }
  if !rows.isEmpty { try invocation.print(rows) }
  return code
}

/// Prints the description of a session, or gives its rows.
private func describe(
  _ source: SessionArgument, _ format: OutputFormat, _ invocation: Invocation
) throws -> [[EventField]] {
  let story = try SessionStory(of: source.session, in: source.reader)
  switch format {
  case .table: invocation.output.write(story.text(isWhole: invocation.has(Flags.allLines)))
  case .markdown:
    // A table's cells would be cut.
    let lines = story.allSentences.map { "- **\($0.about)**: \(escapedMarkdown($0.statement))\n" }
    let motion = story.motion?.lines.map { line in
      "- **\(line.fact.isFault ? "fault" : "motion")**: \(escapedMarkdown(String(line.text.dropFirst(2))))\n"
    }
    invocation.output.write(lines.joined() + (motion ?? []).joined())
  case .json, .ndjson, .csv:
    return story.rows
  }
  return []
}

/// Prints the sessions and keys of a recording, or gives their rows.
private func overview(
  of path: String, _ format: OutputFormat, _ invocation: Invocation, _ code: inout ExitCode
) throws -> [[EventField]] {
  let (reader, text) = try invocation.openRecording(path)
  let (sessions, (labels, trouble)) = try reader.inOneState {
    let sessions = try reader.sessionRecords()
    return (sessions, try RecordingLabels.asFarAsReadable(of: reader, sessions: sessions))
  }
  invocation.console.warnOfMissingLog(reader, sessions)
  if let trouble { invocation.note("\(trouble)") }
  guard format == .table else {
    // All of it is read before a word is printed: a damaged file gives a sentence, never half an answer.
    let rows = try reader.overviewRows(of: sessions, labels: labels)
    return text.map { text in rows.map { text.text.overview($0) } } ?? rows
  }
  var story: SessionStory?
  if sessions.count == 1 {
    // What can be listed may be more than a description can read.
    do {
      story = try SessionStory(of: sessions[0], in: reader)
    } catch {
      invocation.note("without a description: \(explain(error).message)")
      code = .loss
    }
  }
  try printOverview(reader, text?.text, sessions, labels, invocation)
  if let story {
    invocation.output.write("\n" + story.text(isWhole: invocation.has(Flags.allLines)))
  }
  return []
}

private func printOverview(
  _ reader: RecordingReader, _ text: InputText?, _ sessions: [SessionRecord],
  _ labels: RecordingLabels, _ invocation: Invocation
) throws {
  var head: String
  if let text {
    head = "\(DisplayText.harmless(text.name)): \(text.readAs ?? "the lines of an app")\n"
  } else {
    let sizes = reader.fileSizes
    head = "\(DisplayText.harmless(reader.path)): \(sizes.databaseBytes) bytes"
    if sizes.logBytes > 0 { head += " and \(sizes.logBytes) in its log" }
    head += ", schema \(try reader.schemaVersion()), \(counted(sessions.count, "session"))\n"
  }
  var listing = head
  for session in sessions {
    let (overview, keys) = try reader.inOneState {
      (
        try SessionOverview(session, in: reader, labels: labels),
        try reader.keyRows(in: session.number)
      )
    }
    listing += "\n" + DisplayText.harmless(overview.headline) + "\n"
    if let origin = session.description.origin {
      listing += "run again from " + DisplayText.harmless(origin.words) + "\n"
    }
    listing += renderedRows(
      keys, as: .table,
      columns: KeyListing.overviewColumns, width: invocation.console.width)
    for line in overview.remarks { listing += "! \(line)\n" }
    if overview.isOfPictures, let gaps = overview.gapRemark { listing += "\(gaps)\n" }
  }
  invocation.output.write(listing)
}
