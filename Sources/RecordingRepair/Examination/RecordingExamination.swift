import SQLiteAccess
import TimelineModel
import TimelineSchema
package import TimelineStore

/// Looks for faults of a recording, and changes no byte of it.
///
/// The pages are looked at first, with plain reads. Then the rows are asked through SQLite, as far as
/// it can still read them. All rows are of one state of the file. Plain reads see a change of another program half
/// done, so whatever they find wrong is looked for again.
package enum RecordingExamination: Sendable {
  /// Examines a recording.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - isDeep: Whether SQLite checks every page too, and every sealed block is decoded.
  /// - Returns: The findings, the worst first. Empty for a healthy, finished recording of
  ///   the newest schema.
  /// - Throws: ``StoreError``: the file cannot be read at all, or is not a recording.
  /// - Complexity: linear in the size of the file.
  package static func examine(_ path: String, isDeep: Bool = false) throws(StoreError)
    -> [FileFinding]
  {
    var previous: [FileFinding]?
    for look in 1...mostLooks {
      let before = stamps(path)
      let findings: [FileFinding]
      do throws(StoreError) {
        findings = try examineOnce(path, isDeep: isDeep)
      } catch {
        guard error.code == .busy || stamps(path) != before, look < mostLooks else { throw error }
        continue
      }
      guard findings.contains(where: isOfPlainReads) else { return findings }
      if findings == previous, stamps(path) == before { return findings }
      previous = findings
    }
    // It never stood still: its rows are of one state, and of the rest nothing is known.
    let rows = (previous ?? []).filter { !isOfPlainReads($0) }
    return [
      FileFinding(
        .warning, "changing",
        "other programs change it all the time, so its pages and crash journals cannot be examined",
        advice: "examine it again when they have finished")
    ] + rows
  }

  /// How often a recording is examined at most, until nobody has changed it meanwhile.
  private static let mostLooks = 20

  /// The sign that a recording or its log has changed.
  private static func stamps(_ path: String) -> [FileStamp?] {
    let file = FileFacts.resolved(path)
    return [FileStamp(file.utf8), FileStamp((file + "-wal").utf8)]
  }

  /// Whether something was found beside SQLite, where another program may have been in the middle of a change.
  private static func isOfPlainReads(_ finding: FileFinding) -> Bool {
    finding.severity != .note && plainFindings.contains(finding.what)
  }

  private static let plainFindings: Set = [
    "page", "lostPages", "cutOff", "damagedLog", "missingLog", "missingJournal", "journal",
    "journalWaiting", "strayJournal",
  ]

  private static func examineOnce(_ path: String, isDeep: Bool) throws(StoreError) -> [FileFinding]
  {
    let opened = Result { () throws(StoreError) in
      let reader = try RecordingReader(path: path)
      // While this is kept, nobody writes a file without a log.
      try reader.keepState()
      return reader
    }
    var findings = try pages(path)
    do throws(StoreError) {
      let reader = try opened.get()
      if reader.isRolledBack { throw StoreError.unfinishedChange(path) }
      weighLog(&findings, reader)
      findings += file(reader)
      if isDeep { findings += integrity(reader) }
      findings += journals(reader)
      findings += sessions(reader, isDeep: isDeep)
    } catch {
      if error.code == .unfinishedChange {
        // Until it is taken back, pages may contradict each other and nothing is damaged.
        return [
          FileFinding(
            .warning, "unfinishedChange", error.message, advice: "kymo file migrate \(path)")
        ]
      }
      // A file that cannot be opened and shows no row of ours is not a recording.
      guard findings.contains(where: { $0.severity == .damage }), error.code == .damaged else {
        throw error
      }
      findings.append(
        FileFinding(.damage, "unreadable", error.message, advice: advice(.recover, path)))
    }
    return findings.enumerated().sorted {
      ($1.element.severity.rank, $0.offset) < ($0.element.severity.rank, $1.offset)
    }.map(\.element)
  }

  /// How many damaged pages are named one by one. A count stands for the rest.
  private static let namedPages = 20

  static func advice(_ advice: DoctorTexts.Advice, _ path: String) -> String {
    switch advice {
    case .nothing: ""
    case .recover: "kymo file recover \(path) -o recovered.kymo"
    case .checkRecorder: "look at the clock that the recorder takes its times from"
    }
  }

  // MARK: Pages

  /// The content of the pages without SQLite.
  private static func pages(_ path: String) throws(StoreError) -> [FileFinding] {
    try FileFacts.requireFile(path)
    guard let store = PageStore(path: path, stopsAtDamage: true) else { throw .cannotRead(path) }
    guard store.hasHeader else { return try pagesWithoutHeader(path, store) }
    let map = DatabaseMap(store)
    var findings = map.damages.prefix(namedPages).map { damage in
      FileFinding(
        .damage, "page", "page \(damage.page) of \(damage.tree ?? "the file itself") is damaged",
        advice: advice(.recover, path))
    }
    if map.damages.count > namedPages {
      findings.append(
        FileFinding(
          .damage, "page", "\(map.damages.count - namedPages) more pages are damaged",
          advice: advice(.recover, path)))
    }
    if !map.orphans.isEmpty {
      findings.append(
        FileFinding(
          .damage, "lostPages",
          "\(counted(map.orphans.count, "page")) of rows \(map.orphans.count == 1 ? "is" : "are") orphaned, the first is page "
            + "\(map.orphans[0])", advice: advice(.recover, path)))
    }
    if let stated = store.statedCount, stated > store.pageCount {
      findings.append(
        FileFinding(
          .damage, "cutOff",
          "the file has \(store.pageCount) pages of the \(stated) that it should have",
          advice: advice(.recover, path)))
    }
    let log = LogFrames(path: path + "-wal")
    if log.damagedCount > 0 {
      findings.append(
        FileFinding(
          .warning, "damagedLog",
          "\(log.damagedCount) \(log.damagedCount == 1 ? "frame of the log fails its" : "frames of the log fail their") checksum, and SQLite reads none of the "
            + "\(log.behindDamageCount) valid frames after them", advice: advice(.recover, path)))
    }
    return findings
  }

  /// Whether a file has lost its first page, and pages that look like rows are left.
  package static func hasRows(withoutHeader path: String) -> Bool {
    guard let store = PageStore(path: path, stopsAtDamage: true), !store.hasHeader else {
      return false
    }
    return !DatabaseMap(store).orphans.isEmpty
  }

  /// The first page is lost: is anything of ours left?
  private static func pagesWithoutHeader(
    _ path: String, _ store: borrowing PageStore
  ) throws(StoreError) -> [FileFinding] {
    let map = DatabaseMap(store)
    guard !map.orphans.isEmpty else { throw .notADatabase(path) }
    throw StoreError(
      .damaged, path: path,
      "The first page of \(path) is lost, and \(map.orphans.count) pages that look like rows are "
        + "left. Try \(advice(.recover, path)).")
  }

  /// A log's damaged end costs nothing where the crash journals make up for it, or where nothing but a
  /// change that was never finished stood there.
  private static func weighLog(_ findings: inout [FileFinding], _ reader: RecordingReader) {
    guard let index = findings.firstIndex(where: { $0.what == "damagedLog" }),
      reader.isWholeWithoutLog(isTorn: LogFrames(path: reader.path + "-wal").isTorn)
    else { return }
    findings[index].severity = .note
    findings[index].detail += ", but no row is lost"
    findings[index].advice = ""
  }

  // MARK: The file

  private static func file(_ reader: RecordingReader) -> [FileFinding] {
    var findings: [FileFinding] = []
    let path = reader.path
    do {
      let version = try reader.schemaVersion()
      if version < Int64(Schema.version) {
        findings.append(
          FileFinding(
            .note, "olderSchema", "schema \(version), and the newest is \(Schema.version)",
            advice: "kymo file migrate \(path)"))
      } else if version > Int64(Schema.version) {
        findings.append(
          FileFinding(
            .note, "newerSchema", "schema \(version), and this program knows \(Schema.version)",
            advice: "update Kymograph"))
      }
      if reader.isWithoutLog {
        findings.append(
          FileFinding(
            .warning, "missingLog",
            "\(path)-wal is not beside it, and a session was not closed. Nothing is missing if a "
              + "program moved the log into the file. If the file was copied alone, the rows of the log are missing",
            advice: "copy the recording again, with all files whose names begin like its own"))
      }
      for leftover in NewFile.leftovers(beside: reader.filePath) {
        findings.append(
          FileFinding(
            .note, "leftover", "\(leftover) is left over from a program that was ended",
            advice: "the next command that writes removes it"))
      }
      let lost = try answer(DoctorTexts.lostSessions, reader)
      if lost.count > 0 {
        findings.append(
          FileFinding(
            .damage, "unknownSession",
            "\(lost.count) \(lost.count == 1 ? "session has rows and is" : "sessions have rows and are") not in the list of sessions, the first is "
              + "session \(lost.location ?? 0)", advice: advice(.recover, path)))
      }
    } catch {
      findings.append(unreadable(error, path, session: nil))
    }
    return findings
  }

  private static func integrity(_ reader: RecordingReader) -> [FileFinding] {
    do {
      return try reader.prepare(DoctorTexts.integrity).texts(reader.path).filter { $0 != "ok" }
        .map { FileFinding(.damage, "integrity", $0, advice: advice(.recover, reader.path)) }
    } catch {
      return [unreadable(error, reader.path, session: nil)]
    }
  }

  static func unreadable(_ error: StoreError, _ path: String, session: Int64?) -> FileFinding {
    FileFinding(
      .damage, "unreadable", session: session, error.message, advice: advice(.recover, path))
  }

  // MARK: Questions

  /// The count that a question has for an answer, and where the first of them is.
  static func answer(
    _ text: String, session: Int64? = nil, _ reader: RecordingReader
  ) throws(StoreError) -> (count: Int64, location: Int64?) {
    let row = try reader.prepare(text)
    if let session { row.bind(session, at: 1) }
    return try naming(reader.path) { () throws(SQLiteError) in
      guard try row.step() else { return (0, nil) }
      return (row.int64(at: 0), row.type(at: 1) == .integer ? row.int64(at: 1) : nil)
    }
  }
}

extension FileFinding.Severity {
  fileprivate var rank: Int {
    switch self {
    case .note: 0
    case .warning: 1
    case .damage: 2
    }
  }
}

extension Statement {
  /// The texts of the first column.
  fileprivate consuming func texts(_ path: String) throws(StoreError) -> [String] {
    var texts: [String] = []
    while try naming(path, try step()) {
      texts.append(text(at: 0) ?? "")
    }
    return texts
  }
}
