import TimelineModel
import TimelineStatistics

extension BenchComparison {
  /// Holds runs against runs.
  ///
  /// - Parameters:
  ///   - base: The runs that are compared with; one that is there twice counts once.
  ///   - new: The runs that are judged.
  ///   - options: What is compared, and how.
  /// - Throws: ``QueryError`` where the runs cannot be paired as asked, or have none of the metrics.
  /// - Complexity: for each metric O(n log n) and 2000 drawings of n runs.
  public init(_ base: [BenchRun], _ new: [BenchRun], options: Options = Options())
    throws(QueryError)
  {
    var warnings: [String] = []
    var base = BenchComparison.withoutDoubles(base, side: "base", &warnings)
    var new = BenchComparison.withoutDoubles(new, side: "new", &warnings)
    let decided = (base + new).flatMap(\.metrics.metrics).filter { $0.name == .decision }
    let mixed = Set(decided.filter { $0.value == 1 }.map(\.transition))
      .intersection(decided.filter { $0.value == 0 }.map(\.transition))
    for index in base.indices { base[index].metrics.part(mixed) }
    for index in new.indices { new[index].metrics.part(mixed) }
    self.options = options
    (baseRuns, newRuns) = (base, new)
    pairing = options.isPaired ? try BenchPairing(base, new) : nil
    (rows, means) = ([], [])
    self.warnings = warnings
    let baseTable = MetricTable(base)
    let newTable = MetricTable(new)
    for metric in BenchComparison.order(base + new) where options.takes(metric) {
      rows.append(row(metric, baseTable[metric], newTable[metric]))
    }
    guard rows.contains(where: { !$0.base.measured.isEmpty || !$0.new.measured.isEmpty }) else {
      throw QueryError("None of the sessions has any of the requested metrics.")
    }
    // A number that no run tells, such as the release of a session without one, is no row.
    rows.removeAll { $0.base.measured.isEmpty && $0.new.measured.isEmpty }
    // A viewport that stands still in all runs says nothing, and is no test.
    rows.removeAll { $0.key?.hasPrefix(ViewportKeys.prefix) == true && $0.isConstant }
    means = BenchComparison.means(rows)
    adjust()
    self.warnings += BenchComparison.warnings(of: base, new)
    addOwnWarnings(base, new)
  }

  /// The metrics of all runs: by key in the order of their first appearance, the session's own last.
  private static func order(_ runs: [BenchRun]) -> [SessionMetrics.Metric] {
    var seen: Set<String> = []
    var subjects: [String] = []
    var bySubject: [String: [SessionMetrics.Metric]] = [:]
    for run in runs {
      for metric in run.metrics.metrics where seen.insert(metric.identity).inserted {
        let subject = metric.key.map { "\(metric.role?.rawValue ?? "")/\($0)" } ?? ""
        if bySubject[subject] == nil { subjects.append(subject) }
        bySubject[subject, default: []].append(metric)
      }
    }
    let keysFirst = subjects.filter { !$0.isEmpty } + subjects.filter(\.isEmpty)
    return keysFirst.flatMap { bySubject[$0] ?? [] }
  }

  /// One metric on both sides.
  private func row(
    _ metric: SessionMetrics.Metric, _ base: [Double?], _ new: [Double?]
  ) -> Row {
    var row = Row(
      name: metric.name, key: metric.key, role: metric.role, transition: metric.transition,
      outcome: metric.outcome, unit: metric.unit, base: side(base), new: side(new),
      test: .mannWhitney)
    if metric.name == .hitchRatio { row.band = row.new.median.map { HitchBand($0) } }
    if let pairing {
      let pairs = pairing.measured(base, new)
      row.pairCount = pairs.count
      compare(&row, pairs)
    } else {
      compare(&row)
    }
    return row
  }

  private func side(_ values: [Double?]) -> Side {
    let measured = values.compactMap { $0 }
    let sorted = SortedValues(measured)
    let bootstrap = Bootstrap(seed: options.seed, level: options.level)
    return Side(
      values: values, median: sorted.median,
      interval: sorted.medianInterval(level: options.level), percentile90: sorted.quantile(0.9),
      percentile90Interval: bootstrap.interval(of: measured) { $0.quantile(0.9) })
  }

  /// Independent runs.
  private func compare(_ row: inout Row) {
    let base = row.base.measured
    let new = row.new.measured
    if !row.isConstant, !base.isEmpty, !new.isEmpty {
      let test = RankSumTest(base, new)
      (row.p, row.statistic, row.method) = (test.p, test.u, test.method)
    }
    row.shift = LocationShift(from: base, to: new, level: options.level)
    guard row.name != .decision, !row.isPercentage, let before = row.base.median,
      let after = row.new.median
    else { return }
    if before == after { row.change = 0 }
    guard before != 0 else { return }
    row.change = (after - before) / abs(before)
    row.changeInterval = Bootstrap(seed: options.seed, level: options.level)
      .interval(of: base, and: new) { base, new in
        guard let before = base.median, let after = new.median, before != 0 else { return nil }
        return (after - before) / abs(before)
      }
  }

  /// Pairs of runs.
  private func compare(_ row: inout Row, _ pairs: [(base: Double, new: Double)]) {
    row.test = row.name == .decision ? .mcNemar : .wilcoxon
    let differences = pairs.map { $0.new - $0.base }
    let changes = differences.contains { $0 != 0 }
    if row.name == .decision {
      let flips = McNemarTest(
        gained: differences.count { $0 > 0 }, lost: differences.count { $0 < 0 })
      row.flips = flips
      if changes { (row.p, row.statistic, row.method) = (flips.p, Double(flips.gained), .exact) }
      return
    }
    if changes {
      let test = SignedRankTest(differences: differences)
      (row.p, row.statistic, row.method) = (test.p, test.positiveRankSum, test.method)
    }
    row.shift = LocationShift(ofPairs: differences, level: options.level)
    guard !row.isPercentage, let shift = row.shift?.estimate,
      let before = SortedValues(pairs.map(\.base)).median
    else {
      return
    }
    if shift == 0 { row.change = 0 } else if before != 0 { row.change = shift / abs(before) }
  }

  /// Adjusts all p values together, and tells for each number how many more runs it takes.
  private mutating func adjust() {
    let values = rows.map(\.p)
    let adjusted = options.isAdjusted ? holmAdjusted(values) : values
    for (index, p) in adjusted.enumerated() {
      rows[index].adjustedP = p
      rows[index].isSignificant = p.map { $0 < options.alpha } ?? false
    }
    var question = RunsNeeded(effect: options.effect, level: levelOfOneTest)
    for index in rows.indices where rows[index].name != .decision && !rows[index].isIdentical {
      let row = rows[index]
      question.scale = row.isPercentage ? 100 : nil
      let needed: Int?
      if let pairing {
        let pairs = pairing.measured(row.base.values, row.new.values)
        needed = question.pairs(
          base: pairs.map(\.base), differences: pairs.map { $0.new - $0.base })
      } else {
        needed = question.perSide(base: row.base.measured, new: row.new.measured)
      }
      let there = row.pairCount ?? min(row.base.measured.count, row.new.measured.count)
      rows[index].moreRuns = needed.map { max(0, $0 - there) }
    }
  }

  /// What the smallest of all p has to be below for anything to be significant, 0 to 1.
  public var levelOfOneTest: Double {
    options.isAdjusted ? options.alpha / Double(max(1, testCount)) : options.alpha
  }

  /// Geometric means of the medians, for each unit that more than one row has.
  private static func means(_ rows: [Row]) -> [Mean] {
    var units: [String] = []
    var byUnit: [String: [Row]] = [:]
    for row in rows where row.name != .decision && row.name != .margin && !row.isPercentage {
      if byUnit[row.unit] == nil { units.append(row.unit) }
      byUnit[row.unit, default: []].append(row)
    }
    return units.compactMap { unit in
      let rows = byUnit[unit] ?? []
      guard rows.count > 1 else { return nil }
      var mean = Mean(unit: unit, rowCount: rows.count)
      let sides: [(name: String, side: (Row) -> Side)] = [("base", \.base), ("new", \.new)]
      for (name, side) in sides {
        let medians = rows.map { side($0).median ?? .nan }
        switch GeometricMean(of: medians) {
        case .value(let value):
          if name == "base" { mean.base = value } else { mean.new = value }
        case .refused(let refusal):
          guard mean.refusal == nil else { continue }
          mean.refusal = refusal.sentence(medians) { "the \(name) \(rows[$0].label)" }
        }
      }
      if mean.refusal != nil { (mean.base, mean.new) = (nil, nil) }
      return mean
    }
  }
}

extension SessionMetrics {
  /// Tells speeds and margins without the sign that the outcome gives them, and finishes apart from cancels where there
  /// are both.
  fileprivate mutating func part(_ mixed: Set<Int>) {
    var outcomes: [Int: ReleaseOutcome] = [:]
    for metric in metrics where metric.name == .decision && mixed.contains(metric.transition) {
      outcomes[metric.transition] = metric.value == 1 ? .finish : .cancel
    }
    for index in metrics.indices where metrics[index].key != nil || metrics[index].name == .margin {
      metrics[index].outcome = outcomes[metrics[index].transition]
      if [.peakVelocity, .releaseVelocity, .margin].contains(metrics[index].name) {
        metrics[index].value = metrics[index].value.map(abs)
      }
    }
  }
}

/// The numbers of many runs, looked up by metric.
private struct MetricTable {
  private let count: Int
  private var values: [String: [Double?]] = [:]

  init(_ runs: [BenchRun]) {
    count = runs.count
    for (index, run) in runs.enumerated() {
      for metric in run.metrics.metrics {
        values[metric.identity, default: Array(repeating: nil, count: count)][index] = metric.value
      }
    }
  }

  /// The number of each run; nil where it does not tell it.
  subscript(metric: SessionMetrics.Metric) -> [Double?] {
    values[metric.identity] ?? Array(repeating: nil, count: count)
  }
}

extension BenchComparison.Options {
  fileprivate func takes(_ metric: SessionMetrics.Metric) -> Bool {
    let names = metrics.isEmpty ? BenchComparison.headlines : metrics
    return names.contains(metric.name) && (keys?.contains(metric.key ?? "") ?? true)
  }
}

extension GeometricMean.Refusal {
  /// Why there is no mean; the closure names a number by its place.
  fileprivate func sentence(_ numbers: [Double], naming name: (Int) -> String) -> String {
    switch self {
    case .empty: "there are no numbers"
    case .zero(let index): "\(name(index)) is 0"
    case .negative(let index): "\(name(index)) is below 0 (\(numbers[index]))"
    case .notFinite(let index): "\(name(index)) is not finite"
    }
  }
}
