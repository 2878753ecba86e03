import SQLiteAccess
package import TimelineModel

extension RecordingEditor {
  /// Carries a session over from another recording, in one transaction.
  ///
  /// Every row keeps its bits, sealed seconds stay sealed. The session gets the next number of this
  /// recording and keeps its uuid.
  ///
  /// - Parameters:
  ///   - number: The session's number in its recording.
  ///   - reader: That recording, of any schema that can be read.
  ///   - redaction: What is left out.
  /// - Returns: the session's number in this recording.
  /// - Throws: ``StoreError``: of the code `uuidInUse` when the session is here already; the other
  ///   recording is damaged; this one cannot be written.
  package func copySession(
    _ number: Int64, from reader: RecordingReader, redaction: Redaction = Redaction()
  ) throws(StoreError) -> Int64 {
    try reader.beginState()
    defer { reader.endState() }
    let session = try reader.sessionRecord(number)
    let isKnown = try naming(path, try SessionTable.has(uuid: session.uuid, in: connection))
    guard !isKnown else { throw .uuidInUse(path, session.uuid) }
    let rows = SessionRows(redaction)
    return try transaction { () throws(StoreError) in
      let next = try naming(path, try connection.integer(SessionTable.nextNumber) ?? 1)
      for table in CopyTexts.tables {
        // The rows come from somewhere else: the schema's rules hold for them.
        try naming(path) { () throws(SQLiteError) in
          if table.name == AttributeTable.name {
            try connection.trustOwnValues()
          } else {
            try connection.checkValues()
          }
        }
        let source = try reader.prepare(
          CopyTexts.select(table, from: reader.sourceForCopying(table)))
        try rows.copy(table, source, of: number, as: next, to: connection, reader.path, path)
      }
      try rows.copy(
        AllTables.of(JournalTable.self), try reader.prepare(CopyTexts.ends), of: number, as: next,
        to: connection, reader.path, path)
      if try reader.recorderState(of: session) == .ended, try reader.isWhole(session) {
        // Rows that were shown out of a crash journal are rows here.
        try naming(path, try connection.run(RecoveryTexts.endSession, [next]))
      }
      try rows.copyRemovals(
        try reader.prepare(CopyTexts.removals), of: number, as: next, to: connection, reader.path,
        path)
      try naming(path) { () throws(SQLiteError) in
        try connection.run(SampleTable.addRowOfNoSession, [])
        try TransitionTable.derive(session: next, in: connection)
        try connection.trustOwnValues()
      }
      return next
    }
  }
}
