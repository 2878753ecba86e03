import MotionJudgement
import TimelineModel
import TimelineRendering
import TimelineReport
import TimelineSession
import TimelineStore

extension RunJudge {
  /// What it came to, and what fails worst, in one line: of a session, or else of all. What could not be read stands first.
  func verdict(worst run: GoldenCheck.Run? = nil, without files: ManyFiles) -> String {
    let warned =
      check.runs.flatMap { $0.verdicts.filter { $0.grade == .warn } }
      + check.aggregated.filter { $0.grade == .warn }
    let undecided = warned.count { $0.requirement != nil }
    let isOfPictures = warned.contains(where: \.finding.isOfPictures)
    let warnings = warned.count - undecided
    let skipped = check.runs.reduce(0) { count, run in
      count + run.verdicts.count { $0.isSkipped }
    }
    let judged = check.runs.filter(\.isJudged)
    let failed = judged.count { $0.grade == .fail }
    let missing = check.runs.count { !$0.isJudged && $0.grade == .fail }
    let together = check.aggregated.count { $0.grade == .fail }
    let count = counted(judged.count, "session")
    var parts: [String] = []
    if failed > 0 { parts.append("\(failed) of \(count)") }
    if missing > 0 { parts.append(counted(missing, "missing session")) }
    if together > 0 { parts.append("\(together) of the values of all sessions together") }
    var text = RunJudge.unread(files)
    text += check.passes ? "Passed: \(count)" : "Failed: \(parts.joined(separator: " and "))"
    let against = [
      golden.map { DisplayText.harmless($0.reader.path) },
      requirements.map { counted($0.rules.count, "requirement") },
    ].compactMap { $0 }
    if !against.isEmpty { text += " against \(against.joined(separator: " and "))" }
    if warnings > 0 { text += ", \(counted(warnings, "warning"))" }
    if undecided > 0 {
      text += ", \(undecided) \(isOfPictures ? "cannot be told" : "too short to tell")"
    }
    if skipped > 0 { text += ", \(skipped) not there and optional" }
    text += "."
    let named = run.flatMap(check.worst)
    guard let worst = named ?? check.findings(includesPassing: false).first,
      worst.verdict.grade == .fail
    else {
      return text
    }
    text += " Worst: \(sentence(of: worst))"
    var others = check.failures.count - 1
    // What is not there stands behind what moved otherwise, and would be cut from a long list.
    if run == nil, !worst.verdict.isAbsence, let absent = firstAbsent {
      text += "; also \(sentence(of: absent))"
      others -= 1
    }
    text += "\(others > 0 ? "; \(others) more" : "")."
    return run == nil ? text + hintOfLimits(failed: failed, of: judged) : text
  }

  /// So many sessions that all fail say more of the limits than of the sessions.
  private static let fewestAlike = 3

  /// That the usual limits are too narrow, if every session is beyond them and none decided or consists otherwise.
  private func hintOfLimits(failed: Int, of judged: [GoldenCheck.Run]) -> String {
    guard golden != nil, !hasTolerances, failed == judged.count else { return "" }
    guard failed >= Self.fewestAlike,
      !check.failures.contains(where: { $0.kind < .motion || $0.isAbsence })
    else { return "" }
    return
      " All sessions differ a little, and none in a decision. If good sessions do so, learn their limits with "
      + "kymo golden learn."
  }

  /// The first failure because something is not there. `nil`: none is.
  private var firstAbsent: GoldenCheck.RunVerdict? {
    check.findings(includesPassing: false).first {
      $0.verdict.grade == .fail && $0.verdict.isAbsence
    }
  }

  /// Which files could not be read, in a sentence. Empty for none.
  private static func unread(_ files: ManyFiles) -> String {
    guard let first = files.leftOut.first else { return "" }
    let others = Set(files.leftOut.map(\.name)).count - 1
    let more = others > 0 ? ", nor can \(others) more" : ""
    return "Incomplete: \(DisplayText.harmless(first.name)) cannot be read\(more). "
  }

  /// A verdict in a sentence without an end, with its session if there are several, and its file if they are of several.
  func sentence(of found: GoldenCheck.RunVerdict) -> String {
    var sentence = found.verdict.sentence
    if check.runs.count > 1, let run = found.run, run.isJudged {
      sentence = "\(run.label(withFile: check.isOfSeveralFiles)): \(sentence)"
    }
    return DisplayText.harmless(sentence)
  }

  /// The session that is furthest off: with the most failures, the first of equals.
  var worst: GoldenCheck.Run? {
    let judged = check.runs.filter(\.isJudged)
    let counts = judged.map { run in run.verdicts.count { $0.grade == .fail } }
    return counts.indices.max { (counts[$0], -$0) < (counts[$1], -$1) }.map { judged[$0] }
  }

  /// The full report of a session, beside its golden session if it has one, with a mark where a requirement is not met.
  func page(of run: GoldenCheck.Run, verdict: String, _ console: Console) throws -> ReportPage {
    let (session, reader) = try OpenRecordings(console).session(
      NamedRun(path: run.path, session: run.session))
    let shown = try ReportRun(session: session, in: reader)
    var page = ReportPage(shown, verdict: verdict)
    if let golden, let number = run.golden?.number {
      // Compared once more: comparisons are not kept for a thousand sessions, of which a few get a report.
      var check = check
      let counterpart = try golden.reader.sessionRecord(number)
      let found = try check.judged(session, in: reader, golden: counterpart, in: golden.reader)
      page = ReportPage(
        try ReportRun(session: counterpart, in: golden.reader), shown,
        comparison: found.comparison, verdict: verdict)
    }
    page.marks = ReportMark.all(run.verdicts.filter { $0.requirement != nil })
    return page
  }
}

extension MotionExpectation {
  /// Its id, or what it demands of what.
  var title: String {
    id ?? "\(demand.kind.rawValue) \(subjects.map(\.text).joined(separator: ", "))"
  }
}

/// The last part of a path, which stays the same wherever a build is.
func fileName(_ path: String) -> String {
  path.split(separator: "/").last.map(String.init) ?? path
}
