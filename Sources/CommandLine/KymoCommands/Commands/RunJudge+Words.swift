import TimelineInterchange
import TimelineModel
import TimelineQuery
import TimelineRendering
import TimelineReport
import TimelineStore

extension RunJudge {
  /// What it came to, in a line, and what fails worst, in another: of a run, or else of all.
  func verdict(worst run: GoldenCheck.Run? = nil) -> String {
    let verdicts = check.runs.flatMap(\.verdicts) + check.aggregated
    let warnings = verdicts.count { $0.grade == .warn && $0.requirement == nil }
    let undecided = verdicts.count { $0.grade == .warn && $0.requirement != nil }
    let skipped = verdicts.count { $0.requirement?.isSkipped ?? false }
    let judged = check.runs.filter(\.isJudged)
    let failed = judged.count { $0.grade == .fail }
    let missing = check.runs.count { !$0.isJudged && $0.grade == .fail }
    let together = check.aggregated.count { $0.grade == .fail }
    let count = counted(judged.count, "run")
    var parts: [String] = []
    if failed > 0 { parts.append("\(failed) of \(count)") }
    if missing > 0 { parts.append(counted(missing, "missing session")) }
    if together > 0 { parts.append("\(together) of what the runs were made one for") }
    var text = check.passes ? "Passed: \(count)" : "Failed: \(parts.joined(separator: " and "))"
    let against = [
      golden.map { DisplayText.harmless($0.reader.path) },
      requirements.map { counted($0.rules.count, "requirement") },
    ].compactMap { $0 }
    if !against.isEmpty { text += " against \(against.joined(separator: " and "))" }
    if warnings > 0 { text += ", \(counted(warnings, "warning"))" }
    if undecided > 0 { text += ", \(undecided) too short to tell" }
    if skipped > 0 { text += ", \(skipped) not there and optional" }
    text += "."
    let named = run.flatMap { run in
      run.verdicts.worst.map { GoldenCheck.RunVerdict(run: run, verdict: $0) }
    }
    guard let worst = named ?? check.findings.first, worst.verdict.grade == .fail else {
      return text
    }
    let others = check.failures.count - 1
    return text + "\nWorst: \(sentence(of: worst))\(others > 0 ? "; \(others) more" : "")."
  }

  /// A verdict in a sentence without an end, with its run if there are several.
  func sentence(of found: GoldenCheck.RunVerdict) -> String {
    var sentence = found.verdict.sentence
    if check.runs.count > 1, let run = found.run, run.isJudged {
      sentence = "\(run.session.label): \(sentence)"
    }
    return DisplayText.harmless(sentence)
  }

  /// What was judged, for build servers, which know a case by its class and name from one build to the next: by the
  /// golden recording's name a case for each run, by that of the requirements one for each rule of each run, one for
  /// all runs together, and one for each file that could not be read.
  func junit(without files: ManyFiles) -> JUnitDocument {
    var document = JUnitDocument(name: "kymo check")
    let group = (golden?.reader.path).map(fileName)
    let rulesGroup = (requirements?.path).map(fileName)
    for run in check.runs {
      let name = run.session.description.name ?? "without a name"
      if golden != nil || hasTolerances {
        document.add(
          group ?? fileName(run.path), name, run.verdicts.filter { $0.requirement == nil },
          file: run.path)
      }
      guard let requirements, let rulesGroup, run.isJudged else { continue }
      for (index, rule) in requirements.rules.enumerated() {
        let verdicts = run.verdicts.compactMap(\.requirement).filter { $0.rule == index }
          .byImportance
        document.add(
          rulesGroup, "\(name): \(rule.title)",
          failures: verdicts.filter { !$0.passes }.map(\.sentence),
          notes: verdicts.filter { $0.passes && ($0.note != nil || $0.isUndecided) }.map(
            \.sentence), file: run.path)
      }
    }
    let together = check.aggregated
    if !together.isEmpty { document.add("all runs", "together", together) }
    for file in files.leftOut {
      document.add(
        group ?? rulesGroup ?? fileName(file.name), "reading \(fileName(file.name))",
        error: file.why)
    }
    return document
  }

  /// The run that is furthest off: with the most failures, the first of equals.
  var worst: GoldenCheck.Run? {
    let judged = check.runs.filter(\.isJudged)
    let counts = judged.map { run in run.verdicts.count { $0.grade == .fail } }
    return counts.indices.max { (counts[$0], -$0) < (counts[$1], -$1) }.map { judged[$0] }
  }

  /// The full page of a run, beside its golden session if it has one, with a mark where a requirement is not met.
  func page(of run: GoldenCheck.Run, verdict: String, _ console: Console) throws -> ReportPage {
    let (session, reader) = try OpenRecordings(console).session(
      NamedRun(path: run.path, session: run.session))
    let shown = try ReportRun(session: session, in: reader)
    var page = ReportPage(shown, verdict: verdict)
    if let golden, let number = run.golden?.number {
      // Compared once more: comparisons are not kept for a thousand runs, of which a few get a page.
      var check = check
      let counterpart = try golden.reader.session(number)
      let found = try check.judged(session, in: reader, golden: counterpart, in: golden.reader)
      page = ReportPage(
        try ReportRun(session: counterpart, in: golden.reader), shown,
        comparison: found.comparison, verdict: verdict)
    }
    page.marks = ReportMark.all(run.verdicts.compactMap(\.requirement))
    return page
  }
}

extension MotionExpectation {
  /// Its id, or what it demands of what.
  fileprivate var title: String {
    id ?? "\(demand.kind.rawValue) \(subjects.map(\.text).joined(separator: ", "))"
  }
}

/// The last part of a path, which stays the same wherever a build is.
private func fileName(_ path: String) -> String {
  path.split(separator: "/").last.map(String.init) ?? path
}
