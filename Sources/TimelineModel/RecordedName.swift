/// A name that a recording keeps, such as that of a release rule. A name that this version does not know is kept and
/// shown as it is.
public struct RecordedName<Subject>: Hashable, Sendable, CustomStringConvertible,
  ExpressibleByStringLiteral
{
  /// The name as it is stored and printed.
  public let description: String

  /// Takes a name as it is.
  public init(stringLiteral name: String) { description = name }

  /// Takes a name as it is.
  package init(_ name: String) { description = name }
}

extension RecordedName: FieldConvertible {
  package static var fieldType: FieldType { .text }
  package var fieldValue: FieldValue { .text(description) }
}

/// Who decided a release: "rule" (the release rule, at a lift), "app" (the app's code, or a step of a scenario), "touch"
/// (a cancelled contact), "time" (a transition ran by itself), or any other name.
public typealias DecisionSource = RecordedName<ReleaseDecision>

extension DecisionSource {
  /// The release rule, at a lift.
  package static var rule: DecisionSource { "rule" }
  /// The system took the contact away.
  package static var touch: DecisionSource { "touch" }
  /// The transition ran by itself.
  package static var time: DecisionSource { "time" }
  /// The app's code, or a step of a scenario.
  package static var app: DecisionSource { "app" }

  /// Reads a recorded name. The engine of older recordings wrote "script" for the app.
  package init(recorded name: String) { self.init(name == "script" ? "app" : name) }

  /// Whether a rule could have decided otherwise: neither time nor the system decided.
  package var isJudgement: Bool { self != .time && self != .touch }

  /// The source in a sentence, after "by": "the app", or the name itself.
  package var words: String { self == .app ? "the app" : description }
}

/// The name of a release rule ("progress"), known or not.
public typealias RuleName = RecordedName<ReleaseOutcome>

/// The name of a velocity estimator ("lsq2"), known or not, or "settle" of a value that ran on by a settle: nothing was
/// estimated, and its velocity is that curve's own.
public typealias EstimatorName = RecordedName<VelocityEstimate>

extension EstimatorName {
  /// Nothing was estimated: the velocity is the settle's own.
  package static var settle: EstimatorName { "settle" }
}
