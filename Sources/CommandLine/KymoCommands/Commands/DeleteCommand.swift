import TimelineModel
import TimelineStore

/// `kymo delete`: takes sessions out of a recording.
func deleteCommand() -> Command {
  Command(
    name: "delete", summary: "take sessions out of a recording", arguments: "FILE SESSION",
    argumentCount: 2...2,
    examples: ["kymo delete runs.kymo 3", "kymo delete runs.kymo warm-up"],
    discussion: """
      Deleted data is overwritten with zeros, and the view losses keeps a note that the
      session was there. Its number is not used again. The file keeps its size, and new
      sessions use the room; kymo compact gives it back.
      """,
    flags: [
      Flags.listing
    ], run: runDelete)
}

private func runDelete(_ invocation: Invocation) throws -> ExitCode {
  let argument = try SessionArgument(invocation)
  let editor = try RecordingEditor(path: argument.reader.path)
  let removal = try editor.delete(editor.number(of: argument.session.uuid))
  try editor.settleIntoOneFile()
  try invocation.print([removal.row])
  return .yes
}
