import RecordingRepair
import TimelineModel
import TimelineRendering
import TimelineStore

/// `kymo file recover FILE -o OUT`: what is left of a damaged recording, as a new one.
func fileRecoverCommand() -> Command {
  Command(
    name: "file recover", summary: "saves what is left of a damaged recording into a new one",
    arguments: "FILE --out OUT", argumentCount: 1...1,
    examples: [
      "kymo file recover broken.kymo -o recovered.kymo",
      "kymo file recover broken.kymo -o recovered.kymo --force --json",
    ],
    discussion: """
      Reads the file page by page, with the log and the crash journals that are beside it,
      and leaves it as it is. A row for each session tells what was kept and what is known
      to be lost; the new recording has the same in its view losses. Ends with 0 when
      everything is there, with 3 when something is lost, with 4 when nothing could be
      read.
      """,
    flags: [
      Flags.out.described("the new recording; -o is short for it"), Flags.force, Flags.listing,
    ], run: runRecover)
}

private func runRecover(_ invocation: Invocation) throws -> ExitCode {
  let output = try invocation.requiredValue(Flags.out)
  guard output != "-", !output.isEmpty else {
    throw Failure.usage("a recording is a file; --out expects its name")
  }
  let path = invocation.positionals[0]
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
    lines.append("\(path): \(report.damagedPages) pages could not be read as what they should be")
  }
  if report.orphanPages > 0 {
    lines.append(
      "\(path): \(report.orphanPages) pages of rows that nothing leads to any more were read")
  }
  if report.unknownPages > 0 {
    lines.append("\(path): \(report.unknownPages) of them are of no table that is known")
  }
  if report.refusedRows > 0 {
    lines.append("\(path): \(report.refusedRows) rows are damaged and were left out")
  }
  if report.damagedLogFrames > 0 {
    lines.append(
      "\(path): \(report.damagedLogFrames) frames of the log are damaged; "
        + "\(report.logFramesBehindDamage) behind them were read")
  }
  if report.isWithoutLog {
    lines.append("\(path): its log \(path)-wal is not here; what it held is missing")
  }
  return lines
}
