import SQLiteAccess
package import TimelineModel

extension RecordingReader {
  /// All instants there are.
  package static var allTime: ClosedRange<Instant> {
    Instant(nanoseconds: .min)...Instant(nanoseconds: .max)
  }

  /// Values of every key in the order of time, then key, then as recorded.
  package func samples(
    in session: Int64, from range: ClosedRange<Instant> = RecordingReader.allTime
  ) throws(StoreError) -> RowCursor<SampleRecord> {
    let times = range.lowerBound.nanoseconds...range.upperBound.nanoseconds
    return try samples(
      plain: try plainSamples(in: session, from: times), in: session, key: nil, times)
  }

  /// Plain samples of a key, or of every key, in the order of time, then as recorded, then by key.
  func plainSamples(
    of key: KeyHandle? = nil, in session: Int64,
    from times: ClosedRange<Int64> = Int64.min...Int64.max
  ) throws(StoreError) -> RowCursor<SampleRecord> {
    let rows = try PlainSampleRows(of: session, key, from: times, in: self)
    return RowCursor { (batch) throws(StoreError) in try rows.addNext(to: &batch) }
  }

  /// Plain and sealed samples as one.
  ///
  /// - Parameter key: The key of the sealed ones. `nil`: all.
  private func samples(
    plain: RowCursor<SampleRecord>, in session: Int64, key: KeyHandle?,
    _ times: ClosedRange<Int64>, isBackwards: Bool = false
  ) throws(StoreError) -> RowCursor<SampleRecord> {
    guard mayHaveSealedSamples else { return plain }
    let sealed = sealedSamples
    defer { sealed.endLook() }
    guard try unsealing(path, try sealed.beginLook()) else {
      try plain.peek()
      return plain
    }
    let merged = try MergedColumns(
      plain, sealed, of: session, key: key, times: times, isBackwards: isBackwards, path: path
    ).rows
    try merged.peek()
    return merged
  }

  /// Hands on every value of a session in the order of time, then as recorded, then by key.
  ///
  /// - Parameter body: Takes a value. Its time is in nanoseconds.
  /// - Throws: ``StoreError``: the file cannot be read, or a row holds what no recorder writes.
  package func forEachSample(
    in session: Int64,
    _ body: (_ key: KeyHandle, _ time: Int64, _ value: Double, _ phase: MotionPhase) -> Void
  ) throws(StoreError) {
    let rows = try samples(in: session)
    while let row = try rows.next() { body(row.key, row.time.nanoseconds, row.value, row.phase) }
  }

  /// Values of one key in the order of time, values of one instant in the order recorded.
  ///
  /// The rows lie in the order of time, so this reads over the other keys' values in the range.
  package func samples(
    of key: KeyHandle, in session: Int64,
    from range: ClosedRange<Instant> = RecordingReader.allTime
  ) throws(StoreError) -> RowCursor<SampleRecord> {
    let times = range.lowerBound.nanoseconds...range.upperBound.nanoseconds
    return try samples(
      plain: try plainSamples(of: key, in: session, from: times), in: session, key: key, times)
  }

  /// The newest values of a key up to and including an instant, the oldest of them first.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - session: The session's number.
  ///   - time: The instant, as of a lift.
  ///   - limit: At most so many values.
  package func newestSamples(
    of key: KeyHandle, in session: Int64, upTo time: Instant, limit: Int
  ) throws(StoreError) -> [SampleRecord] {
    let rows = try samples(
      plain: try rows(
        of: SampleTable.self, onPlainSamples(SampleTable.ofKeyBackwards),
        [session, time.nanoseconds, Int64(key.rawValue), Int64(max(0, limit))]),
      in: session, key: key, Int64.min...time.nanoseconds, isBackwards: true)
    var newest: [SampleRecord] = []
    while newest.count < limit, let row = try rows.next() { newest.append(row) }
    return newest.reversed()
  }

  /// The newest value of each key in a stretch of time. Keys without one are left out.
  ///
  /// - Complexity: one walk back through the rows of the stretch until every key was met. Of sealed samples a look for each
  ///   key, which skips the segments without it.
  package func newestSamples(
    of keys: [KeyHandle], in session: Int64, from range: ClosedRange<Instant>
  ) throws(StoreError) -> [KeyHandle: SampleRecord] {
    var newest: [KeyHandle: SampleRecord] = [:]
    let times = range.lowerBound.nanoseconds...range.upperBound.nanoseconds
    if try firstSealedSample(in: session) != nil {
      for key in keys {
        let row = try samples(
          plain: try rows(
            of: SampleTable.self, onPlainSamples(SampleTable.ofKeyBackwards),
            [session, times.upperBound, Int64(key.rawValue), 1]),
          in: session, key: key, times, isBackwards: true
        ).next()
        if let row, range.contains(row.time) { newest[key] = row }
      }
      return newest
    }
    var missing = Set(keys)
    let rows = try samples(
      plain: try rows(
        of: SampleTable.self, onPlainSamples(SampleTable.backwards),
        [session, times.lowerBound, times.upperBound]),
      in: session, key: nil, times, isBackwards: true)
    while !missing.isEmpty, let row = try rows.next() {
      if missing.remove(row.key) != nil { newest[row.key] = row }
    }
    return newest
  }

  /// What each key did, in the order of their numbers. Keys without a value are left out.
  ///
  /// A session that was closed has these written down. For any other its plain values are read through, and of sealed
  /// ones what each key did in each second, which says nothing of intervals.
  package func keySummaries(in session: Int64) throws(StoreError) -> [KeySummary] {
    let written = try rows(of: KeySummaryTable.self, KeySummaryTable.ofSession, [session]).rest()
    if !written.isEmpty { return written }
    var summaries: [KeyHandle: KeySummary] = [:]
    if mayHaveSealedSamples {
      let seconds = try rows(
        of: SampleSecondTable.self, SampleSecondTable.inRange, [session, Int64.min, Int64.max])
      while let second = try seconds.next() {
        if summaries[second.key]?.add(second.summary) == nil {
          summaries[second.key] = second.summary
        }
      }
    }
    summaries.merge(try KeySummary.all(of: plainSamples(in: session))) { sealed, plain in
      var both = sealed
      both.add(plain)
      return both
    }
    return summaries.values.sorted { $0.key.rawValue < $1.key.rawValue }
  }

  /// Values of every key in the order of time for a picture in which a second is no wider than a point: the first, the
  /// smallest, the largest and the last that a key has in a second. The times of the smallest and the largest are between
  /// the others, not their own. Plain values among sealed ones are all given.
  package func outline(
    in session: Int64, from range: ClosedRange<Instant>
  ) throws(StoreError) -> RowCursor<SampleRecord> {
    guard try sealedSampleCount(in: session) > 0 else {
      let rows = try samples(in: session, from: range)
      return RowCursor { (batch) throws(StoreError) in
        try SampleSecond.outlineNext(of: rows, to: &batch)
      }
    }
    var stretches = try SecondStretches(in: session, from: range, self)
    return RowCursor { (batch) throws(StoreError) in
      guard let (seconds, plain) = try stretches.next() else { return false }
      for second in seconds { second.outline(to: &batch) }
      batch += plain
      if !seconds.isEmpty { batch.sort { ($0.sample.time, $0.slot) < ($1.sample.time, $1.slot) } }
      return true
    }
  }
}
