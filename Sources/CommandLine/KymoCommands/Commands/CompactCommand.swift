import TimelineModel
import TimelineStore

/// `kymo compact`: makes a recording as small as it gets without losing anything.
func compactCommand() -> Command {
  Command(
    name: "compact", summary: "seals what can be sealed and frees unused space",
    arguments: "FILE", argumentCount: 1...1,
    examples: ["kymo compact run.kymo", "kymo compact run.kymo --json"],
    discussion: """
      Nothing is lost. The file is rewritten, which needs as much space again on the disk while it \
      runs; if it is interrupted, the file stays as it was.
      """,
    flags: [
      Flags.listing
    ], run: runCompact)
}

private func runCompact(_ invocation: Invocation) throws -> ExitCode {
  let maintenance = try RecordingMaintenance(invocation)
  let before = maintenance.editor.fileBytes
  var segments: Int64 = 0
  for session in maintenance.sessions {
    segments += try maintenance.editor.seal(session: session).segments
  }
  // The log goes first, so that the new pages go into the file at once.
  try maintenance.finish()
  try maintenance.editor.vacuum()
  try invocation.print([
    EventField.list([
      "file": maintenance.editor.path, "sessions": maintenance.sessions.count, "segments": segments,
      "bytes_before": before, "bytes_after": maintenance.editor.fileBytes,
    ])
  ])
  return .yes
}
