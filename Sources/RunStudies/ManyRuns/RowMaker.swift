import MotionMeasures
import TimelineModel
import TimelineStatistics

/// Computes the rows of a comparison: each metric's figures on both sides, and the test between them.
struct RowMaker: Sendable, Hashable {
  let options: GroupComparison.Options
  let pairing: GroupPairing?

  typealias Row = GroupComparison.Row
  typealias Side = GroupComparison.Side

  /// A metric on both sides: its numbers, and the test between them.
  func tested(_ index: Int, of table: MetricTable) -> Row {
    let (base, new) = (table.base(index), table.new(index))
    var row = Row(
      metric: table.metric(index), base: Side(numbers: base), new: Side(numbers: new),
      test: .mannWhitney)
    if let pairing {
      let pairs = pairing.measured(base, new)
      row.pairCount = pairs.count
      test(&row, pairs)
    } else if !row.isConstant {
      let (base, new) = (row.base.measured, row.new.measured)
      guard !base.isEmpty, !new.isEmpty else { return row }
      let test = RankSumTest(base, new)
      (row.p, row.statistic, row.method) = (test.p, test.u, test.method)
    }
    return row
  }

  private func test(_ row: inout Row, _ pairs: [(base: Double, new: Double)]) {
    row.test = row.name == .decision ? .mcNemar : .wilcoxon
    let differences = pairs.map { $0.new - $0.base }
    let changes = differences.contains { $0 != 0 }
    if row.name == .decision {
      let flips = McNemarTest(
        gained: differences.count { $0 > 0 }, lost: differences.count { $0 < 0 })
      row.flips = flips
      if changes { (row.p, row.statistic, row.method) = (flips.p, Double(flips.gained), .exact) }
    } else if changes {
      let test = SignedRankTest(differences: differences)
      (row.p, row.statistic, row.method) = (test.p, test.positiveRankSum, test.method)
    }
  }

  /// Adds to a row its figures: medians, changes and intervals.
  func describe(_ row: inout Row) {
    describe(&row.base)
    describe(&row.new)
    if row.name == .hitchRatio { row.band = row.new.median.map { HitchBand($0) } }
    if let pairing {
      describeChange(of: &row, pairing.measured(row.base.numbers, row.new.numbers))
    } else {
      describeChange(of: &row)
    }
  }

  private func describe(_ side: inout Side) {
    let measured = side.measured
    let sorted = SortedValues(measured)
    let bootstrap = Bootstrap(seed: options.seed, level: options.level)
    side.median = sorted.median
    side.interval = sorted.medianInterval(level: options.level)
    side.percentile90 = sorted.quantile(0.9)
    side.percentile90Interval = bootstrap.interval(of: measured) { $0.quantile(0.9) }
  }

  /// Independent sessions.
  private func describeChange(of row: inout Row) {
    let base = row.base.measured
    let new = row.new.measured
    row.shift = LocationShift(from: base, to: new, level: options.level)
    guard row.name != .decision, !row.isPercentage else { return }
    guard let before = row.base.median, let after = row.new.median else { return }
    if before == after { row.change = 0 }
    guard before != 0 else { return }
    row.change = (after - before) / abs(before)
    row.changeInterval = Bootstrap(seed: options.seed, level: options.level)
      .interval(of: base, and: new) { base, new in
        guard let before = base.median, let after = new.median, before != 0 else { return nil }
        return (after - before) / abs(before)
      }
  }

  /// Pairs of sessions.
  private func describeChange(of row: inout Row, _ pairs: [(base: Double, new: Double)]) {
    if row.name == .decision { return }
    row.shift = LocationShift(
      ofPairs: pairs.map { $0.new - $0.base }, level: options.level)
    guard !row.isPercentage, let shift = row.shift?.estimate,
      let before = SortedValues(pairs.map(\.base)).median
    else { return }
    if shift == 0 { row.change = 0 } else if before != 0 { row.change = shift / abs(before) }
  }
}
