import TimelineModel
import TimelineRendering
import TimelineStore

/// `kymo seal`: packs the poses and samples of finished sessions.
func sealCommand() -> Command {
  Command(
    name: "seal", summary: "packs the poses and samples of finished sessions into blocks",
    arguments: "FILE [SESSION]", argumentCount: 1...2,
    examples: ["kymo seal run.kymo", "kymo seal run.kymo 2 --precision 1/1024"],
    discussion: """
      A second of poses becomes one block for each property, ten seconds of samples one block; the rows of \
      key frames stay, and what each key did in each second is written down, so any SQLite tool still sees \
      a film of one frame a second (key_poses, key_samples). Every query gives the same answers as before, and \
      kymo expand turns the blocks back into the same rows. Without SESSION all finished sessions are \
      sealed. A precision other than exact rounds the poses for good: float32 to 24 bits of each number, \
      1/1024 lengths to that part of a point and all else to 24 bits. The room that is no longer used \
      stays in the file until kymo compact.
      """,
    flags: [
      Flags.precision, Flags.listing,
    ], run: runSeal)
}

private func runSeal(_ invocation: Invocation) throws -> ExitCode {
  let precision = try invocation.precision()
  let maintenance = try RecordingMaintenance(invocation)
  var reports: [SealingReport] = []
  for session in maintenance.sessions {
    let report = try maintenance.editor.seal(session: session, precision: precision)
    if let largest = report.largestRounding {
      invocation.note(
        "the poses of session \(session) were rounded to \(precision.rawValue), lengths by up to "
          + "\(FieldValue.jsonNumber(largest)) points; what was rounded away is lost")
    }
    reports.append(report)
  }
  try maintenance.finish()
  try invocation.print(reports)
  if try invocation.outputFormat() == .table {
    invocation.output.write(
      "\nrows: poses and samples in sealed segments, whose blocks take that many bytes; "
        + "plain: those that stay rows.\n")
  }
  return .yes
}
