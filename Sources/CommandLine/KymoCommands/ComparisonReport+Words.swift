import TimelineModel
import TimelineQuery
import TimelineRendering
import TimelineReport
import TimelineStore

extension ComparisonReport {
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
      if let rate = description.refreshRate { parts.append("\(DisplayText.number(rate)) Hz") }
      let rates = comparison.keys.compactMap { name == "A" ? $0.rateOfA : $0.rateOfB }
      if let low = rates.min(), let high = rates.max() {
        let (from, to) = (DisplayText.number(rounded(low)), DisplayText.number(rounded(high)))
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
    let shift = DisplayText.number(Double(map.offsetNanoseconds) / 1e6)
    guard map.isShift else {
      let low = DisplayText.number(rounded(Double(map.offsets.lowerBound) / 1e6))
      let high = DisplayText.number(rounded(Double(map.offsets.upperBound) / 1e6))
      return "Aligned on progress: B's clock is moved by \(low) to \(high) ms, "
        + "\(map.knots.count) places laid on A's."
    }
    var line = "Aligned on \(comparison.alignment.rawValue): B's clock is moved by \(shift) ms"
    if comparison.alignment == .release {
      let missing = [("A", comparison.outcomesOfA), ("B", comparison.outcomesOfB)]
        .filter(\.1.isEmpty).map(\.0)
      if missing.count == 1 { line += "; \(missing[0]) has no release, and its start is taken" }
    }
    return line + "."
  }

  private var associationLines: [String] {
    let pairs = comparison.keys.compactMap(\.comparison)
    let matched = pairs.reduce(0) { $0 + $1.matchedSampleCount }
    let all = pairs.reduce(0) { $0 + $1.sampleCounts.a }
    let overlap = pairs.map(\.overlapSeconds).max() ?? 0
    let limit = DisplayText.number(rounded(comparison.lagLimitSeconds * 1000))
    var lines = [
      "Associated: \(pairs.count) of \(counted(comparison.keys.count, "key")), \(matched) of \(all) "
        + "samples of A, \(DisplayText.number((overlap * 1000).rounded() / 1000)) s in common;",
      "read straight at the union of both runs' instants; a lag of up to \(limit) ms is the same.",
    ]
    let held = comparison.keys.filter { $0.comparison?.isStep == true }.map(\.name)
    if !held.isEmpty {
      lines.append(
        "Held between samples: " + DisplayText.harmless(held.prefix(5).joined(separator: ", "))
          + (held.count > 5 ? " and \(held.count - 5) more" : "") + ".")
    }
    return lines
  }
}

extension ComparisonReport {
  /// The page that plays both runs, with the verdict in its head. Where the comparison stretched B's clock,
  /// which a page does not, standard error says so.
  func page(of runs: [ReportRun], lagSeconds: Double = 0) -> ReportPage {
    if !comparison.timeMap.isShift {
      a.console.note("the page moves B's clock as a whole; the comparison stretched it")
    }
    return ReportPage(
      runs[0], runs[1], comparison: comparison, verdict: verdict, lagSeconds: lagSeconds)
  }

  /// The verdict, and what explains it, as one line.
  var verdictLine: String { verdict.split(separator: "\n").joined(separator: " ") }
}
