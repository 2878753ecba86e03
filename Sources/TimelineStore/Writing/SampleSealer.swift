import SQLiteAccess
import TimelineModel

/// Seals the samples of a session while it is written: what a transaction brings becomes a segment of its own, in
/// place of rows, and about ten seconds of these are put together.
///
/// What comes late, at or before an instant that is sealed, and what is too little for a segment are plain
/// rows, up to the time at which a segment takes them in. Reading takes both.
package struct SampleSealer: Sendable {
  /// Samples of the transaction that are not in a table yet.
  private var pending = SampleColumns()
  /// All samples since the last full segment, without the pending ones.
  private var open = SampleColumns()
  /// How many segments the open samples are in, and those of them that are plain rows.
  private var openSegments = 0
  private var openRows = SampleColumns()
  /// The latest instant of any segment.
  private var sealedThrough: Int64?

  /// How long a stretch is put together from, in nanoseconds: ten seconds, 1,200 values of a key at 120 Hz.
  package static let segmentNanoseconds: Int64 = 10_000_000_000
  /// As many samples are a full segment, however short the time.
  static let fullRows = 262_144
  /// Fewer samples than this stay plain rows, and where they are sparse a stretch is longer.
  static let minimumRows = 64

  private let stretchNanoseconds: Int64

  /// Begins without any sample.
  ///
  /// - Parameter stretchNanoseconds: From how long a stretch a segment is put together.
  package init(stretchNanoseconds: Int64 = SampleSealer.segmentNanoseconds) {
    self.stretchNanoseconds = stretchNanoseconds
  }

  /// Takes a sample.
  ///
  /// - Parameter slot: As the column `slot` has it.
  package mutating func take(
    _ time: Int64, _ slot: Int64, _ value: Double, in store: RecordingStore
  ) throws(StoreError) {
    if let sealedThrough, time <= sealedThrough {
      try store.insertSample(at: time, slot: slot, value)
      if open.rowCount > 0, time >= open.first {
        open.add(time, slot, value.bitPattern)
        openRows.add(time, slot, value.bitPattern)
      }
    } else {
      pending.add(time, slot, value.bitPattern)
    }
  }

  /// The ordinal of the next value of a key at an instant, of those that are not in a table yet.
  package mutating func nextOrdinal(of key: Int32, at time: Int64) -> Int64 {
    pending.nextOrdinal(of: key, at: time)
  }

  /// Writes the samples of a transaction.
  ///
  /// - Parameter isLast: Whether the session ends with it.
  package mutating func write(isLast: Bool, in store: RecordingStore) throws(StoreError) {
    if pending.rowCount >= Self.minimumRows, let sealed = SealedColumns(pending) {
      try store.insert(sealed)
      openSegments += 1
      sealedThrough = max(sealedThrough ?? .min, sealed.record.last)
    } else if pending.rowCount > 0 {
      try store.insertPlain(pending)
      openRows.add(pending)
    }
    if pending.rowCount > 0 {
      open.add(pending)
      pending.removeAll()
    }
    guard open.rowCount > 0 else { return }
    let (span, overflow) = open.last.subtractingReportingOverflow(open.first)
    guard
      isLast || open.rowCount >= Self.fullRows
        || open.rowCount >= Self.minimumRows && (overflow || span >= stretchNanoseconds)
    else { return }
    if openSegments > 1 || openRows.rowCount > 0, open.rowCount >= Self.minimumRows,
      let sealed = SealedColumns(open)
    {
      try store.replaceSamples(by: sealed, openRows)
      sealedThrough = max(sealedThrough ?? .min, sealed.record.last)
    }
    forgetOpen()
  }

  private mutating func forgetOpen() {
    open.removeAll()
    openSegments = 0
    openRows.removeAll()
  }

  /// Forgets what is not in a full segment, after a transaction that was taken back, whose samples come again:
  /// those before stay in the segments that they are in.
  package mutating func abandon() {
    pending.removeAll()
    forgetOpen()
  }

  /// Takes note that what is not later than an instant was taken out of the recording.
  package mutating func noteErasure(through time: Int64) {
    if open.rowCount > 0, open.first <= time { forgetOpen() }
  }
}

extension RecordingStore {
  /// Writes a segment of samples.
  fileprivate func insert(_ sealed: SealedColumns) throws(StoreError) {
    try naming(path, try sampleSegments.insert(sealed, session: session))
  }

  /// Writes samples as rows.
  fileprivate func insertPlain(_ columns: SampleColumns) throws(StoreError) {
    try naming(path) { () throws(SQLiteError) in
      try columns.giveAll { time, slot, word throws(SQLiteError) in
        try tables.samples.insert(at: time, slot: slot, Double(bitPattern: word))
      }
    }
  }

  /// Writes a segment in place of those, and of the rows, that it was put together from.
  fileprivate func replaceSamples(
    by sealed: SealedColumns, _ rows: SampleColumns
  ) throws(StoreError) {
    let range = sealed.record.first...sealed.record.last
    try naming(path) { () throws(SQLiteError) in
      if rows.rowCount > 0 {
        let removal = try connection.prepare(SampleTable.removeOne)
        try rows.giveAll { time, slot, _ throws(SQLiteError) in
          try removal.run(session, time, slot)
        }
      }
      try sampleSegments.remove(from: range, session: session)
      try sampleSegments.insert(sealed, session: session)
    }
  }
}
