import MotionJudgement
import MotionMeasures
import TimelineInterchange
import TimelineModel
import TimelineRendering

/// The most that a summary of GitHub Actions may have is 1,024 kB. More is dropped as a whole.
private let mostSummaryBytes = 900_000

/// GitHub Actions shows ten errors and ten warnings of a step.
private let mostAnnotations = 10

extension GoldenCheck {
  /// The check as Markdown: what it came to, each session, what is not within its limits, what could not be read. It ends
  /// with how much more there would be where it became too long.
  func summary(verdict: String, without files: ManyFiles) -> String {
    var text =
      "\(OriginMark.text)\n### kymo check: \(passes ? files.leftOut.isEmpty ? "passed" : "incomplete" : "failed")\n\n"
    for line in verdict.split(separator: "\n") { text += markdown(String(line)) + "\n\n" }
    let ordered = runs.sorted { $1.grade < $0.grade }
    text += table(
      "Sessions", ["session", "file", "finding", "failures", "warnings", "worst"], ordered,
      byteLimit: mostSummaryBytes / 3 - text.utf8.count
    ) { run in
      let verdicts = run.verdicts.byImportance
      let worst = verdicts.first.flatMap { $0.grade == .pass ? nil : $0.sentence }
      return [
        run.session.label, run.path, run.grade.rawValue,
        "\(verdicts.count { $0.grade == .fail })", "\(verdicts.count { $0.grade == .warn })",
        worst ?? "–",
      ]
    }
    let (all, usual) = (findings(includesPassing: false), usualWarnings)
    let found = all.filter { !usual.contains(GoldenCheck.name(of: $0.verdict)) }
    let withFile = isOfSeveralFiles
    text += table(
      "Not within the limits", ["session", "finding", "says"], found,
      byteLimit: mostSummaryBytes * 2 / 3 - text.utf8.count
    ) { found in
      [found.label(withFile: withFile), found.verdict.grade.rawValue, found.verdict.sentence]
    }
    if let words = GoldenCheck.usualInWords(all.count - found.count) { text += "… \(words).\n\n" }
    text += table(
      "Could not be read", ["file", "why"], files.leftOut,
      byteLimit: mostSummaryBytes - text.utf8.count
    ) { [$0.name, $0.why] }
    return text
  }

  /// A table with as many rows as there is room for. Nothing where there are none.
  private func table<Row>(
    _ title: String, _ columns: [String], _ rows: [Row], byteLimit: Int, _ cells: (Row) -> [String]
  ) -> String {
    guard !rows.isEmpty else { return "" }
    func line(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |\n" }
    var text = "#### \(title)\n\n" + line(columns) + line(columns.map { _ in "---" })
    var size = text.utf8.count
    var shown = 0
    for row in rows {
      let added = line(cells(row).map(markdown))
      size += added.utf8.count
      // The line about the rest is shorter than that.
      guard size < byteLimit - 100 else { break }
      text += added
      shown += 1
    }
    text += "\n"
    if shown < rows.count { text += "… and \(rows.count - shown) more.\n\n" }
    return text
  }

  private func markdown(_ text: String) -> String { escapedMarkdown(DisplayText.harmless(text)) }

  /// Marks for a build's page: what could not be read and what failed, then what warns, ten of each.
  func annotations(without files: ManyFiles) -> String {
    let unread = files.leftOut.map {
      WorkflowCommand(.error, title: "kymo check: \($0.name)", $0.why)
    }
    let usual = usualWarnings
    let found = findings(includesPassing: false).filter {
      !usual.contains(GoldenCheck.name(of: $0.verdict))
    }
    let withFile = isOfSeveralFiles
    func marks(_ grade: Verdict.Grade, _ level: WorkflowCommand.Level) -> [WorkflowCommand] {
      found.filter { $0.verdict.grade == grade }.map {
        WorkflowCommand(
          level, title: "kymo check: \($0.label(withFile: withFile))", $0.verdict.sentence)
      }
    }
    let errors = marks(.fail, .error) + unread
    let shown = errors.prefix(mostAnnotations) + marks(.warn, .warning).prefix(mostAnnotations)
    return shown.map(\.line).joined()
  }
}

extension GoldenCheck {
  /// How many warnings are not listed, because sessions without a failure have them, too. `nil` for none.
  static func usualInWords(_ count: Int) -> String? {
    count > 0 ? "\(counted(count, "warning")) that sessions without a failure have, too" : nil
  }

  /// Whether the judged sessions are in more than one file, so that a session's name alone does not find it.
  var isOfSeveralFiles: Bool { Set(runs.filter(\.isJudged).map(\.path)).count > 1 }
}

extension GoldenCheck.Run {
  /// The session's name, after that of its file if there are several.
  func label(withFile: Bool) -> String {
    (withFile && isJudged ? "\(path) " : "") + session.label
  }
}

extension GoldenCheck.RunVerdict {
  /// The session's name in a list of findings.
  fileprivate func label(withFile: Bool) -> String {
    run?.label(withFile: withFile) ?? "all sessions"
  }
}
