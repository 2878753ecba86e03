import SQLiteAccess
package import TimelineModel

/// What a key did in one second of a sealed segment.
package struct SampleSecond {
  /// First, last, smallest and largest value, and how many there are.
  package var summary: KeySummary
  /// What the session was doing at the first of them.
  package var phase: MotionPhase

  /// Adds at most four samples that have its ends and its extremes; the times of the extremes are between the others.
  package func outline(to rows: inout [SampleRecord]) {
    SampleSecondTable.Row(segment: 0, second: 0, summary: summary).outline(phase, to: &rows)
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

extension RecordingReader {
  /// Whether all but a few samples of a session are sealed, so that it can be read in columns and by seconds; false if it
  /// is not finished, since more samples may come.
  ///
  /// - Complexity: linear in the segments.
  package func isMostlySealed(_ session: SessionRecord) throws(StoreError) -> Bool {
    guard mayHaveSealedSamples, session.end != nil else { return false }
    // At most a sixteenth: each key that is read alone reads over the plain samples of all.
    let most = try sealedSampleCount(in: session.number) / 16
    guard most > 0 else { return false }
    let plain = try prepare(onPlainSamples(SampleTable.countUpTo), [session.number, most + 1])
    return try naming(path) { () throws(SQLiteError) in
      try plain.step() && plain.int64(at: 0) <= most
    }
  }

  /// The number of sealed samples, according to the session's segments.
  package func sealedSampleCount(in session: Int64) throws(StoreError) -> Int64 {
    mayHaveSealedSamples ? try unsealing(path, try sealedSamples.count(of: session)) : 0
  }

  /// Refuses a session of more sealed samples than are held at a time.
  package func requireHeld(_ session: Int64) throws(StoreError) {
    let count = try sealedSampleCount(in: session)
    guard count <= SealedSamples.mostHeldRows else {
      throw .tooManyHeld(
        path, "a session of \(count) sealed samples", atMost: SealedSamples.mostHeldRows)
    }
  }

  /// The most sealed samples that a key of a session has in a second; 0 if none is sealed.
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
    let all = [session, Int64.min, Int64.max]
    if mayHaveSealedSamples { _ = try unsealing(path, try sealedSamples.beginLook()) }
    defer { sealedSamples.endLook() }
    let seconds = try rows(of: SampleSecondTable.self, SampleSecondTable.inRange, all)
    let phases = try prepare(SampleSecondTable.phases)
    let path = path
    var plain = try PlainSamples(
      rows(of: SampleTable.self, onPlainSamples(SampleTable.inRange), all))
    var next = try seconds.next()
    return RowCursor(batches: { (batch) throws(StoreError) in
      guard let segment = next?.segment else {
        batch += try plain.take(while: { _ in true }).map(SampleSecond.init)
        return !batch.isEmpty
      }
      let before = try plain.take(while: { $0 < segment })
      guard before.isEmpty else {
        batch += before.map(SampleSecond.init)
        return true
      }
      let text = try naming(path) { () throws(SQLiteError) in
        phases.reset()
        try phases.bind(session, segment)
        return try phases.step() ? phases.text(at: 0) ?? "" : ""
      }
      let known = SegmentPhases(text)
      var last = segment
      while let second = next, second.segment == segment {
        batch.append(
          SampleSecond(
            summary: second.summary, phase: known.phase(at: second.summary.first.time)))
        last = max(last, second.summary.last.time.nanoseconds)
        next = try seconds.next()
      }
      var among: [SampleRecord] = []
      while case let rows = try plain.take(while: { $0 <= last }), !rows.isEmpty { among += rows }
      for row in among {
        if let place = batch.firstIndex(where: { $0.holds(row) }) {
          batch[place].add(row.sample)
        } else {
          batch.append(SampleSecond(row))
        }
      }
      if !among.isEmpty {
        batch.sort {
          ($0.summary.key.rawValue, $0.summary.first.time)
            < ($1.summary.key.rawValue, $1.summary.first.time)
        }
      }
      return true
    })
  }

  /// Gives the samples of a session in columns, segment after segment in the order of time, with plain samples among or
  /// between them; of a session without segments, plain samples alone. Samples of different keys are in no order.
  ///
  /// - Parameters:
  ///   - session: The session's number.
  ///   - key: The only key that is unpacked; nil for all keys.
  ///   - range: Only segments that overlap this time. Each is given as a whole.
  ///   - body: Gets the columns of a segment, each in the order of time.
  /// - Throws: ``StoreError``: the file cannot be read, or there are too many samples.
  package func forEachSegment(
    in session: Int64, key: KeyHandle? = nil,
    from range: ClosedRange<Instant> = RecordingReader.allTime,
    _ body: ([SampleColumns.Series]) -> Void
  ) throws(StoreError) {
    let times = [session, range.lowerBound.nanoseconds, range.upperBound.nanoseconds]
    if mayHaveSealedSamples {
      try unsealing(path, try sealedSamples.checkCount(of: session))
      // Nothing is missed or given twice if another program seals or unpacks the session meanwhile.
      _ = try unsealing(path, try sealedSamples.beginLook())
    }
    defer { sealedSamples.endLook() }
    var plain = try PlainSamples(
      rows(
        of: SampleTable.self,
        onPlainSamples(key == nil ? SampleTable.inRange : SampleTable.ofKeyInRange),
        times + (key.map { [Int64($0.rawValue)] } ?? [])))
    var count: Int64 = 0
    func give(_ columns: SampleColumns) throws(StoreError) {
      count += Int64(columns.rowCount)
      guard key == nil || count <= SealedSamples.mostHeldRows else {
        throw .tooManyHeld(
          path, "a key of more than \(SealedSamples.mostHeldRows) samples",
          atMost: SealedSamples.mostHeldRows)
      }
      if columns.rowCount > 0 { body(columns.series) }
    }
    func givePlain(while isWanted: (Int64) -> Bool) throws(StoreError) {
      while case let rows = try plain.take(while: isWanted), !rows.isEmpty {
        try give(SampleColumns(rows))
      }
    }
    guard mayHaveSealedSamples else { return try givePlain(while: { _ in true }) }
    guard mayHaveSealedSamples else { return try givePlain(while: { _ in true }) }
    guard mayHaveSealedSamples else { return try givePlain(while: { _ in true }) }
    guard mayHaveSealedSamples else { return try givePlain(while: { _ in true }) }
    guard mayHaveSealedSamples else { return try givePlain(while: { _ in true }) }
    guard mayHaveSealedSamples else { return try givePlain(while: { _ in true }) }
    let segments = try prepare(SampleSegmentTable.inRange, times)
    while try naming(path, try segments.step()) {
      let facts = try reading(
        SampleSegmentTable.name, path, try SampleSegmentTable.read(segments))
      try givePlain(while: { $0 < facts.segment.first })
      let columns = try unsealing(
        path, try sealedSamples.keptColumns(segments, facts, key?.rawValue))
      var among: [SampleRecord] = []
      while case let rows = try plain.take(while: { $0 <= facts.segment.last }), !rows.isEmpty {
        among += rows
      }
      if among.isEmpty {
        try give(columns)
      } else {
        var both = SampleColumns()
        both.add(columns)
        both.add(SampleColumns(among))
        try give(both.sorted())
      }
    }
    try givePlain(while: { _ in true })
  }
}

/// Plain samples, one read ahead.
private struct PlainSamples {
  private let rows: RowCursor<SampleRecord>
  private var next: SampleRecord?
  /// The most that are given at once.
  private static let mostAtOnce = 65_536

  init(_ rows: RowCursor<SampleRecord>) throws(StoreError) {
    self.rows = rows
    next = try rows.next()
  }

  /// The next samples whose instants are wanted, or some of them if there are many; none if the next one is not wanted.
  mutating func take(while isWanted: (Int64) -> Bool) throws(StoreError) -> [SampleRecord] {
    var taken: [SampleRecord] = []
    while let row = next, taken.count < Self.mostAtOnce, isWanted(row.sample.time.nanoseconds) {
      taken.append(row)
      next = try rows.next()
    }
    return taken
  }
}

extension SampleColumns {
  /// Takes plain samples.
  fileprivate init(_ rows: [SampleRecord]) {
    self.init()
    for row in rows {
      add(row.sample.time.nanoseconds, row.slot, row.sample.value.bitPattern)
    }
    self = sorted()
  }
}
