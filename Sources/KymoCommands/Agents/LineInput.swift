import KymographCLibrary

/// The lines of a descriptor, each up to a limit, so that a line without an end takes no more memory.
struct LineInput {
  /// A line that was read.
  enum Line: Hashable {
    /// The bytes without the line's end.
    case bytes([UInt8])
    /// It was longer than the limit, and was passed over.
    case tooLong
  }

  private let descriptor: Int32
  private let limit: Int
  private var bytes: [UInt8] = []
  private var start = 0
  private var isTooLong = false

  /// - Parameters:
  ///   - descriptor: It stays the caller's.
  ///   - limit: The most bytes of a line.
  init(_ descriptor: Int32, limit: Int) { (self.descriptor, self.limit) = (descriptor, limit) }

  /// The next line. `nil` at the end. Bytes without a line's end behind the last one are a line, too.
  ///
  /// - Throws: ``Failure``: the descriptor cannot be read, or a signal asks for the end.
  mutating func next() throws -> Line? {
    var searched = start
    while true {
      if let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        return line(upTo: end, next: end + 1)
      }
      bytes.removeFirst(start)
      start = 0
      if bytes.count > limit {
        isTooLong = true
        bytes.removeAll()
      }
      searched = bytes.count
      guard try readSome() else {
        return bytes.isEmpty && !isTooLong ? nil : line(upTo: bytes.count, next: bytes.count)
      }
    }
  }

  /// The next line if it is there. `nil`: it is not yet, or never comes.
  ///
  /// It waits for nothing, and reads at most 64 KiB.
  mutating func nextIfThere() throws -> Line? {
    func end(_ input: LineInput) -> Int? {
      input.bytes[input.start...].firstIndex(of: UInt8(ascii: "\n"))
    }
    var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard end(self) != nil || poll(&ready, 1, 0) > 0 else { return nil }
    if end(self) == nil {
      guard bytes.count - start <= limit, try readSome() else { return nil }
    }
    return try end(self) == nil ? nil : next()
  }

  private mutating func line(upTo end: Int, next: Int) -> Line {
    defer { (start, isTooLong) = (next, false) }
    return isTooLong || end - start > limit ? .tooLong : .bytes(Array(bytes[start..<end]))
  }

  /// Reads some bytes. False at the end.
  private mutating func readSome() throws -> Bool {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      if count >= 0 {
        bytes += chunk[..<count]
        return count > 0
      }
      guard errno == EINTR else {
        throw Failure.unreadable(
          "standard input cannot be read: \(String(cString: strerror(errno)))")
      }
      guard !ReadingInterrupt.hasCome else { throw Failure(.interrupted, "interrupted") }
    }
  }
}
