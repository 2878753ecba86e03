import TimelineModel
import TimelineRendering
import TimelineStore

/// `kymo file pack`: makes a recording as small as it gets.
func filePackCommand() -> Command {
  Command(
    name: "file pack", summary: "Pack poses and samples into blocks, and free unused space",
    arguments: "FILE", argumentCount: 1...1,
    examples: [
      "kymo file pack run.kymo", "kymo file pack run.kymo#2 --precision 1/1024 --no-shrink",
    ],
    discussion: """
      A second of poses becomes one block for each property, and ten seconds of samples one block.
      Every query of kymo gives the same answers as before. FILE alone means all finished sessions.
      Other SQLite tools read one frame a second (key_poses, key_samples) until
      kymo file unpack turns the blocks back into the same rows.

      Then the file is rewritten without unused space, which needs as much space again on the disk.
      If that is interrupted, the file stays as it was.

      Without --precision nothing is lost. float32 rounds each number of a pose to 24 bits. 1/1024
      rounds lengths to that part of a point, and other numbers to 24 bits.
      """,
    columns: SealingReport.fields.described(),
    flags: [Flags.precision, PackFlags.noShrink, Flags.listing], run: runPack)
}

/// The flags of `kymo file pack` alone.
enum PackFlags {
  static var noShrink: Flag<Bool> {
    .toggle("no-shrink", "keep unused space in the file, for sessions to come")
  }
}

private func runPack(_ invocation: Invocation) throws -> ExitCode {
  let precision = try invocation.precision()
  let maintenance = try RecordingMaintenance(invocation)
  var reports: [SealingReport] = []
  for session in maintenance.sessions {
    let report = try maintenance.editor.seal(session: session, precision: precision)
    if let largest = report.largestRounding {
      invocation.note(
        "the poses of session \(session) were rounded to \(precision.rawValue), lengths by up to "
          + "\(FieldValue.jsonNumber(largest)) points. This cannot be undone")
    }
    reports.append(report)
  }
  // The log goes first, so that the new pages go into the file at once.
  var code = try maintenance.finish()
  let before = maintenance.editor.fileBytes
  if !invocation.has(PackFlags.noShrink) {
    try maintenance.editor.vacuum()
    // What is rewritten goes into a log that a reader keeps.
    if code == .yes { code = try maintenance.finish() }
  }
  try invocation.print(reports)
  if try invocation.outputFormat() == .table {
    invocation.output.write(
      "\nrows counts packed poses and samples, bytes is the size of their blocks, "
        + "and plain counts poses and samples that stay rows.\n")
    let after = maintenance.editor.fileBytes
    if after < before {
      invocation.output.write("The file shrank from \(before) to \(after) bytes.\n")
    }
  }
  return code
}
