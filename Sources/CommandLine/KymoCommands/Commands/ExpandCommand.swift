import TimelineModel
import TimelineStore

/// `kymo expand`: turns packed poses and samples back into rows.
func expandCommand() -> Command {
  Command(
    name: "expand", summary: "turns packed poses and samples back into plain rows",
    arguments: "FILE [SESSION]", argumentCount: 1...2,
    examples: ["kymo expand run.kymo", "kymo expand run.kymo last --json"],
    discussion: """
      Afterwards every pose is a row of the view attributes and every sample one of samples, bit for bit as \
      it was before it was sealed, for tools that do not know blocks. Without SESSION all sessions are \
      expanded, those of killed recorders too. A session with a damaged block is left as it is; kymo recover \
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
