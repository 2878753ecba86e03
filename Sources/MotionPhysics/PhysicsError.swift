/// A physical quantity that makes no sense.
public struct PhysicsError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Which one.
  public enum Code: String, Sendable, CaseIterable {
    /// A mass that is not positive.
    case badMass
    /// A stiffness that is negative.
    case badStiffness
    /// A damping that is negative.
    case badDamping
    /// Numbers, each fine alone, so far apart that the spring's frequency or decay overflows.
    case outOfRange
  }

  /// Which quantity is wrong.
  public let code: Code
  /// What is wrong and what to do, as a sentence.
  public let message: String

  /// The sentence.
  public var description: String { message }
}
