import KymographCLibrary

/// Switches the recorders of a process off in a child that `fork` makes of it.
///
/// The child has a copy of the recorders' memory, and neither their writer threads nor a right to their
/// files: SQLite forbids the use of a connection across a fork, and the journal belongs to the parent.
enum ForkedChild {
  // Read and written under the mutex, which is held while the process forks, so that the child's copy
  // is whole.
  private nonisolated(unsafe) static var cores: [Unmanaged<RecorderCore>] = []
  private nonisolated(unsafe) static let mutex: UnsafeMutablePointer<pthread_mutex_t> = {
    let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
    return mutex
  }()

  private static let isWatching: Bool =
    pthread_atfork(
      { ForkedChild.lock() }, { ForkedChild.unlock() },
      {
        ForkedChild.switchOff()
        ForkedChild.unlock()
      }) == 0

  /// Watches over a recorder until it goes.
  static func watch(_ core: RecorderCore) {
    _ = isWatching
    lock()
    defer { unlock() }
    cores.append(Unmanaged.passUnretained(core))
  }

  /// Ends the watch.
  static func forget(_ core: RecorderCore) {
    lock()
    defer { unlock() }
    cores.removeAll { $0.toOpaque() == Unmanaged.passUnretained(core).toOpaque() }
  }

  private static func lock() { pthread_mutex_lock(mutex) }

  private static func unlock() { pthread_mutex_unlock(mutex) }

  private static func switchOff() {
    for core in cores {
      // One more reference, never given back: the core's end would close the parent's connection.
      core.retain().takeUnretainedValue().switchOffInChild()
    }
    cores = []
  }
}

/// A number that the system gives an open file.
enum FileDescriptor {
  /// Closes a file. Nothing for a number below 0.
  static func close(_ descriptor: Int32) {
    if descriptor >= 0 { _ = KymographCLibrary.close(descriptor) }
  }
}
