import SQLiteAccess
public import TimelineModel

extension RecordingReader {
  /// The sessions in the order of the file, each with everything that was known at its start.
  public func sessions() throws(StoreError) -> [SessionRecord] {
    var sessions = try RowCursor(
      self, table: SessionTable.name, statement: try prepare(SessionTable.all),
      decode: SessionTable.read
    ).rest()
    for index in sessions.indices {
      sessions[index].description.layouts = try layouts(in: sessions[index].number)
    }
    return sessions
  }

  /// One session.
  ///
  /// - Throws: ``StoreError`` of the code `noSuchSession` when the file has no session of the number.
  public func session(_ number: Int64) throws(StoreError) -> SessionRecord {
    let statement = try prepare(SessionTable.ofNumber)
    statement.bind(number, at: 1)
    guard let session = try session(of: statement) else { throw .noSuchSession(path, number) }
    return session
  }

  /// The session that was begun last; nil in a file without any. The other sessions are not read.
  public func lastSession() throws(StoreError) -> SessionRecord? {
    try session(of: try prepare(SessionTable.newest))
  }

  private func session(of statement: consuming Statement) throws(StoreError) -> SessionRecord? {
    let row = try RowCursor(
      self, table: SessionTable.name, statement: statement, decode: SessionTable.read
    ).next()
    guard var session = row else { return nil }
    session.description.layouts = try layouts(in: session.number)
    return session
  }

  /// The session's layouts in their order.
  public func layouts(in session: Int64) throws(StoreError) -> [LayoutDescription] {
    try rows(of: LayoutTable.self, LayoutTable.ofSession, session, LayoutTable.read).rest()
  }

  /// The session's keys in the order of their numbers.
  public func keys(in session: Int64) throws(StoreError) -> [KeyRecord] {
    try rows(of: KeyTable.self, KeyTable.ofSession, session, KeyTable.read).rest()
  }

  /// The session's elements in the order of their numbers.
  public func items(in session: Int64) throws(StoreError) -> [ItemRecord] {
    try rows(of: ItemTable.self, ItemTable.ofSession, session, ItemTable.read).rest()
  }

  /// Reports of contacts in the order recorded.
  public func touches(in session: Int64) throws(StoreError) -> RowCursor<TouchSample> {
    try rows(of: TouchTable.self, TouchTable.ofSession, session, TouchTable.read)
  }

  /// Events in the order recorded.
  public func events(in session: Int64) throws(StoreError) -> RowCursor<EventRecord> {
    try rows(of: EventTable.self, EventTable.ofSession, session, EventTable.read)
  }

  /// Release decisions in the order recorded.
  public func decisions(in session: Int64) throws(StoreError) -> [ReleaseDecision] {
    try rows(of: DecisionTable.self, DecisionTable.ofSession, session, DecisionTable.read).rest()
  }

  /// What was estimated at releases, in the order recorded.
  public func estimates(in session: Int64) throws(StoreError) -> [ReleaseEstimate] {
    try rows(of: EstimateTable.self, EstimateTable.ofSession, session, EstimateTable.read).rest()
  }

  /// What was given and could not be kept, in the order written.
  public func losses(in session: Int64) throws(StoreError) -> [LossRecord] {
    try rows(of: LossTable.self, LossTable.ofSession, session, LossTable.read).rest()
  }

  func rows<Table: RecordingTable & ~Copyable, Row>(
    of table: Table.Type, _ sql: String, _ session: Int64,
    _ decode: @escaping (borrowing Statement) throws(BadValue) -> Row
  ) throws(StoreError) -> RowCursor<Row> {
    let statement = try prepare(sql)
    statement.bind(session, at: 1)
    return RowCursor(self, table: Table.name, statement: statement, decode: decode)
  }
}

extension RecordingReader {
  /// The sealed runs of frames that have one of a range, in order.
  package func segments(
    in session: Int64, frames: ClosedRange<Int64>
  ) throws(StoreError) -> [SegmentRecord] {
    let statement = try prepare(SegmentTable.inRange)
    statement.bind(session, at: 1)
    statement.bind(frames.lowerBound, at: 2)
    statement.bind(frames.upperBound, at: 3)
    return try RowCursor(
      self, table: SegmentTable.name, statement: statement, decode: SegmentTable.read
    ).rest()
  }

  /// How many rows of a session came out of a crash journal, when its recorder was killed and the journal
  /// was folded in; nil for any other session, one whose journal waits still included.
  public func recoveredRowCount(in session: Int64) throws(StoreError) -> Int64? {
    let statement = try prepare(JournalTable.recovered)
    statement.bind(session, at: 1)
    guard try naming(path, { () throws(SQLiteError) in try statement.step() }) else { return nil }
    return max(0, statement.int64(at: 0))
  }

  /// Whether a part of what the recorder of a session had taken in is known to be lost: its crash journal
  /// could not be read to its end, or the session came out of a damaged recording with less than it had.
  public func isPartLost(in session: Int64) throws(StoreError) -> Bool {
    let statement = try prepare(JournalTable.lost)
    statement.bind(session, at: 1)
    return try naming(path) { () throws(SQLiteError) in try statement.step() }
  }

  /// What was taken out of the recording on purpose, in the order in which it happened.
  public func removals() throws(StoreError) -> [RemovalRecord] {
    try RowCursor(
      self, table: RemovalTable.name, statement: try prepare(RemovalTable.all),
      decode: RemovalTable.read
    ).rest()
  }
}
