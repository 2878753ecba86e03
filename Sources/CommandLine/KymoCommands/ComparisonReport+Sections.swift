import TimelineModel
import TimelineQuery
import TimelineRendering
import TimelineStore

extension ComparisonReport {
  /// So many rows of a section at most, unless all are asked for.
  private static let mostRows = 20
  /// Of so many keys the figures of motion are printed, worst first.
  private static let mostMotions = 5

  /// Verdict, header, decisions, settings, keys worst first, motion, smoothness, elements and hints.
  func printSections(_ invocation: Invocation) throws {
    invocation.output.write(verdict + "\n\n")
    for line in header { invocation.output.write(line + "\n") }
    try section(
      "Decisions", comparison.releasePairs.map { derivedInWords($0.row) }, invocation,
      columns: RunComparison.ReleasePair.fields.tableColumns()
        + (hasOtherThresholds ? ["thresholdA", "thresholdB"] : []))
    try section(
      "Set up differently", comparison.structure.map(\.row), invocation,
      columns: StructureDifference.fields.tableColumns())
    try section(
      nil, comparison.keys.map(\.row), invocation,
      columns: RunComparison.Key.fields.tableColumns())
    let shown = comparison.keys.prefix(listsAll ? .max : ComparisonReport.mostMotions)
    try section(
      "Motion", comparison.motionFigures(of: shown, listsAll: listsAll).map(\.row), invocation,
      columns: RunComparison.MotionFigure.columns)
    try section(
      smoothnessTitle, smoothnessRows, invocation,
      columns: ["run"] + JankMetrics.fields.tableColumns())
    try section(
      layoutTitle, comparison.itemRows(listsAll: listsAll), invocation,
      columns: LayoutComparison.Item.fields.tableColumns())
    try section(
      "Judged by the tolerances", verdictRows, invocation, columns: Verdict.fields.tableColumns())
    for (index, hint) in hints.enumerated() {
      invocation.output.write((index == 0 ? "\n" : "") + hint + "\n")
    }
  }

  /// A table with a title over it; columns in which nothing stands are left away, and so is an empty table.
  private func section(
    _ title: String?, _ rows: [[EventField]], _ invocation: Invocation, columns: [String]
  ) throws {
    guard !rows.isEmpty else { return }
    let isMarkdown = try invocation.outputFormat() == .markdown
    invocation.output.write("\n")
    if let title { invocation.output.write(isMarkdown ? "**\(title)**\n\n" : "\(title)\n") }
    let shown = listsAll ? rows : Array(rows.prefix(ComparisonReport.mostRows))
    let filled = columns.filter { name in
      shown.contains { row in row.contains { $0.name == name && $0.value != .null } }
    }
    let writer = try invocation.rowWriter(columns: filled)
    for row in shown { writer.write(row.filter { filled.contains($0.name) }) }
    writer.finish()
    if shown.count < rows.count {
      invocation.output.write(
        "\(isMarkdown ? "\n" : "")… \(rows.count - shown.count) more, --all\n")
    }
  }

  /// Whether a release of both runs was decided by different thresholds; equal ones say nothing in a table.
  private var hasOtherThresholds: Bool {
    zip(comparison.outcomesOfA, comparison.outcomesOfB).contains { a, b in
      a.decision?.recorded?.threshold != b.decision?.recorded?.threshold
    }
  }

  private var smoothnessRows: [[EventField]] {
    let both = comparison.smoothness
    guard both.a.intervalCount > 0 || both.b.intervalCount > 0 else { return [] }
    return [("A", both.a), ("B", both.b)].map { name, metrics in
      [EventField("run", .text(name))] + metrics.row
    }
  }

  private var smoothnessTitle: String {
    let source = comparison.smoothness.a.source == .frames ? "" : ", from the keys' instants"
    return "Update hitches (by the app's own clock, not the display's\(source))"
  }

  private var layoutTitle: String {
    guard let layout = comparison.layout else { return "Elements" }
    let lag = comparison.layoutLagSeconds * 1000
    let judged =
      lag == 0 ? "" : ", judged without B's lag of \(DisplayText.number(rounded(lag))) ms"
    return "Elements at \(layout.instantCount) instants, points\(judged)"
  }

  private var verdictRows: [[EventField]] {
    let isByRule = comparison.allVerdicts.contains { $0.rule != nil }
    guard isByRule else { return [] }
    let found = comparison.allVerdicts.filter { listsAll || $0.grade != .pass }
    // Runs are no subject of their own in a table for people.
    return found.map(Verdict.ofComparison.row(of:))
  }

  /// A number of milliseconds to a tenth.
  func rounded(_ milliseconds: Double) -> Double { (milliseconds * 10).rounded() / 10 }
}
