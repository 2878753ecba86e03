package import TimelineModel

/// Writes rows of named values one after the other, in any ``OutputFormat``, without keeping them.
///
/// JSON and NDJSON write each row's own fields in the row's order. Tables, Markdown and CSV need the same
/// columns in every line: those given at the start, or else those of the first ``lookAhead`` rows in
/// the order of their first appearance. Fields that come later without a column are left out.
///
/// ```swift
/// let writer = RowWriter(format: .csv) { text in print(text, terminator: "") }
/// writer.write([Field("t_ns", .integer(0)), Field("value", .number(0.5))])
/// writer.finish()
/// ```
package final class RowWriter {
  package let format: OutputFormat
  /// How many rows were written.
  package private(set) var rowCount = 0

  /// How many rows are looked at before columns, widths and alignment are fixed. Also the most rows
  /// that are ever kept.
  package static let lookAhead = 200

  /// The display's columns. `nil`: as wide as it comes.
  private let width: Int?
  /// The columns that a display shows of a table that it has no room for, the most important first.
  private let wanted: [String]
  /// The columns that the display has no room for, if it shows those that are wanted. They are known after the first
  /// rows.
  package private(set) var leftOut: [String] = []
  /// The columns of tables and CSV, which are known after the first rows.
  package var columns: [String] { layout.columns }
  /// The columns of each part of a table that is wider than the display. Empty for any other.
  private var parts: [[Int]] = []
  private var hasFolded = false
  private var layout: RowLayout
  private var waiting: [[EventField]] = []
  private var isLayoutFixed = false
  private var isFinished = false
  private let output: (String) -> Void

  /// Makes a writer.
  ///
  /// - Parameters:
  ///   - format: The form to write.
  ///   - columns: The columns of tables and CSV. Empty takes them from the rows.
  ///   - width: Columns of the display that a table is read on. One that is wider is folded: the columns that
  ///     have no room follow in a part below, which begins with the first column again. nil: no table is.
  ///   - wanted: The columns that stay in place of the folds, as many from the first on as there is room for. The
  ///     others are ``leftOut``. Empty: a wide table is folded.
  ///   - isPrecise: Whether numbers in tables have all of their digits.
  ///   - output: Takes the text piece by piece, whole lines in order.
  package init(
    format: OutputFormat, columns: [String] = [], width: Int? = nil, wanted: [String] = [],
    isPrecise: Bool = false, output: @escaping (String) -> Void
  ) {
    self.format = format
    self.width = width
    self.wanted = wanted
    self.output = output
    self.layout = RowLayout(columns: columns, isPrecise: isPrecise)
  }

  package func write(_ row: [EventField]) {
    precondition(!isFinished, "A row was written after the writer had finished. Make a new writer.")
    switch format {
    case .json:
      output(
        (rowCount == 0 ? "[\n" : ",\n") + DisplayText.escaped(json: FieldValue.object(row).json))
    case .ndjson:
      output(DisplayText.escaped(json: FieldValue.object(row).json) + "\n")
    case .csv, .table, .markdown:
      if isLayoutFixed, parts.isEmpty {
        writeLine(row)
      } else if isLayoutFixed {
        waiting.append(row)
        if waiting.count >= RowWriter.lookAhead { writeFolded() }
      } else {
        waiting.append(row)
        let isEnough = format == .csv && !layout.columns.isEmpty
        if isEnough || waiting.count >= RowWriter.lookAhead { fixLayout() }
      }
    }
    rowCount += 1
  }

  /// Writes the rows that are still kept, and so fixes columns and widths by the rows until now. For output that
  /// is watched while it comes.
  package func flush() {
    switch format {
    case .json, .ndjson: break
    case .csv, .table, .markdown:
      guard !isFinished else { return }
      if !isLayoutFixed { fixLayout() } else if !waiting.isEmpty { writeFolded() }
    }
  }

  /// Writes the rows that are still kept and the end of the document. Calling it again does nothing.
  package func finish() {
    guard !isFinished else { return }
    flush()
    isFinished = true
    if format == .json { output(rowCount == 0 ? "[]\n" : "\n]\n") }
  }

  /// Fixes columns and widths by the rows that wait, and writes them.
  private func fixLayout() {
    isLayoutFixed = true
    layout.fix(by: waiting, measuring: format != .csv)
    if format == .table, let width {
      let parts = layout.parts(within: width)
      if parts.count > 1, !wanted.isEmpty {
        leftOut = layout.keep(wanted, within: width)
      } else if parts.count > 1 {
        self.parts = parts
      }
    }
    guard parts.isEmpty else { return writeFolded() }
    if !layout.columns.isEmpty {
      switch format {
      case .csv: output(layout.csvHeader)
      case .markdown: output(layout.markdownHeader)
      default: output(layout.tableHeader())
      }
    }
    for row in waiting { writeLine(row) }
    waiting = []
  }

  /// Writes the rows that wait, part by part.
  private func writeFolded() {
    for part in parts {
      output((hasFolded ? "\n" : "") + layout.tableHeader(part))
      for row in waiting { output(layout.tableLine(row, part)) }
      hasFolded = true
    }
    waiting = []
  }

  private func writeLine(_ row: [EventField]) {
    switch format {
    case .csv: output(layout.csvLine(row))
    case .markdown: output(layout.markdownLine(row))
    default: output(layout.tableLine(row))
    }
  }
}

/// Not Sendable: rows come from one place, in order.
@available(*, unavailable)
extension RowWriter: Sendable {}

/// The rows as one text. For answers that are short anyway. A table that is wider than `width` is folded.
package func renderedRows(
  _ rows: [[EventField]], as format: OutputFormat, columns: [String] = [], width: Int? = nil
) -> String {
  var text = ""
  let writer = RowWriter(format: format, columns: columns, width: width) { text += $0 }
  for row in rows { writer.write(row) }
  writer.finish()
  return text
}

/// The forms in which rows are printed. The raw values are the names for `--format`.
package enum OutputFormat: String, CaseIterable, Sendable {
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
