import KymographCLibrary
package import SQLiteAccess

/// Brings what a recorder had recorded when it died into the recording.
package enum CrashJournalRecovery {
  /// What was done about one session.
  package struct Result: Hashable, Sendable {
    var session: Int64
    /// What lay at the journal's place.
    package var state: JournalScan.State
    /// How many rows were brought in.
    package var rows: Int64 = 0
    /// Words in which no record could be read any more, as after a power cut, which takes what of the
    /// journal the disk did not have.
    package var unreadWords: UInt64 = 0
  }

  /// A session without a clean close.
  package struct OpenSession {
    package var number: Int64
    var uuid: String
  }

  /// Folds in the crash journals of all sessions whose recorders are dead, each in one transaction, and
  /// removes them.
  ///
  /// The rows and the position up to which they were read are committed together, and the position stays, so
  /// it may be ended at any instant and run again, also where a power cut brings a journal's name back:
  /// nothing is lost and nothing doubled. Journals of another session or recording, whose header is damaged,
  /// or of a recorder that lives are left alone.
  ///
  /// - Parameters:
  ///   - connection: Open for writing, of the newest schema, without a transaction. Its commits wait for
  ///     the disk from then on.
  /// - Returns: What was done, session by session. Those without a journal are left out.
  @discardableResult
  static func foldIn(
    _ connection: borrowing Connection
  ) throws(StoreError) -> [Result] {
    var results: [Result] = []
    let recording = connection.filePath
    // A recorder that was killed between its clean close and the removal of its journal.
    for session in try sessions(
      RecoveryTexts.closedSession, connection, beside: recording)
    {
      let opening = JournalScan.open(
        CrashJournal.path(of: recording, session: session.number), session: session.number,
        uuid: session.uuid, isExclusive: true)
      if case .some(let scan) = opening.scan { unlink(scan.path) }
    }
    for session in try openSessions(connection, beside: recording) {
      let journal = CrashJournal.path(of: recording, session: session.number)
      let result = try foldIn(
        connection, session, journal: journal, isRemoved: true)
      if result.state != .absent { results.append(result) }
    }
    return results
  }

  /// The same for one session, whose journal may lie beside another file.
  package static func foldIn(
    _ connection: borrowing Connection, _ session: OpenSession, journal: String,
    isRemoved: Bool
  ) throws(StoreError) -> Result {
    let opening = JournalScan.open(
      journal, session: session.number, uuid: session.uuid, isExclusive: true)
    var result = Result(session: session.number, state: opening.state)
    guard case .some(let scan) = opening.scan else { return result }
    try naming(connection) { () throws(SQLiteError) in
      // Until the disk has the rows, the journal is all there is of them.
      try connection.setCommitsDurable(true)
      try connection.begin()
    }
    do {
      let consumed = try consumed(connection, session.number)
      var rows = try naming(connection, try JournalRows(connection, session: session.number))
      let lanes = try read(scan, from: consumed, into: &rows, connection)
      result.rows = rows.count
      result.unreadWords = scan.unread(lanes, consumed)
      try naming(connection) { () throws(SQLiteError) in
        try TransitionTable.derive(session: session.number, in: connection)
        let table = try JournalTable(connection)
        for lane in lanes where lane.end > 0 {
          try table.set(lane.end, lane: Int64(lane.number), session: session.number)
        }
        let before = consumed[JournalTable.recoveredLane] ?? 0
        try table.set(
          before &+ UInt64(rows.count), lane: JournalTable.recoveredLane, session: session.number)
        if result.unreadWords > 0 {
          let lost = max(
            consumed[JournalTable.lostLane] ?? 0, result.unreadWords & UInt64(Int64.max))
          try table.set(lost, lane: JournalTable.lostLane, session: session.number)
        }
        try connection.commit()
      }
    } catch {
      connection.rollBack()
      throw error
    }
    if isRemoved { unlink(scan.path) }
    return result
  }

  /// Names come first, since a row of one lane may be of a key that another lane defines.
  @discardableResult
  static func read(
    _ scan: borrowing JournalScan, from consumed: [Int64: UInt64], into rows: inout JournalRows,
    _ connection: borrowing Connection
  ) throws(StoreError) -> [JournalScan.Lane] {
    _ = try scan.read(from: consumed) { record throws(StoreError) in
      try naming(connection, try rows.define(record))
    }
    func add(_ record: JournalRecord) throws(StoreError) {
      try naming(connection, try rows.add(record))
    }
    let lanes = try scan.read(from: consumed, while: { rows.knows($0) }, add)
    for loss in scan.losses {
      try naming(connection, try rows.addUnwritten(loss))
    }
    return lanes
  }

  /// Sessions without a clean close of which something lies in the place of a crash journal.
  ///
  /// - Parameters:
  ///   - recording: The full path of the recording that the journals lie beside.
  package static func openSessions(
    _ connection: borrowing Connection, beside recording: String
  ) throws(StoreError) -> [OpenSession] {
    // Without one the folder is not listed: it may hold thousands of finished recordings.
    guard try naming(connection, try connection.integer(RecoveryTexts.anyOpenSession)) != nil else {
      return []
    }
    return try sessions(RecoveryTexts.openSession, connection, beside: recording)
  }

  private static func sessions(
    _ text: String, _ connection: borrowing Connection, beside recording: String
  ) throws(StoreError) -> [OpenSession] {
    let numbers = CrashJournal.sessions(beside: recording)
    guard !numbers.isEmpty else { return [] }
    return try naming(connection) { () throws(SQLiteError) in
      var sessions: [OpenSession] = []
      let row = try connection.prepare(text)
      for number in numbers {
        row.bind(number, at: 1)
        if try row.step() {
          sessions.append(OpenSession(number: number, uuid: row.text(at: 0) ?? ""))
        }
        row.reset()
      }
      return sessions
    }
  }

  /// Up to which word each lane of a session is in the tables.
  package static func consumed(
    _ connection: borrowing Connection, _ session: Int64
  ) throws(StoreError) -> [Int64: UInt64] {
    try naming(connection) { () throws(SQLiteError) in
      var consumed: [Int64: UInt64] = [:]
      let row = try connection.prepare(RecoveryTexts.consumed, [session])
      while try row.step() {
        guard let position = UInt64(exactly: row.int64(at: 1)) else { continue }
        consumed[row.int64(at: 0)] = position
      }
      return consumed
    }
  }
}
