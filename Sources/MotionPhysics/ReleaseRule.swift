public import TimelineModel

/// How finish or cancel is decided at a lift.
public struct ReleaseRule: Sendable, Hashable {
  /// What the rule compares. The raw values are the names in scenario files.
  public enum Kind: String, CaseIterable, Sendable {
    /// Finishes when the progress is greater than the threshold; equal cancels. The velocity has no
    /// say.
    case progress
  }

  /// What is compared.
  public var kind: Kind
  /// The threshold, in the unit of what is compared (progress: no unit, 0 to 1).
  public var threshold: Double

  /// Makes a rule.
  public init(kind: Kind = .progress, threshold: Double = 0.5) {
    self.kind = kind
    self.threshold = threshold
  }

  /// What a rule says, and how far that was from the other outcome.
  public struct Verdict: Sendable, Hashable {
    /// Finish or cancel.
    public var outcome: ReleaseOutcome
    /// How much the progress had to differ for the other outcome; never negative, no unit.
    public var marginProgress: Double

    /// Makes a verdict.
    public init(outcome: ReleaseOutcome, marginProgress: Double) {
      self.outcome = outcome
      self.marginProgress = marginProgress
    }
  }

  /// Decides. The velocity is in progress per second; nil where none can be told.
  ///
  /// A progress that is not a number cancels with the margin 0.
  public func verdict(progress: Double, velocity: Double?) -> Verdict {
    switch kind {
    case .progress:
      let distance = abs(progress - threshold)
      return Verdict(
        outcome: progress > threshold ? .finish : .cancel,
        marginProgress: distance.isNaN ? 0 : min(distance, .greatestFiniteMagnitude))
    }
  }
}

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
