import SQLiteAccess
package import TimelineModel

extension RecordingStore {
  /// How much of a session's time one step takes out, in nanoseconds: ten seconds, so that a step is
  /// done in some milliseconds and still gains on any recorder, which adds less than a second between
  /// two steps.
  private static let stepNanoseconds: Int64 = 10_000_000_000

  /// Takes the oldest out of the recording, one step's worth, when it is beyond a limit.
  ///
  /// The oldest sessions go first, piece by piece; when no other is left, the oldest of the session
  /// that is being recorded. Each step is one transaction with its row in `removal`. Pages that become
  /// free are used for what comes next, so the file stops growing. To be called outside a
  /// transaction.
  ///
  /// - Parameters:
  ///   - limit: The limit.
  ///   - latest: The latest instant of the session that is being recorded. With the session's start it
  ///     makes the wall clock, which is not read.
  /// - Returns: whether something was taken out, so that another step may be due.
  package func enforce(
    _ limit: RecordingLimit, latest: Instant
  ) throws(StoreError) -> Bool {
    try naming(path) { () throws(SQLiteError) in
      guard let number = try dueSession(limit, latest: latest) else { return false }
      try connection.overwriteDeletedRows(false)
      try connection.begin()
      do throws(SQLiteError) {
        let isErased = try eraseOldest(of: number)
        try connection.commit()
        return isErased
      } catch {
        connection.rollBack()
        throw error
      }
    }
  }

  /// The session of which something has to go; nil when the recording is within its limit.
  private func dueSession(
    _ limit: RecordingLimit, latest: Instant
  ) throws(SQLiteError) -> Int64? {
    let eraser = SessionEraser(session: session)
    let oldest = try eraser.number(UpkeepTexts.oldestSession, [], connection)
    if let bytes = limit.startBytes, try connection.integer(UpkeepTexts.usedPages) ?? 0 > bytes {
      return oldest ?? session
    }
    if let age = limit.ageNanoseconds, let oldest,
      let start = try eraser.number(UpkeepTexts.startOnWallClock, [], connection),
      let end = try SessionEraser(session: oldest).number(
        UpkeepTexts.endOnWallClock, [], connection),
      Instant(nanoseconds: end).nanoseconds(
        since: Instant(nanoseconds: start))
        < latest.advanced(byNanoseconds: -max(0, age)).nanoseconds
    {
      return oldest
    }
    return nil
  }

  /// Takes one step's worth out of a session; false when there is nothing that may go.
  private func eraseOldest(of number: Int64) throws(SQLiteError) -> Bool {
    var eraser = SessionEraser(session: number)
    let first = try eraser.firstInstant(connection) ?? 0
    let newest = try max(first, eraser.number(UpkeepTexts.newestInstant, [], connection) ?? first)
    let isLong = newest.subtractingReportingOverflow(first).partialValue > Self.stepNanoseconds
    // What was recorded in the last seconds is what the recording is for.
    guard isLong || number != session else { return false }
    let facts = try connection.prepare(SessionTable.ofNumber)
    facts.bind(number, at: 1)
    guard try facts.step() else { return false }
    var removal = RemovalRecord(
      reason: .limit, isWhole: !isLong, session: number, uuid: facts.text(at: 1) ?? "",
      name: facts.type(at: 2) == .null ? nil : facts.text(at: 2),
      wallClockStartNanoseconds: facts.type(at: 4) == .null ? nil : facts.int64(at: 4),
      first: Instant(nanoseconds: first), last: Instant(nanoseconds: newest), rowCount: 0)
    facts.reset()
    if isLong {
      removal.last = Instant(nanoseconds: first + Self.stepNanoseconds)
      try eraser.erase(upTo: removal.last.nanoseconds, connection)
      // Rows that no range of time reaches would be asked for for ever.
      guard eraser.rowCount > 0 || number != session else { return false }
      if eraser.rowCount == 0 {
        removal.isWhole = true
        try eraser.eraseAll(connection)
      }
    } else {
      try eraser.eraseAll(connection)
    }
    removal.rowCount = eraser.rowCount
    try RemovalTable.add(removal, into: connection)
    return true
  }
}
