/// A physical quantity that makes no sense.
public struct PhysicsError: Error, Sendable, Hashable, CustomStringConvertible {
  package enum Code: String, Sendable, CaseIterable {
    /// A mass that is not positive.
    case badMass
    case badStiffness
    case badDamping
    /// Numbers, each fine alone, so far apart that the spring's frequency or decay overflows.
    case outOfRange
    /// A response or a duration that is not positive, or that no spring has.
    case badTime
    /// A completion speed that is not positive.
    case badSpeed
    /// A rate of decay outside 0 to 1, or a way that no decay goes.
    case badDecay
  }

  /// Which quantity is wrong.
  package let code: Code
  /// What is wrong and the remedy, as a sentence.
  public let message: String

  /// The sentence.
  public var description: String { message }
}
