import SQLiteAccess
import TimelineModel

/// The samples of a session in columns, plain and sealed ones as one: stretch after stretch in the order of time.
///
/// A stretch is a segment with the plain samples among its own, or plain samples that lie between segments.
final class MergedColumns {
  private let plain: RowCursor<SampleRecord>
  private let sealed: SealedSamples?
  private let segments: KeptStatement?
  private let key: KeyHandle?
  private let times: ClosedRange<Int64>
  private let isBackwards: Bool
  private let path: String
  /// The segment that comes next, at whose row ``segments`` stands. `nil` behind the last.
  private var segment: SampleSegmentTable.Row?
  private var isTaken = false
  /// The most plain samples that are given at once. It grows, since many questions are about a few samples.
  private var mostAtOnce = 64

  /// Reads what comes first of both, so that all samples are of one state of the file.
  ///
  /// - Parameters:
  ///   - plain: The plain samples.
  ///   - sealed: Unpacks the sealed ones. `nil`: there are none.
  ///   - session: The session's number.
  ///   - key: The only key that is unpacked. `nil`: all are.
  ///   - times: Segments that overlap this time are given as a whole.
  ///   - isBackwards: Whether the latest stretch comes first.
  init(
    _ plain: RowCursor<SampleRecord>, _ sealed: SealedSamples?, of session: Int64,
    key: KeyHandle? = nil, times: ClosedRange<Int64>, isBackwards: Bool = false, path: String
  ) throws(StoreError) {
    (self.plain, self.sealed, self.key, self.times) = (plain, sealed, key, times)
    (self.isBackwards, self.path) = (isBackwards, path)
    segments =
      if let sealed {
        try unsealing(
          path, try sealed.segments(of: session, times: times, isBackwards: isBackwards))
      } else {
        nil
      }
    try advance()
    try plain.peek()
  }

  private func advance() throws(StoreError) {
    segment = nil
    if let segments { segment = try unsealing(path, try SealedSamples.next(of: segments)) }
  }

  /// The next stretch, which has at least one sample. `nil` behind the last.
  func next() throws(StoreError) -> SampleColumns? {
    while true {
      if isTaken {
        isTaken = false
        try advance()
      }
      let border = segment?.segment
      let rows = try plain.take(atMost: mostAtOnce) { time in
        border.map { isBackwards ? time > $0.last : time < $0.first } ?? true
      }
      mostAtOnce = min(mostAtOnce * 2, 1 << 14)
      if !rows.isEmpty { return SampleColumns(rows) }
      guard let sealed, let segments, let segment else { return nil }
      var columns = try unsealing(
        path, try sealed.columns(segments.statement, segment, key?.rawValue))
      isTaken = true
      let among = try plain.take { time in
        isBackwards ? time >= segment.segment.first : time <= segment.segment.last
      }
      if !among.isEmpty {
        columns.add(SampleColumns(among))
        columns = columns.sorted()
      }
      if columns.rowCount > 0 { return columns }
    }
  }

  /// The samples of the time one by one, in the order of the table `plain_sample`, or in the opposite order.
  var rows: RowCursor<SampleRecord> {
    guard segment != nil else { return plain }
    return RowCursor { (batch) throws(StoreError) in
      while batch.isEmpty {
        guard let columns = try self.next() else { return false }
        columns.addRecords(in: self.times, to: &batch)
        if self.isBackwards { batch.reverse() }
      }
      return true
    }
  }
}

extension RowCursor<SampleRecord> {
  /// The next samples whose instants are wanted, up to a number of them.
  func take(
    atMost most: Int = .max, while isWanted: (Int64) -> Bool
  ) throws(StoreError) -> [SampleRecord] {
    var taken: [SampleRecord] = []
    while taken.count < most, let row = try peek(), isWanted(row.sample.time.nanoseconds) {
      taken.append(row)
      _ = try next()
    }
    return taken
  }
}

extension SampleTable {
  /// Plain and sealed samples in the order of time, as long as the caller keeps the connection open.
  static func rows(
    of session: Int64, key: KeyHandle? = nil,
    from times: ClosedRange<Int64> = Int64.min...Int64.max, on connection: borrowing Connection
  ) throws(StoreError) -> RowCursor<SampleRecord> {
    let values =
      [session, times.lowerBound, times.upperBound] + (key.map { [Int64($0.rawValue)] } ?? [])
    let statement = try naming(
      connection, try connection.prepare(key == nil ? inRange : ofKeyInRange, values))
    let plain = StatementRows(
      table: name, statement: statement, path: connection.path, owner: nil, decode: read)
    return try MergedColumns(
      RowCursor { () throws(StoreError) in try plain.next() },
      SealedSamples(StatementMaker(connection)), of: session, key: key, times: times,
      path: connection.path
    ).rows
  }
}
