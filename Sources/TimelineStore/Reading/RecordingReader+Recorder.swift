import SQLiteAccess

extension RecordingReader {
  /// What has become of the recorder of a session, as far as its crash journal tells: a recorder holds a lock
  /// on it, which the system drops when the process ends, however it ends.
  ///
  /// - Parameter session: As this reader told it. One that has finished since is still not finished here.
  /// - Throws: ``StoreError`` when the file cannot be read.
  /// - Complexity: constant.
  package func recorderState(of session: SessionRecord) throws(StoreError) -> RecorderState {
    if session.isClean { return .finished }
    guard try schemaVersion() >= CrashJournal.firstSchemaVersion else { return .unknown }
    if try recoveredRowCount(in: session.number) != nil { return .ended }
    let opening = JournalScan.open(
      CrashJournal.path(of: filePath, session: session.number),
      session: session.number, uuid: session.uuid, isExclusive: false)
    return switch opening.state {
    case .alive: .recording
    case .dead: .ended
    case .absent, .unusable: .unknown
    }
  }

  /// Whether everything that the recorder of a session had stored is shown: the session is clean, is being
  /// recorded, or what its crash journal held beyond the tables can be read, or was folded in, without a gap.
  ///
  /// - Throws: ``StoreError`` when the file cannot be read.
  /// - Complexity: linear in the size of the crash journal.
  package func isWhole(_ session: SessionRecord) throws(StoreError) -> Bool {
    if session.isClean { return true }
    guard try schemaVersion() >= CrashJournal.firstSchemaVersion else { return false }
    let consumed = try CrashJournalRecovery.consumed(connection, session.number)
    guard consumed[JournalTable.lostLane] == nil else { return false }
    let opening = JournalScan.open(
      CrashJournal.path(of: filePath, session: session.number),
      session: session.number, uuid: session.uuid, isExclusive: false)
    guard case .some(let scan) = opening.scan else {
      return opening.state == .alive || consumed[JournalTable.recoveredLane] != nil
    }
    return scan.unread(try scan.read(from: consumed) { _ in }, consumed) == 0
  }

  /// Whether no row is missing, as far as sessions tell, though a log is gone or its end is damaged.
  ///
  /// - Parameter isTorn: Whether nothing that was ever committed stood there. Otherwise there must be a
  ///   recorder whose crash journal makes up for it.
  package func isWholeWithoutLog(isTorn: Bool) -> Bool {
    guard let sessions = try? sessionRecords(), !sessions.isEmpty,
      isTorn || sessions.contains(where: { !$0.isClean })
    else { return false }
    return sessions.allSatisfy { (try? isWhole($0)) ?? false }
  }
}

/// The state of the recorder of a session.
package enum RecorderState: String, CaseIterable, Sendable {
  /// It finished the session.
  case finished
  /// It is recording or suspended, or its crash journal is being folded in at this moment.
  case recording
  /// It was ended before it could finish: it was killed, it crashed, or the machine stopped.
  case ended
  /// The state is not known: the session has no crash journal, or one that cannot be read.
  case unknown
}
