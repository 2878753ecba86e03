import KymographCLibrary
import TimelineModel
import TimelineQuery
import TimelineStore

/// `kymo file merge`: brings sessions of several recordings into one.
func fileMergeCommand() -> Command {
  Command(
    name: "file merge", summary: "bring sessions of several recordings into one, redacted if asked",
    arguments: "FILE… --into OUT.kymo", argumentCount: 1...10_000,
    examples: [
      "kymo file merge monday.kymo tuesday.kymo --into week.kymo",
      "kymo file merge run.kymo#2 --into shared.kymo --no-touches --hash-items",
    ],
    discussion: """
      Every session of each file is copied, or the one that is named; rows keep their bits and
      sealed seconds stay sealed. A recording that exists gets the sessions that it does not
      have yet. The files that are read stay as they are. A short name can be found again by
      hashing guesses: --salt mixes in a text that only you know. Labels come along, those in
      FILE.labels.csv too. A file that cannot be read is named and left out, with 3; with 4
      where there is no other.
      """,
    flags: [
      Flags.into,
      Flags.redaction, Flags.listing,
    ], run: runMerge)
}

private func runMerge(_ invocation: Invocation) throws -> ExitCode {
  let output = try invocation.requiredValue(Flags.into)
  let redaction = try invocation.redaction()
  var sources: [(reader: RecordingReader, sessions: [SessionRecord])] = []
  let files = ManyFiles(invocation.console)
  for name in invocation.positionals {
    let (path, selector) = SessionArgument.split(name)
    guard path != output else {
      throw Failure.usage("\(path) cannot be read and written at the same time")
    }
    try files.read(name) {
      let reader = try invocation.console.openRecording(path)
      sources.append((reader, try reader.sessions(selectedBy: selector)))
    }
  }
  guard !sources.isEmpty else { return .unreadable }
  let inputs = sources.map(\.reader.path)
  var facts = stat()
  let isNew = lstat(output, &facts) != 0
  // A new one takes its name when it is whole, and leaves nothing half done, on a full disk for one.
  let made = isNew ? try RecordingReplacement(output, replacing: false) : nil
  if let made {
    NewFile.make(made.part, from: inputs)
  } else if NewFile.narrow(output, to: inputs) {
    invocation.note("\(output) can be read by no more people now than what was brought into it")
  }
  let editor = try RecordingEditor(path: made?.part ?? output, isMade: true)
  var rows: [[EventField]] = []
  var isComplete = true
  for source in sources {
    let labels = try RecordingLabels.beside(source.reader)
    for session in source.sessions {
      let number: Int64?
      do {
        number = try editor.copyLabelledSession(
          session.number, from: source.reader, labels, redaction: redaction)
      } catch {
        guard error.code == .uuidInUse else { throw error }
        invocation.note("\(session.label) of \(source.reader.path) is in \(output) already")
        number = nil
      }
      let state = try source.reader.recorderState(of: session)
      if try state == .recording || !source.reader.isWhole(session) {
        isComplete = false
        invocation.note(
          "\(session.label) of \(source.reader.path) was not closed; its tail may be missing")
      }
      rows.append(
        EventField.list(["file": source.reader.path]) + SessionRecord.nameFields.row(of: session)
          + EventField.list(["as": number]))
    }
  }
  try editor.settleIntoOneFile()
  try made?.finish()
  try invocation.print(rows, columns: ["file"] + SessionRecord.nameFields.names() + ["as"])
  return files.code(isComplete ? .yes : .loss, hasAnswer: true)
}

extension Invocation {
  /// What is to be left out, as ``Flags/redaction`` says.
  func redaction() throws -> Redaction {
    if has(Flags.salt), !has(Flags.hashItems) {
      throw Failure.usage("--salt goes with --hash-items")
    }
    return Redaction(
      leavesOutTouches: has(Flags.noTouches), hashesItems: has(Flags.hashItems),
      salt: text(Flags.salt) ?? "")
  }
}
