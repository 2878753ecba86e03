package import TimelineModel

/// Everything that a release is judged by.
public struct ReleaseParameters: Sendable, Hashable {
  /// How velocities are estimated.
  public var estimator: Estimator
  /// Which samples count.
  package var window: EstimationWindow
  /// How finish or cancel is decided.
  public var rule: ReleaseRule

  /// The defaults: `lsq2` in Android's window, finishing past half way.
  public init() {
    estimator = .lsq2
    window = .android
    rule = ReleaseRule()
  }

  /// Another peer's estimator and window, finishing past half way.
  package init(_ preset: EstimationPreset) {
    estimator = preset.estimator
    window = preset.window(for: estimator)
    rule = ReleaseRule()
  }
}

extension ReleaseParameters: ResultRow {
  /// How far back the window reaches.
  package static let horizon = ResultField<EstimationWindow>(
    "horizon_ns", "The largest age of a sample in the window.", \.horizonNanoseconds)

  package static let fields: [ResultField<ReleaseParameters>] =
    [estimator] + EstimationWindow.fields.of(\.window) + ReleaseRule.fields.of(\.rule)

  private static let estimator = ResultField<ReleaseParameters>(
    "estimator", "How velocities are estimated.", \.estimator)

  /// Estimator, window and rule with every parameter, as a session keeps them: the same numbers make
  /// the same parameters again, bit for bit.
  package var fields: [EventField] { row }
}

extension EstimationWindow: ResultRow {
  package static let fields: [ResultField<EstimationWindow>] = [
    ResultField("window", "Its name.", \.name), ReleaseParameters.horizon,
    ResultField("stopGap_ns", "The pause that is a stop.", \.stopGapNanoseconds),
    ResultField("history", "The most samples.", \.historyLimit),
    ResultField("horizonIncludesItsEnd", "If its end counts.", \.horizonIncludesItsEnd),
    ResultField("ageOrigin", "The moment of age 0.", \.ageOrigin),
    ResultField("ageMeasure", "How an age is measured.", \.ageMeasure),
    ResultField("stopGapIncludesItsEnd", "If its end is a stop.", \.stopGapIncludesItsEnd),
    ResultField("liftGap_ns", "The same before the lift.", \.liftGapNanoseconds),
    ResultField("idleDecayPerMillisecond", "Share lost in a pause.", \.idleDecayPerMillisecond),
    ResultField("minimumSamples", "The fewest samples.", \.minimumSamples),
    ResultField("answerForTooFew", "The answer for fewer.", \.answerForTooFew),
    ResultField("duplicates", "How equal times count.", \.duplicates.name),
    ResultField("mergeSpan_ns", "How near is equal.", \.duplicates.mergeNanoseconds),
    ResultField("backward", "How earlier times count.", \.backward),
    ResultField("filterStep_ns", "A filter's step.", \.filterStepNanoseconds),
    ResultField("clampMinimum", "The slowest speed.", \.clamp?.minimum),
    ResultField("clampMaximum", "The fastest speed.", \.clamp?.maximum),
  ]
}

extension EstimationWindow.DuplicateRule {
  /// The rule's name in recordings.
  fileprivate var name: String {
    switch self {
    case .replace: "replace"
    case .keep: "keep"
    case .skip: "skip"
    case .merge: "merge"
    }
  }

  fileprivate var mergeNanoseconds: Int64? {
    guard case .merge(let nanoseconds) = self else { return nil }
    return nanoseconds
  }

  /// The rule of a name, with the span of `merge` in nanoseconds; nil for an unknown name.
  package init?(named name: String, mergeNanoseconds: Int64?) {
    switch name {
    case "replace": self = .replace
    case "keep": self = .keep
    case "skip": self = .skip
    case "merge": self = .merge(nanoseconds: mergeNanoseconds ?? 0)
    default: return nil
    }
  }
}
