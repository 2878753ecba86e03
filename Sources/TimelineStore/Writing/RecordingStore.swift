import SQLiteAccess
package import TimelineModel
import TimelineSchema

/// A recording that is open for writing, with one session that is being written.
///
/// Not Sendable: it owns a connection, which belongs to one thread at a time.
package final class RecordingStore {
  /// The file, as the caller named it.
  package let path: String
  /// The session's position in the file, counted from 1.
  package let session: Int64

  var commitsAreDurable = false
  let tables: SessionTables
  let positions: JournalTable
  let segments: SegmentWriter
  let sampleSegments: SampleSegmentWriter
  private let sealedSamples: SealedSamples
  /// The latest instant up to which samples of the session were taken out to keep within a limit.
  package internal(set) var samplesErasedThrough: Int64?
  var transitions: TransitionTable
  let lock: WriterLock
  /// How long the log is.
  let log: LogLength
  /// The size of a page of the file.
  let pageBytes: Int
  // Declared last, so that it is closed after its statements.
  let connection: Connection

  /// The size to which the log is cut back after a checkpoint, in bytes: four checkpoints' worth of
  /// SQLite's default 1 000 pages of 4 096 bytes.
  static let logSizeLimitBytes = 16_384_000

  /// Opens or makes a recording, brings it to the newest schema, and begins a session in it.
  ///
  /// - Parameters:
  ///   - path: The file. Its folder must exist.
  ///   - description: What is known of the session.
  ///   - uuid: The session's identity.
  ///   - precision: How exact the session's poses are kept.
  /// - Throws: ``StoreError``: the folder is missing or cannot be written, the file is not ours, from
  ///   a newer program, damaged, or being recorded by another recorder.
  package convenience init(
    path: String, description: SessionDescription, uuid: String, precision: SealPrecision = .exact
  ) throws(StoreError) {
    try RecordingStore.checkLocation(path)
    let opened = try WritingConnection(path, isMade: true) { connection throws(StoreError) in
      try RecordingStore.prepare(connection, uuid: uuid)
    }
    let lock = opened.lock
    let connection = opened.connection
    // A recorder binds the right types by itself. The schema's CHECKs are for everybody else.
    try naming(path, try connection.trustOwnValues())
    NewFile.removeLeftovers(beside: connection.filePath)
    // What recorders before this one had stored when they were killed.
    try CrashJournalRecovery.foldIn(connection)
    try naming(path, try connection.setCommitsDurable(false))
    let session = try RecordingStore.beginSession(
      description, uuid: uuid, precision: precision, on: connection)
    try self.init(path: path, session: session, lock: lock, connection: connection)
  }

  /// Prepares the statements of a session.
  init(
    path: String, session: Int64, lock: consuming WriterLock, connection: consuming Connection
  ) throws(StoreError) {
    self.path = path
    self.session = session
    tables = try naming(path, try SessionTables(connection))
    positions = try naming(path, try JournalTable(connection))
    segments = try naming(path, try SegmentWriter(connection))
    sampleSegments = try naming(path, try SampleSegmentWriter(connection))
    sealedSamples = SealedSamples(StatementMaker(connection))
    transitions = try naming(path, try TransitionTable(connection, session: session))
    pageBytes = Int(try naming(path, try connection.integer(FileHeader.pageBytes) ?? 0))
    log = LogLength()
    connection.watchLog(log)
    tables.samples.setSession(session)
    self.lock = lock
    self.connection = connection
  }
}

@available(*, unavailable, message: "its connection belongs to one thread at a time")
extension RecordingStore: Sendable {}

// MARK: - Opening

extension RecordingStore {
  /// Refuses what SQLite would refuse with a riddle.
  static func checkLocation(_ path: String) throws(StoreError) {
    let folder = FileFacts.folder(of: path)
    switch FileFacts(of: path) {
    case .other: throw .isNotAFile(path)
    case .absent where FileFacts(of: folder) == .absent: throw .noFolder(path)
    case .absent, .file: break
    }
    guard !path.isEmpty, !path.utf8.contains(0) else { throw .notFound(path) }
    guard FileFacts.canWrite(folder: folder) else {
      throw StoreError(
        .readOnly, path: path,
        "The folder \(folder) cannot be written, so nothing can be recorded into \(path). Choose "
          + "another folder.")
    }
  }

  private static func prepare(
    _ connection: borrowing Connection, uuid: String
  ) throws(StoreError) {
    let path = connection.path
    // A first look, so that a foreign file is left exactly as it is.
    try Migrator.inspectWholly(connection)
    try Migrator.migrate(connection)
    // A finished recording is looked at before its log is switched on, so that one whose new session
    // is refused stays as it is. In one that has a log, the recorder that holds it comes first.
    if !connection.isInLogMode {
      let isKnown = try naming(path, try SessionTable.has(uuid: uuid, in: connection))
      guard !isKnown else { throw .uuidInUse(path, uuid) }
    }
  }

  private static func beginSession(
    _ description: SessionDescription, uuid: String, precision: SealPrecision,
    on connection: borrowing Connection
  ) throws(StoreError) -> Int64 {
    do {
      // A journal whose session a power cut took back would have no place to go to.
      try connection.setCommitsDurable(true)
      try connection.begin()
      let number = try connection.integer(SessionTable.nextNumber) ?? 1
      try SessionTable.insert(
        description, uuid: uuid, number: number, schemaVersion: Int64(Schema.version),
        precision: precision, into: connection)
      try LayoutTable.insert(description.layouts, session: number, into: connection)
      if let origin = description.origin {
        try OriginTable.insert(origin, session: number, into: connection)
      }
      try connection.commit()
      try connection.setCommitsDurable(false)
      return number
    } catch {
      connection.rollBack()
      if error.kind == .constraint {
        throw .uuidInUse(connection.path, uuid)
      }
      throw StoreError(error, path: connection.path)
    }
  }
}

// MARK: - Transactions

extension RecordingStore {
  /// Begins a transaction.
  ///
  /// - Parameter isDurable: Whether its commit waits until the disk has everything, so that a power
  ///   cut cannot take it back. Without, a cut may lose the newest commits, never consistency.
  package func begin(isDurable: Bool) throws(StoreError) {
    try naming(path) { () throws(SQLiteError) in
      if isDurable != commitsAreDurable {
        try connection.setCommitsDurable(isDurable)
        commitsAreDurable = isDurable
      }
      try connection.begin()
    }
  }

  /// Commits the transaction, with the rows of the transitions that its events and decisions changed.
  package func commit() throws(StoreError) {
    try naming(path, try transitions.write())
    try naming(path, try connection.commit())
  }

  /// How the session ended, by what was written so far.
  ///
  /// - Parameter stated: What holds where neither decisions nor events say it. `nil` or none: open with a transition,
  ///   and none without.
  package func lastOutcome(_ stated: SessionOutcome? = nil) throws(StoreError) -> SessionOutcome {
    try naming(path, try transitions.lastOutcome(stated, in: connection))
  }

  /// Takes the transaction back, if one is open.
  package func rollBack() {
    connection.rollBack()
    transitions.forget()
  }

  /// Makes one file of the recording, after its last commit: everything out of the log, the log
  /// deleted. It waits for readers of an older state as long as a statement waits.
  @discardableResult
  package func settleIntoOneFile() throws(StoreError) -> LogRemains {
    try naming(
      path,
      try LogRemains.left(by: connection, waiting: WriterTurn.waitMilliseconds))
  }
}

// MARK: - Rows

extension RecordingStore {
  package func insert(_ key: KeyRecord) throws(StoreError) {
    try naming(path, try tables.keys.insert(key, session: session))
  }

  package func insert(_ item: ItemRecord) throws(StoreError) {
    try naming(path, try tables.items.insert(item, session: session))
  }

  /// Writes a value of a key.
  package func insert(_ sample: SampleRecord) throws(StoreError) {
    try naming(path, try tables.samples.insert(sample, session: session))
  }

  /// The ordinal of the next value of a key at an instant.
  package func nextOrdinal(of key: KeyHandle, at time: Instant) throws(StoreError) -> Int64 {
    max(
      try naming(path, try tables.samples.nextOrdinal(of: key, at: time, session: session)),
      try unsealing(
        path,
        try sealedSamples.nextOrdinal(
          of: key.rawValue, at: time.nanoseconds, session: session)))
  }

  package func insert(_ frame: FrameRecord) throws(StoreError) {
    try naming(path, try tables.frames.insert(frame, session: session))
  }

  /// Writes what became of an element in a frame.
  package func insert(_ change: AttributeChange, frame: Int64) throws(StoreError) {
    try naming(path, try tables.attributes.insert(change, frame: frame, session: session))
  }

  /// Writes a report of a contact.
  package func insert(_ touch: TouchSample, sequence: Int64) throws(StoreError) {
    try naming(path, try tables.touches.insert(touch, sequence: sequence, session: session))
  }

  package func insert(_ event: JournalEvent, sequence: Int64) throws(StoreError) {
    try naming(path, try tables.events.insert(event, sequence: sequence, session: session))
    transitions.note(event.kind, at: event.time.nanoseconds, sequence: sequence)
  }

  /// Writes an event as a caller gave it.
  package func insert(_ event: TimelineEvent, sequence: Int64) throws(StoreError) {
    try insert(JournalEvent(event), sequence: sequence)
  }

  package func insert(_ decision: ReleaseDecision, sequence: Int64) throws(StoreError) {
    try naming(path, try tables.decisions.insert(decision, sequence: sequence, session: session))
    transitions.noteDecision(at: decision.time.nanoseconds)
  }

  /// Writes what was estimated at a release.
  package func insert(_ estimate: ReleaseEstimate, sequence: Int64) throws(StoreError) {
    try naming(path, try tables.estimates.insert(estimate, sequence: sequence, session: session))
  }

  package func insert(_ loss: LossRecord, sequence: Int64) throws(StoreError) {
    try naming(path, try tables.losses.insert(loss, sequence: sequence, session: session))
  }

  /// Writes the clean-close mark and the summaries of the keys and elements, and forgets how much of the
  /// crash journal is in the tables.
  package func close(
    at end: Instant, outcome: SessionOutcome, counts: RecordCounts, summaries: [KeySummary],
    items: [ItemSummary] = []
  ) throws(StoreError) {
    try naming(path) { () throws(SQLiteError) in
      try KeySummaryTable.insert(summaries, session: session, into: connection)
      try ItemSummaryTable.insert(items, session: session, into: connection)
      try JournalTable.delete(session: session, in: connection)
      try SessionTable.close(session, at: end, outcome: outcome, counts: counts, in: connection)
    }
  }

  /// The summary of a key, taken from its rows. `nil` when it has none.
  package func summary(of key: KeyHandle) throws(StoreError) -> KeySummary? {
    try KeySummary.all(
      of: SampleTable.rows(of: session, key: key, on: connection))[key]
  }
}
