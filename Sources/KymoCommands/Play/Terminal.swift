import KymographCLibrary

/// The terminal while a player has it: raw keys, the alternate screen, and everything put back at the end.
///
/// There is one for the process. Signals are written to a pipe and read from it, so that no handler does
/// more than the system allows. Only a crash puts the terminal back from its handler.
final class Terminal {
  /// What came while one waited.
  enum Event: Equatable {
    /// Keys were pressed.
    case bytes([UInt8])
    /// A signal arrived.
    case signal(Int32)
    /// The terminal is gone.
    case closed
  }

  /// Columns and lines of a terminal that does not tell.
  static let usualSize = (columns: 80, rows: 24)

  /// Signals that are read from the pipe.
  private static let awaited = [SIGWINCH, SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGTSTP, SIGCONT]
  /// Signals of a crash.
  private static let crashes = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE]
  /// The most bytes of one read: a paste is no use to a player.
  private static let readLimit = 4096

  /// Milliseconds that a program that is to end gives a terminal that takes nothing.
  private static let hurriedWait: Int32 = 100

  private let enter: String
  private let leave: String
  private var pipeEnds: [Int32] = [-1, -1]
  private var isRaw = false
  /// Set when the other end is gone: nothing more is written then.
  private var isLost = false
  /// Signals that were read while something was written.
  private var early: [Int32] = []

  /// Takes a terminal over.
  ///
  /// - Parameters:
  ///   - enter: What is sent first, and after every stop.
  ///   - leave: What is sent at the end, and before every stop.
  /// - Throws: ``Failure`` where standard input or output is no terminal.
  init(_ console: Console, enter: String, leave: String) throws {
    self.enter = enter
    self.leave = leave
    guard console.isTerminal, console.ownsProcess else {
      throw Failure.usage("standard input is not a terminal")
    }
    guard pipe(&pipeEnds) == 0 else {
      throw Failure.unreadable("the system has no pipe left: \(String(cString: strerror(errno)))")
    }
    for end in pipeEnds {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    signalPipe.pointee = pipeEnds[1]
    let bytes = Array(leave.utf8)
    crashBytes.update(from: bytes, count: min(bytes.count, crashByteLimit))
    crashByteCount.pointee = min(bytes.count, crashByteLimit)
    guard tcgetattr(STDIN_FILENO, savedSettings) == 0 else {
      throw Failure.unreadable(
        "the terminal cannot be queried: \(String(cString: strerror(errno)))")
    }
    for signal in Terminal.awaited { handle(signal) { noteSignal($0) } }
    for signal in Terminal.crashes { handle(signal) { restoreAndCrash($0) } }
    // Whoever started us may have held them back, and a program that is told to end must hear it.
    var heard = sigset_t()
    sigemptyset(&heard)
    for signal in Terminal.awaited + Terminal.crashes { sigaddset(&heard, signal) }
    sigprocmask(SIG_UNBLOCK, &heard, nil)
    resume()
  }

  deinit {
    close()
    for end in pipeEnds where end >= 0 { unistdClose(end) }
  }

  /// Columns and lines at this moment.
  var size: (columns: Int, rows: Int) {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
    else { return Terminal.usualSize }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Takes the terminal, again after a stop.
  func resume() {
    var raw = savedSettings.pointee
    cfmakeraw(&raw)
    // One byte is enough to be read, and a read never waits: polling does.
    withUnsafeMutableBytes(of: &raw.c_cc) { characters in
      characters[Int(VMIN)] = 0
      characters[Int(VTIME)] = 0
    }
    setSettings(&raw)
    isRaw = true
    crashIsArmed.pointee = true
    write(enter)
  }

  /// Gives the terminal back as it was. May be called again.
  ///
  /// - Parameter isHurried: Whether a terminal that takes nothing is not waited for.
  func close(isHurried: Bool = false) {
    guard isRaw else { return }
    isRaw = false
    if !isHurried || takesMore { write(leave) }
    crashIsArmed.pointee = false
    setSettings(savedSettings)
  }

  /// Gives the terminal back and stops, as control-Z does. Goes on when it is continued.
  func stop() {
    close()
    handle(SIGTSTP, by: SIG_DFL)
    raise(SIGTSTP)
    handle(SIGTSTP) { noteSignal($0) }
    resume()
  }

  /// Gives the terminal back and ends by a signal, so that whoever waits sees which.
  func end(by signal: Int32) -> Never {
    close(isHurried: true)
    UnfinishedFiles.remove()
    handle(signal, by: SIG_DFL)
    raise(signal)
    exit(128 + signal)
  }

  /// Sends text. A terminal that takes nothing is waited for, until a signal comes.
  func write(_ text: String) {
    let bytes = Array(text.utf8)
    var start = 0
    while start < bytes.count, !isLost {
      let count = bytes[start...].withUnsafeBytes { putBytes(STDOUT_FILENO, $0) }
      if count >= 0 {
        start += count
      } else if errno == EAGAIN || errno == EINTR {
        waitUntilWritable()
        if early.contains(where: { [SIGTERM, SIGHUP, SIGINT, SIGQUIT].contains($0) }) { return }
      } else {
        isLost = true
      }
    }
  }

  /// Whether the terminal takes more within a moment.
  private var takesMore: Bool {
    var descriptor = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
    return poll(&descriptor, 1, Terminal.hurriedWait) > 0
  }

  private func waitUntilWritable() {
    var descriptors = [
      pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0),
      pollfd(fd: pipeEnds[0], events: Int16(POLLIN), revents: 0),
    ]
    guard poll(&descriptors, 2, -1) > 0 else { return }
    early += readSignals()
  }

  /// Waits for keys and signals.
  ///
  /// - Parameter milliseconds: At most so long. `nil`: for ever.
  func wait(milliseconds: Int32?) -> [Event] {
    if isLost { return [.closed] }
    if !early.isEmpty {
      defer { early = [] }
      return early.map(Event.signal)
    }
    var descriptors = [
      pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
      pollfd(fd: pipeEnds[0], events: Int16(POLLIN), revents: 0),
    ]
    guard poll(&descriptors, 2, milliseconds ?? -1) > 0 else { return [] }
    var events = readSignals().map(Event.signal)
    if descriptors[0].revents != 0 {
      var bytes = [UInt8](repeating: 0, count: Terminal.readLimit)
      let count = read(STDIN_FILENO, &bytes, bytes.count)
      if count > 0 {
        events.append(.bytes(Array(bytes[..<count])))
      } else if count == 0 || (errno != EINTR && errno != EAGAIN) {
        // Ready to be read and nothing there: the other end is gone.
        events.append(.closed)
      }
    }
    return events
  }

  private func readSignals() -> [Int32] {
    var bytes = [UInt8](repeating: 0, count: Terminal.readLimit)
    let count = read(pipeEnds[0], &bytes, bytes.count)
    return count > 0 ? bytes[..<count].map(Int32.init) : []
  }

  private func setSettings(_ settings: UnsafeMutablePointer<termios>) {
    while tcsetattr(STDIN_FILENO, TCSANOW, settings) != 0, errno == EINTR {}
  }

  /// Without SA_RESTART, so that a signal wakes a write that waits.
  private func handle(_ signal: Int32, _ handler: @escaping @convention(c) (Int32) -> Void) {
    handle(signal, by: handler)
  }

  private func handle(_ signal: Int32, by handler: (@convention(c) (Int32) -> Void)?) {
    var action = sigaction()
    #if canImport(Darwin)
      action.__sigaction_u.__sa_handler = handler
    #else
      action.__sigaction_handler.sa_handler = handler
    #endif
    sigaction(signal, &action, nil)
  }
}

// What handlers touch: made before any of them is in place, never freed, reached without a lock.

/// The writing end of the pipe.
private nonisolated(unsafe) let signalPipe = makeCell(Int32(-1))
/// The terminal's settings from before.
private nonisolated(unsafe) let savedSettings = makeCell(termios())
/// Whether a crash has anything to put back.
private nonisolated(unsafe) let crashIsArmed = makeCell(false)
/// The most bytes that a crash sends.
private let crashByteLimit = 64
/// What a crash sends.
private nonisolated(unsafe) let crashBytes = UnsafeMutablePointer<UInt8>.allocate(
  capacity: crashByteLimit)
/// How many of them.
private nonisolated(unsafe) let crashByteCount = makeCell(0)

private func makeCell<Value>(_ value: Value) -> UnsafeMutablePointer<Value> {
  let cell = UnsafeMutablePointer<Value>.allocate(capacity: 1)
  cell.initialize(to: value)
  return cell
}

/// Hands a signal on to whoever polls. A full pipe has enough signals in it.
private func noteSignal(_ signal: Int32) {
  let before = errno
  var byte = UInt8(truncatingIfNeeded: signal)
  _ = write(signalPipe.pointee, &byte, 1)
  errno = before
}

/// Puts the terminal back and lets the crash go on. Everything it calls may be called from a handler.
private func restoreAndCrash(_ signal: Int32) {
  if crashIsArmed.pointee {
    crashIsArmed.pointee = false
    _ = write(STDOUT_FILENO, crashBytes, crashByteCount.pointee)
    tcsetattr(STDIN_FILENO, TCSANOW, savedSettings)
  }
  var action = sigaction()
  sigaction(signal, &action, nil)
  raise(signal)
}

private func unistdClose(_ descriptor: Int32) { close(descriptor) }
