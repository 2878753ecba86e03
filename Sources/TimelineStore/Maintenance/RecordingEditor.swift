import SQLiteAccess
package import TimelineModel

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
    // Whatever went wrong, the file is one file again. A reader is not waited for.
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

extension RecordingEditor {
  /// Takes a session out, and writes down that it was there. Its number is never given again.
  ///
  /// SQLite overwrites what was deleted with zeros. The file keeps its size until
  /// ``vacuum()``. New sessions use the room.
  ///
  /// - Returns: what was written down.
  /// - Throws: ``StoreError`` of the code `noSuchSession`, or the file cannot be written.
  @discardableResult
  package func delete(_ number: Int64) throws(StoreError) -> RemovalRecord {
    let session = try session(number)
    return try transaction { () throws(StoreError) in
      try naming(path) { () throws(SQLiteError) in
        try connection.overwriteDeletedRows(true)
        let range = try span(of: session)
        var eraser = SessionEraser(session: number)
        try eraser.eraseAll(connection)
        let removal = RemovalRecord(
          reason: .delete, isWhole: true, session: number, uuid: session.uuid,
          name: session.description.name,
          wallClockStartNanoseconds: session.description.wallClockStartNanoseconds,
          first: range.lowerBound, last: range.upperBound, rowCount: eraser.rowCount)
        try RemovalTable.insert(removal, into: connection)
        return removal
      }
    }
  }

  /// The time from a session's first row to its end.
  func span(of session: SessionRecord) throws(SQLiteError) -> ClosedRange<Instant> {
    let first = try SessionEraser(session: session.number).firstInstant(connection) ?? 0
    return Instant(
      nanoseconds: first)...Instant(
        nanoseconds: max(first, session.end?.nanoseconds ?? first))
  }

  /// The session's row. Throws when there is none of the number.
  func session(_ number: Int64) throws(StoreError) -> SessionRecord {
    let row = try naming(path, try connection.prepare(SessionTable.ofNumber, [number]))
    guard try naming(path, try row.step()) else {
      throw .noSuchSession(path, number)
    }
    do {
      return try SessionTable.read(row)
    } catch {
      throw .damaged(
        path, "the row of session \(number) has \(error.found) in the column \(error.column)")
    }
  }
}

extension RecordingEditor {
  /// What becomes of what was said of a transition.
  package enum LabelChange: Hashable, Sendable {
    /// This is said of it from now on.
    case set(ReleaseLabel)
    /// Nothing is said any more of the transition of this number.
    case remove(Int)
  }

  /// The number that a session has, whatever it was when it was looked at before.
  ///
  /// - Throws: ``StoreError`` of the code `busy` where the session is not here any more.
  package func number(of uuid: String) throws(StoreError) -> Int64 {
    let number = try naming(path) { () throws(SQLiteError) -> Int64? in
      let row = try connection.prepare(SessionTable.withUUID)
      try row.bind(uuid)
      return try row.step() ? row.int64(at: 0) : nil
    }
    guard let number else { throw .changedMeanwhile(path, "it has no session \(uuid) any more") }
    return number
  }

  /// Writes labels into the recording, all of them or none.
  ///
  /// - Parameter changes: For each session's number what changes, the last one of a transition counts.
  /// - Throws: ``StoreError``: there is no such session, or the file cannot be written.
  package func label(_ changes: [(session: Int64, change: LabelChange)]) throws(StoreError) {
    try transaction { () throws(StoreError) in
      for (session, change) in changes {
        _ = try self.session(session)
        try naming(path) { () throws(SQLiteError) in
          switch change {
          case .set(let label): try LabelTable.write(label, session: session, into: connection)
          case .remove(let transition):
            try connection.run(LabelTable.removal, [session, Int64(transition)])
          }
        }
      }
    }
  }
}

extension RecordingEditor {
  /// Carries a session over from another recording, in one transaction.
  ///
  /// Every row keeps its bits, sealed seconds stay sealed. The session gets the next number of this
  /// recording and keeps its uuid.
  ///
  /// - Parameters:
  ///   - number: The session's number in its recording.
  ///   - reader: That recording, of any schema that can be read.
  ///   - redaction: What is left out.
  /// - Returns: the session's number in this recording.
  /// - Throws: ``StoreError``: of the code `uuidInUse` when the session is here already. The other
  ///   recording is damaged. This one cannot be written.
  package func copySession(
    _ number: Int64, from reader: RecordingReader, redaction: Redaction = Redaction()
  ) throws(StoreError) -> Int64 {
    try reader.beginState()
    defer { reader.endState() }
    let session = try reader.sessionRecord(number)
    let isKnown = try naming(path, try SessionTable.has(uuid: session.uuid, in: connection))
    guard !isKnown else { throw .uuidInUse(path, session.uuid) }
    let rows = SessionRows(redaction)
    return try transaction { () throws(StoreError) in
      let next = try naming(path, try connection.integer(SessionTable.nextNumber) ?? 1)
      for table in CopyTexts.tables {
        // The rows come from somewhere else: the schema's rules hold for them.
        try naming(path) { () throws(SQLiteError) in
          if table.name == AttributeTable.name {
            try connection.trustOwnValues()
          } else {
            try connection.checkValues()
          }
        }
        let source = try reader.prepare(
          CopyTexts.select(table, from: reader.sourceForCopying(table)))
        try rows.copy(table, source, of: number, as: next, to: connection, reader.path, path)
      }
      try rows.copy(
        AllTables.of(JournalTable.self), try reader.prepare(CopyTexts.ends), of: number, as: next,
        to: connection, reader.path, path)
      if try reader.recorderState(of: session) == .ended, try reader.isWhole(session) {
        // Rows that were shown out of a crash journal are rows here.
        try naming(path, try connection.run(RecoveryTexts.endSession, [next]))
      }
      try rows.copyRemovals(
        try reader.prepare(CopyTexts.removals), of: number, as: next, to: connection, reader.path,
        path)
      try naming(path) { () throws(SQLiteError) in
        try connection.run(SampleTable.addRowOfNoSession, [])
        try TransitionTable.derive(session: next, in: connection)
        try connection.trustOwnValues()
      }
      return next
    }
  }
}

extension RecordingEditor {
  /// Cuts a session down to a range of time, and writes down what was cut away.
  ///
  /// Instants stay as they are. Of the frames, those from the first to the last in the range stay. The
  /// first of them becomes a key frame. Sealed seconds of poses that are cut become plain rows, segments of samples end at the edge. Summaries and
  /// counts are made anew. Reads the session's frames once.
  ///
  /// - Returns: what was written down. `nil` when everything lies in the range.
  /// - Throws: ``StoreError``: no such session, the recording is damaged, or cannot be written.
  package func trim(
    _ number: Int64, to range: ClosedRange<Instant>
  ) throws(StoreError) -> RemovalRecord? {
    let session = try session(number)
    let before = try naming(path, try span(of: session))
    let plan = try TrimPlan(number, to: range, connection)
    return try transaction { () throws(StoreError) in
      var eraser = SessionEraser(session: number, rowCount: plan.cutRowCount)
      try samples.cut(
        number, to: range.lowerBound.nanoseconds...range.upperBound.nanoseconds, connection)
      let removal = try naming(path) { () throws(SQLiteError) -> RemovalRecord? in
        try connection.overwriteDeletedRows(true)
        try plan.rewriteEdges(in: number, eraser, connection)
        try eraser.erase(
          outside: range.lowerBound.nanoseconds...range.upperBound.nanoseconds,
          keeping: plan.frames, connection)
        try TransitionTable.derive(session: number, in: connection)
        try connection.run(LabelTable.removeLoose, [number])
        guard eraser.rowCount > 0 else { return nil }
        let removal = RemovalRecord(
          reason: .trim, isWhole: false, session: number, uuid: session.uuid,
          name: session.description.name,
          wallClockStartNanoseconds: session.description.wallClockStartNanoseconds,
          first: before.lowerBound, last: before.upperBound, rowCount: eraser.rowCount)
        try RemovalTable.insert(removal, into: connection)
        return removal
      }
      guard let removal else { return nil }
      try summarizeAnew(session, plan.items, upTo: range.upperBound)
      return removal
    }
  }

  /// Writes counts and the summaries of keys of a closed session anew from its rows, and those of its
  /// elements as they are given.
  private func summarizeAnew(
    _ session: SessionRecord, _ items: [ItemSummary], upTo end: Instant
  ) throws(StoreError) {
    let rows = SessionEraser(session: session.number)
    let summaries = try KeySummary.all(
      of: SampleTable.rows(of: session.number, on: connection)
    ).values.sorted { $0.key.rawValue < $1.key.rawValue }
    try naming(path) { () throws(SQLiteError) in
      try rows.run(MaintenanceTexts.removal(from: KeySummaryTable.name), [], connection)
      try replaceSummaries(of: session, by: items)
      guard session.isClean else { return }
      try KeySummaryTable.insert(summaries, session: session.number, into: connection)
      let counts = try MaintenanceTexts.counts.map { text throws(SQLiteError) in
        try rows.number(text, [], connection) ?? 0
      }
      try rows.run(MaintenanceTexts.updateCounts, counts + [end.nanoseconds], connection)
    }
  }

  /// Writes the summaries of the elements of a session anew. One that was not closed has none.
  func replaceSummaries(
    of session: SessionRecord, by items: [ItemSummary]
  ) throws(SQLiteError) {
    try SessionEraser(session: session.number).run(
      MaintenanceTexts.removal(from: ItemSummaryTable.name), [], connection)
    guard session.isClean else { return }
    try ItemSummaryTable.insert(items, session: session.number, into: connection)
  }
}
