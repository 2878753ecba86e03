import KymographCLibrary
import TimelineInterchange
import TimelineRendering

/// Hands bytes to a descriptor; how many were taken, or a negative number.
func putBytes(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}

/// Standard output, buffered: answers and nothing else go here.
///
/// With ``say(_:asLines:)`` it is the one door to a terminal: no name in a file, of a file or of an argument can do
/// more there than be read. Data for programs goes out as it is, unless a terminal is at the other end. A closed pipe (`kymo keys f | head -1`) ends the program quietly, as Unix tools do.
final class StandardOutput {
  private var buffer: [UInt8] = []
  /// Bytes that are kept before they are handed on.
  private static let capacity = 1 << 16

  private let isTerminal = isatty(STDOUT_FILENO) == 1

  /// Whether a build's runner reads the output, to which no name may speak.
  var isReadByRunner = false

  /// Appends text for people, made harmless.
  func write(_ text: String) {
    let text = DisplayText.harmlessLines(text)
    append((isReadByRunner ? WorkflowCommand.disarmed(text) : text).utf8)
  }

  /// Appends what a build's runner is to read.
  func write(command text: String) { append(DisplayText.harmlessLines(text).utf8) }

  /// Appends data for programs.
  func write(data text: String) { isTerminal ? write(text) : append(text.utf8) }

  /// Appends data for programs.
  func write(data bytes: [UInt8]) {
    isTerminal ? write(String(decoding: bytes, as: UTF8.self)) : append(bytes)
  }

  private func append(_ bytes: some Sequence<UInt8>) {
    buffer.append(contentsOf: bytes)
    if buffer.count >= StandardOutput.capacity { flush() }
  }

  /// Hands everything on.
  func flush() {
    if isTerminal, !buffer.isEmpty { SignOfLife.current?.pause() }
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

/// Says something to the person on standard error, made harmless and on one line; a closed one is no error.
///
/// - Parameter asLines: Whether the message has lines of its own, as help has.
func say(_ message: String, asLines: Bool = false) {
  if let spoken { return spoken(message) }
  var text = asLines ? DisplayText.harmlessLines(message) : DisplayText.harmless(message) + "\n"
  if standardOutput.isReadByRunner { text = WorkflowCommand.disarmed(text) }
  standardOutput.flush()
  SignOfLife.current?.pause()
  Array(text.utf8).withUnsafeBytes { _ = putBytes(STDERR_FILENO, $0) }
}

/// Takes what is said in place of standard error: where one process works for another, that one says it in its turn.
nonisolated(unsafe) var spoken: ((String) -> Void)?

/// Does something in silence.
func unspoken<Result>(_ body: () throws -> Result) rethrows -> Result {
  let before = spoken
  spoken = { _ in }
  defer { spoken = before }
  return try body()
}

/// The most that is read of an input which is read as a whole, in MiB. It keeps a device such as /dev/zero, or a
/// file that is none of ours, from taking all memory.
enum InputLimit: Int {
  /// A query; SQLite takes a million bytes.
  case query = 1
  /// A scenario or a tolerance file: a million items with names of forty letters are 45 MB.
  case description = 64
  /// Touches or samples: nine hours of one finger at 120 Hz as CSV, nearly two as the kernel tells them.
  case touches = 128
}

/// Reads a whole file, or standard input for "-".
///
/// - Throws: ``Failure``: it cannot be read, or is longer than its limit.
func readInput(_ path: String, atMost limit: InputLimit) throws -> [UInt8] {
  let descriptor = path == "-" ? STDIN_FILENO : try openToRead(path)
  defer { if path != "-" { close(descriptor) } }
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    let count = read(descriptor, &chunk, chunk.count)
    if count == 0 { return bytes }
    if count < 0 {
      if errno == EINTR { continue }
      throw Failure.unreadable(
        "\(inputName(path)) cannot be read: \(String(cString: strerror(errno)))")
    }
    bytes.append(contentsOf: chunk[..<count])
    guard bytes.count <= limit.rawValue << 20 else {
      throw Failure.unreadable(
        "\(inputName(path)) is longer than \(limit.rawValue) MiB, the most that is read of "
          + "such a file; cut it into shorter ones")
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
  let descriptor = try openToRead(path)
  defer { close(descriptor) }
  var bytes = [UInt8](repeating: 0, count: count)
  let read = read(descriptor, &bytes, count)
  guard read >= 0 else {
    throw Failure.unreadable("\(path) cannot be read: \(String(cString: strerror(errno)))")
  }
  return Array(bytes[..<read])
}

/// What an input is called: "-" is standard input.
func inputName(_ path: String) -> String { path == "-" ? "standard input" : path }

/// Opens a file, whose descriptor the caller closes.
func openToRead(_ path: String) throws -> Int32 {
  let descriptor = open(path, O_RDONLY)
  guard descriptor >= 0 else {
    throw Failure.unreadable("\(path) cannot be opened: \(String(cString: strerror(errno)))")
  }
  return descriptor
}
