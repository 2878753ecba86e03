import SQLiteAccess
import TimelineModel
import TimelineSchema
import TimelineStore

/// Makes what was salvaged a recording that contradicts itself nowhere, and says what is missing.
struct SalvageRepair {
  private let part: String
  private(set) var report: SalvageReport
  /// The sentences about sessions so far, by number.
  private let remarks: [Int64: [String]]

  init(part: String, report: SalvageReport, remarks: [Int64: [String]]) {
    self.part = part
    self.report = report
    self.remarks = remarks
  }

  mutating func run(on connection: borrowing Connection) throws(StoreError) {
    let damaged = try damagedSegments(on: connection)
    try naming(part, try connection.begin())
    try mendSealedSamples(connection, path: part)
    do {
      for segment in damaged {
        for text in SalvageTexts.dropSegment {
          try connection.run(text, [segment.session, segment.firstFrame])
        }
      }
      for text in [
        SalvageTexts.dropFramelessSegments, SalvageTexts.dropPutTogether,
        SalvageTexts.dropLooseBlocks,
        SalvageTexts.dropSealedRows, SalvageTexts.dropFramelessRows,
      ] {
        try connection.execute(text)
      }
      try connection.execute(SalvageTexts.addKeys)
      try connection.execute(SalvageTexts.addItems)
      let sessions = try sessions(on: connection)
      for session in sessions {
        try TransitionTable.derive(session: session.number, in: connection)
      }
      try connection.commit()
      for session in sessions {
        try take(session, on: connection)
      }
    } catch {
      throw StoreError(error, path: part)
    }
  }

  /// Sealed segments that cannot be decoded any more. The content of their key frames is there as rows.
  private func damagedSegments(
    on connection: borrowing Connection
  ) throws(StoreError) -> [(session: Int64, firstFrame: Int64)] {
    var damaged: [(session: Int64, firstFrame: Int64)] = []
    try SealedSegments(StatementMaker(connection)).checkBlocks(of: nil, path: part) { segment, _ in
      damaged.append((segment.session, segment.record.firstFrame))
    }
    return damaged
  }

  private func sessions(
    on connection: borrowing Connection
  ) throws(SQLiteError) -> [SalvagedSession] {
    let row = try connection.prepare(SalvageTexts.marks)
    var sessions: [SalvagedSession] = []
    while try row.step() {
      var mark: [Int64]?
      if row.type(at: 3) == .integer { mark = (4...8).map { row.int64(at: $0) } }
      sessions.append(
        SalvagedSession(
          number: row.int64(at: 0), uuid: row.text(at: 1) ?? "", name: row.text(at: 2), mark: mark))
    }
    return sessions
  }

  private mutating func take(
    _ session: SalvagedSession, on connection: borrowing Connection
  ) throws(SQLiteError) {
    var result = SalvageReport.Session(
      number: session.number, uuid: session.uuid, name: session.name,
      isClean: session.mark != nil)
    result.remarks = remarks[session.number] ?? []
    let kept = try SalvageTexts.counts.map { text throws(SQLiteError) in
      try connection.count(text, session: session.number)
    }
    var losses: [(what: String, table: String?, count: Int64)] = []
    let names = ["samples", "frames", "attributes", "touches", "events"]
    let tables = ["sample", "frame", nil, "touch", "event"]
    let cuts = try RemovalTable.parts(of: session.number, in: connection)
    let isWhole = session.mark.map { RemovalRecord.isCutShort($0, kept, by: cuts) } ?? false
    for index in names.indices where !isWhole {
      var count: Int64 = 0
      if let mark = session.mark {
        count = max(0, mark[index] &- kept[index])
      } else if let table = tables[index], let column = Self.sequences[table] {
        count = try connection.count(
          SalvageTexts.missingNumbers(in: table, column, isCut: !cuts.isEmpty),
          session: session.number)
      }
      if count > 0 { losses.append((names[index], tables[index], count)) }
    }
    for table in ["decision", "estimate"] {
      let count = try connection.count(
        SalvageTexts.missingNumbers(in: table, "sequence", isCut: !cuts.isEmpty),
        session: session.number)
      if count > 0 { losses.append((table + "s", table, count)) }
    }
    result.kept.samples = kept[0]
    result.kept.frames = kept[1]
    result.kept.attributes = kept[2]
    result.kept.touches = kept[3]
    result.kept.events = kept[4]
    result.losses = losses.map { SalvageReport.Loss(what: $0.what, count: $0.count) }
    report.sessions.append(result)
    // Counts may be wrong as rows may be.
    if !losses.isEmpty || !isWhole && session.mark.map({ $0 != kept }) ?? false {
      try write(losses, of: session, kept: kept, on: connection)
    }
    var isLost =
      !losses.isEmpty || !result.remarks.isEmpty
      || session.mark == nil
        && report.damagedPages + report.refusedRows + report.damagedLogFrames > 0
    for table in ["frame", "touch", "event", "decision", "estimate"] where !isLost {
      let missing = SalvageTexts.missingNumbers(
        in: table, Self.sequences[table] ?? "sequence", isCut: !cuts.isEmpty)
      isLost = try connection.count(missing, session: session.number) > 0
    }
    if !isLost {
      isLost = try connection.count(SalvageTexts.isWithoutKeyFrame, session: session.number) > 0
    }
    guard isLost else { return }
    try connection.run(SalvageTexts.markLost, [session.number])
  }

  /// Tables whose rows are counted from 0 without gaps, and the column that counts.
  private static let sequences = ["frame": "frame", "touch": "sequence", "event": "sequence"]

  /// Writes the losses down, so that every query that crosses them says so, and makes the clean-close
  /// mark true again.
  private func write(
    _ losses: [(what: String, table: String?, count: Int64)], of session: SalvagedSession,
    kept: [Int64], on connection: borrowing Connection
  ) throws(SQLiteError) {
    try connection.begin()
    let span = try connection.prepare(SalvageTexts.span, [session.number])
    guard try span.step() else { return connection.rollBack() }
    let (first, last) = (span.int64(at: 0), span.int64(at: 1))
    span.reset()
    var sequence = try connection.count(SalvageTexts.nextLoss, session: session.number)
    let table = try LossTable(connection)
    var lost: Int64 = 0
    for loss in losses {
      // A pose that is lost leaves its frame incomplete.
      guard let what = LossRecord.What(rawValue: loss.table ?? "frame") else { continue }
      try table.insert(
        LossRecord(
          what: what, key: nil, first: Instant(nanoseconds: first),
          last: Instant(nanoseconds: last), count: loss.count),
        sequence: sequence, session: session.number)
      sequence &+= 1
      lost = lost.addingReportingOverflow(loss.count).partialValue
    }
    for text in SalvageTexts.dropSummaries {
      try connection.run(text, [session.number])
    }
    let row = try connection.prepare(SalvageTexts.correctCounts, [session.number])
    for (index, count) in kept.enumerated() { row.bind(count, at: Int32(index + 2)) }
    row.bind(lost, at: 7)
    try row.run()
    try connection.commit()
  }
}

/// A session's row as salvage needs it.
private struct SalvagedSession {
  var number: Int64
  var uuid: String
  var name: String?
  /// Counts of samples, frames, attributes, touches and events. `nil` without a clean close.
  var mark: [Int64]?
}

extension Connection {
  /// The number that a question about one session has for an answer.
  fileprivate func count(_ sql: String, session: Int64) throws(SQLiteError) -> Int64 {
    let row = try prepare(sql, [session])
    return try row.step() ? row.int64(at: 0) : 0
  }
}
