import TimelineInterchange
import TimelineModel
import TimelineQuery
import TimelineRendering

/// The most that a summary of GitHub Actions may have is 1,024 kB; more is dropped as a whole.
private let mostSummaryBytes = 900_000

/// GitHub Actions shows ten errors and ten warnings of a step.
private let mostAnnotations = 10

extension GoldenCheck {
  /// What stands first among what was judged.
  var verdictsWithRuns: [(run: Run?, verdict: Verdict)] {
    (runs.flatMap { run in run.verdicts.map { (run as Run?, $0) } }
      + aggregated.map { (nil, $0) })
      .sorted { ($1.1.grade, $0.1.kind) < ($0.1.grade, $1.1.kind) }
  }

  /// The check as Markdown: what it came to, each run, what is not within its limits, what could not be read. It ends
  /// with how much more there would be where it became too long.
  func summary(verdict: String, without files: ManyFiles) -> String {
    var text = "\(OriginMark.text)\n### kymo check: \(passes ? "passed" : "failed")\n\n"
    for line in verdict.split(separator: "\n") { text += markdownText(String(line)) + "\n\n" }
    let ordered = runs.sorted { $1.grade < $0.grade }
    text += table("Runs", ordered, room: mostSummaryBytes / 3 - text.utf8.count) { run in
      let verdicts = run.verdicts.byImportance
      return [
        EventField("run", .text(run.session.label)), EventField("file", .text(run.path)),
        EventField("finding", .text(run.grade.rawValue)),
        EventField("failures", FieldValue(verdicts.count { $0.grade == .fail })),
        EventField("warnings", FieldValue(verdicts.count { $0.grade == .warn })),
        EventField(
          "worst", FieldValue(verdicts.first.flatMap { $0.grade == .pass ? nil : $0.sentence })),
      ]
    }
    let found = verdictsWithRuns.filter { $0.verdict.grade != .pass }
    text += table(
      "Not within the limits", found, room: mostSummaryBytes * 2 / 3 - text.utf8.count
    ) { run, verdict in
      [
        EventField("run", .text(run?.session.label ?? "all runs")),
        EventField("finding", .text(verdict.grade.rawValue)),
        EventField("says", .text(verdict.sentence)),
      ]
    }
    text += table(
      "Could not be read", files.leftOut, room: mostSummaryBytes - text.utf8.count
    ) { [EventField("file", .text($0.name)), EventField("why", .text($0.why))] }
    return text
  }

  /// A table with as many rows as there is room for; nothing where there are none.
  private func table<Row>(
    _ title: String, _ rows: [Row], room: Int, _ fields: (Row) -> [EventField]
  ) -> String {
    guard let first = rows.first else { return "" }
    let columns = fields(first).map(\.name)
    var text = "#### \(title)\n\n"
    var shown = 0
    for row in rows {
      let lines = renderedRows([fields(row)], as: .markdown, columns: columns)
      // A table's head goes with its first row.
      let added = shown == 0 ? lines : lines.split(separator: "\n").dropFirst(2).joined() + "\n"
      guard text.utf8.count + added.utf8.count < room - 200 else { break }
      text += added
      shown += 1
    }
    text += "\n"
    if shown < rows.count { text += "… and \(rows.count - shown) more.\n\n" }
    return text
  }

  private func markdownText(_ text: String) -> String {
    renderedRows([[EventField("text", .text(text))]], as: .markdown, columns: ["text"])
      .split(separator: "\n").dropFirst(2).joined().dropFirst(2).dropLast(2).description
  }

  /// Marks for a build's page: what could not be read and what failed, then what warns, ten of each.
  func annotations(without files: ManyFiles) -> String {
    let unread = files.leftOut.map {
      WorkflowCommand(.error, title: "kymo check: \($0.name)", $0.why)
    }
    func marks(_ grade: Verdict.Grade, _ level: WorkflowCommand.Level) -> [WorkflowCommand] {
      verdictsWithRuns.filter { $0.verdict.grade == grade }.map { run, verdict in
        WorkflowCommand(
          level, title: "kymo check: \(run?.session.label ?? "all runs")", verdict.sentence)
      }
    }
    let errors = marks(.fail, .error) + unread
    let shown = errors.prefix(mostAnnotations) + marks(.warn, .warning).prefix(mostAnnotations)
    return shown.map(\.line).joined()
  }
}
