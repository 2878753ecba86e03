import KymographCLibrary

/// How one writer waits for another.
package enum WriterTurn {
  /// How long a writer waits, in milliseconds. As long as a statement of SQLite.
  @TaskLocal package static var waitMilliseconds = RecordingFormat.busyTimeoutMilliseconds

  /// How long it sleeps between two looks, in microseconds: a label takes some milliseconds.
  private static let pauseMicroseconds: UInt32 = 3_000

  /// Asks until there is an answer. `nil` after the time that a writer waits.
  package static func wait<Answer: ~Copyable, Failure: Error>(
    milliseconds: Int32 = WriterTurn.waitMilliseconds, _ ask: () throws(Failure) -> Answer?
  ) throws(Failure) -> Answer? {
    let end = ContinuousClock.now + .milliseconds(milliseconds)
    while true {
      if let answer = try ask() { return answer }
      guard ContinuousClock.now < end else { return nil }
      usleep(pauseMicroseconds)
    }
  }

  /// Does something while nobody replaces a file of a folder, or while nobody else begins to write one.
  ///
  /// A file that takes another one's name takes its locks away. So everybody who opens a recording for writing
  /// shares a lock on its folder until he has the recording's own, and a rename has the folder's lock alone. Both
  /// take some milliseconds. A folder that cannot be read, or whose file system knows no locks, has no turns.
  ///
  /// - Parameters:
  ///   - path: The file, links followed.
  ///   - isAlone: Whether the lock is not shared.
  /// - Returns: nil where somebody has the lock.
  package static func take<Value: ~Copyable, Failure: Error>(
    at path: String, isAlone: Bool, _ work: () throws(Failure) -> Value?
  ) throws(Failure) -> Value? {
    let folder = open(FileFacts.folder(of: path), O_RDONLY | O_CLOEXEC | O_DIRECTORY)
    guard folder >= 0 else { return try work() }
    let owner = getpid()
    defer { closeLocked(folder, of: owner) }
    let isTaken = flock(folder, (isAlone ? LOCK_EX : LOCK_SH) | LOCK_NB) == 0
    guard isTaken || errno != EWOULDBLOCK else { return nil }
    return try work()
  }
}
