import KymographCLibrary

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
    let part = path + ".part"
    let descriptor = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw .cannotWrite(path, reason()) }
    let isWritten = writeAll(bytes, to: descriptor)
    let why = reason()
    guard close(descriptor) == 0, isWritten else {
      unlink(part)
      throw .cannotWrite(path, why)
    }
    guard rename(part, path) == 0 else {
      let why = reason()
      unlink(part)
      throw .cannotWrite(path, why)
    }
  }

  private func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    bytes.withUnsafeBytes { bytes in
      var start = 0
      while start < bytes.count {
        let count = putBytes(descriptor, UnsafeRawBufferPointer(rebasing: bytes[start...]))
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        start += count
      }
      return true
    }
  }

  private func reason() -> String { String(cString: strerror(errno)) }
}

/// Hands bytes to a descriptor; how many were taken, or a negative number.
private func putBytes(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}

/// Whether two names are of one file; false where either is of none.
package func areOneFile(_ path: String, _ other: String) -> Bool {
  var (facts, otherFacts) = (stat(), stat())
  return stat(path, &facts) == 0 && stat(other, &otherFacts) == 0
    && (facts.st_dev, facts.st_ino) == (otherFacts.st_dev, otherFacts.st_ino)
}

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
