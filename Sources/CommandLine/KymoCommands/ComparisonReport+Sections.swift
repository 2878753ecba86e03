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
      "Decisions", decisionRows.map(derivedInWords), invocation,
      columns: [
        "transition", "decisionA", "decisionB", "derivedA", "derivedB", "recomputedA",
        "recomputedB", "marginA", "marginB",
      ] + (hasOtherThresholds ? ["thresholdA", "thresholdB"] : []))
    try section(
      "Set up differently", structureRows, invocation, columns: ["part", "name", "a", "b"])
    try section(
      nil, comparison.keys.map(keyRow), invocation,
      columns: [
        "key", "same", "unit", "onlyIn", "max", "p95", "rmse", "bias", "lag_ms",
        "residualPercent",
      ])
    try section("Motion", motionRows, invocation, columns: ["key", "figure", "a", "b", "delta"])
    try section(
      smoothnessTitle, smoothnessRows, invocation,
      columns: [
        "run", "frames", "p50_ms", "p95_ms", "p99_ms", "max_ms", "hitch_ms_per_s", "band",
        "jankPercent", "growths", "doubled",
      ])
    try section(
      layoutTitle, itemRows, invocation,
      columns: [
        "item", "same", "onlyIn", "distance", "rmsDistance", "sizeError", "iou", "alphaError",
        "orderSwaps", "alone_s", "changeShift_ms",
      ])
    try section(
      "Judged by the tolerances", verdictRows, invocation,
      columns: ["finding", "subject", "measure", "value", "limit", "rule", "ruleName"])
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

  /// The figures of motion that differ, of the worst keys.
  private var motionRows: [[EventField]] {
    let keys =
      listsAll ? comparison.keys[...] : comparison.keys.prefix(ComparisonReport.mostMotions)
    return keys.flatMap { key in
      key.motions.flatMap { motion in
        motionFigures(motion).compactMap { figure in
          row(key, motion.transition, figure.name, figure.a, figure.b)
        }
      }
        + velocities(of: key).compactMap { velocity in
          row(
            key, velocity.transition, "velocity \(velocity.estimator)", velocity.a, velocity.b)
        }
    }
  }

  /// The velocity by the session's own estimator, or by all.
  private func velocities(of key: RunComparison.Key) -> [RunComparison.ReleaseVelocity] {
    let own = key.velocities.first?.estimator
    return key.velocities.filter { listsAll || $0.estimator == own }
  }

  private func row(
    _ key: RunComparison.Key, _ transition: Int, _ figure: String, _ a: Double?, _ b: Double?
  ) -> [EventField]? {
    guard a != nil || b != nil, listsAll || a != b else { return nil }
    let several = max(comparison.outcomesOfA.count, comparison.outcomesOfB.count) > 1
    let delta = a.flatMap { a in b.map { $0 - a } }
    return [
      EventField("key", .text(key.name)),
      EventField("figure", .text(several ? "\(figure) #\(transition)" : figure)),
      EventField("a", FieldValue(a)), EventField("b", FieldValue(b)),
      EventField("delta", FieldValue(delta)),
    ]
  }

  private var smoothnessRows: [[EventField]] {
    let both = comparison.smoothness
    guard both.a.intervalCount > 0 || both.b.intervalCount > 0 else { return [] }
    return [("A", both.a), ("B", both.b)].map { name, metrics in
      [EventField("run", .text(name))] + smoothnessFields(metrics)
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
    return found.map { verdict in
      guard case .object(let fields) = verdictObject(verdict) else { return [] }
      return fields
    }
  }

  /// A number of milliseconds to a tenth.
  func rounded(_ milliseconds: Double) -> Double { (milliseconds * 10).rounded() / 10 }
}
