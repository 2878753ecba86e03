import SQLiteAccess
public import TimelineModel

extension RecordingReader {
  /// All instants there are.
  public static var allTime: ClosedRange<Instant> {
    Instant(nanoseconds: .min)...Instant(nanoseconds: .max)
  }

  /// Values of every key in the order of time, then key, then as recorded.
  public func samples(
    in session: Int64, from range: ClosedRange<Instant> = RecordingReader.allTime
  ) throws(StoreError) -> RowCursor<SampleRecord> {
    try samples(by: SampleTable.inRange, in: session, from: range)
  }

  private func samples(
    by sql: String, in session: Int64, from range: ClosedRange<Instant>
  ) throws(StoreError) -> RowCursor<SampleRecord> {
    try rows(
      of: SampleTable.self, sql,
      [session, range.lowerBound.nanoseconds, range.upperBound.nanoseconds])
  }

  /// Hands on every value of a session in the order of time, then as recorded, then by key: for whoever
  /// sorts them into columns, since no record is made of a row.
  ///
  /// - Parameter body: Takes a value; its time is in nanoseconds.
  /// - Throws: ``StoreError``: the file cannot be read, or a row holds what no recorder writes.
  package func forEachSample(
    in session: Int64,
    _ body: (_ key: KeyHandle, _ time: Int64, _ value: Double, _ phase: MotionPhase) -> Void
  ) throws(StoreError) {
    let statement = try prepare(SampleTable.wholeSession, [session])
    while try naming(path, try statement.step()) {
      let row = try reading(SampleTable.name, path, try SampleTable.readPlain(statement))
      body(
        KeyHandle(rawValue: Int32(row.packed >> 2 & 0x3fff_ffff)), row.time, row.value,
        MotionPhase(stored: row.packed & 3) ?? .idle)
    }
  }

  /// Values of one key in the order of time, values of one instant in the order recorded.
  ///
  /// The rows lie in the order of time, so this reads over the other keys' values in the range.
  public func samples(
    of key: KeyHandle, in session: Int64,
    from range: ClosedRange<Instant> = RecordingReader.allTime
  ) throws(StoreError) -> RowCursor<SampleRecord> {
    try rows(
      of: SampleTable.self, SampleTable.ofKeyInRange,
      [session, range.lowerBound.nanoseconds, range.upperBound.nanoseconds, Int64(key.rawValue)])
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
    try rows(
      of: SampleTable.self, SampleTable.ofKeyBackwards,
      [session, time.nanoseconds, Int64(key.rawValue), Int64(max(0, limit))]
    ).rest().reversed()
  }

  /// The newest value of each key in a stretch of time; keys without one are left out.
  ///
  /// - Complexity: one walk back through the rows of the stretch, which ends where every key was met.
  package func newestSamples(
    of keys: [KeyHandle], in session: Int64, from range: ClosedRange<Instant>
  ) throws(StoreError) -> [KeyHandle: SampleRecord] {
    var missing = Set(keys)
    var newest: [KeyHandle: SampleRecord] = [:]
    let rows = try samples(by: SampleTable.backwards, in: session, from: range)
    while !missing.isEmpty, let row = try rows.next() {
      if missing.remove(row.key) != nil { newest[row.key] = row }
    }
    return newest
  }

  /// The values that a moment lies between, key by key: the newest up to and including it, then those of
  /// the first instant after it; keys that have neither are left out.
  ///
  /// - Complexity: two walks from the moment, back and on, each of which ends where every key was met.
  package func samples(
    around moment: Instant, of keys: [KeyHandle], in session: Int64
  ) throws(StoreError) -> [KeyHandle: [SampleRecord]] {
    let all = RecordingReader.allTime
    var found = try newestSamples(of: keys, in: session, from: all.lowerBound...moment)
      .mapValues { [$0] }
    guard moment < all.upperBound else { return found }
    var missing = Set(keys)
    var following: [KeyHandle: Instant] = [:]
    let next = moment.advanced(byNanoseconds: 1)
    let rows = try samples(in: session, from: next...all.upperBound)
    var latest = next
    while let row = try rows.next(), !missing.isEmpty || row.sample.time == latest {
      latest = row.sample.time
      if missing.remove(row.key) != nil { following[row.key] = latest }
      if following[row.key] == latest { found[row.key, default: []].append(row) }
    }
    return found
  }

  /// What each key did, in the order of their numbers; keys without a value are left out.
  ///
  /// A session that was closed has these written down; for any other its values are read through.
  package func keySummaries(in session: Int64) throws(StoreError) -> [KeySummary] {
    let written = try rows(of: KeySummaryTable.self, KeySummaryTable.ofSession, [session]).rest()
    if !written.isEmpty { return written }
    var summaries: [KeyHandle: KeySummary] = [:]
    let cursor = try samples(in: session)
    while let row = try cursor.next() {
      if summaries[row.key]?.add(row.sample) == nil {
        summaries[row.key] = KeySummary(key: row.key, only: row.sample)
      }
    }
    return summaries.values.sorted { $0.key.rawValue < $1.key.rawValue }
  }
}

extension SampleTable {
  /// The summary of one key, taken from its rows in the order of time; nil when it has none.
  static func summary(
    of key: KeyHandle, session: Int64, on connection: borrowing Connection
  ) throws(StoreError) -> KeySummary? {
    let statement = try naming(
      connection,
      try connection.prepare(ofKeyInRange, [session, Int64.min, Int64.max, Int64(key.rawValue)]))
    var summary: KeySummary?
    while try naming(connection, try statement.step()) {
      let row = try reading(name, connection.path, try read(statement))
      if summary?.add(row.sample) == nil { summary = KeySummary(key: key, only: row.sample) }
    }
    return summary
  }
}
