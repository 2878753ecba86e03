import KymographCLibrary

// All state that the handlers of signals touch. It belongs to the process, so that only a console that owns its
// process gets here. `Terminal` keeps the state of a terminal in the same manner.

/// The signals that the program handles from its start.
package enum ProcessSignals {
  /// Ends upon control-C with its own code, and names a file that another program cut short.
  package static func handle() {
    // Where nobody ignores it already, as a shell does for what it runs in the background.
    let former = signal(SIGINT) { _ in _exit(ExitCode.interrupted.rawValue) }
    if unsafeBitCast(former, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
      signal(SIGINT, SIG_IGN)
    }
    // Memory that is a file's, a crash journal's or the log's index, is gone when another program
    // cuts the file short.
    signal(SIGBUS) { _ in
      let message: StaticString =
        "kymo: another program cut a file beside the recording short. All committed rows are safe\n"
      _ = write(STDERR_FILENO, message.utf8Start, message.utf8CodeUnitCount)
      _exit(ExitCode.unreadable.rawValue)
    }
  }
}

extension ProcessSignals {
  /// Handles the signals again as before a command, which may have let them mean something else.
  static func restore() {
    for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
    handle()
  }
}

/// Lets a command end by itself upon control-C, with what it has. A second one ends it at once.
enum InterruptWatch {
  nonisolated(unsafe) private static var end: Int32 = -1
  nonisolated(unsafe) private static var wasAsked = false

  /// Begins. A descriptor that is readable once somebody wants an end, nil where interrupts are ignored.
  static func begin() -> Int32? {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    end = ends[1]
    let former = signal(SIGINT) { _ in
      if InterruptWatch.wasAsked { _exit(ExitCode.interrupted.rawValue) }
      InterruptWatch.wasAsked = true
      var byte: UInt8 = 0
      _ = write(InterruptWatch.end, &byte, 1)
    }
    if unsafeBitCast(former, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
      signal(SIGINT, SIG_IGN)
    }
    // Whoever started us may have held it back.
    var interrupt = sigset_t()
    sigemptyset(&interrupt)
    sigaddset(&interrupt, SIGINT)
    pthread_sigmask(SIG_UNBLOCK, &interrupt, nil)
    return ends[0]
  }
}

/// Set by the handler of SIGINT and SIGTERM. Memory of its own, since a handler may touch no more.
nonisolated(unsafe) private let interruptFlag: UnsafeMutablePointer<sig_atomic_t> = {
  let flag = UnsafeMutablePointer<sig_atomic_t>.allocate(capacity: 1)
  flag.initialize(to: 0)
  return flag
}()

/// Ends the reading of lines when a signal comes.
enum ReadingInterrupt {
  /// Whether a signal has come.
  static var hasCome: Bool { interruptFlag.pointee != 0 }

  /// Lets SIGINT and SIGTERM end the reading, so that the recording is closed cleanly.
  static func handle() {
    _ = interruptFlag.pointee
    var action = sigaction()
    #if canImport(Darwin)
      action.__sigaction_u.__sa_handler = { _ in interruptFlag.pointee = 1 }
    #else
      action.__sigaction_handler.sa_handler = { _ in interruptFlag.pointee = 1 }
    #endif
    // Without SA_RESTART a read that waits comes back.
    sigaction(SIGINT, &action, nil)
    sigaction(SIGTERM, &action, nil)
    // Whoever started us may have held them back.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGINT)
    sigaddset(&signals, SIGTERM)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }
}

/// How many half-written files and folders an interrupt can take away: more than a command has at once.
private let mostUnfinishedFiles = 24

/// Their names. Memory of its own, since a handler may touch no more.
nonisolated(unsafe) private let unfinishedFiles = {
  let names = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(
    capacity: mostUnfinishedFiles)
  names.initialize(repeating: nil, count: mostUnfinishedFiles)
  return names
}()

/// The half-written files, and the folders that are empty then, which go when the program ends early, as by SIGINT or
/// SIGTERM.
enum UnfinishedFiles {
  /// Adds a file. Where it stands, or nil when there are too many.
  static func add(_ path: String) -> Int? {
    let indices = 0..<mostUnfinishedFiles
    guard let index = indices.first(where: { unfinishedFiles[$0] == nil }) else { return nil }
    unfinishedFiles[index] = strdup(path)
    for number in [SIGINT, SIGTERM] {
      let former = signal(number) { number in
        UnfinishedFiles.remove()
        _exit(number == SIGINT ? 130 : 143)
      }
      if unsafeBitCast(former, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
        signal(number, SIG_IGN)
      }
    }
    return index
  }

  /// Takes all of them away. A handler of signals may call it.
  static func remove() {
    for index in 0..<mostUnfinishedFiles {
      if let path = unfinishedFiles[index] { unlink(path) }
    }
    for index in 0..<mostUnfinishedFiles {
      if let path = unfinishedFiles[index] { rmdir(path) }
    }
  }

  /// Leaves a file alone again. The name's memory stays: a handler may be reading it.
  static func forget(_ index: Int) { unfinishedFiles[index] = nil }
}
