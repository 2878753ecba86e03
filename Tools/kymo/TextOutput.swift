#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A text file that a command makes; "-" is standard output.
struct TextOutput {
  /// The name that was given.
  let path: String
  /// Whether a file that is there already may be replaced.
  let replaces: Bool

  /// Takes `--FLAG` and `--force`, and refuses a name that is one of the recordings.
  init(_ invocation: Invocation, flag: String, recordings: [String]) throws {
    path = try invocation.requiredText(flag)
    replaces = invocation.has("force")
    guard !path.isEmpty else { throw Failure.usage("--\(flag) wants the name of a file, or -") }
    guard path != "-" else { return }
    for recording in recordings where TextOutput.isOneFile(path, recording) {
      throw Failure.usage("\(path) is the recording itself; --\(flag) wants another name")
    }
    guard replaces || access(path, F_OK) != 0 else { throw TextOutput.isThere(path) }
  }

  /// Writes the whole text: beside the name first, so that nothing half done is ever found under it.
  func write(_ text: String) throws {
    guard path != "-" else {
      standardOutput.write(text)
      return
    }
    let beside = path + ".part-\(getpid())"
    let descriptor = open(beside, O_WRONLY | O_CREAT | O_EXCL, 0o666)
    guard descriptor >= 0 else { throw cannotBeWritten() }
    var isKept = false
    defer { if !isKept { unlink(beside) } }
    let failed = TextOutput.put(Array(text.utf8), into: descriptor)
    guard failed == nil else {
      close(descriptor)
      throw Failure.unreadable("\(path) cannot be written: \(failed ?? "")")
    }
    guard close(descriptor) == 0 else { throw cannotBeWritten() }
    // A link does not replace what has come there meanwhile; a rename does.
    if replaces {
      guard rename(beside, path) == 0 else { throw cannotBeWritten() }
      isKept = true
    } else if link(beside, path) != 0 {
      if errno == EEXIST { throw TextOutput.isThere(path) }
      // A file system without links.
      guard access(path, F_OK) != 0, rename(beside, path) == 0 else { throw cannotBeWritten() }
      isKept = true
    }
  }

  private func cannotBeWritten() -> Failure {
    Failure.unreadable("\(path) cannot be written: \(String(cString: strerror(errno)))")
  }

  private static func isThere(_ path: String) -> Failure {
    Failure.usage("\(path) is there already; --force replaces it")
  }

  /// Writes all bytes; why not, where that failed.
  private static func put(_ bytes: [UInt8], into descriptor: Int32) -> String? {
    var start = 0
    while start < bytes.count {
      let count = bytes[start...].withUnsafeBytes { part in
        unistdWrite(descriptor, part.baseAddress, part.count)
      }
      if count < 0, errno != EINTR { return String(cString: strerror(errno)) }
      start += max(0, count)
    }
    return nil
  }

  /// Whether two names are of one file.
  private static func isOneFile(_ path: String, _ other: String) -> Bool {
    var (facts, otherFacts) = (stat(), stat())
    return stat(path, &facts) == 0 && stat(other, &otherFacts) == 0
      && (facts.st_dev, facts.st_ino) == (otherFacts.st_dev, otherFacts.st_ino)
  }
}

/// The system's call, beside which the method of the same name is not found.
private func unistdWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}
