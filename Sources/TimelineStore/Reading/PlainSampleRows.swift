import SQLiteAccess
import TimelineModel

/// The plain samples of a session, or of a key in it, in the order of time, then as recorded, then by key.
///
/// A statement gives the first ones. A long walk goes on in the pages of the file, where a row costs a tenth. What is left
/// behind the pages, a statement gives again: SQLite has the last word about each row that no recorder writes.
final class PlainSampleRows {
  private let reader: RecordingReader
  private let session: Int64
  private let key: KeyHandle?
  private let end: Int64
  /// Gives the first rows, and keeps the state of the file until the last row.
  private var first: KeptStatement?
  private var pages: SamplePages?
  private var hasLookedForPages = false
  /// Gives the rows behind the pages.
  private var rest: KeptStatement?
  private var mostAtOnce = 1
  /// What ended a list that has rows.
  private var failure: StoreError?

  /// After so many rows a walk is long, and worth a look for the pages. Between two rows of a key lie those of the others.
  private var longWalk: Int { key == nil ? 1_024 : 64 }

  /// Begins the rows.
  ///
  /// - Parameter key: Whose rows are given. `nil`: those of all keys.
  init(
    of session: Int64, _ key: KeyHandle?, from times: ClosedRange<Int64>, in reader: RecordingReader
  ) throws(StoreError) {
    (self.session, self.key, end, self.reader) = (session, key, times.upperBound, reader)
    first = KeptStatement(
      try reader.prepare(
        reader.onPlainSamples(key == nil ? SampleTable.inRange : SampleTable.ofKeyInRange),
        [session, times.lowerBound, end] + keyValue))
  }

  private var keyValue: [Int64] { key.map { [Int64($0.rawValue)] } ?? [] }

  /// Adds the next rows to a list that has none. False behind the last.
  func addNext(to rows: inout [SampleRecord]) throws(StoreError) -> Bool {
    if let failure { throw failure }
    if pages != nil {
      pages?.addNext(to: &rows)
      if !rows.isEmpty { return true }
      if let last = pages?.last {
        rest = KeptStatement(
          try reader.prepare(
            reader.onPlainSamples(key == nil ? SampleTable.behind : SampleTable.ofKeyBehind),
            [session, last.time, last.slot, end] + keyValue))
      }
      pages = nil
    }
    guard let statement = rest ?? first else { return false }
    do throws(StoreError) {
      while rows.count < mostAtOnce {
        guard try naming(reader.path, try statement.statement.step()) else {
          (first, rest) = (nil, nil)
          break
        }
        rows.append(
          try reading(SampleTable.name, reader.path, try SampleTable.read(statement.statement)))
      }
    } catch {
      guard !rows.isEmpty else { throw error }
      failure = error
    }
    // Many questions are about a few rows.
    mostAtOnce = min(2 * mostAtOnce, longWalk)
    if !hasLookedForPages, failure == nil, rows.count == longWalk, let last = rows.last {
      hasLookedForPages = true
      pages = try reader.pages(
        of: session, key, behind: SamplePages.Place(time: last.time.nanoseconds, slot: last.slot),
        upTo: end)
    }
    return !rows.isEmpty
  }
}

extension RecordingReader {
  /// The rows behind a place in the pages of the file. `nil` if some are elsewhere: in a log, a crash journal, or a table of
  /// an older schema.
  fileprivate func pages(
    of session: Int64, _ key: KeyHandle?, behind place: SamplePages.Place, upTo end: Int64
  ) throws(StoreError) -> SamplePages? {
    guard hasAllPlainSamplesInPages else { return nil }
    let root = try prepare(SampleTable.firstPage)
    guard try naming(path, try root.step()), let number = UInt32(exactly: root.int64(at: 0)) else {
      return nil
    }
    return SamplePages(of: session, key, behind: place, upTo: end, root: number, in: self)
  }
}
