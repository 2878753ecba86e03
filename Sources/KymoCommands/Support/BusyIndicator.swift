import KymographCLibrary

/// Says on a terminal's standard error that a command is at work, once it has been silent for half a second:
/// its name, and for how long. A ``ProgressBar``, which knows how far the work is, takes its place.
final class BusyIndicator: @unchecked Sendable {
  private static let patience = Duration.milliseconds(500)
  private static let turnMicroseconds: UInt32 = 100_000

  private let console: Console
  private let start: ContinuousClock.Instant
  // What follows belongs to whoever holds the lock.
  private var name: String
  private var lock = pthread_mutex_t()
  private var silentSince: ContinuousClock.Instant
  private var shownSeconds: Int64?
  private var isOver = false

  /// Begins for a command where somebody looks at standard error.
  static func begin(_ words: [String], _ console: Console) -> BusyIndicator? {
    // With - the command waits for another program.
    guard let name = words.first, console.showsProgress, !words.contains("-") else { return nil }
    let indicator = BusyIndicator(name, console)
    guard let thread = startThread({ indicator.turn() }) else { return nil }
    pthread_detach(thread)
    return indicator
  }

  private init(_ name: String, _ console: Console) {
    (self.name, self.console) = (name, console)
    start = console.now()
    silentSince = start
    pthread_mutex_init(&lock, nil)
  }

  /// Names the command, once it is known.
  func rename(_ name: String) { hold { self.name = name } }

  /// Makes room for other output, and waits anew.
  func pause() { hold { clear() } }

  func end() {
    hold {
      clear()
      isOver = true
    }
  }

  /// The line at a time of work.
  static func line(_ name: String, seconds: Int64) -> String {
    "\rkymo \(name) … \(seconds) s\u{1b}[K"
  }

  private func clear() {
    if shownSeconds != nil { console.put("\r\u{1b}[K") }
    shownSeconds = nil
    silentSince = console.now()
  }

  private func turn() {
    var goesOn = true
    while goesOn {
      usleep(BusyIndicator.turnMicroseconds)
      hold {
        goesOn = !isOver
        let now = console.now()
        guard !isOver, now - silentSince >= BusyIndicator.patience else { return }
        let seconds = (now - start).components.seconds
        if seconds != shownSeconds { console.put(BusyIndicator.line(name, seconds: seconds)) }
        shownSeconds = seconds
      }
    }
  }

  private func hold(_ body: () -> Void) {
    pthread_mutex_lock(&lock)
    body()
    pthread_mutex_unlock(&lock)
  }

}
