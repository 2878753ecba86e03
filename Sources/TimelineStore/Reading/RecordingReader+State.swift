import SQLiteAccess
import TimelineSchema

extension RecordingReader {
  /// Answers some questions from one state of the file, which is locked once then and not for each of them. Who begins
  /// to write the file has to wait meanwhile, unless it is being recorded already.
  package func inOneState<Answer>(_ answer: () throws -> Answer) throws -> Answer {
    try beginState()
    defer { endState() }
    let found = try answer()
    try requireUnchanged()
    return found
  }

  /// Answers all questions from one state of the file from now on, until ``letGoOfState()``.
  package func keepState() throws(StoreError) {
    guard !isStateKept else { return }
    try beginState()
    isStateKept = true
  }

  /// Ends what ``keepState()`` began, so that nobody waits for this reader.
  package func letGoOfState() {
    guard isStateKept else { return }
    isStateKept = false
    endState()
  }

  /// Keeps one state until ``endState()``, which may be nested.
  package func beginState() throws(StoreError) {
    if stateUses == 0 {
      try requireUnchanged()
      viewsAreOfState = false
      let look = try prepare(FileHeader.look)
      _ = try naming(path, try look.step())
      state = KeptStatement(look)
      if views.version < Int64(Schema.version) { try followChange(forQuery: false) }
    }
    stateUses += 1
  }

  /// Ends what ``beginState()`` began.
  package func endState() {
    stateUses -= 1
    if stateUses == 0 { state = nil }
  }

  /// Another reader that sees the state which this one keeps, for a thread of its own. `nil`: that cannot be had. Nobody
  /// can write a file without a log while it is read. It waits for nobody, since a writer of this process could wait for
  /// this reader.
  package func sameState() -> RecordingReader? {
    guard state != nil, !connection.isInLogMode, !isRolledBack,
      let other = try? RecordingReader(path: filePath, waiting: 0, named: path),
      (try? other.keepState()) != nil
    else { return nil }
    return other
  }

  /// Refuses a file that was opened without locks, since nobody wrote it, and has changed since.
  private func requireUnchanged() throws(StoreError) {
    guard let restingStamp, FileStamp(filePath.utf8) != restingStamp else { return }
    throw .changedWhileRead(path)
  }

  /// Whether a file in log mode has no log that anybody writes. Between the header and the log of a program that begins
  /// to write, or ends that, there is a moment without a log: that program has a share of the folder's lock then.
  static func isAtRest(_ file: borrowing Connection) -> Bool {
    let path = file.filePath
    let canWrite = FileFacts.canWrite(folder: FileFacts.folder(of: path))
    func hasNoLog(_ file: borrowing Connection) -> Bool {
      let log = FileFacts(of: path + "-wal")
      return file.isInLogMode && (log == .absent || (log.bytes == 0 && !canWrite))
    }
    guard hasNoLog(file) else { return false }
    return WriterTurn.wait { WriterTurn.take(at: path, isAlone: true) { hasNoLog(file) } } ?? true
  }
}
