import TimelineModel
import TimelineRendering

extension Invocation {
  /// The format that was asked for.
  ///
  /// - Parameter flag: The command's own flag, if the command has only some of the formats.
  func outputFormat(_ flag: Flag<OutputFormat> = Flags.format) throws -> OutputFormat {
    if has(Flags.json) {
      guard !has(Flags.format) else { throw Failure.usage("--json and --format are both given") }
      return .json
    }
    return try value(flag) ?? .table
  }

  /// A writer of rows to standard output, in the format that was asked for.
  func rowWriter(columns: [String] = [], for guide: TableGuide? = nil) throws -> RowWriter {
    let format = try outputFormat()
    return RowWriter(
      format: format, columns: columns, width: console.width, wanted: guide?.wanted ?? [],
      isPrecise: has(Flags.precise), output: console.output.rows(format))
  }

  /// Explains a table on a terminal, and names the columns that it has no room for.
  func describe(_ writer: RowWriter, by guide: TableGuide) {
    guard writer.format == .table, let width = console.width else { return }
    let shown = Set(writer.columns)
    let meanings = guide.meanings.filter { shown.contains($0.key) }.map { $0.value + "." }
    var lines = wrapped(meanings.joined(separator: " "), width: width)
    if !writer.leftOut.isEmpty {
      let count = writer.leftOut.count
      let names = writer.leftOut.joined(separator: ", ")
      lines += wrapped(
        "\(count) more column\(count == 1 ? "" : "s"): \(names) (--format csv, --json)",
        width: width)
    }
    output.write("\n" + lines.map { $0 + "\n" }.joined())
  }

  /// Writes lines beside rows. In Markdown no letter of a name in them is a mark.
  func writeLines(_ text: String) throws {
    output.write((try outputFormat() == .markdown ? escapedMarkdown(text) : text) + "\n")
  }

  /// Prints rows that are all at hand.
  ///
  /// - Parameter guide: What a terminal shows and explains. `nil`: every column, without a word.
  func print(
    _ rows: [[EventField]], columns: [String] = [], for guide: TableGuide? = nil
  ) throws {
    var columns = columns
    if columns.isEmpty, try outputFormat() == .csv {
      // All rows are at hand, so that none comes too late for its columns.
      var seen: Set<String> = []
      columns = rows.flatMap { $0.map(\.name) }.filter { seen.insert($0).inserted }
    }
    let writer = try rowWriter(columns: columns, for: guide)
    for row in rows { writer.write(row) }
    writer.finish()
    if let guide { describe(writer, by: guide) }
  }
}

extension Invocation {
  /// Prints results that have a list of fields.
  func print<Result: ResultRow>(
    _ results: [Result], columns: [String] = Result.columns, for guide: TableGuide? = nil
  ) throws {
    try print(results.rows, columns: columns, for: guide)
  }
}

/// What a terminal shows of a table that newcomers meet, and says under it. Pipes get every column and no word.
struct TableGuide {
  /// The columns for a terminal that has no room for all of them, the most important first.
  var wanted: [String]
  /// What the columns mean that do not explain themselves, a sentence for each. Those of a terminal of 100 columns are
  /// one line.
  var meanings: KeyValuePairs<String, String>
}

extension StandardOutput {
  /// Takes rows in a format: those that a program reads are data.
  func rows(_ format: OutputFormat) -> (String) -> Void {
    switch format {
    case .csv, .json, .ndjson: { self.write(data: $0) }
    case .table, .markdown: { self.write($0) }
    }
  }
}

/// Which rows a listing shows: `--from`, `--to`, `--every`.
struct RowFilter {
  /// Only rows in this time.
  var range: ClosedRange<Instant>
  private let every: Int64?
  private var latest: [String: Instant] = [:]

  /// - Throws: ``Failure``: a flag is malformed, or the time lies outside of the session.
  init(_ invocation: Invocation, of source: SessionArgument? = nil) throws {
    range = try invocation.range(Flags.from, Flags.to)
    every = try invocation.value(Flags.every)
    if invocation.has(Flags.from) || invocation.has(Flags.to) {
      try source?.requireOverlap(range, flag: invocation.has(Flags.from) ? "from" : "to")
    }
  }

  /// Whether a row of a series at this time is shown. Call it once a row.
  mutating func takes(_ time: Instant, series: String = "") -> Bool {
    guard range.contains(time) else { return false }
    guard let every else { return true }
    if let before = latest[series], time.nanoseconds(since: before) < every { return false }
    latest[series] = time
    return true
  }
}
