import MotionJudgement
import MotionMeasures
import TimelineModel

/// The numbers of many sessions, each metric once.
struct MetricTable: Sendable, Hashable {
  /// What metrics of several releases have in common.
  private struct Kind: Sendable, Hashable {
    let name: Measure
    let key: String?
    let role: KeyRole?
    /// The outcome of the releases, where finishes are apart from cancels.
    let outcome: ReleaseOutcome?
  }

  /// A metric: its kind, its release, and its unit in the first session that has it.
  private struct Place: Sendable, Hashable {
    let kind: Int32
    let unit: Int32
    let transition: Int
  }

  private var kinds: [Kind] = []
  private var units: [String] = []
  /// The metrics in the order of their first appearance.
  private var places: [Place] = []
  /// The keys that sessions give different units, in the order in which that was found.
  private(set) var mixedUnits: [MixedUnits] = []
  private let baseCount: Int
  private let newCount: Int
  /// Metric after metric, the number of each session of the base and of the new side.
  private var values: [OptionalNumber] = []

  /// A key with numbers in several units.
  struct MixedUnits: Sendable, Hashable {
    let key: String
    /// The first number that shows it.
    let measure: Measure
    fileprivate(set) var units: [String]
  }

  init(_ base: [GroupRun], _ new: [GroupRun], of options: GroupComparison.Options) {
    (baseCount, newCount) = (base.count, new.count)
    let runs = base.map(\.metrics) + new.map(\.metrics)
    let mixed = MetricTable.decided(1, in: runs).intersection(MetricTable.decided(0, in: runs))
    var index = Index()
    for (run, metrics) in runs.enumerated() {
      let outcomes = metrics.outcomes(at: mixed)
      for block in metrics.blocks {
        add(block, of: run, outcomes, options, &index)
      }
    }
  }

  /// The number of metrics.
  var count: Int { places.count }

  /// A metric without a value.
  func metric(_ index: Int) -> SessionMetrics.Metric {
    let place = places[index]
    let kind = kinds[Int(place.kind)]
    var metric = SessionMetrics.Metric(
      name: kind.name, key: kind.key, role: kind.role, transition: place.transition,
      unit: units[Int(place.unit)], value: nil)
    metric.outcome = kind.outcome
    return metric
  }

  /// The number of each session of the base for a metric.
  func base(_ index: Int) -> ArraySlice<OptionalNumber> {
    let start = index * (baseCount + newCount)
    return values[start..<start + baseCount]
  }

  /// The numbers of the new side.
  func new(_ index: Int) -> ArraySlice<OptionalNumber> {
    let start = index * (baseCount + newCount) + baseCount
    return values[start..<start + newCount]
  }

  /// The metrics' indices: by key in the order of their first appearance, the session's own last.
  var order: [Int] {
    struct Subject: Hashable {
      let key: String
      let role: KeyRole?
    }
    // Kinds are in the order of their first metrics.
    var ranks: [Subject: Int] = [:]
    let rankOf = kinds.map { kind -> Int in
      guard let key = kind.key else { return .max }
      let subject = Subject(key: key, role: kind.role)
      let rank = ranks[subject] ?? ranks.count
      ranks[subject] = rank
      return rank
    }
    return places.indices.sorted {
      (rankOf[Int(places[$0].kind)], $0) < (rankOf[Int(places[$1].kind)], $1)
    }
  }
}

// MARK: - Making it

extension MetricTable {
  /// Where kinds, units and metrics are while the table is made.
  private struct Index {
    var kinds: [Kind: Int32] = [:]
    var units: [String: Int32] = [:]
    /// The metrics of each kind, by their releases.
    var metrics: [[Int: Int32]] = []
  }

  /// Adds a session's numbers: speeds and margins without the sign that the outcome gives them, and finishes apart from
  /// cancels at the releases that had both.
  private mutating func add(
    _ block: SessionMetrics.Block, of run: Int, _ outcomes: [Int: ReleaseOutcome],
    _ options: GroupComparison.Options, _ index: inout Index
  ) {
    let taken = block.columns.map { options.takes($0.name, of: block.key) }
    guard taken.contains(true) else { return }
    let unsigned: Set<Measure> = [.peakVelocity, .releaseVelocity, .margin]
    // A kind of a column, by outcome.
    var found = Array(repeating: [ReleaseOutcome?: Int32](), count: block.columns.count)
    for (number, value) in block.values.enumerated() {
      let (row, column) = number.quotientAndRemainder(dividingBy: block.columns.count)
      guard taken[column] else { continue }
      let name = block.columns[column].name
      let transition = block.firstTransition + row
      let isApart = block.key != nil || name == .margin
      let outcome = isApart ? outcomes[transition] : nil
      let kind: Int32
      if let known = found[column][outcome] {
        kind = known
      } else {
        kind = self.kind(
          Kind(name: name, key: block.key, role: block.role, outcome: outcome), &index)
        found[column][outcome] = kind
      }
      let metric = self.metric(
        kind, at: transition, unit: block.columns[column].unit, &index)
      values[metric * (baseCount + newCount) + run] =
        isApart && unsigned.contains(name) ? OptionalNumber(value.value.map(abs)) : value
    }
  }

  private mutating func kind(_ kind: Kind, _ index: inout Index) -> Int32 {
    if let known = index.kinds[kind] { return known }
    let new = Int32(kinds.count)
    index.kinds[kind] = new
    index.metrics.append([:])
    kinds.append(kind)
    return new
  }

  private mutating func metric(
    _ kind: Int32, at transition: Int, unit: String, _ index: inout Index
  ) -> Int {
    if let known = index.metrics[Int(kind)][transition] {
      let first = units[Int(places[Int(known)].unit)]
      if first != unit { noteUnits(of: kinds[Int(kind)], first, unit) }
      return Int(known)
    }
    let new = places.count
    index.metrics[Int(kind)][transition] = Int32(new)
    let unitIndex = index.units[unit] ?? Int32(units.count)
    if unitIndex == units.count {
      index.units[unit] = unitIndex
      units.append(unit)
    }
    places.append(Place(kind: kind, unit: unitIndex, transition: transition))
    values += repeatElement(.none, count: baseCount + newCount)
    return new
  }

  private mutating func noteUnits(of kind: Kind, _ first: String, _ other: String) {
    guard let key = kind.key else { return }
    guard let known = mixedUnits.firstIndex(where: { $0.key == key }) else {
      mixedUnits.append(MixedUnits(key: key, measure: kind.name, units: [first, other]))
      return
    }
    if mixedUnits[known].measure == kind.name, !mixedUnits[known].units.contains(other) {
      mixedUnits[known].units.append(other)
    }
  }

  /// The releases that some session finished (1) or cancelled (0).
  private static func decided(_ value: Double, in runs: [SessionMetrics]) -> Set<Int> {
    Set(runs.lazy.flatMap(\.decisions).filter { $0.value == value }.map(\.transition))
  }
}

extension SessionMetrics {
  /// How each release was decided: 1 if it finished.
  fileprivate var decisions: [(transition: Int, value: Double)] {
    blocks.flatMap { block in
      let columns = block.columns.indices.filter { block.columns[$0].name == .decision }
      return columns.flatMap { column in
        stride(from: column, to: block.values.count, by: block.columns.count).compactMap { place in
          block.values[place].value.map {
            (block.firstTransition + place / block.columns.count, $0)
          }
        }
      }
    }
  }

  /// The outcomes of those releases that were decided both ways.
  fileprivate func outcomes(at mixed: Set<Int>) -> [Int: ReleaseOutcome] {
    var outcomes: [Int: ReleaseOutcome] = [:]
    if mixed.isEmpty { return outcomes }
    for (transition, value) in decisions where mixed.contains(transition) {
      outcomes[transition] = value == 1 ? .finish : .cancel
    }
    return outcomes
  }
}
