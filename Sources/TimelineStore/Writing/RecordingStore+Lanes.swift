import SQLiteAccess
import TimelineModel

// What the writer of a crash journal's lanes needs: rows straight from a record's words, and the
// connection's upkeep. A session's rows are many, so nothing here makes a closure or a value in between.

extension RecordingStore {
  /// Writes a value of a key.
  ///
  /// - Parameters:
  ///   - nanoseconds: Its instant.
  ///   - slot: Its ordinal << 32 | key << 2 | phase, as the column `slot` has it.
  ///   - value: The value, in the key's unit.
  package func insertSample(
    at nanoseconds: Int64, slot: Int64, _ value: Double
  ) throws(StoreError) {
    do {
      try tables.samples.insert(at: nanoseconds, slot: slot, value)
    } catch {
      throw StoreError(error, path: path)
    }
  }

  /// Writes what became of an element in a frame.
  ///
  /// - Parameter change: The words of a crash journal's change.
  package func insertChange(
    _ change: UnsafeBufferPointer<UInt64>, frame: Int64
  ) throws(StoreError) {
    do {
      try tables.attributes.insert(change, frame: frame, session: session)
    } catch {
      throw StoreError(error, path: path)
    }
  }

  /// Writes down up to which word a lane is in the tables, in the transaction that holds its rows.
  package func setConsumed(_ position: UInt64, lane: Int64) throws(StoreError) {
    try naming(path, try positions.set(position, lane: lane, session: session))
  }

  /// Writes down that nothing of the session is to come any more, though it is not closed.
  package func markEnded() throws(StoreError) {
    try setConsumed(0, lane: JournalTable.recoveredLane)
  }
}

extension RecordingStore {
  /// Up to which word a lane is in the tables. 0 when nothing of it is.
  package func consumed(lane: Int64) throws(StoreError) -> UInt64 {
    try naming(path) { () throws(SQLiteError) in
      let rows = try connection.prepare(JournalTable.ofSession, [session])
      while try rows.step() {
        guard rows.int64(at: 1) == lane else { continue }
        return UInt64(bitPattern: rows.int64(at: 2))
      }
      return 0
    }
  }
}

// MARK: - Maintenance

extension RecordingStore {
  /// The database's full path, links followed, which its log and its journals are named by.
  package var filePath: String { connection.filePath }

  /// The descriptor of the lock on the log, which a forked child closes.
  package var lockDescriptor: Int32 { lock.descriptor }

  /// How long a statement waits while another program holds a lock, in milliseconds.
  package func setBusyTimeout(milliseconds: Int32) {
    connection.setBusyTimeout(milliseconds: milliseconds)
  }

  /// Bytes of the log that are in use: its header, and each page with a header of its own (32 and 24
  /// bytes, SQLite's description of its file format).
  package var logBytes: Int { log.pages == 0 ? 0 : 32 + log.pages * (24 + pageBytes) }

  /// Moves what is in the log into the database. A reader may keep a part of it in the log, and longer.
  ///
  /// - Returns: whether everything was moved.
  @discardableResult
  package func checkpoint() throws(StoreError) -> Bool {
    try naming(path) { () throws(SQLiteError) in
      guard try connection.checkpoint(truncating: false) else { return false }
      log.pages = 0
      return true
    }
  }

  /// Moves everything in the log into the database and leaves an empty log.
  ///
  /// - Throws: ``StoreError``: the disk refuses it, or a reader still stands in the way after the time
  ///   that a statement waits (``StoreError/Code/busy``).
  package func checkpointAndTruncate() throws(StoreError) {
    try naming(path) { () throws(SQLiteError) in
      if try connection.checkpoint(truncating: true) { log.pages = 0 }
    }
  }
}

// MARK: - Opening again

extension RecordingStore {
  /// Opens a recording again with a session that is not finished, as a recorder does that has let go of
  /// the file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - session: The session's position in it.
  ///   - uuid: The session's identity.
  ///   - busyMilliseconds: How long a statement waits for another program's lock. `nil` for the usual time.
  /// - Throws: ``StoreError``: the file is gone, another one, or being recorded by somebody else.
  package convenience init(
    path: String, resuming session: Int64, uuid: String, busyMilliseconds: Int32?
  ) throws(StoreError) {
    let wait = busyMilliseconds ?? WriterTurn.waitMilliseconds
    let opened = try WritingConnection(path, isMade: false, waiting: wait) {
      connection throws(StoreError) in
      try Migrator.inspectWholly(connection)
      let isOpen = try naming(path, try SessionTable.isOpen(session, uuid: uuid, in: connection))
      guard isOpen else { throw .noSuchOpenSession(path, session) }
    }
    try naming(path) { () throws(SQLiteError) in
      try opened.connection.trustOwnValues()
      try opened.connection.setCommitsDurable(false)
    }
    try self.init(
      path: path, session: session, lock: opened.lock, connection: opened.connection)
  }
}
