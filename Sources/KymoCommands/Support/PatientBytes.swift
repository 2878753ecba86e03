import KymographCLibrary

/// Bytes for a descriptor whose other end may be slow: a pipe, or a terminal that was stopped. They wait here, in memory
/// and beyond a limit in a file without a name, so that a command reads its recordings to the end without waiting.
struct PatientBytes: ~Copyable {
  private let descriptor: Int32
  private var waiting: [UInt8] = []
  /// A file with the bytes after ``waiting``. -1: none.
  private var file: Int32 = -1
  /// How many of them the file has.
  private var fileBytes = 0
  /// Whether the descriptor takes everything at once.
  private let isFile: Bool

  /// The most bytes that wait in memory: more than nearly every answer has.
  private static let mostInMemory = 16 << 20
  /// The most that a pipe which has room takes without waiting. POSIX promises 512, and Linux has a page.
  private static let step = 4_096

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    var facts = stat()
    isFile = fstat(descriptor, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG
  }

  deinit { if file >= 0 { close(file) } }

  /// Writes bytes as far as that takes no waiting, and keeps the others.
  ///
  /// - Returns: false if the descriptor takes no more. The reason is in `errno`.
  mutating func write(_ bytes: [UInt8]) -> Bool {
    if isFile { return put(bytes, into: descriptor) }
    if fileBytes > 0 { return keep(bytes[...]) }
    waiting += bytes
    var start = 0
    while start < waiting.count, hasRoom {
      let end = min(start + Self.step, waiting.count)
      guard put(Array(waiting[start..<end]), into: descriptor) else { return false }
      start = end
    }
    waiting.removeFirst(start)
    guard waiting.count > Self.mostInMemory else { return true }
    let rest = waiting[Self.mostInMemory...]
    guard keep(rest) else { return false }
    waiting.removeLast(rest.count)
    return true
  }

  /// Writes what waits, however long that takes.
  ///
  /// - Returns: false if the descriptor takes no more. The reason is in `errno`.
  mutating func finish() -> Bool {
    guard put(waiting, into: descriptor) else { return false }
    waiting = []
    guard fileBytes > 0 else { return true }
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    lseek(file, 0, SEEK_SET)
    while fileBytes > 0 {
      let count = read(file, &chunk, min(chunk.count, fileBytes))
      guard count > 0, put(Array(chunk[..<count]), into: descriptor) else { return false }
      fileBytes -= count
    }
    ftruncate(file, 0)
    lseek(file, 0, SEEK_SET)
    return true
  }

  private var hasRoom: Bool {
    var asked = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return poll(&asked, 1, 0) != 0
  }

  /// Appends to the file, which is made for the first bytes. Where there is no room for it, the command waits.
  private mutating func keep(_ bytes: ArraySlice<UInt8>) -> Bool {
    if file < 0 {
      var name = Array(
        ((getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp") + "/kymo-XXXXXX").utf8CString)
      file = mkstemp(&name)
      if file >= 0 { unlink(name) }
    }
    if file >= 0, put(Array(bytes), into: file) {
      fileBytes += bytes.count
      return true
    }
    return finish() && put(Array(bytes), into: descriptor)
  }
}

@available(*, unavailable, message: "its descriptor's bytes have one order")
extension PatientBytes: Sendable {}
