import JSONText
public import MotionPhysics
import TimelineModel
public import TimelineStore

/// How a recorded session settled and decided, read from what the session says of itself.
public struct SessionParameters: Hashable, Sendable {
  /// Type, spring or timing, overshoot and definition; the defaults where the session says nothing.
  public var settle = SettleParameters()
  /// Estimator, window and rule; the defaults where the session says nothing.
  public var release = ReleaseParameters()

  /// Reads the parameters of a session.
  ///
  /// A parameter that this version does not know (a newer program's estimator, say) is left at its
  /// default, so that an old reader still answers for a newer file.
  public init(_ session: SessionRecord) {
    if let fields = SessionParameters.fields(session.description.settle) {
      settle = SettleParameters(fields)
    }
    if let fields = SessionParameters.fields(session.description.release) {
      if case .string(let name)? = fields["estimator"]?.value {
        release.estimator = Estimator(rawValue: name) ?? release.estimator
      }
      if case .string(let name)? = fields["rule"]?.value {
        release.rule.kind = ReleaseRule.Kind(rawValue: name) ?? release.rule.kind
      }
      release.rule.threshold = fields.number("threshold") ?? release.rule.threshold
      let window = release.window
      if case .string(let name)? = fields["window"]?.value { release.window.name = name }
      release.window.horizonNanoseconds =
        fields.integer("horizon_ns") ?? window.horizonNanoseconds
      release.window.stopGapNanoseconds = fields.integer("stopGap_ns") ?? window.stopGapNanoseconds
      release.window.historyLimit = fields.integer("history").map(Int.init) ?? window.historyLimit
    }
  }

  private static func fields(_ text: String?) -> JSONFields? {
    guard let text, let value = try? parseJSON(Array(text.utf8)) else { return nil }
    return try? JSONReader(value).object()
  }
}

extension JSONFields {
  func number(_ name: String) -> Double? {
    self[name].flatMap { try? $0.number() }
  }

  /// A whole number of 0 or more.
  fileprivate func integer(_ name: String) -> Int64? {
    self[name].flatMap { try? $0.integer(in: 0...Int64(Int32.max)) }
  }
}
