#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Writes a file that a command was asked for.
///
/// - Parameters:
///   - text: What it holds.
///   - path: Where.
///   - isReplacing: Whether a file that is there already may go (`--force`).
/// - Throws: ``Failure`` when a file is in the way, or cannot be written; one that was written in part is
///   taken away.
func writeOutputFile(_ text: String, to path: String, replacing isReplacing: Bool) throws {
  let flags = O_WRONLY | O_CREAT | (isReplacing ? O_TRUNC : O_EXCL)
  let file = open(path, flags, 0o644)
  guard file >= 0 else {
    if errno == EEXIST {
      throw Failure.usage("\(path) exists already; use --force to replace it")
    }
    throw Failure.unreadable("\(path) cannot be written: \(String(cString: strerror(errno)))")
  }
  let bytes = Array(text.utf8)
  var start = 0
  while start < bytes.count {
    let count = bytes[start...].withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
    if count < 0 {
      if errno == EINTR { continue }
      let reason = String(cString: strerror(errno))
      close(file)
      unlink(path)
      throw Failure.unreadable("\(path) cannot be written: \(reason)")
    }
    start += count
  }
  guard close(file) == 0 else {
    throw Failure.unreadable("\(path) cannot be written: \(String(cString: strerror(errno)))")
  }
}
