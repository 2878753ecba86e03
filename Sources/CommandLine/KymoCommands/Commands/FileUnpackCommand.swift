import TimelineModel
import TimelineStore

/// `kymo file unpack`: turns packed poses and samples back into rows.
func fileUnpackCommand() -> Command {
  Command(
    name: "file unpack", summary: "turns packed poses and samples back into plain rows",
    arguments: "FILE", argumentCount: 1...1,
    examples: ["kymo file unpack run.kymo", "kymo file unpack run.kymo#last --json"],
    discussion: """
      Afterwards every pose is a row of the view attributes and every sample one of samples, bit for bit as \
      it was before it was sealed, for tools that do not know blocks. FILE alone means all sessions; they are \
      unpacked, also those of killed recorders. A session with a damaged block is left as it is; kymo file recover \
      saves the rest of it.
      """,
    flags: [
      Flags.listing
    ], run: runExpand)
}

private func runExpand(_ invocation: Invocation) throws -> ExitCode {
  let maintenance = try RecordingMaintenance(invocation, takesUnfinished: true)
  let reports = try maintenance.sessions.map { try maintenance.editor.expand(session: $0) }
  try maintenance.finish()
  let fields = SealingReport.expandedFields
  try invocation.print(reports.map(fields.row), columns: fields.names())
  return .yes
}
