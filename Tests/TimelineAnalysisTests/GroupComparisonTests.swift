import MotionJudgement
import MotionMeasures
import RunStudies
import Testing
import TimelineModel
import TimelineRecorder
import TimelineStatistics
import TimelineStore

/// Benches of runs whose numbers are put in by hand.
@Suite struct GroupComparisonTests {
  private let pattern: GroupRun

  init() throws {
    let reader = try HandMade().session { recorder in
      recorder.values(of: "x", unit: "pt", [(0, 0), (10, 1)])
    }
    pattern = try GroupRun(reader.session(selectedBy: "last"), in: reader)
  }

  /// A run that tells the settle time of "x", and whatever else is given of the session.
  private func run(
    _ number: Int, settle: Double?, name: String? = nil,
    _ others: [Measure: Double] = [:]
  ) throws -> GroupRun {
    var run = pattern
    run.session.uuid = "run \(number)"
    run.session.description.name = name
    var metric = try #require(pattern.metrics.metrics.first { $0.name == .settle2 })
    metric.value = settle
    run.metrics.metrics = [metric]
    for (name, value) in others.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      var other = try #require(pattern.metrics.metrics.first { $0.key == nil })
      (other.name, other.value) = (name, value)
      run.metrics.metrics.append(other)
    }
    return run
  }

  private func runs(
    _ settles: [Double?], from number: Int, _ others: [Measure: Double] = [:]
  ) throws -> [GroupRun] {
    try settles.enumerated().map { try run(number + $0.offset, settle: $0.element, others) }
  }

  private let low = [10.0, 11, 12, 13, 14, 15]
  private let high = [20.0, 21, 22, 23, 24, 25]

  /// Runs of "x" with a velocity each, of which every second one is cancelled.
  private func released(_ speeds: [Double], from number: Int) throws -> [GroupRun] {
    try speeds.enumerated().map { place, speed in
      var run = try run(number + place, settle: nil, [.decision: place % 2 == 0 ? 1 : 0])
      var peak = try #require(pattern.metrics.metrics.first { $0.name == .peakVelocity })
      peak.value = place % 2 == 0 ? speed : -speed
      run.metrics.metrics.append(peak)
      return run
    }
  }

  @Test func `speeds have no sign, and finishes and cancels a row each`() throws {
    let bench = try GroupComparison(
      released([1, 5, 2, 6, 3, 7], from: 0), released([1, 5, 2, 6, 3, 7], from: 10))
    let peaks = bench.rows.filter { $0.name == .peakVelocity }
    #expect(peaks.map(\.outcome) == [.finish, .cancel])
    #expect(peaks.map(\.base.median) == [2, 6])
    #expect(peaks.map(\.base.measured.count) == [3, 3])
    #expect(peaks.map(\.label) == ["x peak velocity pt/s, finish", "x peak velocity pt/s, cancel"])
    // Equal numbers need no more runs.
    #expect(bench.rows.allSatisfy { $0.isIdentical && $0.moreRuns == nil })
  }

  @Test func `runs of one outcome have one row`() throws {
    let bench = try GroupComparison(released([1], from: 0), released([2], from: 10))
    let peaks = bench.rows.filter { $0.name == .peakVelocity }
    #expect(peaks.map(\.label) == ["x peak velocity pt/s"])
    #expect(peaks.map(\.outcome) == [nil])
  }

  @Test func `percentages change by points`() throws {
    func runs(_ values: [Double], from number: Int) throws -> [GroupRun] {
      try values.enumerated().map { place, value in
        var run = try run(number + place, settle: nil)
        var metric = try #require(pattern.metrics.metrics.first { $0.name == .overshoot })
        metric.value = value
        run.metrics.metrics = [metric]
        return run
      }
    }
    let bench = try GroupComparison(runs(low, from: 0), runs(high, from: 10))
    let row = try #require(bench.rows.first)
    #expect(row.isSignificant)
    #expect(row.change == nil)
    #expect(row.changeInterval == nil)
    #expect(row.shift?.estimate == 10)
    #expect(bench.means.isEmpty)
    // The effect that is looked for is five points, whatever the base is.
    let tiny = try GroupComparison(runs(low.map { $0 / 100 }, from: 0), runs(high, from: 10))
    #expect(try #require(tiny.rows[0].moreRuns) < 20)
  }

  @Test func `six runs that are all longer are a change`() throws {
    let bench = try GroupComparison(runs(low, from: 0), runs(high, from: 10))
    let row = try #require(bench.rows.first)
    #expect(bench.rows.count == 1)
    #expect(bench.testCount == 1)
    #expect(bench.significantCount == 1)
    #expect(row.name == .settle2)
    #expect(row.key == "x")
    #expect(row.label == "x settle 2% ms")
    #expect(row.base.median == 12.5)
    #expect(row.new.median == 22.5)
    #expect(row.base.interval?.low == 10)
    #expect(row.base.interval?.high == 15)
    #expect(row.p.map { abs($0 - 2.0 / 924) < 1e-15 } == true)
    #expect(row.change.map { abs($0 - 0.8) < 1e-12 } == true)
    #expect(row.shift?.estimate == 10)
    #expect(row.method == .exact)
    #expect(row.statistic == 0)
    #expect(bench.warnings.isEmpty)
  }

  @Test func `a row of one run a side has the figures of these runs, each time it is read`() throws
  {
    let bench = try GroupComparison(runs([10], from: 0), runs([20], from: 10))
    let row = try #require(bench.rows.first { $0.name == .settle2 })
    #expect(row.base.values == [10])
    #expect(row.new.values == [20])
    #expect(row.base.median == 10)
    #expect(row.new.median == 20)
    #expect(row.change == 1)
    #expect(row.p == 1)
    #expect(row.adjustedP == 1)
    #expect(!row.isSignificant)
    #expect(row.base.interval == nil)
    #expect(row.base.percentile90 == 10)
    #expect(bench.rows.first { $0.name == .settle2 } == row)
  }

  @Test func `three runs against three can never be a change`() throws {
    let bench = try GroupComparison(
      runs(Array(low.prefix(3)), from: 0), runs(Array(high.prefix(3)), from: 10))
    #expect(bench.significantCount == 0)
    #expect(bench.rows.first?.p == 0.1)
    #expect(bench.rows.first?.base.interval == nil)
    #expect(bench.warnings.count == 3)
    #expect(bench.warnings[0].contains("95 % interval of the median, which needs 6"))
    #expect(bench.warnings[2].contains("no result can be significant"))
    #expect(bench.warnings[2].contains("Give 4 on each side"))
  }

  @Test func `many tests make each weaker, and say so`() throws {
    let others: [Measure: Double] = [
      .duration: 1, .frames: 1, .intervalP50: 1, .intervalP95: 1, .intervalP99: 1, .jank: 1,
      .hitchRatio: 1,
    ]
    var options = GroupComparison.Options()
    options.metrics = SessionMetrics.measures
    func bench(_ count: Int) throws -> GroupComparison {
      // Every other metric differs by a hair between the runs, so that each is a test.
      let base = try (0..<count).map { place in
        try run(place, settle: low[place], others.mapValues { $0 + Double(place) / 100 })
      }
      let new = try (0..<count).map { place in
        try run(place + 10, settle: high[place], others.mapValues { $0 + Double(place) / 90 })
      }
      return try GroupComparison(base, new, options: options)
    }
    let five = try bench(5)
    #expect(five.testCount == 8)
    #expect(five.significantCount == 0)
    #expect(five.warnings.contains { $0.contains("8 tests no result can be significant") })
    let six = try bench(6)
    #expect(six.rows.first?.adjustedP.map { abs($0 - 16.0 / 924) < 1e-12 } == true)
    #expect(six.significantCount == 1)
    options.isAdjusted = false
    #expect(try bench(5).significantCount == 1)
    #expect(try bench(5).rows.first?.adjustedP == five.rows.first?.p)
  }

  @Test func `a session that is given twice counts once`() throws {
    let base = try runs(low, from: 0)
    let bench = try GroupComparison(base + [base[2]], try runs(high, from: 10) + [base[0]])
    #expect(bench.baseRuns.count == 6)
    #expect(bench.newRuns.count == 7)
    #expect(bench.rows.first?.base.values.count == 6)
    #expect(bench.warnings.contains { $0.contains("1 base session was given twice") })
    #expect(bench.warnings.contains { $0.contains("1 session is on both sides") })
  }

  @Test func `pairs go by name, whatever their order`() throws {
    var options = GroupComparison.Options()
    options.isPaired = true
    let base = try low.enumerated().map {
      try run($0.offset, settle: $0.element, name: "g\($0.offset)")
    }
    let new = try low.enumerated().reversed().map {
      try run($0.offset + 10, settle: $0.element + 2 + Double($0.offset) / 8, name: "g\($0.offset)")
    }
    let alone = try run(30, settle: 99, name: "other")
    let bench = try GroupComparison(base, new + [alone], options: options)
    let row = try #require(bench.rows.first)
    #expect(bench.pairing?.way == .name)
    #expect(row.pairCount == 6)
    #expect(row.test == .wilcoxon)
    #expect(row.p == 0.03125)
    #expect(row.statistic == 21)
    #expect(row.shift?.estimate == 2.3125)
    #expect(row.change.map { abs($0 - 2.3125 / 12.5) < 1e-12 } == true)
    #expect(bench.warnings == ["1 session has no partner with its name, and is left out."])
  }

  @Test func `pairs without names go by order, and need as many on both sides`() throws {
    var options = GroupComparison.Options()
    options.isPaired = true
    let bench = try GroupComparison(
      runs(low, from: 0), runs(low.map { $0 + 1 }, from: 10), options: options)
    #expect(bench.pairing?.way == .order)
    #expect(bench.rows.first?.shift?.estimate == 1)
    #expect(throws: QueryError.self) {
      try GroupComparison(runs(low, from: 0), runs([1, 2], from: 10), options: options)
    }
  }

  @Test func `decisions are told by Fisher's test, and flips of pairs by McNemar's`() throws {
    // A lady tastes eight cups of tea (Fisher, The Design of Experiments): 3 of 4 right, p 34/70.
    func tastes(_ outcomes: [Double], _ number: Int) throws -> [GroupRun] {
      try outcomes.enumerated().map {
        try run(number + $0.offset, settle: nil, [.decision: $0.element])
      }
    }
    let (base, new) = try (tastes([1, 1, 1, 0], 0), tastes([0, 0, 0, 1], 10))
    let row = try #require(GroupComparison(base, new).rows.first)
    #expect(row.name == .decision)
    #expect(row.test == .mannWhitney)
    #expect(row.p.map { abs($0 - 34.0 / 70) < 1e-12 } == true)
    var options = GroupComparison.Options()
    options.isPaired = true
    let paired = try #require(GroupComparison(base, new, options: options).rows.first)
    #expect(paired.flips == McNemarTest(gained: 1, lost: 3))
    #expect(paired.p == 0.625)
    let same = try #require(
      GroupComparison(base, tastes([1, 1, 1, 0], 10), options: options).rows.first)
    #expect(same.flips?.gained == 0)
    #expect(same.p == nil)
    #expect(same.pairCount == 4)
  }

  @Test func `what is the same in all runs is not tested`() throws {
    let bench = try GroupComparison(
      runs(low, from: 0, [.jank: 3]), runs(high, from: 10, [.jank: 3]))
    let jank = try #require(bench.rows.first { $0.name == .jank })
    #expect(jank.isConstant)
    #expect(jank.p == nil)
    #expect(jank.change == 0)
    #expect(bench.testCount == 1)
    #expect(bench.warnings.contains { $0.contains("so they are not tested: jank") })
  }

  @Test func `a geometric mean is told where there is one, and refused with a reason`() throws {
    let fine = try GroupComparison(
      runs(low, from: 0, [.intervalP95: 2]), runs(high, from: 10, [.intervalP95: 4]))
    let mean = try #require(fine.means.first)
    // The unit of what was put in is the duration's.
    #expect(mean.unit == "ms")
    #expect(mean.rowCount == 2)
    #expect(mean.base.map { abs($0 - 5) < 1e-12 } == true)
    #expect(mean.change.map { abs($0 - ((22.5 * 4 / 25).squareRoot() - 1)) < 1e-12 } == true)
    let zero = try GroupComparison(
      runs(low, from: 0, [.intervalP95: 0]), runs(high, from: 10, [.intervalP95: 4]))
    #expect(zero.means.first?.base == nil)
    #expect(zero.means.first?.refusal == "the base interval p95 ms is 0")
    #expect(zero.warnings.contains { $0.contains("geometric mean of ms cannot be computed") })
  }

  @Test func `other programs and displays are a warning`() throws {
    let base = try runs(low, from: 0)
    var new = try runs(high, from: 10)
    for place in new.indices { new[place].session.description.refreshRate = 60 }
    new[0].session.description.software = "tests 2"
    let warnings = try GroupComparison(base, new).warnings
    #expect(warnings.contains { $0.contains("base 100 Hz, new 60 Hz") })
    #expect(warnings.contains { $0.contains("different programs: base tests 1") })
  }

  @Test func `a key of several units is a warning`() throws {
    var new = try runs(high, from: 10)
    for (place, unit) in ["s", "", "s"].enumerated() {
      var settle = try #require(new[place].metrics.metrics.first { $0.key == "x" })
      settle.unit = unit
      new[place].metrics.metrics.removeAll { $0.key == "x" }
      new[place].metrics.metrics.append(settle)
    }
    let warnings = try GroupComparison(runs(low, from: 0), new).warnings
    #expect(
      warnings.filter { $0.contains("units") } == [
        "The sessions have x in different units: its settle_2_ms is in ms and in s and in no unit. "
          + "The numbers are compared as they are."
      ])
  }

  @Test func `hitches lie in three bands`() throws {
    #expect(
      [0, 4.99, 5, 10, 10.01].map { HitchBand($0) } == [
        .good, .good, .warning, .warning, .critical,
      ])
    let bench = try GroupComparison(
      runs(low, from: 0, [.hitchRatio: 3]), runs(low, from: 10, [.hitchRatio: 11.8]))
    #expect(bench.rows.first { $0.name == .hitchRatio }?.band == .critical)
  }

  @Test func `a run that does not tell a metric is left out of it`() throws {
    let bench = try GroupComparison(
      runs(low + [nil], from: 0), runs([nil] + high, from: 10))
    let row = try #require(bench.rows.first)
    #expect(row.base.values.count == 7)
    #expect(row.base.measured == low)
    #expect(row.new.measured == high)
    #expect(row.p.map { abs($0 - 2.0 / 924) < 1e-15 } == true)
    #expect(throws: QueryError.self) {
      try GroupComparison(runs([nil], from: 0), runs([nil], from: 10))
    }
  }

  @Test func `the number of runs for an effect falls with the scatter`() throws {
    let wide = try GroupComparison(runs(low, from: 0), runs(low.map { $0 + 0.5 }, from: 10))
    let narrow = try GroupComparison(
      runs(low.map { 100 + $0 / 10 }, from: 0), runs(low.map { 100.1 + $0 / 10 }, from: 10))
    #expect(try #require(wide.rows.first?.moreRuns) > 50)
    #expect(narrow.rows.first?.moreRuns == 0)
  }

  @Test func `the same question has the same answer`() throws {
    let (base, new) = try (runs(low, from: 0), runs(high, from: 10))
    #expect(try GroupComparison(base, new) == GroupComparison(base, new))
    var options = GroupComparison.Options()
    options.seed = 2
    let other = try GroupComparison(base, new, options: options)
    #expect(
      try GroupComparison(base, new).rows.first?.changeInterval != other.rows.first?.changeInterval)
  }
}
