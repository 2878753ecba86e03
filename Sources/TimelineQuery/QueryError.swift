/// A question that cannot be answered as it was put: one sentence with what to do.
public struct QueryError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What happened, where, and what can be done.
  public var message: String

  /// Makes an error.
  public init(_ message: String) {
    self.message = message
  }

  /// The message.
  public var description: String { message }
}
