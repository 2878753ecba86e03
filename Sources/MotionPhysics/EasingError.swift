/// An easing curve that cannot be.
public struct EasingError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong with it.
  public enum Code: String, Sendable, CaseIterable {
    /// A name that no curve has.
    case unknownName
    /// A text `cubic-bezier(…)` or `steps(…)` that cannot be read.
    case badText
    /// A control point whose x leaves 0 to 1, or that is not finite.
    case badControlPoint
    /// Too few steps.
    case badStepCount
  }

  /// What is wrong.
  public let code: Code
  /// What is wrong and what to do, as a sentence.
  public let message: String

  /// The sentence.
  public var description: String { message }
}
