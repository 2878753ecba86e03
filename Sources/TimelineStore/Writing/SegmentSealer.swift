import SQLiteAccess

/// Seals the attributes of a session while it is written, once it is long: each segment in the transaction
/// that brings the key frame after it, or the session's end. What a transaction brings of a segment is a part
/// of its own up to then, in place of rows, and stays one where there are few of them.
///
/// Whatever cannot be sealed stays plain rows, and what was written when a transaction failed stays as it is:
/// reading takes rows, parts and segments alike.
package struct SegmentSealer: Sendable {
  private let precision: SealPrecision
  private let plainRows: Int64
  /// The segment that is being filled. `nil` where rows pass through.
  private var open: OpenSegment?
  /// What the transaction brought of it behind the key frame. `nil` where that is nothing, and where it is not
  /// sure yet that the segment will be sealed, whose rows are written as they come.
  private var part: OpenSegment?
  private var isCertain = false
  /// How many parts of the open segment are in the table.
  private var partCount = 0
  /// The newest frame of the open segment, other than its key frame, whose rows are in the table.
  private var writtenThrough: Int64?
  private var frame: Int64 = 0
  /// Rows of the segment before: about as many will come again.
  private var expected = 0

  /// So many rows before the first that is sealed, segments are kept in columns too, so that the one with
  /// that row can be: a second of 1,000 elements that all move at 120 Hz.
  private static let lead: Int64 = 131_072

  /// A segment that came in no more parts than this is left in them: they are hardly larger than it, and putting
  /// them together would write all of it twice. Those of commits of half a second are.
  private static let mostParts = 3

  /// Begins without a segment: rows pass through until the first key frame.
  ///
  /// - Parameters:
  ///   - precision: How exact the session's poses are kept.
  ///   - plainRows: How many rows outside of key frames a session may have before the segment with the next
  ///     one is sealed. 0: every segment is.
  package init(precision: SealPrecision, plainRows: Int = 0) {
    self.precision = precision
    self.plainRows = max(0, Int64(plainRows))
  }

  /// Begins a frame. A key frame completes the segment before it.
  ///
  /// - Parameter rows: How many rows outside of key frames the session has so far.
  package mutating func begin(
    _ frame: FrameRecord, after rows: Int64, in store: RecordingStore
  ) throws(StoreError) {
    self.frame = frame.number
    if frame.isKeyFrame {
      try finish(after: rows, in: store)
      if plainRows == 0 || rows > plainRows - Self.lead {
        open = OpenSegment(firstFrame: frame.number, expected: expected)
        isCertain = plainRows == 0 || rows > plainRows
      }
    } else {
      open?.add(frame: frame.number)
      part?.add(frame: frame.number)
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
    try rounded.withUnsafeBufferPointer { words throws(StoreError) in
      try takeExact(words, in: store)
    }
  }

  /// A change as it is kept. `nil` where it is kept as it is.
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
    } else if isCertain {
      if part == nil { part = OpenSegment(firstFrame: frame) }
      part?.add(change)
    } else {
      try store.insertChange(change, frame: frame)
      writtenThrough = frame
    }
    if let open, open.rowCount >= SegmentRows.mostRows {
      // Too large for a block: what there is stays as it is.
      try writePending(in: store)
      abandon()
    }
  }

  /// Writes what the transaction brought of the open segment, as a part, or as rows where that is too little.
  package mutating func writePending(in store: RecordingStore) throws(StoreError) {
    guard let part = part.take() else { return }
    let rows = part.sorted()
    let record = SegmentRecord(
      firstFrame: rows.firstFrame, lastFrame: rows.lastFrame, rowCount: Int64(rows.rowCount),
      precision: precision, isPart: true)
    if let blocks = SegmentWriter.blocks(of: rows, record) {
      try store.insert(record, blocks)
      partCount += 1
    } else {
      let ordered = rows.inFrameOrder()
      for position in 0..<rows.rowCount {
        try store.insert(ordered.change(at: position), frame: ordered.frame(at: position))
      }
      writtenThrough = rows.lastFrame
    }
  }

  /// Forgets the open segment after a transaction that was taken back: its rows come again, and with
  /// those that are in the table already they stay plain.
  package mutating func abandon() {
    open = nil
    part = nil
    partCount = 0
    writtenThrough = nil
  }

  /// Whether the open segment is in the table but for its end, and in few parts.
  private var staysInParts: Bool {
    partCount > 0 && writtenThrough == nil && partCount + (part == nil ? 0 : 1) <= Self.mostParts
  }

  /// Completes the open segment, at the session's end its last one.
  ///
  /// - Parameter rows: How many rows outside of key frames the session has, the segment's included.
  package mutating func finish(
    after rows: Int64, in store: RecordingStore
  ) throws(StoreError) {
    defer { abandon() }
    guard !staysInParts, let segment = open.take(),
      segment.rowCount >= SegmentWriter.minimumRows, plainRows == 0 || rows > plainRows
    else { return try writePending(in: store) }
    expected = segment.rowCount
    let rows = segment.sorted()
    let record = SegmentRecord(
      firstFrame: rows.firstFrame, lastFrame: rows.lastFrame, rowCount: Int64(rows.rowCount),
      precision: precision)
    guard let blocks = SegmentWriter.blocks(of: rows, record) else {
      return try writePending(in: store)
    }
    try store.seal(record, blocks, hasParts: partCount > 0, writtenThrough: writtenThrough)
  }
}

extension RecordingStore {
  /// Writes a part of a segment.
  func insert(_ segment: SegmentRecord, _ blocks: [Block]) throws(StoreError) {
    try naming(path, try segments.insert(segment, blocks, session: session))
  }

  /// Writes a segment and takes those of its rows and parts out that stand in the tables, but the key frame's.
  ///
  /// - Parameter writtenThrough: The newest frame with rows in the table. `nil` when only the key frame has.
  func seal(
    _ segment: SegmentRecord, _ blocks: [Block], hasParts: Bool, writtenThrough: Int64?
  ) throws(StoreError) {
    try naming(path) { () throws(SQLiteError) in
      if let writtenThrough {
        try segments.removeRows(of: segment.firstFrame + 1...writtenThrough, session: session)
      }
      if hasParts {
        try segments.removeParts(
          segment.firstFrame + 1...segment.lastFrame, session: session)
      }
      try segments.insert(segment, blocks, session: session)
    }
  }
}
