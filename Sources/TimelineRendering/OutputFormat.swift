/// The forms in which rows are printed. The raw values are the names for `--format`.
public enum OutputFormat: String, CaseIterable, Sendable {
  /// Aligned columns for people: numbers shortened, long text cut.
  case table
  /// One JSON array, one object a line.
  case json
  /// One JSON object a line.
  case ndjson
  /// Comma-separated values with a header line.
  case csv
  /// A table in Markdown, for a pull request: the table's cells, set by whoever shows it.
  case markdown
}
