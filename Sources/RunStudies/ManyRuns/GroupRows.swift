import MotionJudgement
import MotionMeasures
import TimelineModel
import TimelineSession
package import TimelineStatistics

extension GroupComparison {
  /// The rows of a comparison. Those of more numbers than one a side are kept as they were computed. Others follow from
  /// their numbers without a drawing and are computed when they are read: of thousands of releases each takes some bytes.
  package struct Rows: RandomAccessCollection, Sendable, Hashable {
    /// What is kept of each row.
    private struct Facts: Sendable, Hashable {
      /// Its metric in the table.
      let metric: Int32
      /// Where it is among the rows that are kept. Below 0 for one that is computed.
      var kept: Int32 = -1
      /// Below 0 if it is not known.
      var moreRuns: Int32 = -1
      var method: TestMethod?
      var isSignificant = false
      let isConstant: Bool
      let isIdentical: Bool
      var p = OptionalNumber.none
      var adjustedP = OptionalNumber.none
    }

    private let table: MetricTable
    private let maker: RowMaker
    private var facts: [Facts] = []
    private var kept: [Row] = []

    /// Computes the rows of some metrics of a table.
    init(of metrics: [Int], in table: MetricTable, by maker: RowMaker) {
      (self.table, self.maker) = (table, maker)
      facts.reserveCapacity(metrics.count)
      for metric in metrics {
        var row = maker.tested(metric, of: table)
        let isConstant = row.isConstant
        // A viewport that does not move in any session is no test.
        if isConstant, row.key?.hasPrefix(ViewportKeys.prefix) == true { continue }
        var fact = Facts(
          metric: Int32(metric), isConstant: isConstant, isIdentical: row.isIdentical)
        (fact.p, fact.method) = (OptionalNumber(row.p), row.method)
        if row.base.measured.count > 1 || row.new.measured.count > 1 {
          fact.kept = Int32(kept.count)
          maker.describe(&row)
          kept.append(row)
        }
        facts.append(fact)
      }
    }

    package var startIndex: Int { 0 }
    package var endIndex: Int { facts.count }

    package subscript(index: Int) -> Row {
      let fact = facts[index]
      var row: Row
      if fact.kept < 0 {
        row = maker.tested(Int(fact.metric), of: table)
        maker.describe(&row)
      } else {
        row = kept[Int(fact.kept)]
      }
      (row.adjustedP, row.isSignificant) = (fact.adjustedP.value, fact.isSignificant)
      row.moreRuns = fact.moreRuns < 0 ? nil : Int(fact.moreRuns)
      return row
    }

    /// The number of each session of both sides for the metric of a row.
    private func numbers(_ index: Int) -> (base: [Double], new: [Double]) {
      let metric = Int(facts[index].metric)
      return (table.base(metric).compactMap(\.value), table.new(metric).compactMap(\.value))
    }
  }
}

// MARK: - All rows together

extension GroupComparison.Rows {
  /// How many tests were made.
  var testCount: Int { facts.count { $0.p != .none } }

  /// The places of the rows that changed, in order.
  package var significant: [Int] { facts.indices.filter { facts[$0].isSignificant } }

  /// The places of the other rows, in order.
  package var insignificant: [Int] { facts.indices.filter { !facts[$0].isSignificant } }

  /// Whether both sides have the same numbers in each row.
  package var areIdentical: Bool { facts.allSatisfy(\.isIdentical) }

  /// How p was found.
  package var methods: Set<TestMethod> { Set(facts.compactMap(\.method)) }

  /// The keys of the rows.
  var keys: [String] {
    GroupComparison.inOrder(facts.lazy.compactMap { table.metric(Int($0.metric)).key })
  }

  /// The keys of which each side has a number.
  var measuredKeys: (base: Set<String>, new: Set<String>) {
    var measured = (base: Set<String>(), new: Set<String>())
    for fact in facts {
      let place = Int(fact.metric)
      guard let key = table.metric(place).key else { continue }
      if table.base(place).contains(where: { $0 != .none }) { measured.base.insert(key) }
      if table.new(place).contains(where: { $0 != .none }) { measured.new.insert(key) }
    }
    return measured
  }

  /// The labels of the rows that have one number in three sessions or more.
  var constantLabels: [String] {
    facts.indices.filter { index in
      guard facts[index].isConstant else { return false }
      let numbers = numbers(index)
      return numbers.base.count + numbers.new.count > 2
    }.map { table.metric(Int(facts[$0].metric)).label }
  }

  /// Adjusts all p values together, and counts the sessions that each number still needs.
  ///
  /// - Parameter level: What the p of one test has to be below.
  mutating func judge(level: Double) {
    let options = maker.options
    let values = facts.map(\.p.value)
    let adjusted = options.isAdjusted ? holmAdjusted(values) : values
    for (index, p) in adjusted.enumerated() {
      facts[index].adjustedP = OptionalNumber(p)
      facts[index].isSignificant = p.map { $0 < options.alpha } ?? false
    }
    var question = RunsNeeded(effect: options.effect, level: level)
    for index in facts.indices where !facts[index].isIdentical {
      let place = Int(facts[index].metric)
      let metric = table.metric(place)
      if metric.name == .decision { continue }
      question.scale = metric.isPercentage ? 100 : nil
      let needed: Int?
      let there: Int
      if let pairing = maker.pairing {
        let pairs = pairing.measured(table.base(place), table.new(place))
        there = pairs.count
        needed = question.pairs(
          base: pairs.map(\.base), differences: pairs.map { $0.new - $0.base })
      } else {
        let numbers = numbers(index)
        there = Swift.min(numbers.base.count, numbers.new.count)
        needed = question.perSide(base: numbers.base, new: numbers.new)
      }
      facts[index].moreRuns = needed.map { Int32(Swift.max(0, $0 - there)) } ?? -1
    }
  }

  /// Geometric means of the medians, for each unit that more than one row has.
  func means() -> [GroupComparison.Mean] {
    var units: [String] = []
    var byUnit: [String: [Int]] = [:]
    for (index, fact) in facts.enumerated() {
      let metric = table.metric(Int(fact.metric))
      guard metric.name != .decision, metric.name != .margin, !metric.isPercentage else { continue }
      if byUnit[metric.unit] == nil { units.append(metric.unit) }
      byUnit[metric.unit, default: []].append(index)
    }
    return units.compactMap { unit in
      let indices = byUnit[unit] ?? []
      guard indices.count > 1 else { return nil }
      var mean = GroupComparison.Mean(unit: unit, rowCount: indices.count)
      for name in ["base", "new"] {
        let medians = indices.map { index -> Double in
          let numbers = numbers(index)
          return SortedValues(name == "base" ? numbers.base : numbers.new).median ?? .nan
        }
        switch GeometricMean(of: medians) {
        case .value(let value):
          if name == "base" { mean.base = value } else { mean.new = value }
        case .refused(let refusal):
          guard mean.refusal == nil else { continue }
          mean.refusal = refusal.sentence(medians) { place in
            let label = table.metric(Int(facts[indices[place]].metric)).label
            return "the \(name) \(label)"
          }
        }
      }
      if mean.refusal != nil { (mean.base, mean.new) = (nil, nil) }
      return mean
    }
  }
}

extension GeometricMean.Refusal {
  /// Why there is no mean. The closure names a number by its place.
  fileprivate func sentence(_ numbers: [Double], naming name: (Int) -> String) -> String {
    switch self {
    case .empty: "there are no numbers"
    case .zero(let index): "\(name(index)) is 0"
    case .negative(let index): "\(name(index)) is below 0 (\(numbers[index]))"
    case .notFinite(let index): "\(name(index)) is not finite"
    }
  }
}
