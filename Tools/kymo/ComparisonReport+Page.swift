import TimelineQuery
import TimelineReport

extension ComparisonReport {
  /// The page that plays both runs, with the verdict in its head. Where the comparison stretched B's clock,
  /// which a page does not, standard error says so.
  func page(of runs: [ReportRun], lagSeconds: Double = 0) -> ReportPage {
    if !comparison.timeMap.isShift {
      say("kymo: the page moves B's clock as a whole; the comparison stretched it")
    }
    return ReportPage(
      runs[0], runs[1], comparison: comparison, verdict: verdict, lagSeconds: lagSeconds)
  }

  /// The verdict, and what explains it, as one line.
  var verdictLine: String { verdict.split(separator: "\n").joined(separator: " ") }
}
