import SQLiteAccess
package import TimelineModel

extension RecordingReader {
  /// The sessions in the order of the file, each with everything that was known at its start.
  package func sessionRecords() throws(StoreError) -> [SessionRecord] {
    var sessions = try rows(of: SessionTable.self, SessionTable.all).rest()
    for index in sessions.indices {
      sessions[index].description.layouts = try layouts(in: sessions[index].number)
      sessions[index].description.origin = try origin(of: sessions[index].number)
      sessions[index].outcome = outcome(of: sessions[index])
    }
    return sessions
  }

  /// One session.
  ///
  /// - Throws: ``StoreError`` of the code `noSuchSession` when the file has no session of the number.
  package func sessionRecord(_ number: Int64) throws(StoreError) -> SessionRecord {
    guard let session = try session(SessionTable.ofNumber, [number]) else {
      throw .noSuchSession(path, number)
    }
    return session
  }

  /// The session that was begun last. `nil` in a file without any. The other sessions are not read.
  package func lastSessionRecord() throws(StoreError) -> SessionRecord? {
    try session(SessionTable.newest, [])
  }

  private func session(_ sql: String, _ values: [Int64]) throws(StoreError) -> SessionRecord? {
    guard var session = try rows(of: SessionTable.self, sql, values).next() else { return nil }
    session.description.layouts = try layouts(in: session.number)
    session.description.origin = try origin(of: session.number)
    session.outcome = outcome(of: session)
    return session
  }

  /// How a session ended: a decision or an event of its last transition says it before what the recorder wrote. `nil`
  /// without a clean close. Where a damaged file has no answer, that is what stays.
  private func outcome(of session: SessionRecord) -> SessionOutcome? {
    guard session.outcome != nil, let isDerived = try? derivesTransitions(of: session.number),
      let row = try? prepare(
        isDerived ? TransitionTable.derivedOutcomeOfSession : TransitionTable.outcomeOfSession,
        [session.number]), (try? row.step()) == true, let word = row.text(at: 0)
    else { return session.outcome }
    return SessionOutcome(rawValue: word)
  }

  /// Which session it was run again from. `nil`: none.
  private func origin(of session: Int64) throws(StoreError) -> SessionOrigin? {
    try rows(of: OriginTable.self, OriginTable.ofSession, [session]).next()
  }

  /// The session's layouts in their order.
  package func layouts(in session: Int64) throws(StoreError) -> [LayoutDescription] {
    try rows(of: LayoutTable.self, LayoutTable.ofSession, [session]).rest()
  }

  /// The session's keys in the order of their numbers.
  package func keys(in session: Int64) throws(StoreError) -> [KeyRecord] {
    try rows(of: KeyTable.self, KeyTable.ofSession, [session]).rest()
  }

  /// The session's elements in the order of their numbers.
  package func items(in session: Int64) throws(StoreError) -> [ItemRecord] {
    try rows(of: ItemTable.self, ItemTable.ofSession, [session]).rest()
  }

  /// Reports of contacts in the order recorded.
  package func touches(in session: Int64) throws(StoreError) -> RowCursor<TouchSample> {
    try rows(of: TouchTable.self, TouchTable.ofSession, [session])
  }

  /// Landings and lifts of contacts in the order recorded.
  package func touchEnds(in session: Int64) throws(StoreError) -> RowCursor<TouchSample> {
    try rows(of: TouchTable.self, TouchTable.ends, [session])
  }

  /// From the earliest report of a contact to the latest. `nil` without a report.
  package func touchExtent(in session: Int64) throws(StoreError) -> ClosedRange<Instant>? {
    let row = try prepare(TouchTable.extent, [session])
    guard try naming(path, try row.step()), row.type(at: 0) != .null else { return nil }
    let (first, last) = (row.int64(at: 0), row.int64(at: 1))
    return Instant(nanoseconds: first)...Instant(nanoseconds: max(first, last))
  }

  /// Events in the order recorded.
  package func events(in session: Int64) throws(StoreError) -> RowCursor<EventRecord> {
    try rows(of: EventTable.self, EventTable.ofSession, [session])
  }

  /// Release decisions in the order recorded.
  package func decisions(in session: Int64) throws(StoreError) -> [ReleaseDecision] {
    try rows(of: DecisionTable.self, DecisionTable.ofSession, [session]).rest()
  }

  /// What was estimated first. `nil`: nothing was. No other row is read.
  package func firstEstimate(in session: Int64) throws(StoreError) -> ReleaseEstimate? {
    try rows(of: EstimateTable.self, EstimateTable.ofSession, [session]).next()
  }

  /// What was estimated at releases, in the order recorded.
  package func estimates(in session: Int64) throws(StoreError) -> [ReleaseEstimate] {
    try rows(of: EstimateTable.self, EstimateTable.ofSession, [session]).rest()
  }

  /// What a person said of the session's transitions, in the order of their numbers.
  package func labels(in session: Int64) throws(StoreError) -> [ReleaseLabel] {
    try rows(of: LabelTable.self, LabelTable.ofSession, [session]).rest()
  }

  /// What was given and could not be kept, in the order written.
  package func losses(in session: Int64) throws(StoreError) -> [LossRecord] {
    try rows(of: LossTable.self, LossTable.ofSession, [session]).rest()
  }

  /// Rows of a table as its values.
  func rows<Table: ReadableTable & ~Copyable>(
    of table: Table.Type, _ sql: String, _ values: [Int64] = []
  ) throws(StoreError) -> RowCursor<Table.Row> {
    try rows(of: table, sql, values, Table.read)
  }

  /// Rows of a table that are read in a way of their own.
  func rows<Table: RecordingTable & ~Copyable, Row>(
    of table: Table.Type, _ sql: String, _ values: [Int64],
    _ decode: @escaping (borrowing Statement) throws(BadValue) -> Row
  ) throws(StoreError) -> RowCursor<Row> {
    RowCursor(self, table: Table.name, statement: try prepare(sql, values), decode: decode)
  }
}

extension RecordingReader {
  /// The sealed runs of frames that have one of a range, in order.
  package func segments(
    in session: Int64, frames: ClosedRange<Int64>
  ) throws(StoreError) -> [SegmentRecord] {
    try rows(
      of: SegmentTable.self, SegmentTable.inRange, [session, frames.lowerBound, frames.upperBound]
    ).rest()
  }

  /// How many rows of a session came out of a crash journal, when its recorder was killed and the journal
  /// was folded in. `nil` for any other session, one whose journal waits still included.
  package func recoveredRowCount(in session: Int64) throws(StoreError) -> Int64? {
    let statement = try prepare(JournalTable.recovered, [session])
    guard try naming(path, try statement.step()) else { return nil }
    return max(0, statement.int64(at: 0))
  }

  /// Whether a part of what the recorder of a session had stored is known to be lost: its crash journal
  /// could not be read to its end, or the session came out of a damaged recording with less than it had.
  package func isPartLost(in session: Int64) throws(StoreError) -> Bool {
    let statement = try prepare(JournalTable.lost, [session])
    return try naming(path, try statement.step())
  }

  /// What was taken out of the recording on purpose, in the order in which it happened.
  package func removals() throws(StoreError) -> [RemovalRecord] {
    try rows(of: RemovalTable.self, RemovalTable.all).rest()
  }
}

extension RecordingReader {
  /// The session's transitions in the order in which their starts were recorded.
  ///
  /// In a recording of a schema before version 4, of a session of which a crash journal has rows, and of one with an
  /// outcome that is not that of its decision, they are derived from events and decisions.
  ///
  /// - Throws: ``StoreError`` when the file cannot be read.
  /// - Complexity: linear in the transitions. Where they are derived, in the session's events.
  package func transitions(in session: Int64) throws(StoreError) -> [TransitionRecord] {
    let text =
      try derivesTransitions(of: session)
      ? TransitionTable.derivedOfSession : TransitionTable.ofSession
    return try rows(of: TransitionTable.self, text, [session], TransitionTable.read).rest()
  }

  /// Whether the rows of a session's transitions are made of events and decisions: not all are there, or one has
  /// another outcome than its decision.
  private func derivesTransitions(of session: Int64) throws(StoreError) -> Bool {
    if derivesTransitions { return true }
    return try isOverruled(session)
  }
}

extension RowCursor {
  convenience init(
    _ reader: RecordingReader, table: String, statement: consuming Statement,
    decode: @escaping (borrowing Statement) throws(BadValue) -> Row
  ) {
    let rows = StatementRows(
      table: table, statement: statement, path: reader.path, owner: reader, decode: decode)
    self.init { () throws(StoreError) in try rows.next() }
  }
}
