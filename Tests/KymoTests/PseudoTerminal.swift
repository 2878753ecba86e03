import Foundation
import TestSupport

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A terminal of our own with the built program in it, of which tests press the keys.
final class PseudoTerminal {
  private let master: Int32
  /// Kept open, so that its settings can be asked before, while and after the program has it.
  private let slave: Int32
  private let process = Process()
  private let errorFile: FileHandle
  private let folder: TemporaryFolder
  /// Everything that the program has sent.
  private(set) var received = ""
  private var isMasterOpen = true

  /// So long, in milliseconds, a program may be silent that should say something: far more than it needs
  /// on any machine. Nothing waits for it but a test that fails.
  private static let patience: Int32 = 120_000

  init(
    _ arguments: [String], columns: UInt16 = 80, rows: UInt16 = 24,
    environment: [String: String] = [:]
  ) throws {
    var ends: (master: Int32, slave: Int32) = (-1, -1)
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    guard openpty(&ends.master, &ends.slave, nil, nil, &size) == 0 else { throw POSIXError(.ENXIO) }
    (master, slave) = ends
    _ = fcntl(master, F_SETFD, FD_CLOEXEC)
    folder = try TemporaryFolder()
    let errors = folder.url.appendingPathComponent("stderr")
    try Data().write(to: errors)
    errorFile = try FileHandle(forWritingTo: errors)
    process.executableURL = builtProgram("kymo")
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["TERM": "xterm-256color"].merging(environment) { $1 }
    ) { $1 }
    let handle = FileHandle(fileDescriptor: slave, closeOnDealloc: false)
    process.standardInput = handle
    process.standardOutput = handle
    process.standardError = errorFile
    try process.run()
  }

  deinit {
    if process.isRunning { process.terminate() }
    hangUp()
    close(slave)
  }

  /// The terminal's settings at this moment, as bytes that can be compared.
  var settings: [UInt8] {
    var settings = termios()
    tcgetattr(slave, &settings)
    return withUnsafeBytes(of: &settings) { Array($0) }
  }

  /// What the program said beside the terminal.
  var errors: String {
    String(
      decoding: (try? Data(contentsOf: folder.url.appendingPathComponent("stderr"))) ?? Data(),
      as: UTF8.self)
  }

  /// Presses keys.
  func press(_ text: String) {
    let bytes = Array(text.utf8)
    _ = bytes.withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
  }

  /// Sends the program a signal.
  func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

  /// Changes the size, and says so as the system does.
  func resize(columns: UInt16, rows: UInt16) {
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
    send(SIGWINCH)
  }

  /// Closes our end, as a terminal's window that goes away.
  func hangUp() {
    guard isMasterOpen else { return }
    isMasterOpen = false
    close(master)
  }

  /// Reads on until the program has sent a text behind what was read before; whether it did.
  func waits(for text: String) -> Bool {
    let start = received.endIndex
    let before = received.distance(from: received.startIndex, to: start)
    while true {
      let fresh = received.index(received.startIndex, offsetBy: before)
      if received[fresh...].contains(text) { return true }
      guard readSome() else { return false }
    }
  }

  /// Waits for the program's end and reads what it sent last; its exit code, or a signal as a negative
  /// number.
  func ended() -> Int32 {
    while process.isRunning, isMasterOpen { _ = readSome(patience: 20) }
    process.waitUntilExit()
    while isMasterOpen, readSome(patience: 0) {}
    return process.terminationReason == .uncaughtSignal
      ? -process.terminationStatus : process.terminationStatus
  }

  private func readSome(patience: Int32 = PseudoTerminal.patience) -> Bool {
    var place = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
    guard poll(&place, 1, patience) > 0 else { return false }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(master, &bytes, bytes.count)
    guard count > 0 else { return false }
    received += String(decoding: bytes[..<count], as: UTF8.self)
    return true
  }
}
