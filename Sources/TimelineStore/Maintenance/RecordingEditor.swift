import SQLiteAccess

/// A recording that is open for writing without a session of its own, for what is done to recordings
/// afterwards: sealing, expanding, compacting, cutting, taking out, bringing in. Nobody can record into the
/// file meanwhile. Each call is one transaction: it happens as a whole or not at all.
///
/// Not Sendable: it owns a connection, which belongs to one thread at a time.
package final class RecordingEditor {
  /// The file, as the caller named it.
  package let path: String
  /// Whether the file had no bytes, as a recorder leaves it that is killed before it has begun: it is a
  /// recording without sessions now.
  package let wasEmpty: Bool
  /// Whether a recorder that let go of the file means to come back to a session of it.
  let isAwaited: Bool
  let segments: SegmentWriter
  let attributes: AttributeTable
  let sealed: SealedSegments
  let samples: SampleRepacking
  private let lock: WriterLock
  // Declared last, so that it is closed after its statements.
  let connection: Connection

  /// Opens a recording and brings it to the newest schema.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - isMade: Whether the file is made when there is none.
  /// - Throws: ``StoreError``: there is no such file, it is no recording, from a newer program, damaged,
  ///   cannot be written, or is being recorded.
  package init(path: String, isMade: Bool = false) throws(StoreError) {
    guard isMade || FileFacts(of: path) != .absent else { throw .notFound(path) }
    try RecordingStore.checkLocation(path)
    var wasEmpty = false
    let opened = try WritingConnection(path, isMade: isMade) { connection throws(StoreError) in
      let contents = try Migrator.inspectWholly(connection)
      // Only now: a recorder that was killed in its first commit left bytes, which have been taken back.
      wasEmpty = FileFacts(of: path) == .file(bytes: 0)
      guard contents != .empty || isMade || wasEmpty else { throw .notARecording(path) }
      if contents == .empty { try Migrator.migrate(connection) }
    }
    lock = opened.lock
    let connection = opened.connection
    self.wasEmpty = wasEmpty
    try naming(path, try connection.setCommitsDurable(true))
    try Migrator.migrate(connection)
    // As a recorder's: what comes out of blocks and crash journals was checked there.
    try naming(path, try connection.trustOwnValues())
    isAwaited = try CrashJournalRecovery.foldIn(connection).contains { $0.state == .alive }
    NewFile.removeLeftovers(beside: connection.filePath)
    self.path = path
    segments = try naming(path, try SegmentWriter(connection))
    attributes = try naming(path, try AttributeTable(connection))
    sealed = SealedSegments(StatementMaker(connection))
    samples = try SampleRepacking(connection, path: path)
    self.connection = connection
  }

  deinit {
    // Whatever went wrong, the file is one file again; a reader is not waited for.
    _ = try? LogRemains.left(by: connection, waiting: 0)
  }

  /// Runs a piece of work as one transaction.
  func transaction<Value>(
    _ work: () throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    do {
      try naming(path, try connection.begin())
      let value = try work()
      try naming(path, try connection.commit())
      return value
    } catch {
      connection.rollBack()
      throw error
    }
  }

  /// Makes one file of the recording again, after the last change.
  ///
  /// - Parameter waits: Whether a reader's query is waited for.
  @discardableResult
  package func settleIntoOneFile(waits: Bool = true) throws(StoreError) -> LogRemains {
    try naming(
      path,
      try LogRemains.left(
        by: connection, waiting: waits ? WriterTurn.waitMilliseconds : 0))
  }

  /// Writes the file anew without the room that nothing uses. Needs as much room again on the disk while
  /// it runs.
  package func vacuum() throws(StoreError) {
    try naming(path, try connection.vacuum())
  }

  /// What the recording takes on the disk, without what lies beside it.
  package var fileBytes: Int64 { FileFacts(of: connection.filePath).bytes }
}

@available(*, unavailable, message: "its connection belongs to one thread at a time")
extension RecordingEditor: Sendable {}
