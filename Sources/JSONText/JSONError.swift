/// Why a JSON text, or a value in it, was refused.
public struct JSONError: Error, Hashable, Sendable {
  /// The place in the value, as a JSON path: `$.layouts.grid.itemSize[1]`. A text that is not JSON
  /// at all has the path `$`, and its message names line and column.
  public var path: String
  /// A full sentence: what was found and what was expected.
  public var message: String

  /// Makes an error from a JSON path and a full sentence.
  public init(path: String, message: String) {
    self.path = path
    self.message = message
  }
}

extension JSONError: CustomStringConvertible {
  /// The path (when it says more than "the whole text") and the sentence.
  public var description: String { path == "$" ? message : "\(path): \(message)" }
}
