import KymographCLibrary

// A thread of its own rather than a queue or a task: it waits for a time or a call, whichever comes first,
// and it is there for nothing else, so that a busy app cannot keep it from writing.

/// The thread that writes a recorder's records: it runs a piece of work each time that it is
/// called, and after a time without a call.
final class WriterThread: Sendable {
  /// The work before the thread's first turn.
  private let prepare: @Sendable () -> Void
  /// The work of the thread in a turn.
  private let turn: @Sendable () -> Void
  private let intervalNanoseconds: Int64
  // Addresses that never change. The two flags are read and written under the mutex.
  private nonisolated(unsafe) let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private nonisolated(unsafe) let condition: UnsafeMutablePointer<pthread_cond_t>
  private nonisolated(unsafe) let flags: UnsafeMutablePointer<Flags>

  private struct Flags {
    var isCalled = false
    var isStopping = false
    var thread: pthread_t?
  }

  /// Makes a thread that does not run yet.
  ///
  /// - Parameters:
  ///   - intervalNanoseconds: How long it waits for a call.
  ///   - prepare: The work before all else.
  ///   - turn: The work then.
  init(
    intervalNanoseconds: Int64, prepare: @escaping @Sendable () -> Void = {},
    turn: @escaping @Sendable () -> Void
  ) {
    self.intervalNanoseconds = max(1_000_000, intervalNanoseconds)
    self.prepare = prepare
    self.turn = turn
    mutex = .allocate(capacity: 1)
    condition = .allocate(capacity: 1)
    flags = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    condition.initialize(to: pthread_cond_t())
    flags.initialize(to: Flags())
    pthread_mutex_init(mutex, nil)
    #if canImport(Darwin)
      pthread_cond_init(condition, nil)
    #else
      var attributes = pthread_condattr_t()
      pthread_condattr_init(&attributes)
      // A wall clock that is set would stretch or cut the wait.
      pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
      pthread_cond_init(condition, &attributes)
      pthread_condattr_destroy(&attributes)
    #endif
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
    flags.deallocate()
  }

  /// Lets the thread run.
  ///
  /// - Returns: false when the system gives no thread.
  func start() -> Bool {
    guard let thread = startThread(run) else { return false }
    pthread_mutex_lock(mutex)
    flags.pointee.thread = thread
    pthread_mutex_unlock(mutex)
    return true
  }

  /// Wakes the thread before its time.
  func call() {
    pthread_mutex_lock(mutex)
    flags.pointee.isCalled = true
    pthread_cond_signal(condition)
    pthread_mutex_unlock(mutex)
  }

  /// Ends the thread, and waits until its last turn is over, unless it is the caller itself.
  func stop() {
    pthread_mutex_lock(mutex)
    let thread = flags.pointee.thread
    flags.pointee.thread = nil
    flags.pointee.isStopping = true
    pthread_cond_signal(condition)
    pthread_mutex_unlock(mutex)
    guard let thread else { return }
    if pthread_equal(thread, pthread_self()) != 0 {
      pthread_detach(thread)
    } else {
      pthread_join(thread, nil)
    }
  }

  private func run() {
    prepare()
    while waitForCall() { turn() }
  }

  /// - Returns: false when the thread has to end.
  private func waitForCall() -> Bool {
    let end = deadline()
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while !flags.pointee.isCalled, !flags.pointee.isStopping {
      if wait(until: end) == ETIMEDOUT { break }
    }
    flags.pointee.isCalled = false
    return !flags.pointee.isStopping
  }

  private func deadline() -> Int64 {
    let (end, overflow) = MonotonicClock.nanoseconds.addingReportingOverflow(intervalNanoseconds)
    return overflow ? .max : end
  }

  private func wait(until end: Int64) -> Int32 {
    #if canImport(Darwin)
      let left = max(0, end - MonotonicClock.nanoseconds)
      var time = timespec(
        tv_sec: Int(left / 1_000_000_000), tv_nsec: Int(left % 1_000_000_000))
      return pthread_cond_timedwait_relative_np(condition, mutex, &time)
    #else
      var time = timespec(tv_sec: Int(end / 1_000_000_000), tv_nsec: Int(end % 1_000_000_000))
      return pthread_cond_timedwait(condition, mutex, &time)
    #endif
  }
}
