import TimelineModel
import TimelineStore

/// `kymo file delete`: takes sessions out of a recording.
func fileDeleteCommand() -> Command {
  Command(
    name: "file delete", summary: "Delete a session from a recording", arguments: "FILE#SESSION",
    argumentCount: 1...1,
    examples: ["kymo file delete runs.kymo#2", "kymo file delete runs.kymo#pinch-back"],
    discussion: """
      You must name the session. Its data is overwritten with zeros. The view losses keeps a note
      that the session existed, and its number is not used again. The file keeps its size for new
      sessions, and kymo file pack shrinks it.
      """,
    columns: RemovalRecord.fields.described(), flags: [Flags.listing], run: runDelete)
}

private func runDelete(_ invocation: Invocation) throws -> ExitCode {
  let name = invocation.positionals[0]
  guard SessionArgument.split(name).selector != nil else {
    throw Failure.usage(
      "missing session. Usage: kymo file delete \(name)#SESSION. See kymo list sessions \(name)")
  }
  let argument = try SessionArgument(invocation)
  invocation.console.letGoOfStates()
  let editor = try RecordingEditor(path: argument.reader.path)
  let removal = try editor.delete(editor.number(of: argument.session.uuid))
  let code = try invocation.console.settle(editor)
  try invocation.print([removal.row])
  return code
}
