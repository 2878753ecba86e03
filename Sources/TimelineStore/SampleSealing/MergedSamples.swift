import SQLiteAccess
import TimelineModel

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
    let sealed = SealedSamples(StatementMaker(connection))
    return try MergedSamples(
      { () throws(StoreError) in try plain.next() },
      try unsealing(
        connection.path, try sealed.cursor(of: session, key: key?.rawValue, times: times)),
      connection.path
    ).rows
  }
}

/// Plain samples and others that come many at a time, in one order.
final class MergedSamples {
  /// Adds the next samples, at least one, in the order that is asked for; false behind the last.
  typealias Batches = (inout [SampleRecord]) throws(StoreError) -> Bool

  private let plain: () throws(StoreError) -> SampleRecord?
  private let batches: Batches
  private let isBackwards: Bool
  /// What was read ahead of each.
  private var nextPlain: SampleRecord?
  private var first: [SampleRecord]?

  /// Reads the first of both, so that all are of one state of the file.
  init(
    _ plain: @escaping () throws(StoreError) -> SampleRecord?, _ batches: @escaping Batches,
    isBackwards: Bool = false
  ) throws(StoreError) {
    self.plain = plain
    self.batches = batches
    self.isBackwards = isBackwards
    var first: [SampleRecord] = []
    if try batches(&first) { self.first = first }
    nextPlain = try plain()
  }

  /// The same with sealed samples.
  convenience init(
    _ plain: @escaping () throws(StoreError) -> SampleRecord?, _ sealed: SealedSampleCursor,
    _ path: String, isBackwards: Bool = false
  ) throws(StoreError) {
    try self.init(
      plain,
      { (batch) throws(StoreError) in
        guard try unsealing(path, try sealed.advanceSegment()) else { return false }
        sealed.giveSegment(to: &batch)
        return true
      }, isBackwards: isBackwards)
  }

  /// All of them, one at a time.
  var rows: RowCursor<SampleRecord> {
    RowCursor { (batch) throws(StoreError) in try self.fill(&batch) }
  }

  /// Adds a batch, with the plain ones before its last, or a plain one behind all batches; false behind the last.
  private func fill(_ batch: inout [SampleRecord]) throws(StoreError) -> Bool {
    let start = batch.count
    if let first = first.take() {
      batch += first
    } else if try !batches(&batch) {
      guard let row = nextPlain else { return false }
      batch.append(row)
      nextPlain = try plain()
      return true
    }
    guard let row = nextPlain, let last = batch.last, precedes(row, last) else { return true }
    let others = batch[start...]
    batch.removeSubrange(start...)
    for other in others {
      while let row = nextPlain, precedes(row, other) {
        batch.append(row)
        nextPlain = try plain()
      }
      batch.append(other)
    }
    return true
  }

  private func precedes(_ row: SampleRecord, _ other: SampleRecord) -> Bool {
    let (one, two) = ((row.sample.time, row.slot), (other.sample.time, other.slot))
    return isBackwards ? one > two : one < two
  }
}
