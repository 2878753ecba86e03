import SQLiteAccess
import TimelineModel

extension RecordingEditor {
  /// Takes a session out, and writes down that it was there. Its number is never given again.
  ///
  /// SQLite overwrites what was deleted with zeros. The file keeps its size until
  /// ``vacuum()``; new sessions use the room.
  ///
  /// - Returns: what was written down.
  /// - Throws: ``StoreError`` of the code `noSuchSession`; or the file cannot be written.
  @discardableResult
  package func delete(_ number: Int64) throws(StoreError) -> RemovalRecord {
    let session = try session(number)
    return try transaction { () throws(StoreError) in
      try naming(path) { () throws(SQLiteError) in
        try connection.overwriteDeletedRows(true)
        let range = try span(of: session)
        var eraser = SessionEraser(session: number)
        try eraser.eraseAll(connection)
        let removal = RemovalRecord(
          reason: .delete, isWhole: true, session: number, uuid: session.uuid,
          name: session.description.name,
          wallClockStartNanoseconds: session.description.wallClockStartNanoseconds,
          first: range.lowerBound, last: range.upperBound, rowCount: eraser.rowCount)
        try RemovalTable.insert(removal, into: connection)
        return removal
      }
    }
  }

  /// The time from a session's first row to its end.
  func span(of session: SessionRecord) throws(SQLiteError) -> ClosedRange<Instant> {
    let first = try SessionEraser(session: session.number).firstInstant(connection) ?? 0
    return Instant(
      nanoseconds: first)...Instant(
        nanoseconds: max(first, session.end?.nanoseconds ?? first))
  }

  /// The session's row; throws when there is none of the number.
  func session(_ number: Int64) throws(StoreError) -> SessionRecord {
    let row = try naming(path, try connection.prepare(SessionTable.ofNumber, [number]))
    guard try naming(path, try row.step()) else {
      throw .noSuchSession(path, number)
    }
    do {
      return try SessionTable.read(row)
    } catch {
      throw .damaged(
        path, "the row of session \(number) has \(error.found) in the column \(error.column)")
    }
  }
}
