/// Why a file of recorded touches could not be read at all.
public struct GestureError: Error, Hashable, Sendable {
  /// The kind of trouble.
  package enum Code: String, CaseIterable, Sendable {
    /// There is nothing in the file.
    case empty
    /// The content is of no format that can be read.
    case unknownFormat
    /// The content is of a known format, but this variant lacks something.
    case unsupported
    /// The file was read, and there is no touch in it.
    case noTouches
    /// The pattern that lines are to be read by is not one.
    case badPattern
    /// Lines of two shapes tell different touches.
    case ambiguous
  }

  /// The kind of trouble.
  package var code: Code
  /// The name of the file as the caller gave it.
  public var file: String
  /// The line, counted from 1, where the trouble has one.
  public var line: Int?
  /// A full sentence: what is wrong, and the remedy.
  public var message: String

  package init(code: Code, file: String, line: Int? = nil, message: String) {
    self.code = code
    self.file = file
    self.line = line
    self.message = message
  }
}

extension GestureError: CustomStringConvertible {
  /// `swipe.csv:1: The column "t_ns" is missing.`
  public var description: String {
    file + (line.map { ":\($0)" } ?? "") + ": " + message
  }
}
