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
  /// Who decided.
  public var decidedBy: DecisionSource
  /// The release rule that the session is under.
  public var rule: RuleName
  /// Every parameter of the rule, as the text of a JSON object. `nil` where they were not kept.
  public var ruleParameters: String?
  /// What the rule says, also where somebody else decided.
  public var ruleOutcome: ReleaseOutcome
  /// The rule's threshold, in the unit of what it compares.
  public var threshold: Double
  /// The progress at the release. Where the rule is a compositor's, as the compositor has it of the same reports.
  public var progress: Double
  /// The progress's velocity per second. `nil`: none can be told. Here and in what follows, a velocity is per report
  /// where the rule is `hyprland`, and per two reports where it is `wayfire`.
  public var progressVelocity: Double?
  /// Standard error of the progress's velocity, per second, where one can be told.
  public var progressStandardError: Double?
  /// How far the progress was from the other outcome. Positive where the outcome stands, nil where no
  /// progress makes the other one.
  public var marginProgress: Double?
  /// How far the progress's velocity was from the other outcome, per second. Signed alike, nil where
  /// no velocity makes the other one.
  public var marginVelocity: Double?
  /// How far the threshold that decided was from the other outcome, in that threshold's unit. Signed
  /// alike, nil where no threshold makes the other one.
  public var marginThreshold: Double?
  /// The margin of the velocity in standard errors. Signed alike, nil without a standard error.
  public var marginSigma: Double?
  /// The nearest velocity at which the rule says the other, per second. `nil` where none does.
  public var flipVelocity: Double?
  /// The nearest progress at which the rule says the other. `nil` where none does.
  public var flipProgress: Double?
  /// Where the progress would come to rest, by a rule that projects. `nil` for the others.
  public var projectedProgress: Double?

  /// Makes a decision.
  public init(
    transition: Int, time: Instant, outcome: ReleaseOutcome, decidedBy: DecisionSource,
    rule: RuleName,
    ruleParameters: String? = nil, ruleOutcome: ReleaseOutcome, threshold: Double,
    progress: Double, progressVelocity: Double?, progressStandardError: Double? = nil,
    marginProgress: Double?, marginVelocity: Double? = nil, marginThreshold: Double? = nil,
    marginSigma: Double? = nil, flipVelocity: Double? = nil, flipProgress: Double? = nil,
    projectedProgress: Double? = nil
  ) {
    self.transition = transition
    self.time = time
    self.outcome = outcome
    self.decidedBy = decidedBy
    self.rule = rule
    self.ruleParameters = ruleParameters
    self.ruleOutcome = ruleOutcome
    self.threshold = threshold
    self.progress = progress
    self.progressVelocity = progressVelocity
    self.progressStandardError = progressStandardError
    self.marginProgress = marginProgress
    self.marginVelocity = marginVelocity
    self.marginThreshold = marginThreshold
    self.marginSigma = marginSigma
    self.flipVelocity = flipVelocity
    self.flipProgress = flipProgress
    self.projectedProgress = projectedProgress
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
  /// Where the settle goes. `nil` for a key that freezes.
  public var target: Double?
  /// Target minus value, signed. `nil` for a key that freezes.
  public var remaining: Double?
  /// Velocity divided by the remaining distance, per second. 0 at the target.
  public var relativeVelocity: Double?
  /// Seconds until the settle is over. `nil` for a key that freezes.
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

/// A number of a decision or an estimate that may be missing: its field, and how it is kept.
package struct NumberField<Record>: Sendable {
  /// The field of events, of lines of JSON and of CSV.
  package let field: ResultField<Record>
  /// The number.
  package let path: any WritableKeyPath<Record, Double?> & Sendable
  /// The version of the file's schema that brought its column.
  package let version: Int64

  fileprivate init(
    _ name: String, unit: String = "", _ help: String,
    _ path: any WritableKeyPath<Record, Double?> & Sendable, since version: Int64
  ) {
    field = ResultField(name, unit: unit, help) { $0[keyPath: path] }
    (self.path, self.version) = (path, version)
  }

  /// The name in events, in lines of JSON and in CSV.
  package var name: String { field.name }
  /// The name of its column: "settleTime_s" is "settle_time_s".
  package var column: String { snakeCase(name) }
  /// The field of rows, which have the column's name.
  package var rowField: ResultField<Record> { field.named(column) }
}

/// A field's name, which is of ASCII letters and digits, as a column's: "decidedBy" is "decided_by".
package func snakeCase(_ name: String) -> String {
  var text: [UInt8] = []
  for byte in name.utf8 {
    let isUpper = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
    if isUpper { text.append(UInt8(ascii: "_")) }
    text.append(isUpper ? byte | 0x20 : byte)
  }
  return String(decoding: text, as: UTF8.self)
}

extension ReleaseDecision: ResultRow {
  /// Its numbers that may be missing, in the order of a crash journal, which is stored: add at the end only.
  package static let numbers: [NumberField<ReleaseDecision>] = [
    NumberField("progressVelocity", "The velocity of the progress.", \.progressVelocity, since: 1),
    NumberField(
      "progressStandardError", "The velocity's standard error.", \.progressStandardError, since: 2),
    NumberField("marginProgress", "The margin of the progress.", \.marginProgress, since: 1),
    NumberField("marginVelocity", "The margin of the velocity.", \.marginVelocity, since: 2),
    NumberField("marginThreshold", "The margin of the threshold.", \.marginThreshold, since: 2),
    NumberField("marginSigma", "Velocity's margin in standard errors.", \.marginSigma, since: 2),
    NumberField("flipVelocity", "The velocity of the other outcome.", \.flipVelocity, since: 2),
    NumberField("flipProgress", "The progress of the other outcome.", \.flipProgress, since: 2),
    NumberField(
      "projectedProgress", "The progress that the rule projects.", \.projectedProgress, since: 2),
  ]

  /// All but the instant, in the order in which their columns came into being.
  package static let fields: [ResultField<ReleaseDecision>] =
    known + numbers.filter { $0.version == 1 }.map(\.field)
    + [parameters] + numbers.filter { $0.version > 1 }.map(\.field)

  private static let known: [ResultField<ReleaseDecision>] = [
    ResultField("transition", "The transition's number, counted from 0.", \.transition),
    ResultField("outcome", "The outcome: finish or cancel.", \.outcome),
    ResultField("decidedBy", "Who decided, such as rule or app.", \.decidedBy),
    ResultField("rule", "The name of the release rule.", \.rule),
    ResultField("ruleOutcome", "The outcome according to the release rule.", \.ruleOutcome),
    ResultField("threshold", "The threshold of the release rule.", \.threshold),
    ResultField("progress", "The progress at the release.", \.progress),
  ]
  private static let parameters = ResultField<ReleaseDecision>(
    "ruleParameters", "The parameters of the release rule.", \.ruleParameters)
}

extension ReleaseEstimate {
  /// Seconds until a settle is over.
  package static let settleTime = NumberField<ReleaseEstimate>(
    TimelineEvent.settleTime, unit: "s", "The time until the motion settles.", \.settleTimeSeconds,
    since: 1)

  /// Its numbers that may be missing, in the order of a crash journal, which is stored: add at the end only.
  package static let numbers: [NumberField<ReleaseEstimate>] = [
    NumberField("velocity", "The estimated velocity, per second.", \.estimate.velocity, since: 1),
    NumberField("low", "Lower end of the velocity's 90 % interval.", \.estimate.low, since: 1),
    NumberField("high", "Upper end of the velocity's 90 % interval.", \.estimate.high, since: 1),
    NumberField("standardError", "Standard error per second.", \.estimate.standardError, since: 2),
    NumberField(
      "leaveOneOutLow", "Smallest velocity without a sample.", \.estimate.leaveOneOutLow, since: 2),
    NumberField("leaveOneOutHigh", "The largest velocity.", \.estimate.leaveOneOutHigh, since: 2),
    NumberField("confidence", "Agreement of samples, 0 to 1.", \.estimate.confidence, since: 2),
    NumberField(
      "clampedVelocity", "Velocity within the clamp.", \.estimate.clampedVelocity, since: 2),
    NumberField("target", "The target of the settle.", \.target, since: 1),
    NumberField("remaining", "Target minus value.", \.remaining, since: 1),
    NumberField("relativeVelocity", "Velocity divided by remaining.", \.relativeVelocity, since: 1),
    settleTime,
  ]
}
