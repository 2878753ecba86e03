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
    release = ReleaseParameters(recorded: session.description.release)
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
}
