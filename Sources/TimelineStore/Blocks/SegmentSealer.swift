/// Seals the attributes of a session while it is written: each segment in the transaction that brings the
/// key frame after it, or the session's end.
///
/// Rows that would be sealed by the transaction that brings them are never written as rows. Whatever
/// cannot be sealed, or was half written when a transaction failed, stays plain rows: reading takes
/// both.
package struct SegmentSealer: Sendable {
  private let precision: SealPrecision
  /// The segment that is being filled; nil where rows pass through.
  private var open: OpenSegment?
  /// Rows of the open segment that are not in the table yet, as a crash journal's words, with where each
  /// ends and its frame.
  private var pending: [UInt64] = []
  private var pendingRows: [(frame: Int64, end: Int)] = []
  /// The newest frame of the open segment, other than its key frame, whose rows are in the table.
  private var writtenThrough: Int64?
  private var frame: Int64 = 0
  /// Rows of the segment before: about as many will come again.
  private var expected = 0

  /// Begins without a segment: rows pass through until the first key frame.
  ///
  /// - Parameter precision: How exact the session's poses are kept.
  package init(precision: SealPrecision) { self.precision = precision }

  /// Begins a frame. A key frame completes the segment before it.
  package mutating func begin(_ frame: FrameRecord, in store: RecordingStore) throws(StoreError) {
    self.frame = frame.number
    if frame.isKeyFrame {
      try complete(in: store)
      open = OpenSegment(firstFrame: frame.number, expected: expected)
    } else {
      open?.add(frame: frame.number)
    }
  }

  /// Takes what became of an element in the frame.
  ///
  /// - Parameter change: The words of a whole change, as a crash journal holds it.
  package mutating func take(
    _ change: UnsafeBufferPointer<UInt64>, in store: RecordingStore
  ) throws(StoreError) {
    guard precision != .exact else { return try takeExact(change, in: store) }
    let rounded = precision.rounded(change)
    let result: Result<Void, StoreError> = rounded.withUnsafeBufferPointer { words in
      do throws(StoreError) {
        return .success(try takeExact(words, in: store))
      } catch {
        return .failure(error)
      }
    }
    try result.get()
  }

  /// A change as it is kept; nil where it is kept as it is.
  package func rounded(_ change: UnsafeBufferPointer<UInt64>) -> [UInt64]? {
    precision == .exact ? nil : precision.rounded(change)
  }

  private mutating func takeExact(
    _ change: UnsafeBufferPointer<UInt64>, in store: RecordingStore
  ) throws(StoreError) {
    guard let first = open?.firstFrame else { return try store.insertChange(change, frame: frame) }
    open?.add(change)
    if frame == first {
      try store.insertChange(change, frame: frame)
    } else {
      pending.append(contentsOf: change)
      pendingRows.append((frame, pending.count))
    }
    if let open, open.rowCount >= SegmentRows.mostRows {
      // Too large for a block: all of it stays rows.
      try writePending(in: store)
      abandon()
    }
  }

  /// Writes what the open segment still holds back as rows, at the end of a transaction that does not end
  /// the session.
  package mutating func writePending(in store: RecordingStore) throws(StoreError) {
    var start = 0
    for row in pendingRows {
      let result: Result<Void, StoreError> = pending.withUnsafeBufferPointer { words in
        do throws(StoreError) {
          return .success(
            try store.insertChange(
              UnsafeBufferPointer(rebasing: words[start..<row.end]), frame: row.frame))
        } catch {
          return .failure(error)
        }
      }
      try result.get()
      writtenThrough = row.frame
      start = row.end
    }
    forgetPending()
  }

  /// Completes the last segment of the session.
  package mutating func finish(in store: RecordingStore) throws(StoreError) {
    try complete(in: store)
  }

  /// Forgets the open segment after a transaction that was taken back: its rows come again, and with
  /// those that are in the table already they stay plain.
  package mutating func abandon() {
    open = nil
    writtenThrough = nil
    forgetPending()
  }

  private mutating func forgetPending() {
    pending.removeAll(keepingCapacity: true)
    pendingRows.removeAll(keepingCapacity: true)
  }

  private mutating func complete(in store: RecordingStore) throws(StoreError) {
    defer { abandon() }
    guard let segment = open.take(), segment.rowCount >= SegmentWriter.minimumRows else {
      return try writePending(in: store)
    }
    expected = segment.rowCount
    let rows = segment.sorted()
    let record = SegmentRecord(
      firstFrame: rows.firstFrame, lastFrame: rows.lastFrame, rowCount: Int64(rows.rowCount),
      precision: precision)
    guard let blocks = SegmentWriter.blocks(of: rows, record) else {
      return try writePending(in: store)
    }
    try store.seal(record, blocks, writtenThrough: writtenThrough)
  }
}
