import KymographCLibrary
import MotionMeasures
import TimelineModel
import TimelineStore

/// `kymo file merge`: brings sessions of several recordings into one.
func fileMergeCommand() -> Command {
  Command(
    name: "file merge", summary: "Join sessions of several recordings, redacted if asked",
    arguments: "FILE… --into OUT.kymo", argumentCount: 1...10_000,
    examples: [
      "kymo file merge old.kymo new.kymo --into both.kymo",
      "kymo file merge run.kymo#2 --into shared.kymo --no-touches --hash-items",
    ],
    exits: [
      .loss: "if a file was left out, or a session was not closed",
      .unreadable: "if no file can be read, or OUT.kymo cannot be written",
    ],
    discussion: """
      FILE alone means all its sessions. Rows keep their bits, and packed seconds stay packed. If
      OUT.kymo exists, it gets the sessions that it does not have yet. The files that are read do
      not change.

      Labels are copied, also those in FILE.labels.csv. kymo names a file that it cannot read, and
      leaves it out. A guess can find the name of a hash, so --salt mixes in a text that only you
      know.
      """,
    columns: [.file] + SessionRecord.nameFields.described()
      + [ResultColumn("as", .integer, "The session's number in OUT.kymo.")],
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
    guard path != output, !FileFacts.isSameFile(path, output) else {
      throw Failure.usage("--into must be another file than those that are read (got '\(path)')")
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
    invocation.note(
      "the permissions of \(output) were narrowed to those of the files that were read")
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
        invocation.note("\(session.label) of \(source.reader.path) is already in \(output)")
        number = nil
      }
      let state = try source.reader.recorderState(of: session)
      if try state == .recording || !source.reader.isWhole(session) {
        isComplete = false
        invocation.note(
          "\(session.label) of \(source.reader.path) was not closed, so its end may be missing")
      }
      rows.append(
        EventField.list(["file": source.reader.path]) + SessionRecord.nameFields.row(of: session)
          + EventField.list(["as": number]))
    }
  }
  if try invocation.console.settle(editor) != .yes { isComplete = false }
  try made?.finish()
  try invocation.print(rows, columns: ["file"] + SessionRecord.nameFields.names() + ["as"])
  return files.code(isComplete ? .yes : .loss, hasAnswer: true)
}

extension Invocation {
  /// What is to be left out, as ``Flags/redaction`` says.
  func redaction() throws -> Redaction {
    if has(Flags.salt), !has(Flags.hashItems) {
      throw Failure.usage("--salt can only be used with --hash-items")
    }
    return Redaction(
      leavesOutTouches: has(Flags.noTouches), hashesItems: has(Flags.hashItems),
      salt: text(Flags.salt) ?? "")
  }
}
