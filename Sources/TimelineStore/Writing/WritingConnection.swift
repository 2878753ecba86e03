import SQLiteAccess

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
