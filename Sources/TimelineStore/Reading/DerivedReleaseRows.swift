import SQLiteAccess
import TimelineModel

/// Shows derived releases to SQL, one session after the other.
final class DerivedReleaseRows: VirtualRows {
  /// Not kept: what the connection owns must not hold what holds the connection.
  private unowned let reader: RecordingReader
  private var sessions: ArraySlice<Int64>
  private var session: Int64 = 0
  private var rows: ArraySlice<ReleaseRecord> = []

  /// Begins the rows of a question.
  init(_ reader: RecordingReader?, session: Int64?) throws(VirtualTableError) {
    guard let reader else { throw VirtualTableError("the recording is closed") }
    self.reader = reader
    do throws(StoreError) {
      if let session {
        sessions = [session]
      } else {
        sessions = try reader.sessionRecords().map(\.number)[...]
      }
    } catch {
      throw VirtualTableError(error.message)
    }
    try findRows()
  }

  var hasRow: Bool { !rows.isEmpty }

  func advance() throws(VirtualTableError) {
    rows.removeFirst()
    try findRows()
  }

  private func findRows() throws(VirtualTableError) {
    while rows.isEmpty, let next = sessions.popFirst() {
      session = next
      do {
        rows = try reader.releases(in: next).all.filter { $0.derived != nil }
          .sorted { ($0.time, $0.transition) < ($1.time, $1.transition) }[...]
      } catch {
        throw VirtualTableError(error.message)
      }
    }
  }

  func give(_ column: Int, to result: borrowing VirtualResult) {
    guard let row = rows.first else { return result.giveNull() }
    switch column {
    case 0: result.give(session)
    case 1: result.give(row.time.nanoseconds)
    case 2: result.give(Int64(row.transition))
    case 3: result.give(row.outcome.rawValue)
    case 4: result.give(row.decidedBy.description)
    case 5:
      if let progress = row.progress { result.giveCompact(progress) } else { result.giveNull() }
    default: result.give(row.derived?.rawValue ?? "")
    }
  }
}
