import KymographCLibrary

/// Adds up the time of some pieces of a run, by the thread's own clock or by that of its programs.
final class Stopwatch {
  /// The sum so far, in nanoseconds.
  private(set) var nanoseconds = 0.0
  /// How long all pieces of a run together have to be at least, in nanoseconds.
  let shortestStretch: Double
  private let read: () -> Double
  /// The cost of a piece without content.
  private var own = 0.0

  /// Makes a stopwatch at zero.
  ///
  /// - Parameters:
  ///   - shortestStretch: How long the pieces of a run have to be together, in nanoseconds.
  ///   - ofPrograms: Whether it counts the time of the programs that were run and have ended.
  init(shortestStretch: Double, ofPrograms: Bool = false) {
    self.shortestStretch = shortestStretch
    read = ofPrograms ? Stopwatch.programNanoseconds : { Stopwatch.read(CLOCK_THREAD_CPUTIME_ID) }
    // The least of several: what an interruption adds is not the clock's.
    own =
      (0..<64).map { _ in
        reset()
        measure {}
        return nanoseconds
      }.min() ?? 0
    reset()
  }

  /// Goes back to zero.
  func reset() { nanoseconds = 0 }

  /// Measures a piece of work.
  func measure(_ work: () throws -> Void) rethrows {
    let start = read()
    try work()
    nanoseconds += max(0, read() - start - own)
  }

  /// A clock's time in nanoseconds.
  static func read(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }

  /// What all programs that were run and have ended took of a core, in nanoseconds.
  private static func programNanoseconds() -> Double {
    var usage = rusage()
    #if canImport(Glibc)
      getrusage(RUSAGE_CHILDREN.rawValue, &usage)
    #else
      getrusage(RUSAGE_CHILDREN, &usage)
    #endif
    let seconds = Double(usage.ru_utime.tv_sec) + Double(usage.ru_stime.tv_sec)
    let microseconds = Double(usage.ru_utime.tv_usec) + Double(usage.ru_stime.tv_usec)
    return seconds * 1e9 + microseconds * 1e3
  }
}
