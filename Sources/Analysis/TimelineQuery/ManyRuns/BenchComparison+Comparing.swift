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
    let base = BenchComparison.withoutDoubles(base, side: "base", &warnings)
    let new = BenchComparison.withoutDoubles(new, side: "new", &warnings)
    self.options = options
    (baseRuns, newRuns) = (base, new)
    pairing = options.isPaired ? try BenchPairing(base, new) : nil
    (rows, means) = ([], [])
    self.warnings = warnings
    let table = MetricTable(base, new, of: options)
    // A number that no run has, such as the release of a session without one, is no row.
    let measured = table.order.filter { index in
      table.base(index).contains { $0 != nil } || table.new(index).contains { $0 != nil }
    }
    guard !measured.isEmpty else {
      throw QueryError("None of the sessions has any of the requested metrics.")
    }
    rows.reserveCapacity(measured.count)
    for index in measured {
      let row = row(table.metrics[index], table.base(index), table.new(index))
      // A viewport that does not move in any run is no test.
      let isViewport = row.key?.hasPrefix(ViewportKeys.prefix) == true
      if !isViewport || !row.isConstant { rows.append(row) }
    }
    means = BenchComparison.means(rows)
    adjust()
    self.warnings += BenchComparison.warnings(of: base, new)
    addOwnWarnings(base, new)
  }

  /// The releases that some run finished (1) or cancelled (0).
  fileprivate static func decided(_ value: Double, in sides: [[BenchRun]]) -> Set<Int> {
    var transitions: Set<Int> = []
    for run in sides.joined() {
      for metric in run.metrics.metrics where metric.name == .decision && metric.value == value {
        transitions.insert(metric.transition)
      }
    }
    return transitions
  }

  /// One metric on both sides.
  private func row(
    _ metric: SessionMetrics.Metric, _ base: ArraySlice<Double?>, _ new: ArraySlice<Double?>
  ) -> Row {
    var row = Row(
      name: metric.name, key: metric.key, role: metric.role, transition: metric.transition,
      outcome: metric.outcome, unit: metric.unit, base: side(base), new: side(new),
      test: .mannWhitney)
    if metric.name == .hitchRatio { row.band = row.new.median.map { HitchBand($0) } }
    if let pairing {
      let pairs = pairing.measured(Array(base), Array(new))
      row.pairCount = pairs.count
      compare(&row, pairs)
    } else {
      compare(&row)
    }
    return row
  }

  private func side(_ values: ArraySlice<Double?>) -> Side {
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
        let pairs = pairing.measured(Array(row.base.values), Array(row.new.values))
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
  package var levelOfOneTest: Double {
    options.isAdjusted ? options.alpha / Double(max(1, testCount)) : options.alpha
  }

  /// Geometric means of the medians, for each unit that more than one row has.
  private static func means(_ rows: [Row]) -> [Mean] {
    var units: [String] = []
    var byUnit: [String: [Int]] = [:]
    for (index, row) in rows.enumerated()
    where row.name != .decision && row.name != .margin && !row.isPercentage {
      if byUnit[row.unit] == nil { units.append(row.unit) }
      byUnit[row.unit, default: []].append(index)
    }
    return units.compactMap { unit in
      let indices = byUnit[unit] ?? []
      guard indices.count > 1 else { return nil }
      var mean = Mean(unit: unit, rowCount: indices.count)
      let sides: [(name: String, side: (Row) -> Side)] = [("base", \.base), ("new", \.new)]
      for (name, side) in sides {
        let medians = indices.map { side(rows[$0]).median ?? .nan }
        switch GeometricMean(of: medians) {
        case .value(let value):
          if name == "base" { mean.base = value } else { mean.new = value }
        case .refused(let refusal):
          guard mean.refusal == nil else { continue }
          mean.refusal = refusal.sentence(medians) { "the \(name) \(rows[indices[$0]].label)" }
        }
      }
      if mean.refusal != nil { (mean.base, mean.new) = (nil, nil) }
      return mean
    }
  }
}

extension SessionMetrics {
  /// Hands on each number: speeds and margins without the sign that the outcome gives them, and finishes apart from cancels
  /// at the releases that had both.
  fileprivate func forEach(parting mixed: Set<Int>, _ body: (Metric) -> Void) {
    var outcomes: [Int: ReleaseOutcome] = [:]
    for metric in metrics where metric.name == .decision && mixed.contains(metric.transition) {
      outcomes[metric.transition] = metric.value == 1 ? .finish : .cancel
    }
    for var metric in metrics {
      if metric.key != nil || metric.name == .margin {
        metric.outcome = outcomes[metric.transition]
        if [.peakVelocity, .releaseVelocity, .margin].contains(metric.name) {
          metric.value = metric.value.map(abs)
        }
      }
      body(metric)
    }
  }
}

/// The numbers of many runs, each metric once.
private struct MetricTable {
  /// The metrics that are compared, each of the first run that has it.
  private(set) var metrics: [SessionMetrics.Metric] = []
  private let baseCount: Int
  private let newCount: Int
  /// Metric after metric, the number of each run of the base and of the new side; nil if the run has none.
  private var values: [Double?] = []

  init(_ base: [BenchRun], _ new: [BenchRun], of options: BenchComparison.Options) {
    (baseCount, newCount) = (base.count, new.count)
    let mixed = BenchComparison.decided(1, in: [base, new])
      .intersection(BenchComparison.decided(0, in: [base, new]))
    var indices: [SessionMetrics.Metric: Int] = [:]
    for (run, numbers) in (base + new).enumerated() {
      numbers.metrics.forEach(parting: mixed) { metric in
        guard options.takes(metric) else { return }
        var identity = metric
        // Metrics of two runs are matched by name, key, role, outcome and transition.
        (identity.unit, identity.value) = ("", nil)
        let index = indices[identity] ?? metrics.count
        if index == metrics.count {
          indices[identity] = index
          metrics.append(metric)
          values += repeatElement(nil, count: baseCount + newCount)
        }
        values[index * (baseCount + newCount) + run] = metric.value
      }
    }
  }

  /// The number of each run of the base for a metric.
  func base(_ index: Int) -> ArraySlice<Double?> {
    let start = index * (baseCount + newCount)
    return values[start..<start + baseCount]
  }

  /// The numbers of the new side.
  func new(_ index: Int) -> ArraySlice<Double?> {
    let start = index * (baseCount + newCount) + baseCount
    return values[start..<start + newCount]
  }

  /// The metrics' indices: by key in the order of their first appearance, the session's own last.
  var order: [Int] {
    struct Subject: Hashable {
      let key: String
      let role: KeyRole?
    }
    var ranks: [Subject: Int] = [:]
    let rankOf = metrics.map { metric -> Int in
      guard let key = metric.key else { return .max }
      let subject = Subject(key: key, role: metric.role)
      let rank = ranks[subject] ?? ranks.count
      ranks[subject] = rank
      return rank
    }
    return metrics.indices.sorted { (rankOf[$0], $0) < (rankOf[$1], $1) }
  }
}

extension BenchComparison.Options {
  /// Whether a run's metric is needed: it is compared, or says how the run's releases ended.
  package func needs(_ metric: SessionMetrics.Metric) -> Bool {
    metric.name == .decision || takes(metric)
  }

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
