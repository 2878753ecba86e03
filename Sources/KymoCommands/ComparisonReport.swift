import MotionJudgement
import MotionMeasures
import TimelineModel
import TimelineRendering
import TimelineReport
import TimelineSession
import TimelineStore

/// A comparison as `kymo compare` shows it: rows for programs, and the same rows in sections for people.
struct ComparisonReport {
  let comparison: RunComparison
  let a: SessionArgument
  let b: SessionArgument
  /// Whether rows are printed of what is the same, and however many there are.
  let listsAll: Bool

  /// What explains the differences, a sentence each.
  var hints: [String] { comparison.hints(listsAll: listsAll).map(DisplayText.harmless) }

  /// The verdict, and what explains it, in one or two lines.
  var verdict: String {
    comparison.verdictLines.map(DisplayText.harmless).joined(separator: "\n")
  }

  /// Who is compared, how the clocks and the samples were brought together.
  var header: [String] {
    var lines: [String] = []
    for (name, run) in [("A", a), ("B", b)] {
      let description = run.session.description
      var parts = ["\(run.reader.path) \(run.session.label)", description.software]
      if let rate = description.refreshRate { parts.append("\(NumberText.cell(rate)) Hz") }
      let rates = comparison.keys.compactMap { name == "A" ? $0.rateOfA : $0.rateOfB }
      if let low = rates.min(), let high = rates.max() {
        let (from, to) = (NumberText.cell(rounded(low)), NumberText.cell(rounded(high)))
        parts.append(from == to ? "\(from) samples/s" : "\(from) to \(to) samples/s")
      }
      lines.append("\(name)  " + DisplayText.harmless(parts.joined(separator: ", ")))
    }
    lines.append(alignmentLine)
    if !comparison.keys.isEmpty { lines += associationLines }
    return lines
  }

  private var alignmentLine: String {
    let map = comparison.timeMap
    let shift = NumberText.cell(Double(map.offsetNanoseconds) / 1e6)
    guard map.isShift else {
      let low = NumberText.cell(rounded(Double(map.offsets.lowerBound) / 1e6))
      let high = NumberText.cell(rounded(Double(map.offsets.upperBound) / 1e6))
      return "Aligned on progress: B's clock is moved by \(low) to \(high) ms, "
        + "matched with A's at \(map.knots.count) instants."
    }
    var line = "Aligned on \(comparison.alignment.rawValue): B's clock is moved by \(shift) ms"
    if comparison.alignment == .release {
      let missing = [("A", comparison.outcomesOfA), ("B", comparison.outcomesOfB)]
        .filter(\.1.isEmpty).map(\.0)
      if missing.count == 1 { line += ". \(missing[0]) has no release, so its start is used" }
    }
    return line + "."
  }

  private var associationLines: [String] {
    var (count, matched, all, overlap) = (0, 0, 0, 0.0)
    var held: [String] = []
    for key in comparison.keys {
      guard let pair = key.comparison else { continue }
      count += 1
      matched += pair.matchedSampleCount
      all += pair.sampleCounts.a
      overlap = max(overlap, pair.overlapSeconds)
      if pair.isStep { held.append(key.name) }
    }
    let limit = NumberText.cell(rounded(comparison.lagLimitSeconds * 1000))
    var lines = [
      "Associated: \(count) of \(counted(comparison.keys.count, "key")), \(matched) of \(all) "
        + "samples of A, \(NumberText.cell((overlap * 1000).rounded() / 1000)) s in common,",
      "interpolated linearly at the instants of both sessions. A lag of up to \(limit) ms counts as the same.",
    ]
    if !held.isEmpty {
      lines.append(
        "Held between samples: " + DisplayText.harmless(held.prefix(5).joined(separator: ", "))
          + (held.count > 5 ? " and \(held.count - 5) more" : "") + ".")
    }
    return lines
  }

  /// The report that plays both sessions, with the verdict in its head. If the comparison stretched B's clock,
  /// which a report does not, standard error says so.
  func page(of runs: [ReportRun], lagSeconds: Double = 0) -> ReportPage {
    if !comparison.timeMap.isShift {
      a.console.note("the report shifts the clock of B, although the comparison stretched it")
    }
    return ReportPage(
      runs[0], runs[1], comparison: comparison, verdict: verdict, lagSeconds: lagSeconds)
  }

  /// The verdict, and what explains it, as one line.
  var verdictLine: String { verdict.split(separator: "\n").joined(separator: " ") }

  // MARK: - Sections

  /// So many rows of a section at most, unless all are asked for.
  private static let mostRows = 20
  /// The most keys whose figures of motion are printed, worst first.
  private static let mostMotions = 5

  /// Verdict, header, decisions, settings, keys worst first, motion, smoothness, elements and hints.
  func printSections(_ invocation: Invocation) throws {
    try invocation.writeLines(verdict + "\n")
    for line in header { try invocation.writeLines(line) }
    try section(
      "Decisions", comparison.releasePairs.map { derivedInWords($0.row) }, invocation,
      columns: RunComparison.ReleasePair.fields.tableColumns()
        + (hasOtherThresholds ? ["threshold_a", "threshold_b"] : []))
    try section(
      "Set up differently", comparison.structure.rows, invocation,
      columns: StructureDifference.fields.tableColumns())
    try section(
      nil, comparison.keyRows, invocation,
      columns: RunComparison.Key.fields.tableColumns())
    let moved = comparison.keys.prefix(listsAll ? .max : ComparisonReport.mostMotions)
    try section("Motion", comparison.motionRows(of: moved, listsAll: listsAll), invocation)
    try section(
      smoothnessTitle, smoothnessRows, invocation,
      columns: ["run"] + FrameMetrics.fields.tableColumns())
    try section(
      layoutTitle, comparison.itemRows(listsAll: listsAll), invocation,
      columns: LayoutComparison.Item.fields.tableColumns())
    try section(
      "Judged by the tolerances", verdictRows, invocation, columns: Verdict.fields.tableColumns())
    for (index, hint) in hints.enumerated() {
      try invocation.writeLines((index == 0 ? "\n" : "") + hint)
    }
  }

  /// A table with a title, without its empty columns. Nothing for no rows.
  private func section(
    _ title: String?, _ rows: some Collection<[EventField]>, _ invocation: Invocation,
    columns: [String]? = nil
  ) throws {
    guard let first = rows.first else { return }
    let isMarkdown = try invocation.outputFormat() == .markdown
    invocation.output.write("\n")
    if let title { invocation.output.write(isMarkdown ? "**\(title)**\n\n" : "\(title)\n") }
    let shown = rows.prefix(listsAll ? .max : ComparisonReport.mostRows)
    var hasValue: Set<String> = []
    for row in shown { for field in row where field.value != .null { hasValue.insert(field.name) } }
    let filled = (columns ?? first.map(\.name)).filter(hasValue.contains)
    let writer = try invocation.rowWriter(columns: filled)
    for row in shown { writer.write(row.filter { filled.contains($0.name) }) }
    writer.finish()
    if shown.count < rows.count {
      invocation.output.write(
        "\(isMarkdown ? "\n" : "")… \(rows.count - shown.count) more (--all)\n")
    }
  }

  /// Whether a release of both runs was decided by different thresholds. Equal ones say nothing in a table.
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
      lag == 0 ? "" : ", judged without B's lag of \(NumberText.cell(rounded(lag))) ms"
    return "Elements at \(layout.instantCount) instants, points\(judged)"
  }

  private var verdictRows: [[EventField]] {
    let isByRule =
      comparison.verdicts.contains { $0.rule != nil }
      || comparison.keys.contains { $0.verdicts.contains { $0.rule != nil } }
    guard isByRule else { return [] }
    let found = comparison.verdicts { listsAll || $0.grade != .pass }
    // Runs are no subject of their own in a table for people.
    return found.map(Verdict.ofComparison.row(of:))
  }

  /// A number of milliseconds to a tenth.
  func rounded(_ milliseconds: Double) -> Double { (milliseconds * 10).rounded() / 10 }
}
