import SQLiteAccess
package import TimelineModel

extension RecordingEditor {
  /// Cuts a session down to a range of time, and writes down what was cut away.
  ///
  /// Instants stay as they are. Of the frames, those from the first to the last in the range stay; the
  /// first of them becomes a key frame. Sealed seconds of poses that are cut become plain rows, segments of samples end at the edge. Summaries and
  /// counts are made anew. Reads the session's frames once.
  ///
  /// - Returns: what was written down; nil when everything lies in the range.
  /// - Throws: ``StoreError``: no such session, the recording is damaged, or cannot be written.
  package func trim(
    _ number: Int64, to range: ClosedRange<Instant>
  ) throws(StoreError) -> RemovalRecord? {
    let session = try session(number)
    let before = try naming(path, try span(of: session))
    let plan = try TrimPlan(number, to: range, connection)
    return try transaction { () throws(StoreError) in
      var eraser = SessionEraser(session: number, rowCount: plan.cutRowCount)
      try samples.cut(
        number, to: range.lowerBound.nanoseconds...range.upperBound.nanoseconds, connection)
      let removal = try naming(path) { () throws(SQLiteError) -> RemovalRecord? in
        try connection.overwriteDeletedRows(true)
        try plan.rewriteEdges(in: number, eraser, connection)
        try eraser.erase(
          outside: range.lowerBound.nanoseconds...range.upperBound.nanoseconds,
          keeping: plan.frames, connection)
        try TransitionTable.derive(session: number, in: connection)
        try connection.run(LabelTable.removeLoose, [number])
        guard eraser.rowCount > 0 else { return nil }
        let removal = RemovalRecord(
          reason: .trim, isWhole: false, session: number, uuid: session.uuid,
          name: session.description.name,
          wallClockStartNanoseconds: session.description.wallClockStartNanoseconds,
          first: before.lowerBound, last: before.upperBound, rowCount: eraser.rowCount)
        try RemovalTable.insert(removal, into: connection)
        return removal
      }
      guard let removal else { return nil }
      try summarizeAnew(session, plan.items, upTo: range.upperBound)
      return removal
    }
  }

  /// Writes counts and the summaries of keys of a closed session anew from its rows, and those of its
  /// elements as they are given.
  private func summarizeAnew(
    _ session: SessionRecord, _ items: [ItemSummary], upTo end: Instant
  ) throws(StoreError) {
    let rows = SessionEraser(session: session.number)
    let summaries = try KeySummary.all(
      of: SampleTable.rows(of: session.number, on: connection)
    ).values.sorted { $0.key.rawValue < $1.key.rawValue }
    try naming(path) { () throws(SQLiteError) in
      try rows.run(MaintenanceTexts.removal(from: KeySummaryTable.name), [], connection)
      try replaceSummaries(of: session, by: items)
      guard session.isClean else { return }
      try KeySummaryTable.insert(summaries, session: session.number, into: connection)
      let counts = try MaintenanceTexts.counts.map { text throws(SQLiteError) in
        try rows.number(text, [], connection) ?? 0
      }
      try rows.run(MaintenanceTexts.updateCounts, counts + [end.nanoseconds], connection)
    }
  }

  /// Writes the summaries of the elements of a session anew; one that was not closed has none.
  func replaceSummaries(
    of session: SessionRecord, by items: [ItemSummary]
  ) throws(SQLiteError) {
    try SessionEraser(session: session.number).run(
      MaintenanceTexts.removal(from: ItemSummaryTable.name), [], connection)
    guard session.isClean else { return }
    try ItemSummaryTable.insert(items, session: session.number, into: connection)
  }
}
