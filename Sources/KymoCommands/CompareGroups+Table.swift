import MotionMeasures
import RunStudies
import TimelineModel
import TimelineRendering
import TimelineStatistics

/// Two groups as people read it: medians side by side, and what changed.
struct GroupTable {
  private let groups: GroupComparison
  /// The places of the rows that the table has. Each row is made when it is written.
  private let places: [Int]
  private var rows: some Sequence<GroupComparison.Row> {
    places.lazy.map { [rows = groups.rows] in rows[$0] }
  }

  /// As many rows as a table has unless all are asked for. More are not read.
  static let mostRows = 200

  /// Makes a table.
  ///
  /// - Parameters:
  ///   - groups: The comparison.
  ///   - isWhole: Whether all rows are in it. Else at most ``mostRows``, those that changed before the others.
  init(_ groups: GroupComparison, isWhole: Bool) {
    self.groups = groups
    guard !isWhole, groups.rows.count > GroupTable.mostRows else {
      places = Array(groups.rows.indices)
      return
    }
    let first = groups.rows.significant + groups.rows.insignificant
    places = first.prefix(GroupTable.mostRows).sorted()
  }

  /// Writes the table for a terminal, with the verdict before it and what weakens it behind.
  func writeText(_ write: (String) -> Void) {
    func put(_ line: String) { write(line + "\n") }
    put(DisplayText.harmless(verdict))
    put("")
    let means = groups.means.filter { $0.base != nil }.map(meanCells)
    let baseTitle = "base (n=\(sizes.base))"
    let newTitle = "new (n=\(sizes.new))"
    var labelWidth = means.map { width($0.label) }.max() ?? 0
    var baseWidth = ([baseTitle] + means.map(\.base)).map { width($0) }.max() ?? 0
    var newWidth = ([newTitle] + means.map(\.new)).map { width($0) }.max() ?? 0
    for row in rows {
      labelWidth = max(labelWidth, width(subject(row)), width(row.measureLabel))
      baseWidth = max(baseWidth, width(sideText(row, row.base)))
      newWidth = max(newWidth, width(sideText(row, row.new)))
    }
    labelWidth += 1
    func putCells(_ label: String, _ base: String, _ new: String, _ rest: String = "") {
      let text =
        left(label, labelWidth) + "│ " + left(base, baseWidth) + " │ " + left(new, newWidth) + "  "
        + rest
      put(String(text.reversed().drop { $0 == " " }.reversed()))
    }
    putCells("", baseTitle, newTitle)
    var shown: String?
    for row in rows {
      if subject(row) != shown {
        if shown == nil {
          putCells(
            subject(row), centered("median", baseWidth), centered("median", newWidth), changeTitle)
        } else {
          putCells(subject(row), "", "")
        }
        shown = subject(row)
      }
      putCells(
        row.measureLabel, right(sideText(row, row.base), baseWidth),
        right(sideText(row, row.new), newWidth), outcome(row))
    }
    for mean in means {
      putCells(mean.label, right(mean.base, baseWidth), right(mean.new, newWidth), mean.change)
    }
    if let rest { put(rest) }
    put("")
    for note in notes { put(DisplayText.harmless(note)) }
  }

  /// Writes the table for a pull request.
  func writeMarkdown(_ write: (String) -> Void) {
    func put(_ line: String) { write(line + "\n") }
    put(escaped(verdict))
    put("")
    put(
      "| | base (n=\(sizes.base)) | new (n=\(sizes.new)) | \(changeTitle) | p | |")
    put("|---|---:|---:|---:|---|---|")
    for row in rows {
      let cells = [
        row.label, sideText(row, row.base), sideText(row, row.new), changeText(row), pText(row),
        remarks(row),
      ]
      put("| " + cells.map(escaped).joined(separator: " | ") + " |")
    }
    for mean in groups.means.filter({ $0.base != nil }).map(meanCells) {
      let cells = [mean.label, mean.base, mean.new, mean.change, "", ""]
      put("| " + cells.map(escaped).joined(separator: " | ") + " |")
    }
    if let rest {
      put("")
      put(rest)
    }
    put("")
    for note in notes { put("- " + escaped(note)) }
  }

  /// How many sessions each side has.
  private var sizes: (base: Int, new: Int) {
    groups.rows.isEmpty ? (0, 0) : (groups.baseRuns.count, groups.newRuns.count)
  }

  // MARK: - Sentences

  /// How many rows the table leaves out. `nil` if it has all.
  private var rest: String? {
    places.count < groups.rows.count ? "… \(groups.rows.count - places.count) more (--all)" : nil
  }

  private var verdict: String {
    let changed = groups.rows.significant
    let alpha = NumberText.cell(groups.options.alpha)
    if !groups.rows.isEmpty, groups.rows.areIdentical {
      return "Identical: base and new have the same numbers."
    }
    guard groups.testCount > 0 else { return "Nothing could be tested." }
    guard !changed.isEmpty else {
      return
        "No evidence of a change: of \(counted(groups.testCount, "test")) none is significant at \(alpha)."
    }
    let names = changed.prefix(3).map { place in
      let row = groups.rows[place]
      return row.flips == nil && row.name != .decision
        ? "\(row.label) \(changeText(row))" : row.label
    }
    let more = changed.count > 3 ? " and \(changed.count - 3) more" : ""
    return "Changed: \(names.joined(separator: ", "))\(more) (\(changed.count) of "
      + "\(counted(groups.testCount, "test")) significant at \(alpha))."
  }

  /// What was done, and what weakens the answer.
  private var notes: [String] {
    var notes: [String] = []
    let methods = groups.rows.methods
    let how =
      methods == [.exact]
      ? "exact" : methods == [.normal] ? "from the normal distribution" : "exact if n is small"
    let test =
      groups.pairing == nil
      ? "Mann-Whitney U"
      : "Wilcoxon signed ranks and McNemar, paired by \(groups.pairing?.way.rawValue ?? "")"
    let adjustment =
      groups.options.isAdjusted
      ? "p adjusted with Holm's procedure for \(counted(groups.testCount, "test"))"
      : "p not adjusted for \(counted(groups.testCount, "test"))"
    if groups.testCount > 0 { notes.append("\(test), two-sided, \(how), \(adjustment).") }
    if groups.pairing != nil {
      notes.append(
        "\(changeTitle): the shift of pairs (Hodges and Lehmann) as a share of the base's median.")
    }
    if rows.contains(where: { ($0.moreRuns ?? 0) > 0 }) {
      let effect = NumberText.cell(groups.options.effect * 100)
      let what = groups.pairing == nil ? "sessions on each side" : "pairs"
      notes.append(
        "+N sessions: a change of \(effect) % (of percentages \(effect) points) would be seen with about N more \(what), at a "
          + "power of \(NumberText.cell(RunsNeeded.usualPower * 100)) %.")
    }
    if groups.pairing == nil, GroupPairing.haveEqualNames(groups.baseRuns, groups.newRuns) {
      notes.append(
        "The sessions of both sides have the same names. --paired compares each with its like.")
    }
    return notes + groups.warnings.map { "Warning: \($0)" }
  }

  private var changeTitle: String { groups.pairing == nil ? "vs base" : "vs base, pairs" }

  // MARK: - Cells

  private func subject(_ row: GroupComparison.Row) -> String { row.key ?? "session" }

  /// "4.89 ± 3%", "9 finish, 3 cancel", or a dash.
  private func sideText(_ row: GroupComparison.Row, _ side: GroupComparison.Side) -> String {
    if row.name == .decision {
      let finished = side.measured.count { $0 == 1 }
      let parts = [(finished, "finish"), (side.measured.count - finished, "cancel")]
        .filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
      return parts.isEmpty ? "–" : parts.joined(separator: ", ")
    }
    guard let median = side.median else { return "–" }
    let spread: String
    if let interval = side.interval, interval.low == interval.high {
      spread = row.isPercentage ? "± 0" : "± 0%"
    } else if row.isPercentage, let interval = side.interval {
      spread = "± " + threeDigits(max(interval.high - median, median - interval.low))
    } else if let half = side.halfWidth {
      spread = half < 10 ? "± \(Int((half * 100).rounded()))%" : "± >999%"
    } else {
      // Too few sessions, or a median of 0, of which there are no percent.
      spread = "± –"
    }
    let missing = side.values.count - side.measured.count
    return "\(threeDigits(median)) \(left(spread, 6))"
      + (missing > 0 ? " (n=\(side.measured.count))" : "")
  }

  /// Change, p and remarks of a row.
  private func outcome(_ row: GroupComparison.Row) -> String {
    let remarks = row.flips == nil ? remarks(row) : ""
    return [right(changeText(row), 7), pText(row), remarks].filter { !$0.isEmpty }
      .joined(separator: "  ")
  }

  private func changeText(_ row: GroupComparison.Row) -> String {
    if let flips = row.flips {
      return "flips \(flips.gained + flips.lost) of \(row.pairCount ?? 0) pairs"
    }
    guard row.isSignificant else { return "~" }
    if row.name == .decision { return "changed" }
    return row.change == nil ? shiftText(row) : percent(row.change)
  }

  /// Where the base is 0 there are no percent of it, and of percentages there are points.
  private func shiftText(_ row: GroupComparison.Row) -> String {
    guard let shift = row.shift?.estimate else { return "changed" }
    return (shift > 0 ? "+" : "") + threeDigits(shift) + (row.isPercentage ? " points" : "")
  }

  private func pText(_ row: GroupComparison.Row) -> String {
    guard let p = row.adjustedP else { return "" }
    return p < 0.0005 ? "p<0.001" : "p=\(NumberText.fixed(p, 3))"
  }

  private func remarks(_ row: GroupComparison.Row) -> String {
    var remarks: [String] = []
    if let more = row.moreRuns, more > 0, !row.isSignificant, row.p != nil {
      remarks.append("+\(more) sessions")
    }
    if row.band == .warning { remarks.append("WARNING") }
    if row.band == .critical { remarks.append("CRITICAL") }
    return remarks.joined(separator: "  ")
  }

  private func meanCells(
    _ mean: GroupComparison.Mean
  ) -> (label: String, base: String, new: String, change: String) {
    (
      "geomean \(["1": "", "1/s": "/s"][mean.unit] ?? mean.unit)",
      mean.base.map(threeDigits) ?? "–",
      mean.new.map(threeDigits) ?? "–", right(percent(mean.change), 7)
    )
  }
}

// MARK: - Numbers and columns

/// A number with three digits that count: 4.89, 412, 0.0031.
private func threeDigits(_ number: Double) -> String {
  guard number != 0, number.isFinite else { return number == 0 ? "0" : "–" }
  let size = abs(number)
  guard size >= 1e-4, size < 1e7 else { return NumberText.cell(number) }
  return NumberText.significant(number, digits: 3)
}

/// A share as signed percent: "+8.6%", "+281%".
private func percent(_ share: Double?) -> String {
  guard let share, share.isFinite else { return "–" }
  let percent = share * 100
  let sign = percent > 0 ? "+" : ""
  if percent != 0, abs(percent) < 0.1 { return sign + threeDigits(percent) + "%" }
  return sign + NumberText.fixed(percent, abs(percent) < 99.95 ? 1 : 0) + "%"
}

private func width(_ text: String) -> Int { DisplayText.width(of: DisplayText.harmless(text)) }

private func left(_ text: String, _ columns: Int) -> String {
  DisplayText.harmless(text) + String(repeating: " ", count: max(0, columns - width(text)))
}

private func right(_ text: String, _ columns: Int) -> String {
  String(repeating: " ", count: max(0, columns - width(text))) + DisplayText.harmless(text)
}

private func centered(_ text: String, _ columns: Int) -> String {
  right(text, (columns + width(text)) / 2)
}

/// A cell of a table in Markdown.
private func escaped(_ text: String) -> String { escapedMarkdown(DisplayText.harmless(text)) }
