import TimelineModel
import TimelineStore

/// `kymo file delete`: takes sessions out of a recording.
func fileDeleteCommand() -> Command {
  Command(
    name: "file delete", summary: "take sessions out of a recording", arguments: "FILE#SESSION",
    argumentCount: 1...1,
    examples: ["kymo file delete runs.kymo#3", "kymo file delete runs.kymo#warm-up"],
    discussion: """
      Deleted data is overwritten with zeros, and the view losses keeps a note that the
      session was there. Its number is not used again. The file keeps its size, and new
      sessions use the room; kymo file pack gives it back.
      """,
    flags: [
      Flags.listing
    ], run: runDelete)
}

private func runDelete(_ invocation: Invocation) throws -> ExitCode {
  let name = invocation.positionals[0]
  guard SessionArgument.split(name).selector != nil else {
    throw Failure.usage(
      "the session is missing: kymo file delete \(name)#SESSION; kymo list sessions \(name) names them"
    )
  }
  let argument = try SessionArgument(invocation)
  let editor = try RecordingEditor(path: argument.reader.path)
  let removal = try editor.delete(editor.number(of: argument.session.uuid))
  try editor.settleIntoOneFile()
  try invocation.print([removal.row])
  return .yes
}
