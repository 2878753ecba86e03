import SQLiteAccess
import TimelineModel
import TimelineStore

extension RecordingExamination {
  /// The records in the crash journals of sessions that were not closed.
  static func journals(_ reader: RecordingReader) -> [FileFinding] {
    do {
      guard try reader.schemaVersion() >= CrashJournal.firstSchemaVersion else { return [] }
      var findings: [FileFinding] = []
      let sessions = try reader.sessionRecords()
      for session in sessions where !session.isClean {
        findings += try journal(of: session, reader)
      }
      let open = Set(sessions.filter { !$0.isClean }.map(\.number))
      let recording = reader.filePath
      for number in CrashJournal.sessions(beside: recording) where !open.contains(number) {
        let path = CrashJournal.path(of: recording, session: number)
        let uuid = sessions.first { $0.number == number }?.uuid
        let isOwn = uuid.map {
          JournalScan.open(path, session: number, uuid: $0, isExclusive: false).state == .dead
        }
        findings.append(
          isOwn == true
            ? FileFinding(
              .note, "strayJournal", session: number,
              "\(path) is left over, and the session was closed and has all of it",
              advice: "the next command that writes removes it")
            : FileFinding(
              .warning, "strayJournal", "\(path) belongs to no session that is open",
              advice: "keep it if you know its owner, or else delete it"))
      }
      return findings
    } catch {
      return [unreadable(error, reader.path, session: nil)]
    }
  }

  private static func journal(
    of session: SessionRecord, _ reader: RecordingReader
  ) throws(StoreError) -> [FileFinding] {
    let path = CrashJournal.path(of: reader.filePath, session: session.number)
    let found = try JournalScan.waiting(
      at: path, session: session.number, uuid: session.uuid,
      after: try CrashJournalRecovery.consumed(reader.connection, session.number))
    switch found.state {
    case .alive:
      return [
        FileFinding(
          .note, "recording", session: session.number, "it is being recorded at this moment")
      ]
    case .absent: return try absent(session, path, reader)
    case .unusable(let why):
      return [
        FileFinding(
          .damage, "journal", session: session.number, "\(path) is left alone: \(why)",
          advice: "keep it if you know its owner, or else delete it")
      ]
    case .dead:
      return waiting(session.number, path, found.rows, found.unreadWords, reader.path)
    }
  }

  private static func absent(
    _ session: SessionRecord, _ path: String, _ reader: RecordingReader
  ) throws(StoreError) -> [FileFinding] {
    let consumed = try CrashJournalRecovery.consumed(reader.connection, session.number)
    if let rows = consumed[JournalTable.recoveredLane] {
      let lost = consumed[JournalTable.lostLane]
      let unread = lost.map {
        $0 > 0 ? ", but \($0) words of it could not be read" : ", but a part is lost"
      }
      return [
        FileFinding(
          .note, "recovered", session: session.number,
          "its recorder was ended before it could finish"
            + (rows == 0
              ? "" : ", and \(rows) \(rows == 1 ? "row" : "rows") came out of its crash journal")
            + (unread ?? ""))
      ]
    }
    guard !consumed.isEmpty else { return [] }
    let last = try reader.prepare(SalvageTexts.span, [session.number])
    let end = try naming(
      reader.path, try last.step() ? Instant(nanoseconds: last.int64(at: 1)) : .zero)
    return [
      FileFinding(
        .warning, "missingJournal", session: session.number,
        "\(path) belongs to it and is not beside it, so its rows after "
          + "\(end.seconds) s are missing",
        advice: "copy the recording again, with all files whose names begin like its own")
    ]
  }

  private static func waiting(
    _ session: Int64, _ path: String, _ count: Int64, _ unread: UInt64, _ recording: String
  ) -> [FileFinding] {
    var findings: [FileFinding] = []
    if count > 0 || unread == 0 {
      findings.append(
        FileFinding(
          count > 0 ? .warning : .note, "journalWaiting", session: session,
          "its recorder was killed, and \(count) \(count == 1 ? "row is" : "rows are") still in \(path)",
          advice: "every command that writes folds them in, such as kymo file migrate \(recording)")
      )
    }
    if unread > 0 {
      findings.append(
        FileFinding(
          .warning, "journal", session: session,
          "\(unread) words of \(path) have no record that can be trusted, as after a power cut, so the last "
            + "records may be missing",
          advice: "kymo file migrate \(recording) folds in the records before them"))
    }
    return findings
  }
}
