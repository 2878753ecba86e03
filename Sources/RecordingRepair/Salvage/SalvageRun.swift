import SQLiteAccess
import TimelineSchema
import TimelineStore

/// One salvage under way: rows go from the damaged pages into the new recording.
struct SalvageRun: ~Copyable {
  private let path: String
  private let part: String
  private var report = SalvageReport()
  private var output: SalvageOutput

  /// Bookkeeping of its own, which the new recording has already, and what is made of events again.
  private static let leftOut = ["migration", "transition"]
  /// Tables whose rows cannot be told from others by their shape: `journal` looks like the index of
  /// frames. Without it, a crash journal is read from its beginning, and rows that are there stay one.
  private static let shapeless = leftOut + ["journal"]

  init(path: String, part: String, version: Int64) throws(StoreError) {
    self.path = path
    self.part = part
    output = try SalvageOutput(path: part, version: version)
  }

  // MARK: Rows

  /// Writes every row that the pages still have.
  mutating func copyRows(
    _ map: DatabaseMap, _ store: borrowing PageStore
  ) throws(StoreError) {
    report.damagedPages = map.damages.count
    report.damagedLogFrames = store.log.damagedCount
    report.logFramesBehindDamage = store.log.behindDamageCount
    try naming(part, try output.connection.begin())
    for tree in map.trees where tree.isTable && !Self.leftOut.contains(tree.name) {
      guard let shape = output.shapes.first(where: { $0.name == tree.name }) else { continue }
      // A page above damaged pages has rows of its own, and children that were not reached are among
      // the orphans.
      for page in tree.interiors + tree.leaves where !shape.hasRowid || tree.leaves.contains(page) {
        try copy(page, as: shape, map, store)
      }
    }
    for page in map.orphans { try copyOrphan(page, map, store) }
    try naming(part, try output.connection.commit())
  }

  private mutating func copy(
    _ page: UInt32, as shape: TableShape, _ map: DatabaseMap, _ store: borrowing PageStore
  ) throws(StoreError) {
    let (rows, unreadable) = map.rows(of: page, store)
    report.refusedRows += unreadable
    for row in rows {
      guard let values = shape.values(of: row) else {
        report.refusedRows += 1
        continue
      }
      if try output.insert(values, into: shape) == .refused { report.refusedRows += 1 }
    }
  }

  /// Finds out whose rows a page has, by the first of them that a table takes.
  private mutating func copyOrphan(
    _ page: UInt32, _ map: DatabaseMap, _ store: borrowing PageStore
  ) throws(StoreError) {
    let rows = map.rows(of: page, store).rows
    // Whatever fits a layout's texts fits stricter tables first.
    let shapes =
      output.shapes.filter { $0.name != "layout" && !Self.shapeless.contains($0.name) }
      + output.shapes.filter { $0.name == "layout" }
    for shape in shapes {
      let fitting = rows.compactMap(shape.values(of:))
      guard let first = fitting.first, 2 * fitting.count > rows.count,
        try output.insert(first, into: shape) != .refused
      else { continue }
      report.orphanPages += 1
      report.refusedRows += rows.count - fitting.count
      for values in fitting.dropFirst() where try output.insert(values, into: shape) == .refused {
        report.refusedRows += 1
      }
      return
    }
  }

  // MARK: The end

  /// Brings the new recording to the newest schema, adds the records of the crash journals, and makes it
  /// consistent.
  mutating func finish(
    _ map: DatabaseMap, _ store: borrowing PageStore
  ) throws(StoreError) -> SalvageReport {
    output.endInsertions()
    try Migrator.migrate(output.connection)
    let nameless = try naming(
      part, try NamelessSessions.add(to: output.connection, beside: FileFacts.resolved(path)))
    let journals = try foldJournals(map)
    var remarks = nameless.mapValues { [$0] }
    for (session, share) in journals { remarks[session, default: []] += share.remarks }
    var repair = SalvageRepair(part: part, report: report, remarks: remarks)
    try repair.run(on: output.connection)
    report = repair.report
    for session in try contradictedSessions() {
      for text in SalvageTexts.dropSummaries {
        try naming(part, try output.connection.run(text, [session]))
      }
    }
    for (index, session) in report.sessions.enumerated() {
      report.sessions[index].journalRows = journals[session.number]?.rows ?? 0
    }
    guard !report.sessions.isEmpty else {
      throw StoreError(
        .damaged, path: path,
        "Nothing of \(path) could be read: no row of a session is left in it. Use an earlier "
          + "copy.")
    }
    report.isWithoutLog =
      store.isInLogMode && FileFacts(of: path + "-wal") == .absent
      && report.sessions.contains { !$0.isClean && journals[$0.number]?.isWhole != true }
    return report
  }

  /// The sessions whose summaries are not those of their rows.
  private func contradictedSessions() throws(StoreError) -> [Int64] {
    let reader = try RecordingReader(path: part)
    var contradicted: [Int64] = []
    for session in try reader.sessionRecords()
    where try !reader.contradictedSummaries(in: session.number).isEmpty {
      contradicted.append(session.number)
    }
    return contradicted
  }

  /// The records of a session's crash journal.
  private struct JournalShare {
    var rows: Int64
    var remarks: [String]
    /// Whether it had everything that is not in the tables.
    var isWhole = false
  }

  /// Adds the records in the crash journals beside the damaged file, which stay there.
  private func foldJournals(_ map: DatabaseMap) throws(StoreError) -> [Int64: JournalShare] {
    var shares: [Int64: JournalShare] = [:]
    // Up to where a journal is in the tables only the tables know.
    let isPositionKnown =
      map.hasSchema && !map.damages.contains { $0.tree == "journal" }
    let recording = FileFacts.resolved(path)
    for session in try CrashJournalRecovery.openSessions(
      output.connection, beside: recording)
    {
      let journal = CrashJournal.path(of: recording, session: session.number)
      guard isPositionKnown else {
        shares[session.number] = JournalShare(
          rows: 0,
          remarks: ["the number of its rows in the tables is lost, so \(journal) was left out"])
        continue
      }
      let result = try CrashJournalRecovery.foldIn(
        output.connection, session, journal: journal, isRemoved: false)
      var share = JournalShare(rows: result.rows, remarks: [])
      switch result.state {
      case .alive: share.remarks.append("it is still being recorded, so its end is not here yet")
      case .unusable(let why): share.remarks.append("\(journal) was left out: \(why)")
      case .dead where result.unreadWords > 0:
        share.remarks.append("\(result.unreadWords) words of \(journal) could not be read")
      case .dead: share.isWhole = true
      case .absent: break
      }
      shares[session.number] = share
    }
    try naming(part) { () throws(SQLiteError) in
      let rows = try output.connection.prepare(SalvageTexts.openJournals)
      while try rows.step() {
        let session = rows.int64(at: 0)
        guard shares[session] == nil else { continue }
        let journal = CrashJournal.path(of: recording, session: session)
        shares[session] =
          rows.int64(at: 1) == JournalTable.recoveredLane
          ? JournalShare(rows: 0, remarks: [], isWhole: true)
          : JournalShare(
            rows: 0, remarks: ["\(journal) belongs to it and is not beside the file"])
      }
      // The positions stay, should one of the journals ever lie beside the new recording.
      try output.connection.execute(RecoveryTexts.endSessions)
    }
    return shares
  }
}

/// Sessions that have rows in a salvaged recording and whose own row is lost.
enum NamelessSessions {
  /// Writes a row for each of them, so that its rest can be read.
  ///
  /// A crash journal that lies beside the damaged file knows whose it is, and so gives the session its
  /// identity back and can be folded in after this.
  ///
  /// - Parameters:
  ///   - connection: The new recording, of the newest schema, without a transaction.
  ///   - recording: The full path of the damaged file.
  /// - Returns: The sentence about each, by number.
  static func add(
    to connection: borrowing Connection, beside recording: String
  ) throws(SQLiteError) -> [Int64: String] {
    var numbers: [Int64] = []
    let nameless = try connection.prepare(SalvageTexts.namelessSessions)
    while try nameless.step() { numbers.append(nameless.int64(at: 0)) }
    guard !numbers.isEmpty else { return [:] }
    var taken: Set<String> = []
    let known = try connection.prepare(SalvageTexts.identities)
    while try known.step() { taken.insert(known.text(at: 0) ?? "") }
    let withJournal = Set(CrashJournal.sessions(beside: recording))
    var remarks: [Int64: String] = [:]
    let row = try connection.prepare(SalvageTexts.addSession)
    for number in numbers {
      var remark = "its own row is lost, so its name and start are made up"
      var uuid = madeUp(number, taken)
      if withJournal.contains(number),
        let header = JournalScan.header(at: CrashJournal.path(of: recording, session: number)),
        header.session == number, !taken.contains(header.uuid)
      {
        uuid = header.uuid
        remark += ", and its uuid is that of its crash journal"
      }
      taken.insert(uuid)
      try row.run(number, uuid, Int64(Schema.version))
      remarks[number] = remark
    }
    return remarks
  }

  /// An identity for a session whose own is lost: version 8 of RFC 9562, the number at its end and before
  /// it how many of that number there were.
  private static func madeUp(_ number: Int64, _ taken: Set<String>) -> String {
    func padded(_ value: Int64, _ digits: Int) -> String {
      let text = String(value, radix: 16)
      return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
    let end = padded(number & 0xffff_ffff_ffff, 12)
    var before: Int64 = 0
    while taken.contains("\(padded(before, 8))-0000-8000-8000-\(end)") { before += 1 }
    return "\(padded(before, 8))-0000-8000-8000-\(end)"
  }
}
