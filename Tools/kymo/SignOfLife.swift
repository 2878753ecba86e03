import KymographCLibrary

/// Says on a terminal's standard error that a command is at work, once it has been silent for half a second:
/// its name, and for how long. A ``ProgressBar``, which knows how far the work is, takes its place.
final class SignOfLife: @unchecked Sendable {
  /// That of the program's command, which is single-threaded above the recorder; nil where tests run commands side by
  /// side.
  nonisolated(unsafe) static var current: SignOfLife?

  /// Words of commands that show what they do at their own pace, or read what another program says.
  private static let livelyWords: Set<String> = ["play", "--speed", "--follow", "-"]
  private static let patience = Duration.milliseconds(500)
  private static let turnMicroseconds: UInt32 = 100_000

  private let name: String
  private let start = ContinuousClock.now
  // What follows belongs to whoever holds the lock.
  private var lock = pthread_mutex_t()
  private var silentSince = ContinuousClock.now
  private var shownSeconds: Int64?
  private var isOver = false

  /// Begins for a command where somebody looks at standard error.
  static func begin(_ words: [String]) {
    guard let name = words.first, isatty(STDERR_FILENO) == 1, livelyWords.isDisjoint(with: words)
    else { return }
    let sign = SignOfLife(name)
    guard let thread = startThread({ sign.turn() }) else { return }
    pthread_detach(thread)
    current = sign
  }

  private init(_ name: String) {
    self.name = name
    pthread_mutex_init(&lock, nil)
  }

  /// Makes room for other output, and waits anew.
  func pause() { hold { clear() } }

  /// Ends it.
  func end() {
    hold {
      clear()
      isOver = true
    }
    SignOfLife.current = nil
  }

  /// The line at a time of work.
  static func line(_ name: String, seconds: Int64) -> String {
    "\rkymo \(name) … \(seconds) s\u{1b}[K"
  }

  private func clear() {
    if shownSeconds != nil { put("\r\u{1b}[K") }
    shownSeconds = nil
    silentSince = ContinuousClock.now
  }

  private func turn() {
    var goesOn = true
    while goesOn {
      usleep(SignOfLife.turnMicroseconds)
      hold {
        goesOn = !isOver
        let now = ContinuousClock.now
        guard !isOver, now - silentSince >= SignOfLife.patience else { return }
        let seconds = (now - start).components.seconds
        if seconds != shownSeconds { put(SignOfLife.line(name, seconds: seconds)) }
        shownSeconds = seconds
      }
    }
  }

  private func hold(_ body: () -> Void) {
    pthread_mutex_lock(&lock)
    body()
    pthread_mutex_unlock(&lock)
  }

  private func put(_ text: String) {
    Array(text.utf8).withUnsafeBytes { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
