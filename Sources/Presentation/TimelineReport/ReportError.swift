/// Why a page could not be written: one sentence that names the file and says what can be done.
public struct ReportError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The message.
  public let description: String
  /// Whether a file of the name is there already, rather than the place not writable.
  public let isAboutExistingFile: Bool

  static func exists(_ path: String) -> ReportError {
    ReportError(
      description: "\(path) is there already. Choose another name, or say that it may be replaced.",
      isAboutExistingFile: true)
  }

  static func cannotWrite(_ path: String, _ reason: String) -> ReportError {
    ReportError(
      description: "\(path) cannot be written: \(reason). Choose a place where a file can be made.",
      isAboutExistingFile: false)
  }
}
