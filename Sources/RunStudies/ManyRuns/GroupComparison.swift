package import MotionJudgement
public import MotionMeasures
package import TimelineModel
package import TimelineStatistics
public import TimelineStore

/// Many sessions against many: whether any of their numbers changed, by how much, and how sure that is.
///
/// The unit is a session, never a sample: samples of one curve hang on each other. Independent sessions are held
/// against each other by `RankSumTest`, pairs by `SignedRankTest` and
/// their decisions by `McNemarTest`. All p values are adjusted together by Holm's procedure.
public struct GroupComparison: Sendable, Hashable {
  /// The measures that are compared, and how.
  public struct Options: Sendable, Hashable {
    /// Whether the n-th session of one side replays what the n-th of the other does.
    public var isPaired = false
    /// An adjusted p below this is a change, 0 to 1.
    public var alpha = 0.05
    /// Coverage of all intervals, 0 to 1.
    public var level = 0.95
    /// Where the bootstrap begins.
    public var seed = Options.usualSeed
    /// Whether p values are adjusted for how many there are.
    public var isAdjusted = true
    /// Only these metrics. Empty: those of ``GroupComparison/headlines``.
    package var metrics: [Measure] = []
    /// Only metrics of these keys. `nil`: of the session and of all keys.
    public var keys: Set<String>?
    /// The effect whose number of sessions is told, as a share of the base's median.
    public var effect = 0.05

    /// The seed unless told otherwise. Any number would do, and this one is the same every time.
    public static let usualSeed: UInt64 = 1

    /// What `kymo compare` does unless told otherwise.
    public init() {}
  }

  /// The metrics that are compared unless others are named: what a person feels. Each more is one more test, and
  /// makes all of them weaker.
  package static let headlines: [Measure] = [
    .peakVelocity, .releaseVelocity, .settle2, .overshoot, .intervalP95, .hitchRatio, .jank,
    .decision,
  ]

  /// One side's numbers of one metric.
  public struct Side: Sendable, Hashable {
    /// The number of each session, in the sessions' order. All rows share one memory.
    var numbers: ArraySlice<OptionalNumber>
    /// The middle one. `nil` for none.
    public package(set) var median: Double?
    /// The median's interval. `nil` for fewer than `MedianInterval.neededCount(level:)` numbers.
    package var interval: MedianInterval?
    /// What nine of ten sessions do not exceed. `nil` for none.
    package var percentile90: Double?
    /// Where that lies, by bootstrap.
    package var percentile90Interval: Bootstrap.Interval?

    /// The number of each session, in the sessions' order. `nil` if a session has none.
    public var values: [Double?] { numbers.map(\.value) }
    /// The numbers that there are.
    package var measured: [Double] { numbers.compactMap(\.value) }
    /// Half the interval's width as a share of the median: the longer of both halves. `nil` without an interval,
    /// and for a median of 0.
    package var halfWidth: Double? {
      guard let median, let interval, median != 0 else { return nil }
      return max(interval.high - median, median - interval.low) / abs(median)
    }
  }

  /// Which test was made.
  package enum Test: String, Sendable, CaseIterable {
    /// Independent sessions, also of yes and no, where it is Fisher's exact test.
    case mannWhitney = "mann-whitney"
    /// Pairs of numbers.
    case wilcoxon
    /// Pairs of yes and no.
    case mcNemar = "mcnemar"
  }

  /// One metric on both sides.
  public struct Row: Sendable, Hashable, Encodable {
    /// The metric, without a value.
    var metric: SessionMetrics.Metric
    /// The base's numbers.
    public package(set) var base: Side
    /// The new side's numbers.
    public package(set) var new: Side
    /// How many pairs tell the metric on both sides. `nil` unless paired.
    package var pairCount: Int?
    /// Which test was made.
    package var test: Test
    /// How its p was found. `nil` where there was no test.
    package var method: TestMethod?
    /// U of the base, the sum of ranks above 0, or the pairs that went from cancel to finish.
    package var statistic: Double?
    /// p of this test alone. `nil` where nothing could be tested: a side is empty, or all numbers are the same.
    package var p: Double?
    /// p after adjustment, or the same p without one.
    public package(set) var adjustedP: Double?
    /// Whether the adjusted p is below alpha.
    public package(set) var isSignificant = false
    /// The change as a share of the base: of the medians, or of pairs their shift. `nil` where the base is 0, and of
    /// percentages, whose change is the shift in points.
    public package(set) var change: Double?
    /// Where the ratio of the medians less 1 lies, by bootstrap. `nil` for pairs.
    package var changeInterval: Bootstrap.Interval?
    /// By how much the new side is above the base, in the metric's unit.
    package var shift: LocationShift?
    /// Pairs that went from cancel to finish and from finish to cancel. `nil` for numbers and without pairs.
    package var flips: McNemarTest?
    /// About how many more sessions a side (or pairs) it takes to see the effect. 0: there are enough, nil: it
    /// cannot be told.
    package var moreRuns: Int?
    /// How smooth the new side is. `nil` for other metrics.
    package var band: HitchBand?

    /// Which number it is.
    public var name: Measure { metric.name }
    /// The key that it is of. `nil` for the session's own.
    public var key: String? { metric.key }
    /// The outcome of the sessions that it is of. `nil`: of all.
    package var outcome: ReleaseOutcome? { metric.outcome }
    /// Whether all sessions of both sides tell the same number.
    package var isConstant: Bool { SortedValues(base.measured + new.measured).isConstant }
    /// Whether both sides tell the same numbers.
    package var isIdentical: Bool {
      base.numbers.count == new.numbers.count && base.measured.sorted() == new.measured.sorted()
    }
    /// Whether the numbers are percentages, of which there are no percent.
    package var isPercentage: Bool { metric.isPercentage }
    /// The metric as people read it, with its unit: "settle 2% ms", "peak velocity /s".
    package var measureLabel: String { metric.measureLabel }
    /// The metric with its key: "progress settle 2% ms".
    package var label: String { metric.label }

    /// Encodes the columns of `rows[]` that `kymo compare BASE… -- NEW…` prints.
    public func encode(to encoder: any Encoder) throws { try encodeRow(to: encoder) }
  }

  /// The geometric mean of all medians of one unit.
  package struct Mean: Sendable, Hashable {
    /// The unit.
    package var unit: String
    /// How many rows are in it.
    package var rowCount: Int
    /// The base's mean. `nil` where there is none.
    package var base: Double?
    /// The new side's mean.
    package var new: Double?
    /// Why there is none: which number does not allow one.
    package var refusal: String?
    /// The change as a share of the base.
    package var change: Double? {
      guard let base, let new else { return nil }
      return new / base - 1
    }
  }

  /// The question.
  public var options: Options
  /// The sessions of the base, each once. A row's values are in this order.
  public var baseRuns: [GroupRun]
  /// The sessions of the new side.
  public var newRuns: [GroupRun]
  /// How the sessions were paired. `nil`: not.
  package var pairing: GroupPairing?
  /// The rows: each key's metrics in the order of the keys, then the session's own.
  package var rows: Rows
  /// Geometric means over rows of one unit, where there are several.
  package var means: [Mean]
  /// What weakens the answer, a sentence each.
  public var warnings: [String]

  /// Each number on both sides, in the order of the rows of `kymo compare`.
  ///
  /// - Complexity: linear in the numbers, also in memory.
  public var numbers: [Row] { Array(rows) }

  /// How many tests were made.
  public var testCount: Int { rows.testCount }
  /// How many numbers changed.
  public var significantCount: Int { rows.significant.count }
}

extension SessionMetrics.Metric {
  /// Whether the numbers are percentages, of which there are no percent.
  var isPercentage: Bool { unit == "%" }

  /// The metric as people read it, with its unit: "settle 2% ms", "peak velocity /s".
  var measureLabel: String {
    var text = unit == "1" ? name.words : "\(name.words) \(unit == "1/s" ? "/s" : unit)"
    if let outcome { text += ", \(outcome.rawValue)" }
    // Releases are counted from 1 for people.
    return transition == 0 ? text : "\(text) #\(transition + 1)"
  }

  /// The metric with its key: "progress settle 2% ms".
  var label: String { key.map { "\($0) \(measureLabel)" } ?? measureLabel }
}

/// A session of a group, and what it tells in numbers.
public struct GroupRun: Sendable, Hashable {
  /// Where it was read, for people.
  public var file: String
  /// The session.
  public var session: SessionRecord
  /// Its numbers.
  package var metrics: SessionMetrics

  /// Reads a session's numbers.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - reader: Its recording.
  ///   - isNeeded: Whether a number of a key, or nil for the session's own, is kept. All are kept by default.
  /// - Throws: `StoreError` when the file cannot be read.
  /// - Complexity: linear in samples and frames.
  public init(
    _ session: SessionRecord, in reader: RecordingReader,
    keeping isNeeded: (Measure, _ key: String?) -> Bool = { _, _ in true }
  ) throws {
    file = reader.path
    self.session = session
    metrics = try SessionMetrics(session, in: reader, keeping: isNeeded)
  }

  /// A session whose numbers were read before.
  package init(file: String, session: SessionRecord, metrics: SessionMetrics) {
    (self.file, self.session, self.metrics) = (file, session, metrics)
  }
}

extension GroupComparison {
  /// Holds sessions against sessions.
  ///
  /// - Parameters:
  ///   - base: The sessions that are compared with. One that is there twice counts once.
  ///   - new: The sessions that are judged.
  ///   - options: What is compared, and how.
  /// - Throws: ``MotionMeasures/QueryError`` where the sessions cannot be paired as asked, or have none of the metrics.
  /// - Complexity: for each metric O(n log n) and 2000 drawings of n sessions.
  public init(_ base: [GroupRun], _ new: [GroupRun], options: Options = Options())
    throws(QueryError)
  {
    var warnings: [String] = []
    let base = GroupComparison.withoutDoubles(base, side: "base", &warnings)
    let new = GroupComparison.withoutDoubles(new, side: "new", &warnings)
    let pairing = options.isPaired ? try GroupPairing(base, new) : nil
    let table = MetricTable(base, new, of: options)
    // A number that no session has, such as the release of a session without one, is no row.
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
  /// Whether a session's metric is needed: it is compared, or says how the session's releases ended.
  package func needs(_ name: Measure, of key: String?) -> Bool {
    name == .decision || takes(name, of: key)
  }

  func takes(_ name: Measure, of key: String?) -> Bool {
    let names = metrics.isEmpty ? GroupComparison.headlines : metrics
    return names.contains(name) && (keys?.contains(key ?? "") ?? true)
  }
}
