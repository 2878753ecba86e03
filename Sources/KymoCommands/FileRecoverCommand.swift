import RecordingRepair
import TimelineModel
import TimelineRendering
import TimelineStore

/// `kymo file recover FILE -o OUT`: what is left of a damaged recording, as a new one.
func fileRecoverCommand() -> Command {
  Command(
    name: "file recover", summary: "Save what is left of a damaged recording into a new one",
    arguments: "FILE --out OUT.kymo", argumentCount: 1...1,
    examples: [
      "kymo file recover broken.kymo -o recovered.kymo",
      "kymo file recover broken.kymo -o recovered.kymo --force --json",
    ],
    exits: [
      .yes: "if everything was recovered", .loss: "if something is lost",
      .unreadable: "if nothing can be recovered, or OUT.kymo cannot be written",
    ],
    discussion: """
      FILE is a whole file. kymo reads it page by page, with its log and its crash journals, and
      does not change it. A row for each session shows how much was kept and how much is known to be
      lost. The view losses of the new recording has the same numbers.
      """,
    columns: SalvageReport.Session.fields.described(),
    flags: [
      Flags.out.described("the new recording", value: "OUT.kymo").inSection(.output),
      Flags.force.described("replace an existing file").inSection(.output), Flags.listing,
    ], run: runRecover)
}

private func runRecover(_ invocation: Invocation) throws -> ExitCode {
  let output = try invocation.requiredValue(Flags.out)
  guard output != "-", !output.isEmpty else {
    throw Failure.usage("--out must be the name of a file (got '\(output)')")
  }
  let path = try invocation.wholeFiles()[0]
  let report = try RecordingSalvage.recover(
    path, into: output, replacing: invocation.has(Flags.force))
  try invocation.print(report.sessions)
  for line in remarks(report, path) { invocation.note("\(line)") }
  return report.isWhole ? .yes : .loss
}

/// What there is to say about the file as a whole.
private func remarks(_ report: SalvageReport, _ path: String) -> [String] {
  var lines: [String] = []
  if report.damagedPages > 0 {
    lines.append("\(path): \(counted(report.damagedPages, "damaged page"))")
  }
  if report.orphanPages > 0 {
    lines.append("\(path): recovered \(counted(report.orphanPages, "orphaned page"))")
  }
  if report.unknownPages > 0 {
    lines.append("\(path): \(report.unknownPages) of them belong to no known table")
  }
  if report.refusedRows > 0 {
    lines.append("\(path): left out \(counted(report.refusedRows, "damaged row"))")
  }
  if report.damagedLogFrames > 0 {
    lines.append(
      "\(path): \(counted(report.damagedLogFrames, "damaged page")) in the log, and "
        + "recovered \(report.logFramesBehindDamage) after them")
  }
  if report.isWithoutLog {
    lines.append("\(path): missing log \(path)-wal, so its rows are lost")
  }
  return lines
}
