import SQLiteAccess
package import TimelineModel

extension RecordingStore {
  /// How much of a session's time one step takes out at most, in nanoseconds: ten seconds, so that a step
  /// is done in some milliseconds.
  private static let stepNanoseconds: Int64 = 10_000_000_000

  /// How much more than what is about to come is taken out at once, in bytes, of a recording that was far
  /// beyond its limit from the start.
  private static let leadBytes: Int64 = 1 << 20

  /// Takes the oldest out of the recording when it is beyond a limit, until it is not, or until as much
  /// went as comes and a mebibyte more.
  ///
  /// The oldest sessions go first, piece by piece. When no other is left, the oldest of the session
  /// that is being recorded, up to its last key frame. All of it is one transaction, with a row for each
  /// session in `removal`. Pages that become free are used for what comes next, so the file stops
  /// growing. To be called outside a transaction.
  ///
  /// - Parameters:
  ///   - limit: The limit.
  ///   - latest: The latest instant of the session that is being recorded. With the session's start it
  ///     makes the wall clock, which is not read.
  ///   - reservedBytes: Bytes that are about to come, for which there has to be room.
  /// - Returns: whether something was taken out, so that more may be due.
  @discardableResult
  package func enforce(
    _ limit: RecordingLimit, latest: Instant, reservedBytes: Int64 = 0
  ) throws(StoreError) -> Bool {
    try naming(path) { () throws(SQLiteError) in
      guard var due = try dueSession(limit, latest: latest, reservedBytes: reservedBytes) else {
        return false
      }
      try connection.overwriteDeletedRows(false)
      try connection.begin()
      do throws(SQLiteError) {
        let end = try usedBytes - reservedBytes - Self.leadBytes
        var cut: Set<Int64> = []
        while try eraseOldest(of: due) {
          cut.insert(due)
          guard try usedBytes > end,
            let next = try dueSession(limit, latest: latest, reservedBytes: reservedBytes)
          else { break }
          due = next
        }
        for session in cut.sorted() {
          try TransitionTable.derive(session: session, in: connection)
          try connection.run(LabelTable.removeLoose, [session])
        }
        transitions.forgetCount()
        try connection.commit()
        return !cut.isEmpty
      } catch {
        connection.rollBack()
        throw error
      }
    }
  }

  private var usedBytes: Int64 {
    get throws(SQLiteError) { try connection.integer(MaintenanceTexts.usedPages) ?? 0 }
  }

  /// The session of which something has to go. `nil` when the recording is within its limit.
  private func dueSession(
    _ limit: RecordingLimit, latest: Instant, reservedBytes: Int64
  ) throws(SQLiteError) -> Int64? {
    let eraser = SessionEraser(session: session)
    let oldest = try eraser.number(MaintenanceTexts.oldestSession, [], connection)
    if let bytes = limit.startBytes(reservedBytes: reservedBytes), try usedBytes > bytes {
      return oldest ?? session
    }
    if let age = limit.ageNanoseconds, let oldest,
      let start = try eraser.number(MaintenanceTexts.startOnWallClock, [], connection),
      let end = try SessionEraser(session: oldest).number(
        MaintenanceTexts.endOnWallClock, [], connection),
      Instant(nanoseconds: end).nanoseconds(
        since: Instant(nanoseconds: start))
        < latest.advanced(byNanoseconds: -max(0, age)).nanoseconds
    {
      return oldest
    }
    return nil
  }

  /// Takes one step's worth out of a session. False when there is nothing that may go.
  private func eraseOldest(of number: Int64) throws(SQLiteError) -> Bool {
    var eraser = SessionEraser(session: number)
    let first = try eraser.firstInstant(connection) ?? 0
    let newest = try max(
      first, eraser.number(MaintenanceTexts.newestInstant, [], connection) ?? first)
    let (span, overflow) = newest.subtractingReportingOverflow(first)
    let isLong = overflow || span > Self.stepNanoseconds
    // Of the session that is recorded a sixteenth goes at most: the newest is what it is for.
    let isOpen = number == session
    let step = isOpen && !overflow ? min(Self.stepNanoseconds, span / 16) : Self.stepNanoseconds
    let facts = try connection.prepare(SessionTable.ofNumber, [number])
    guard try facts.step() else { return false }
    var removal = RemovalRecord(
      reason: .limit, isWhole: !isLong && !isOpen, session: number, uuid: facts.text(at: 1) ?? "",
      name: facts.type(at: 2) == .null ? nil : facts.text(at: 2),
      wallClockStartNanoseconds: facts.type(at: 4) == .null ? nil : facts.int64(at: 4),
      first: Instant(nanoseconds: first), last: Instant(nanoseconds: newest), rowCount: 0)
    facts.reset()
    if isLong || isOpen {
      removal.last = Instant(nanoseconds: first + step)
      try eraser.erase(upTo: removal.last.nanoseconds, connection)
      // Frames that are far apart go one by one, up to the next key frame.
      if eraser.rowCount == 0,
        let next = try eraser.number(MaintenanceTexts.secondKeyFrame, [], connection)
      {
        removal.last = Instant(nanoseconds: next)
        try eraser.erase(upTo: next, connection)
      }
      // Rows that no range of time reaches would be asked for for ever.
      guard eraser.rowCount > 0 || !isOpen else { return false }
      if eraser.rowCount == 0 {
        removal.isWhole = true
        try eraser.eraseAll(connection)
      }
    } else {
      try eraser.eraseAll(connection)
    }
    removal.rowCount = eraser.rowCount
    try RemovalTable.add(removal, into: connection)
    if isOpen { samplesErasedThrough = removal.last.nanoseconds }
    return true
  }
}

/// How large and how old a recording may become before its oldest content is taken out.
public struct RecordingLimit: Hashable, Sendable {
  /// Bytes that the recording may take, its log and crash journal not counted. `nil`: any number. At
  /// least 4 MiB, which a smaller number is taken as.
  public var sizeBytes: Int64?
  /// Nanoseconds of the wall clock after which an ended session is taken out. `nil`: never.
  public var ageNanoseconds: Int64?

  /// The smallest limit of size, in bytes: 4 MiB, some seconds of 200 elements that all move.
  package static let smallestSizeBytes: Int64 = 4 << 20

  /// Makes a limit. What is not given is not limited.
  public init(sizeBytes: Int64? = nil, ageNanoseconds: Int64? = nil) {
    self.sizeBytes = sizeBytes.map { max($0, Self.smallestSizeBytes) }
    self.ageNanoseconds = ageNanoseconds
  }

  /// Content in bytes beyond which something is taken out: a sixteenth of the size is left for what the
  /// tables take beside their rows, and what is about to come, half of the size at most.
  ///
  /// - Parameter reservedBytes: Bytes that are about to come.
  func startBytes(reservedBytes: Int64) -> Int64? {
    sizeBytes.map { $0 - $0 / 16 - min(reservedBytes, $0 / 2) }
  }

  /// Rows of elements after which a key frame is due: only what is before one can be taken out. A
  /// sixteenth of the size, at 64 bytes a row.
  package var keyFrameRows: Int { sizeBytes.map { Int(clamping: $0 / 16 / 64) } ?? .max }
}
