import SQLiteAccess
import TimelineModel

/// Shows plain and sealed samples to SQL as the view `samples` has them, session after session.
///
/// The view's own text would join each sample with its session and its key, and SQLite would first copy all samples into a
/// table. Here a key's texts are looked up once a session, and only the columns that a query names are made.
final class MergedSampleRows: VirtualRows {
  fileprivate struct KeyTexts {
    var name, role, unit: String
  }

  /// The keys of the session that was asked about last, while one query runs: a join asks for each of its rows.
  struct KeptKeys {
    fileprivate var session: Int64
    fileprivate var keys: [Int32: KeyTexts]
  }

  /// Not kept: what the connection owns must not hold what holds the connection.
  private unowned let reader: RecordingReader
  private let times: ClosedRange<Int64>
  private let name: String?
  private var sessions: ArraySlice<Int64>
  private var session: Int64 = 0
  private var keys: [Int32: KeyTexts] = [:]
  /// What is left of the session's cursors: one, or one for each key of the name.
  private var cursors: ArraySlice<RowCursor<SampleRecord>> = []
  private var row: SampleRecord?

  /// Begins the rows of a question.
  init(
    _ reader: RecordingReader?, _ request: VirtualTable.Request
  ) throws(VirtualTableError) {
    guard let reader else { throw VirtualTableError("the recording is closed") }
    (self.reader, times, name) = (reader, request.second, request.third)
    do throws(StoreError) {
      // The view joins the sessions, so that a number is one of theirs.
      if let wanted = request.first {
        sessions = [wanted]
      } else {
        sessions = try reader.sessionRecords().map(\.number)[...]
      }
      row = try nextRow()
    } catch {
      throw VirtualTableError(error.message)
    }
  }

  var hasRow: Bool { row != nil }

  func advance() throws(VirtualTableError) {
    do throws(StoreError) {
      row = try nextRow()
    } catch {
      throw VirtualTableError(error.message)
    }
  }

  private func nextRow() throws(StoreError) -> SampleRecord? {
    while true {
      while let cursor = cursors.first {
        if let row = try cursor.next() { return row }
        cursors.removeFirst()
      }
      guard let next = sessions.popFirst() else { return nil }
      session = next
      try readKeys()
      try openCursors()
    }
  }

  private func readKeys() throws(StoreError) {
    if let kept = reader.keptKeys, kept.session == session {
      keys = kept.keys
      return
    }
    keys = [:]
    let statement = try reader.prepare(KeyTable.textsOfSession, [session])
    try naming(reader.path) { () throws(SQLiteError) in
      while try statement.step() {
        keys[Int32(truncatingIfNeeded: statement.int64(at: 0))] = KeyTexts(
          name: statement.text(at: 1) ?? "", role: statement.text(at: 2) ?? "",
          unit: statement.text(at: 3) ?? "")
      }
    }
    reader.keptKeys = KeptKeys(session: session, keys: keys)
  }

  private func openCursors() throws(StoreError) {
    let range =
      Instant(nanoseconds: times.lowerBound)...Instant(nanoseconds: times.upperBound)
    guard let name else {
      cursors = [try reader.samples(in: session, from: range)]
      return
    }
    let named = keys.filter { $0.value.name == name }.keys.sorted()
    // The samples of several keys of one name would come key after key, which is not their order.
    if named.count > 1 {
      cursors = [try reader.samples(in: session, from: range)]
    } else if let key = named.first {
      cursors = [try reader.samples(of: KeyHandle(rawValue: key), in: session, from: range)]
    }
  }

  func give(_ column: Int, to result: borrowing VirtualResult) {
    guard let row else { return result.giveNull() }
    switch column {
    case 0: result.give(session)
    case 1: result.give(row.time.nanoseconds)
    case 3: result.give(row.value)
    case 4: result.give(row.phase.rawValue)
    case 7: result.give(row.ordinal)
    default:
      guard let key = keys[row.key.rawValue] else { return result.giveNull() }
      result.give(column == 2 ? key.name : column == 5 ? key.role : key.unit)
    }
  }
}
