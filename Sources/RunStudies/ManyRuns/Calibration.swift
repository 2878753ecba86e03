public import MotionJudgement
import MotionMeasures
package import TimelineModel
import TimelineStatistics

/// Tolerances learned from sessions that ought to be alike: how far they are apart from each other by chance.
///
/// Every session is held against every other of its name, each once as A and once as B, and what a tolerance file can limit is
/// measured as `kymo compare --tolerances` measures it. The quantile of what was found is the limit of a warning,
/// and ``Options/safety`` times that the limit of a failure. Neither is below what is too little to be judged. A session
/// that taught a limit passes it: the limit of a failure is never below the largest number that was found.
public struct Calibration: Sendable, Hashable {
  /// How limits are learned.
  public struct Options: Sendable, Hashable {
    /// The share of the comparisons that stay without a warning, 0 to 1.
    public var quantile = 0.95
    /// The least limit of a failure in units of the limit of a warning. No unit. Ours: of a dozen sessions that scatter
    /// normally, the two furthest apart are seldom more than twice the 95 % quantile. A number beyond it is an outlier.
    public var safety = 2.0
    /// How the clocks are laid on each other. `start` keeps a delay a difference.
    public var alignment = RunComparison.Alignment.start
    /// How far a lag is searched for, in seconds.
    public var lagLimitSeconds = RunComparison.Options().lagLimitSeconds
    /// Comparisons that are made at most. Beyond it each session is held against as many of those that follow it,
    /// so that every session is A and B equally often. Ours: some seconds for short sessions.
    public var mostComparisons = 2000

    /// What `kymo golden learn` does unless told otherwise.
    public init() {}
  }

  /// What was found of one thing that a limit can be about.
  package struct Measurement: Sendable, Hashable {
    /// The key, `item.*.frame.center` and its like for all elements, or empty for the sessions.
    package var subject: String
    /// The measure (`max_abs`, `lag_ms`).
    package var measure: String
    /// The largest number of each comparison that tells one, in the order of the comparisons.
    package var values: [Double]
    /// The quantile of the numbers.
    package var quantile: Double
    /// What is too little to be judged, in the same unit.
    package var least: Double
    /// The limits that were made of them.
    package var bound: Tolerances.Bound
    /// The limit of a failure without outliers.
    package var usual: Double
    /// Comparisons above ``usual``, which the limit of a failure includes.
    package var outlierCount: Int { values.count { $0 > usual } }

    /// Whether the limit is above ``Calibration/widestShare`` of its key's range, so that another motion may pass.
    package var isWide: Bool

    /// Whether the number says how far two sessions are apart. Hitches and intervals are told of one session.
    package var isDifference: Bool {
      Measure(rawValue: measure)?.isOfOneRun != true
    }
  }

  /// A session that is far from the others in some measures.
  package struct Outlier: Sendable, Hashable {
    /// The session, counted from 0.
    package var run: Int
    /// What is far: the key and the measure, or the measure alone.
    package var measures: [String]
  }

  /// The question.
  public var options: Options
  /// How many sessions there were.
  public var runCount: Int
  /// How many comparisons were made.
  package var comparisonCount: Int
  /// The sessions because of which limits are wider than the other sessions need, in their order.
  package var outliers: [Outlier]
  /// The first two sessions that differ in a decision, counted from 0, from which nothing should be learned. Empty: none do.
  package var flipped: [Int]
  /// The largest share of a key's range that a limit of sessions that are alike has. Ours: twenty times what
  /// `kymo compare` lets pass.
  package static let widestShare = 0.1
  /// The findings: keys in the order of their names, elements, the sessions.
  package var measurements: [Measurement]
  /// Keys and elements that not every session has. They are left alone.
  package var unjudged: [String]
  /// The tolerances.
  public var tolerances: Tolerances

  /// Whether nothing differed between any two sessions.
  package var isAlike: Bool {
    measurements.allSatisfy { measurement in
      !measurement.isDifference || measurement.values.allSatisfy { $0 == 0 }
    }
  }
}

extension Calibration.Measurement: ResultRow {
  package static var fields: [ResultField<Self>] {
    [
      ResultField("subject", "The key, a value of all elements, or empty for sessions.", \.subject),
      ResultField("measure", "The name of the measured number.", \.measure),
      ResultField("n", "The number of comparisons with a value.") { SortedValues($0.values).count },
      ResultField("median", "The median of the comparisons.") { SortedValues($0.values).median },
      ResultField("quantile", "The quantile of the comparisons (--quantile).", \.quantile),
      ResultField("max", "The largest of the comparisons.") { SortedValues($0.values).values.last },
      ResultField("least", "The smallest number that is judged.", \.least),
      ResultField("warn", "The limit of a warning.", \.bound.warn),
      ResultField("fail", "The limit of a failure.", \.bound.fail),
      ResultField(
        "outliers", "Comparisons above the warning's limit times the safety factor.", \.outlierCount
      ),
    ]
  }
}
