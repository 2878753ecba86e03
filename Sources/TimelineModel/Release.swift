/// Which way a transition was released.
public enum ReleaseOutcome: String, Hashable, Sendable, CaseIterable {
  /// On to the new layout.
  case finish
  /// Back to the old layout.
  case cancel
}

/// Finish or cancel, and how far that was from the other.
public struct ReleaseDecision: Hashable, Sendable {
  /// Number of the transition in its session, counted from 0.
  public var transition: Int
  /// The instant of the lift, or of the step that asked for it.
  public var time: Instant
  /// What was done.
  public var outcome: ReleaseOutcome
  /// Who decided: "rule" (the release rule, at a lift), "script" (a step), "touch" (a cancelled
  /// contact).
  public var decidedBy: String
  /// Name of the release rule that the session is under ("progress").
  public var rule: String
  /// What the rule says, also where somebody else decided.
  public var ruleOutcome: ReleaseOutcome
  /// The rule's threshold, in the unit of what it compares.
  public var threshold: Double
  /// The progress at the release.
  public var progress: Double
  /// The progress's velocity per second; nil: none can be told.
  public var progressVelocity: Double?
  /// How far the progress was from the other outcome; positive where the outcome stands.
  public var marginProgress: Double

  /// Makes a decision.
  public init(
    transition: Int, time: Instant, outcome: ReleaseOutcome, decidedBy: String, rule: String,
    ruleOutcome: ReleaseOutcome, threshold: Double, progress: Double, progressVelocity: Double?,
    marginProgress: Double
  ) {
    self.transition = transition
    self.time = time
    self.outcome = outcome
    self.decidedBy = decidedBy
    self.rule = rule
    self.ruleOutcome = ruleOutcome
    self.threshold = threshold
    self.progress = progress
    self.progressVelocity = progressVelocity
    self.marginProgress = marginProgress
  }
}

/// One key at the release: what it was, how fast it moved and how the rest will go.
public struct ReleaseEstimate: Hashable, Sendable {
  /// Number of the transition in its session, counted from 0.
  public var transition: Int
  /// The instant of the lift, or of the step that asked for it.
  public var time: Instant
  /// The key.
  public var key: KeyHandle
  /// The last value before the release, in the key's unit.
  public var value: Double
  /// Velocity, interval and samples.
  public var estimate: VelocityEstimate
  /// Where the settle goes; nil for a key that freezes.
  public var target: Double?
  /// Target minus value, signed; nil for a key that freezes.
  public var remaining: Double?
  /// Velocity divided by the remaining distance, per second; 0 at the target.
  public var relativeVelocity: Double?
  /// Seconds until the settle is over; nil for a key that freezes.
  public var settleTimeSeconds: Double?

  /// Makes a key's estimate at the release.
  public init(
    transition: Int, time: Instant, key: KeyHandle, value: Double, estimate: VelocityEstimate,
    target: Double?, remaining: Double?, relativeVelocity: Double?, settleTimeSeconds: Double?
  ) {
    self.transition = transition
    self.time = time
    self.key = key
    self.value = value
    self.estimate = estimate
    self.target = target
    self.remaining = remaining
    self.relativeVelocity = relativeVelocity
    self.settleTimeSeconds = settleTimeSeconds
  }
}
