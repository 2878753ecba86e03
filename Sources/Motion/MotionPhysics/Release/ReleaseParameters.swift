public import TimelineModel

/// Everything that a release is judged by.
public struct ReleaseParameters: Sendable, Hashable {
  /// How velocities are estimated.
  public var estimator: Estimator
  /// Which samples count.
  public var window: EstimationWindow
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

extension ReleaseParameters {
  /// Estimator, window and rule with every parameter, as a session keeps them: the same numbers make
  /// the same parameters again, bit for bit.
  public var fields: [EventField] {
    [EventField("estimator", .text(estimator.rawValue))] + window.fields + rule.fields
  }
}

extension EstimationWindow {
  /// The window's parameters by name; times in nanoseconds.
  var fields: [EventField] {
    [
      EventField("window", .text(name)), EventField("horizon_ns", .integer(horizonNanoseconds)),
      EventField("stopGap_ns", .integer(stopGapNanoseconds)),
      EventField("history", .integer(Int64(historyLimit))),
      EventField("horizonIncludesItsEnd", .flag(horizonIncludesItsEnd)),
      EventField("ageOrigin", .text(ageOrigin.rawValue)),
      EventField("ageMeasure", .text(ageMeasure.rawValue)),
      EventField("stopGapIncludesItsEnd", .flag(stopGapIncludesItsEnd)),
      EventField("liftGap_ns", liftGapNanoseconds.map(FieldValue.integer) ?? .null),
      EventField("idleDecayPerMillisecond", .number(idleDecayPerMillisecond)),
      EventField("minimumSamples", .integer(Int64(minimumSamples))),
      EventField("answerForTooFew", .text(answerForTooFew.rawValue)),
      EventField("duplicates", .text(duplicates.name)),
      EventField("mergeSpan_ns", duplicates.mergeNanoseconds.map(FieldValue.integer) ?? .null),
      EventField("backward", .text(backward.rawValue)),
      EventField("filterStep_ns", .integer(filterStepNanoseconds)),
      EventField("clampMinimum", FieldValue(clamp?.minimum)),
      EventField("clampMaximum", FieldValue(clamp?.maximum)),
    ]
  }
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
  public init?(named name: String, mergeNanoseconds: Int64?) {
    switch name {
    case "replace": self = .replace
    case "keep": self = .keep
    case "skip": self = .skip
    case "merge": self = .merge(nanoseconds: mergeNanoseconds ?? 0)
    default: return nil
    }
  }
}
