public import TimelineModel

/// Everything that a release is judged by.
public struct ReleaseParameters: Sendable, Hashable {
  /// How velocities are told.
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
}

extension ReleaseParameters {
  /// Estimator, window and rule with every parameter, as a session keeps them: the same numbers make
  /// the same parameters again, bit for bit.
  public var fields: [Field] {
    [Field("estimator", .text(estimator.rawValue))] + window.fields + rule.fields
  }
}

extension EstimationWindow {
  /// The window's parameters by name; times in nanoseconds.
  var fields: [Field] {
    [
      Field("window", .text(name)), Field("horizon_ns", .integer(horizonNanoseconds)),
      Field("stopGap_ns", .integer(stopGapNanoseconds)),
      Field("history", .integer(Int64(historyLimit))),
      Field("horizonIncludesItsEnd", .flag(horizonIncludesItsEnd)),
      Field("ageOrigin", .text(ageOrigin.rawValue)),
      Field("ageMeasure", .text(ageMeasure.rawValue)),
      Field("stopGapIncludesItsEnd", .flag(stopGapIncludesItsEnd)),
      Field("liftGap_ns", liftGapNanoseconds.map(FieldValue.integer) ?? .null),
      Field("idleDecayPerMillisecond", .number(idleDecayPerMillisecond)),
      Field("minimumSamples", .integer(Int64(minimumSamples))),
      Field("answerForTooFew", .text(answerForTooFew.rawValue)),
      Field("duplicates", .text(duplicates.name)),
      Field("mergeSpan_ns", duplicates.mergeNanoseconds.map(FieldValue.integer) ?? .null),
      Field("backward", .text(backward.rawValue)),
      Field("filterStep_ns", .integer(filterStepNanoseconds)),
      Field("clampMinimum", FieldValue(clamp?.minimum)),
      Field("clampMaximum", FieldValue(clamp?.maximum)),
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
