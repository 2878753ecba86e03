import KymographCLibrary
import SQLiteAccess

/// How one writer waits for another.
package enum WriterTurn {
  /// How long a writer waits, in milliseconds; as long as a statement of SQLite.
  @TaskLocal package static var waitMilliseconds = RecordingFormat.busyTimeoutMilliseconds

  /// How long it sleeps between two looks, in microseconds: a label takes some milliseconds.
  private static let pauseMicroseconds: UInt32 = 3_000

  /// Asks until there is an answer; nil after the time that a writer waits.
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

/// A connection to a recording, and the lock that keeps other writers out of it.
struct WritingConnection: ~Copyable {
  let lock: WriterLock
  // Declared last, so that it is closed first.
  let connection: Connection

  /// Opens a recording with a log and takes its lock, for which it waits unless a recorder has it.
  ///
  /// - Parameters:
  ///   - path: The recording.
  ///   - isMade: Whether the file is made when there is none.
  ///   - milliseconds: How long it waits, and each of its statements after that.
  ///   - prepare: Looks at the file, before it has a log.
  /// - Throws: ``StoreError`` of the code `busy`: the file is being recorded, or being changed for longer.
  init(
    _ path: String, isMade: Bool, waiting milliseconds: Int32 = WriterTurn.waitMilliseconds,
    _ prepare: (borrowing Connection) throws(StoreError) -> Void
  ) throws(StoreError) {
    let file = FileFacts.resolved(path)
    var refusal = StoreError.inUse(path)
    let opened = try WriterTurn.wait(milliseconds: milliseconds) {
      () throws(StoreError) -> WritingConnection? in
      do throws(StoreError) {
        // Who waits has the file not open, so that its log can be deleted.
        if isLocked(file + "-wal") { throw WriterLock.refusal(file, path) }
        return try WriterTurn.take(at: file, isAlone: false) {
          () throws(StoreError) -> WritingConnection? in
          guard isMade || FileFacts(of: path) != .absent else { throw .notFound(path) }
          let connection = try naming(path, try Connection(path: path, for: .writing))
          connection.setBusyTimeout(milliseconds: milliseconds)
          try prepare(connection)
          let hasLog = try naming(
            path, try connection.useLog(sizeLimitBytes: RecordingStore.logSizeLimitBytes))
          guard hasLog else { throw .noLog(path) }
          // Any read makes the log's file, which carries the lock.
          _ = try naming(path, try connection.integer(FileHeader.definitionCount))
          let lock = try WriterLock(log: connection.filePath + "-wal", of: path)
          return WritingConnection(lock: lock, connection: connection)
        }
      } catch {
        guard error.code == .busy, error != .beingRecorded(path) else { throw error }
        refusal = error
        return nil
      }
    }
    guard let opened else { throw refusal }
    self = opened
  }

  private init(lock: consuming WriterLock, connection: consuming Connection) {
    self.lock = lock
    self.connection = connection
  }
}
