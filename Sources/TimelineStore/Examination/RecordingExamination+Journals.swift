import SQLiteAccess

extension RecordingExamination {
  /// What lies in the crash journals of sessions that were not closed.
  static func journals(_ reader: RecordingReader) -> [Finding] {
    do {
      guard try reader.schemaVersion() >= CrashJournal.firstSchemaVersion else { return [] }
      var findings: [Finding] = []
      let sessions = try reader.sessions()
      for session in sessions where !session.isClean {
        findings += try journal(of: session, reader)
      }
      let open = Set(sessions.filter { !$0.isClean }.map(\.number))
      let recording = reader.connection.filePath
      for number in CrashJournal.sessions(beside: recording) where !open.contains(number) {
        findings.append(
          Finding(
            .warning, "strayJournal",
            "\(CrashJournal.path(of: recording, session: number)) belongs to no session that is open",
            advice: "keep it if you know whose it is; otherwise delete it"))
      }
      return findings
    } catch {
      return [unreadable(error, reader.path, session: nil)]
    }
  }

  private static func journal(
    of session: SessionRecord, _ reader: RecordingReader
  ) throws(StoreError) -> [Finding] {
    let path = CrashJournal.path(of: reader.connection.filePath, session: session.number)
    let opening = JournalScan.open(
      path, session: session.number, uuid: session.uuid, isExclusive: false)
    let consumed = try CrashJournalRecovery.consumed(
      reader.connection, session.number, path: reader.path)
    switch opening.state {
    case .alive:
      return [
        Finding(
          .note, "recording", session: session.number, "it is being recorded at this moment")
      ]
    case .absent: return absent(session.number, path, consumed)
    case .unusable(let why):
      return [
        Finding(
          .damage, "journal", session: session.number, "\(path) is left alone: \(why)",
          advice: "keep it if you know whose it is; otherwise delete it")
      ]
    case .dead:
      guard case .some(let scan) = opening.scan else { return [] }
      var count: Int64 = 0
      let lanes = try scan.read(from: consumed) { record in
        switch record {
        case .key, .item: break
        default: count += 1
        }
      }
      return waiting(session.number, path, count, lanes, reader.path)
    }
  }

  private static func absent(
    _ session: Int64, _ path: String, _ consumed: [Int64: UInt64]
  ) -> [Finding] {
    if let rows = consumed[CrashJournalRecovery.recoveredLane] {
      return [
        Finding(
          .note, "recovered", session: session,
          "its recorder was killed, and \(rows) rows came out of its crash journal")
      ]
    }
    guard !consumed.isEmpty else { return [] }
    return [
      Finding(
        .damage, "missingJournal", session: session,
        "\(path) belongs to it and does not lie beside it; what it held is missing",
        advice: "copy the recording again, with all files whose names begin like its own")
    ]
  }

  private static func waiting(
    _ session: Int64, _ path: String, _ count: Int64, _ lanes: [JournalScan.Lane],
    _ recording: String
  ) -> [Finding] {
    var findings: [Finding] = []
    if count > 0 || lanes.allSatisfy({ $0.unread == 0 }) {
      findings.append(
        Finding(
          .warning, "journalWaiting", session: session,
          "its recorder is dead, and \(count) rows wait in \(path)",
          advice: "every command that writes folds them in, such as kymo migrate \(recording)"))
    }
    let unread = lanes.reduce(UInt64(0)) { $0 &+ $1.unread }
    if unread > 0 {
      findings.append(
        Finding(
          .damage, "journal", session: session,
          "\(unread) words of \(path) hold no record that can be trusted",
          advice: "delete it once the rows before them are folded in"))
    }
    return findings
  }
}
