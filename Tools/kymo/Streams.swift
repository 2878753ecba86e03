#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Hands bytes to a descriptor; how many were taken, or a negative number.
private func putBytes(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}

/// Standard output, buffered: data and nothing else goes here.
///
/// A closed pipe (`kymo keys f | head -1`) ends the program quietly, as Unix tools do.
final class StandardOutput {
  private var buffer: [UInt8] = []
  /// Bytes that are kept before they are handed on.
  private static let capacity = 1 << 16

  /// Appends text.
  func write(_ text: String) {
    buffer.append(contentsOf: text.utf8)
    if buffer.count >= StandardOutput.capacity { flush() }
  }

  /// Appends bytes as they are.
  func write(_ bytes: [UInt8]) {
    buffer.append(contentsOf: bytes)
    if buffer.count >= StandardOutput.capacity { flush() }
  }

  /// Hands everything on.
  func flush() {
    var start = 0
    while start < buffer.count {
      let count = buffer[start...].withUnsafeBytes { bytes in
        putBytes(STDOUT_FILENO, bytes)
      }
      if count < 0 {
        if errno == EINTR { continue }
        if errno == EPIPE { exit(ExitCode.yes.rawValue) }
        let reason = String(cString: strerror(errno))
        Array("kymo: standard output cannot be written: \(reason)\n".utf8)
          .withUnsafeBytes { _ = putBytes(STDERR_FILENO, $0) }
        exit(ExitCode.unreadable.rawValue)
      }
      start += count
    }
    buffer.removeAll(keepingCapacity: true)
  }
}

/// The program's only output stream; the program is single-threaded above the recorder.
nonisolated(unsafe) let standardOutput: StandardOutput = {
  signal(SIGPIPE, SIG_IGN)
  return StandardOutput()
}()

/// Says something to the person, on standard error; a closed one is no error.
func say(_ message: String) {
  let line = Array((message.hasSuffix("\n") ? message : message + "\n").utf8)
  standardOutput.flush()
  line.withUnsafeBytes { _ = putBytes(STDERR_FILENO, $0) }
}

/// The longest input that is read as a whole, in bytes: ten hours of touches are about half of it. It
/// keeps a device such as /dev/zero from being read for ever.
private let inputLimit = 2 << 30

/// Reads a whole file, or standard input for "-".
func readInput(_ path: String) throws -> [UInt8] {
  let descriptor: Int32
  if path == "-" {
    descriptor = STDIN_FILENO
  } else {
    descriptor = open(path, O_RDONLY)
    guard descriptor >= 0 else {
      throw Failure.unreadable("\(path) cannot be opened: \(String(cString: strerror(errno)))")
    }
  }
  defer { if path != "-" { close(descriptor) } }
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    let count = read(descriptor, &chunk, chunk.count)
    if count == 0 { return bytes }
    if count < 0 {
      if errno == EINTR { continue }
      let name = path == "-" ? "standard input" : path
      throw Failure.unreadable("\(name) cannot be read: \(String(cString: strerror(errno)))")
    }
    bytes.append(contentsOf: chunk[..<count])
    guard bytes.count <= inputLimit else {
      throw Failure.unreadable(
        "\(path == "-" ? "standard input" : path) is longer than 2 GiB; it is no file of ours")
    }
  }
}

/// Whether a path names a file rather than a pipe or a device; a folder is left to whoever opens it.
func isRegularFile(_ path: String) throws -> Bool {
  var facts = stat()
  guard stat(path, &facts) == 0 else {
    throw Failure.unreadable("\(path) cannot be opened: \(String(cString: strerror(errno)))")
  }
  return facts.st_mode & S_IFMT == S_IFREG || facts.st_mode & S_IFMT == S_IFDIR
}

/// The first bytes of a file, fewer when it is shorter.
func firstBytes(of path: String, count: Int) throws -> [UInt8] {
  let descriptor = open(path, O_RDONLY)
  guard descriptor >= 0 else {
    throw Failure.unreadable("\(path) cannot be opened: \(String(cString: strerror(errno)))")
  }
  defer { close(descriptor) }
  var bytes = [UInt8](repeating: 0, count: count)
  let read = read(descriptor, &bytes, count)
  guard read >= 0 else {
    throw Failure.unreadable("\(path) cannot be read: \(String(cString: strerror(errno)))")
  }
  return Array(bytes[..<read])
}
