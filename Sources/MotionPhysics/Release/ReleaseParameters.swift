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
    "estimator", "The estimator of velocities.", \.estimator)

  /// Estimator, window and rule with every parameter, as a session keeps them: the same numbers make
  /// the same parameters again, bit for bit.
  package var fields: [EventField] { row }
}

extension EstimationWindow: ResultRow {
  package static let fields: [ResultField<EstimationWindow>] = [
    ResultField("window", "The window's name.", \.name), ReleaseParameters.horizon,
    ResultField("stopGap_ns", "The pause that is a stop.", \.stopGapNanoseconds),
    ResultField("history", "The most samples that count.", \.historyLimit),
    ResultField(
      "horizonIncludesItsEnd", "Whether a sample as old as it counts.", \.horizonIncludesItsEnd),
    ResultField("ageOrigin", "The moment at which an age is 0.", \.ageOrigin),
    ResultField("ageMeasure", "The measure of ages.", \.ageMeasure),
    ResultField(
      "stopGapIncludesItsEnd", "Whether an equal pause is a stop.", \.stopGapIncludesItsEnd),
    ResultField("liftGap_ns", "The pause before a lift that is a stop.", \.liftGapNanoseconds),
    ResultField(
      "idleDecayPerMillisecond", "The share lost in each ms of a pause.", \.idleDecayPerMillisecond),
    ResultField("minimumSamples", "The fewest samples for an estimate.", \.minimumSamples),
    ResultField("answerForTooFew", "The answer from fewer samples.", \.answerForTooFew),
    ResultField("duplicates", "The use of samples of one instant.", \.duplicates.name),
    ResultField(
      "mergeSpan_ns", "The span that counts as one instant.", \.duplicates.mergeNanoseconds),
    ResultField("backward", "The use of samples out of order.", \.backward),
    ResultField("filterStep_ns", "The step of a filter.", \.filterStepNanoseconds),
    ResultField("clampMinimum", "The least speed of an answer.", \.clamp?.minimum),
    ResultField("clampMaximum", "The largest speed of an answer.", \.clamp?.maximum),
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

  /// The rule of a name, with the span of `merge` in nanoseconds. `nil` for an unknown name.
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
