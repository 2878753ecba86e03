import MotionJudgement
public import MotionMeasures
import TimelineModel
import TimelineStatistics

extension GroupComparison {
  /// Holds runs against runs.
  ///
  /// - Parameters:
  ///   - base: The runs that are compared with; one that is there twice counts once.
  ///   - new: The runs that are judged.
  ///   - options: What is compared, and how.
  /// - Throws: ``QueryError`` where the runs cannot be paired as asked, or have none of the metrics.
  /// - Complexity: for each metric O(n log n) and 2000 drawings of n runs.
  public init(_ base: [GroupRun], _ new: [GroupRun], options: Options = Options())
    throws(QueryError)
  {
    var warnings: [String] = []
    let base = GroupComparison.withoutDoubles(base, side: "base", &warnings)
    let new = GroupComparison.withoutDoubles(new, side: "new", &warnings)
    let pairing = options.isPaired ? try GroupPairing(base, new) : nil
    let table = MetricTable(base, new, of: options)
    // A number that no run has, such as the release of a session without one, is no row.
    let measured = table.order.filter { index in
      [table.base(index), table.new(index)].joined().contains { $0 != .none }
    }
    guard !measured.isEmpty else {
      throw QueryError("None of the sessions has any of the requested metrics.")
    }
    rows = Rows(of: measured, in: table, by: RowMaker(options: options, pairing: pairing))
    means = rows.means()
    (baseRuns, newRuns) = (base, new)
    (self.options, self.pairing, self.warnings) = (options, pairing, warnings)
    rows.judge(level: levelOfOneTest)
    self.warnings += GroupComparison.warnings(of: base, new)
    self.warnings += table.mixedUnits.map(GroupComparison.warning(of:))
    addOwnWarnings(base, new)
  }

  /// What the smallest of all p has to be below for anything to be significant, 0 to 1.
  package var levelOfOneTest: Double {
    options.isAdjusted ? options.alpha / Double(max(1, testCount)) : options.alpha
  }
}

extension GroupComparison.Options {
  /// Whether a run's metric is needed: it is compared, or says how the run's releases ended.
  package func needs(_ name: Measure, of key: String?) -> Bool {
    name == .decision || takes(name, of: key)
  }

  func takes(_ name: Measure, of key: String?) -> Bool {
    let names = metrics.isEmpty ? GroupComparison.headlines : metrics
    return names.contains(name) && (keys?.contains(key ?? "") ?? true)
  }
}
