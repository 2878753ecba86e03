import SQLiteAccess
package import TimelineModel

/// What a key did in one second of a sealed segment.
package struct SampleSecond {
  /// First, last, smallest and largest value, and how many there are.
  package var summary: KeySummary
  /// What the session was doing at the first of them.
  package var phase: MotionPhase

  /// Adds at most four samples that have its ends and its extremes. The times of the extremes are between the others.
  package func outline(to rows: inout [SampleRecord]) {
    let (first, last) = (summary.first, summary.last)
    let third = (last.time.nanoseconds - first.time.nanoseconds) / 3
    var (latest, ordinal): (Instant?, Int64) = (nil, 0)
    func add(_ time: Instant, _ value: Double) {
      ordinal = time == latest ? ordinal + 1 : 0
      latest = time
      rows.append(
        SampleRecord(
          key: summary.key, sample: Sample(time: time, value: value), phase: phase,
          ordinal: ordinal))
    }
    add(first.time, first.value)
    if summary.smallest < min(first.value, last.value) {
      add(first.time.advanced(byNanoseconds: third), summary.smallest)
    }
    if summary.largest > max(first.value, last.value) {
      add(last.time.advanced(byNanoseconds: -third), summary.largest)
    }
    if summary.sampleCount > 1 { add(last.time, last.value) }
  }
}

extension SampleSecond {
  /// A plain sample as a second of its own.
  fileprivate init(_ row: SampleRecord) {
    self.init(summary: KeySummary(key: row.key, only: row.sample), phase: row.phase)
  }

  /// Whether a sample is of its key and between its ends.
  fileprivate func holds(_ row: SampleRecord) -> Bool {
    summary.key == row.key && summary.first.time <= row.sample.time
      && row.sample.time <= summary.last.time
  }

  /// Adds a sample that it holds.
  fileprivate mutating func add(_ sample: Sample) {
    summary.sampleCount += 1
    summary.smallest = min(summary.smallest, sample.value)
    summary.largest = max(summary.largest, sample.value)
    // Of one instant the plain one came later.
    if sample.time == summary.last.time { summary.last = sample }
  }
}

extension SampleSecond {
  /// Adds the outlines of the keys in the next second that has samples, in the order of time.
  ///
  /// - Returns: Whether there was one.
  /// - Complexity: linear in the samples of the second. Keys that are sampled together need no search.
  static func outlineNext(
    of rows: RowCursor<SampleRecord>, to batch: inout [SampleRecord]
  ) throws(StoreError) -> Bool {
    guard let first = try rows.peek() else { return false }
    let second = wholeSecond(of: first)
    var open: [SampleSecond] = []
    var places: [Int32: Int] = [:]
    var place = 0
    while let row = try rows.peek(), wholeSecond(of: row) == second {
      _ = try rows.next()
      if place == open.count || open[place].summary.key != row.key {
        place = places[row.key.rawValue] ?? open.count
      }
      if place == open.count {
        places[row.key.rawValue] = place
        open.append(SampleSecond(row))
      } else {
        open[place].summary.add(row.sample)
      }
      // Whichever key comes next, it is mostly the one behind this one.
      place = place + 1 < open.count ? place + 1 : 0
    }
    for one in open { one.outline(to: &batch) }
    batch.sort { ($0.sample.time, $0.slot) < ($1.sample.time, $1.slot) }
    return true
  }

  private static func wholeSecond(of row: SampleRecord) -> Int64 {
    let (second, rest) = row.sample.time.nanoseconds.quotientAndRemainder(
      dividingBy: 1_000_000_000)
    return rest < 0 ? second - 1 : second
  }
}

extension RecordingReader {
  /// Whether a session has so many samples that can be read key by key and by seconds, without reading over the others: all
  /// but a few of its samples are sealed. False if it is not finished, since more samples may come.
  ///
  /// - Parameter count: The least number of sealed samples.
  /// - Complexity: linear in the segments.
  package func canReadByKey(
    _ session: SessionRecord, from count: Int64
  ) throws(StoreError) -> Bool {
    let sealed = try sealedSampleCount(in: session.number)
    // At most a sixteenth: each key that is read alone reads over the plain samples of all.
    let most = sealed / 16
    guard session.end != nil, most > 0, sealed >= count else { return false }
    let plain = try prepare(onPlainSamples(SampleTable.countUpTo), [session.number, most + 1])
    return try naming(path) { () throws(SQLiteError) in
      try plain.step() && plain.int64(at: 0) <= most
    }
  }

  /// Whether a session has so many samples, plain and sealed ones together.
  ///
  /// - Complexity: constant for a session that was closed, otherwise linear in the count.
  package func hasSamples(
    _ session: SessionRecord, _ count: Int64
  ) throws(StoreError) -> Bool {
    if let known = session.counts?.samples { return known >= count }
    let missing = count - (try sealedSampleCount(in: session.number))
    guard missing > 0 else { return true }
    let plain = try prepare(onPlainSamples(SampleTable.countUpTo), [session.number, missing])
    return try naming(path) { () throws(SQLiteError) in
      try plain.step() && plain.int64(at: 0) >= missing
    }
  }

  /// The number of sealed samples, according to the session's segments.
  func sealedSampleCount(in session: Int64) throws(StoreError) -> Int64 {
    mayHaveSealedSamples ? try unsealing(path, try sealedSamples.count(of: session)) : 0
  }

  /// Refuses a session of more packed samples than are held at a time.
  package func requireHeld(_ session: Int64) throws(StoreError) {
    let count = try sealedSampleCount(in: session)
    guard count <= SealedSamples.mostHeldRows else {
      throw .tooManyHeld(
        path, "a session of \(count) packed samples", atMost: SealedSamples.mostHeldRows)
    }
  }

  /// The most sealed samples that a key of a session has in a second. 0 if none is sealed.
  ///
  /// - Complexity: linear in the seconds.
  package func mostSamplesOfSecond(in session: Int64) throws(StoreError) -> Int64 {
    guard mayHaveSealedSamples else { return 0 }
    let row = try prepare(SampleSecondTable.largest, [session])
    return try naming(path) { () throws(SQLiteError) in try row.step() ? row.int64(at: 0) : 0 }
  }

  /// A summary of each key in each second of a session: segment after segment, in each segment key after key, in the order
  /// of time. A plain sample belongs to the second that it is in, or is a second of its own.
  package func seconds(in session: Int64) throws(StoreError) -> RowCursor<SampleSecond> {
    var stretches = try SecondStretches(in: session, from: RecordingReader.allTime, self)
    return RowCursor { (batch) throws(StoreError) in
      guard let (seconds, plain) = try stretches.next() else { return false }
      batch = seconds
      for row in plain {
        if let place = batch.firstIndex(where: { $0.holds(row) }) {
          batch[place].add(row.sample)
        } else {
          batch.append(SampleSecond(row))
        }
      }
      if !seconds.isEmpty, !plain.isEmpty {
        batch.sort {
          ($0.summary.key.rawValue, $0.summary.first.time)
            < ($1.summary.key.rawValue, $1.summary.first.time)
        }
      }
      return true
    }
  }

  /// Gives the samples of a session in columns, stretch after stretch in the order of time. Samples of different keys are in
  /// no order.
  ///
  /// - Parameters:
  ///   - key: The only key that is read. `nil` for all keys.
  ///   - session: The session's number.
  ///   - range: Samples beyond this time may be given as well.
  ///   - body: Gets the columns of a stretch, each in the order of time. It returns false if it needs no more.
  /// - Throws: ``StoreError``: the file cannot be read, or there are too many samples.
  package func forEachSample(
    of key: KeyHandle?, in session: Int64, from range: ClosedRange<Instant>,
    _ body: ([SampleColumns.Series]) -> Bool
  ) throws(StoreError) {
    let times = range.lowerBound.nanoseconds...range.upperBound.nanoseconds
    // Nothing is missed or given twice if another program seals or unpacks the session meanwhile.
    if mayHaveSealedSamples { _ = try unsealing(path, try sealedSamples.beginLook()) }
    defer { sealedSamples.endLook() }
    let plain = try plainSamples(of: key, in: session, from: times)
    let merged = try MergedColumns(
      plain, mayHaveSealedSamples ? sealedSamples : nil, of: session, key: key, times: times,
      path: path)
    var count: Int64 = 0
    while let columns = try merged.next() {
      count += Int64(columns.rowCount)
      guard key == nil || count <= SealedSamples.mostHeldRows else {
        throw .tooManyHeld(
          path, "a key of more than \(SealedSamples.mostHeldRows) samples",
          atMost: SealedSamples.mostHeldRows)
      }
      guard body(columns.series) else { return }
    }
  }
}

/// The seconds of a session with its plain samples, stretch after stretch in the order of time: plain samples that lie
/// between segments, or the seconds of a segment with the plain samples among them.
struct SecondStretches {
  private let seconds: RowCursor<SampleSecondTable.Row>
  private let plain: RowCursor<SampleRecord>
  private let phases: KeptStatement
  private let session: Int64
  private let path: String

  init(
    in session: Int64, from range: ClosedRange<Instant>, _ reader: RecordingReader
  ) throws(StoreError) {
    let (first, last) = (range.lowerBound.nanoseconds, range.upperBound.nanoseconds)
    if reader.mayHaveSealedSamples {
      _ = try unsealing(reader.path, try reader.sealedSamples.beginLook())
    }
    defer { reader.sealedSamples.endLook() }
    seconds = try reader.rows(
      of: SampleSecondTable.self, SampleSecondTable.inRange, [session, first, last])
    plain = try reader.plainSamples(in: session, from: first...last)
    phases = KeptStatement(try reader.prepare(SampleSecondTable.phases))
    (self.session, path) = (session, reader.path)
    try plain.peek()
    try seconds.peek()
  }

  /// The next stretch, which is not empty. `nil` behind the last.
  mutating func next() throws(StoreError) -> (seconds: [SampleSecond], plain: [SampleRecord])? {
    let segment = try seconds.peek()?.segment
    let before = try plain.take(atMost: 1 << 16) { time in segment.map { time < $0 } ?? true }
    if !before.isEmpty { return ([], before) }
    guard let segment else { return nil }
    let text = try naming(path) { () throws(SQLiteError) in
      phases.statement.reset()
      try phases.statement.bind(session, segment)
      return try phases.statement.step() ? phases.statement.text(at: 0) ?? "" : ""
    }
    let known = SegmentPhases(text)
    var found: [SampleSecond] = []
    var last = segment
    while let second = try seconds.peek(), second.segment == segment {
      found.append(
        SampleSecond(summary: second.summary, phase: known.phase(at: second.summary.first.time)))
      last = max(last, second.summary.last.time.nanoseconds)
      _ = try seconds.next()
    }
    return (found, try plain.take { $0 <= last })
  }
}
