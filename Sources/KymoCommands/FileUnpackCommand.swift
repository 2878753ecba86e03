import TimelineModel
import TimelineStore

/// `kymo file unpack`: turns packed poses and samples back into rows.
func fileUnpackCommand() -> Command {
  Command(
    name: "file unpack", summary: "Turn packed poses and samples back into rows",
    arguments: "FILE", argumentCount: 1...1,
    examples: ["kymo file unpack run.kymo", "kymo file unpack run.kymo#last --json"],
    discussion: """
      FILE alone means all sessions, also those of crashed recorders. Afterwards every pose is a row
      of the view attributes and every sample a row of samples, bit for bit as before, for tools
      that cannot read blocks. A session with a damaged block stays packed, and kymo file recover
      saves its other data.
      """,
    columns: SealingReport.expandedFields.described(), flags: [Flags.listing], run: runExpand)
}

private func runExpand(_ invocation: Invocation) throws -> ExitCode {
  let maintenance = try RecordingMaintenance(invocation, takesUnfinished: true)
  let reports = try maintenance.sessions.map { try maintenance.editor.expand(session: $0) }
  let code = try maintenance.finish()
  let fields = SealingReport.expandedFields
  try invocation.print(reports.map(fields.row), columns: fields.names())
  return code
}
