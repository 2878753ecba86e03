import KymographCLibrary
import MotionJudgement
import MotionMeasures
import TimelineReport
import TimelineStore

/// A session, what it should be, and where it is told if it is not.
struct TimelineMatch {
  let recording: String
  let golden: String
  let tolerances: Tolerances
  let session: String
  let reportPath: String

  /// How many findings a failure lists. The report has them all.
  private static let mostListed = 12

  /// What is wrong, for people. `nil` when the session matches.
  func failure() -> String? {
    // The report is written over what is there, and taken away: it must be no recording.
    for path in [recording, golden]
    where path == reportPath || FileFacts.isSameFile(path, reportPath) {
      return
        "The report cannot go to \(reportPath), which is the recording \(path). Name another file."
    }
    let isWriting = getenv("KYMO_GOLDEN").map { String(cString: $0) } == "write"
    do {
      if isWriting, access(golden, F_OK) != 0 { return try becomeGolden() }
      let difference = try difference()
      guard let difference else {
        unlink(reportPath)
        return nil
      }
      return isWriting ? try becomeGolden() : difference
    } catch {
      let hint =
        access(golden, F_OK) == 0
        ? "" : " Run the test with KYMO_GOLDEN=write to make the golden session of this one."
      return "\(error)\(hint)"
    }
  }

  /// What differs. `nil`: nothing beyond the tolerances.
  private func difference() throws -> String? {
    // The golden session first: that it is missing is what a new test has to hear.
    let goldenReader = try RecordingReader(path: golden)
    let expected = try goldenReader.session(selectedBy: session)
    let reader = try RecordingReader(path: recording)
    let run = try reader.session(selectedBy: session)
    var check = GoldenCheck(tolerances)
    try check.add(run, in: reader, golden: expected, in: goldenReader)
    guard !check.passes, let found = check.runs.first else { return nil }
    let failures = check.failures
    let verdict = found.comparison?.verdictLines ?? []
    var lines = ["\(recording) does not move like \(golden):"] + verdict
    lines += failures.prefix(Self.mostListed).map { "  \($0.sentence)" }
    if failures.count > Self.mostListed {
      lines.append("  … \(failures.count - Self.mostListed) more")
    }
    do {
      let page = ReportPage(
        try ReportRun(session: expected, in: goldenReader),
        try ReportRun(session: run, in: reader), comparison: found.comparison,
        verdict: lines.joined(separator: "\n"))
      try page.write(to: reportPath, replacing: true)
      lines.append("Both on one clock: \(reportPath)")
    } catch {
      lines.append("The report of both could not be written: \(error)")
    }
    return lines.joined(separator: "\n")
  }

  /// Makes the session the golden recording. It takes its place as a whole or not at all.
  ///
  /// - Returns: nil: there is nothing wrong then.
  private func becomeGolden() throws -> String? {
    let reader = try RecordingReader(path: recording)
    let run = try reader.session(selectedBy: session)
    let replacement = try RecordingReplacement(golden, replacing: true)
    do {
      let editor = try RecordingEditor(path: replacement.part, isMade: true)
      _ = try editor.copySession(run.number, from: reader)
      try editor.settleIntoOneFile()
    }
    try replacement.finish()
    unlink(reportPath)
    return nil
  }
}
