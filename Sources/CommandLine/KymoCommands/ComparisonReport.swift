import TimelineQuery
import TimelineRendering

/// A comparison as `kymo compare` shows it: rows for programs, and the same rows in sections for people.
struct ComparisonReport {
  let comparison: RunComparison
  let a: SessionArgument
  let b: SessionArgument
  /// Whether rows are printed of what is the same, and however many there are.
  let listsAll: Bool

  /// What explains the differences, a sentence each.
  var hints: [String] { comparison.hints(listsAll: listsAll).map(DisplayText.harmless) }
}
