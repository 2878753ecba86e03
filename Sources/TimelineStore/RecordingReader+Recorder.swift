import SQLiteAccess

extension RecordingReader {
  /// What has become of the recorder of a session, as far as its crash journal tells: a recorder holds a lock
  /// on it, which the system drops when the process ends, however it ends.
  ///
  /// - Parameter session: As this reader told it; one that has finished since is still not finished here.
  /// - Throws: ``StoreError`` when the file cannot be read.
  /// - Complexity: constant.
  public func recorderState(of session: SessionRecord) throws(StoreError) -> RecorderState {
    if session.isClean { return .finished }
    guard try schemaVersion() >= CrashJournal.firstSchemaVersion else { return .unknown }
    if try recoveredRowCount(in: session.number) != nil { return .ended }
    let opening = JournalScan.open(
      CrashJournal.path(of: connection.filePath, session: session.number),
      session: session.number, uuid: session.uuid, isExclusive: false)
    return switch opening.state {
    case .alive: .recording
    case .dead: .ended
    case .absent, .unusable: .unknown
    }
  }
}
