import KymographCLibrary
import TimelineStore

extension ReportPage {
  /// Writes the page: to a file beside the place first, which then takes its name, so that a page is
  /// never there in part.
  ///
  /// - Parameters:
  ///   - path: Where the page is to be.
  ///   - replacing: Whether a file that is there already may be replaced.
  /// - Throws: ``ReportError``: a file is there already, or none can be made.
  public func write(to path: String, replacing: Bool = false) throws(ReportError) {
    var facts = stat()
    if lstat(path, &facts) == 0 {
      guard replacing else { throw .exists(path) }
      guard facts.st_mode & S_IFMT != S_IFDIR else { throw .cannotWrite(path, "it is a folder") }
    }
    let code = NewFile.save(bytes, at: path, from: [])
    guard code == 0 else { throw .cannotWrite(path, String(cString: strerror(code))) }
  }
}

/// Why a page could not be written: one sentence that names the file and says what can be done.
public struct ReportError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The message.
  public let description: String
  /// Whether a file of the name is there already, rather than the place not writable.
  public let isAboutExistingFile: Bool

  static func exists(_ path: String) -> ReportError {
    ReportError(
      description: "\(path) already exists. Choose another name, or allow replacing it.",
      isAboutExistingFile: true)
  }

  static func cannotWrite(_ path: String, _ reason: String) -> ReportError {
    ReportError(
      description: "\(path) cannot be written: \(reason). Choose a folder that can be written to.",
      isAboutExistingFile: false)
  }
}
