import JSONText

/// Why a scenario cannot be read: the file, the place in it and one sentence.
public struct ScenarioError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file's name as it was given.
  public var file: String
  /// The JSON path of the fault ("$.layouts.grid.itemSize").
  public var path: String
  /// A full sentence: what was found and what was expected.
  public var message: String

  /// Makes an error.
  public init(file: String, path: String, message: String) {
    self.file = file
    self.path = path
    self.message = message
  }

  init(_ error: JSONError, file: String) {
    self.init(file: file, path: error.path, message: error.message)
  }

  /// File, path and sentence.
  public var description: String {
    path == "$" ? "\(file): \(message)" : "\(file): \(path): \(message)"
  }
}
