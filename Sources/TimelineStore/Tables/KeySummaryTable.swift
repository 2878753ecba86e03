import SQLiteAccess
package import TimelineModel

/// What a key did in a session, in a few numbers.
package struct KeySummary: Hashable, Sendable {
  package var key: KeyHandle
  /// How many values it has.
  package var sampleCount: Int64
  /// The earliest value and its instant.
  package var first: Sample
  /// The latest value and its instant.
  package var last: Sample
  /// The smallest value, in the key's unit.
  package var smallest: Double
  /// The largest value, in the key's unit.
  package var largest: Double
  /// The shortest time between values that follow each other, equal times left out, in nanoseconds.
  /// `nil` when there are no two different times.
  package var shortestIntervalNanoseconds: Int64?
  /// The longest time between values that follow each other, in nanoseconds.
  package var longestIntervalNanoseconds: Int64?

  /// Makes the summary of a key with a single value.
  package init(key: KeyHandle, only sample: Sample) {
    self.key = key
    sampleCount = 1
    first = sample
    last = sample
    smallest = sample.value
    largest = sample.value
  }

  /// Adds a value that is not earlier than any before it.
  package mutating func add(_ sample: Sample) {
    sampleCount += 1
    smallest = min(smallest, sample.value)
    largest = max(largest, sample.value)
    let interval = sample.time.nanoseconds(since: last.time)
    if interval > 0 {
      shortestIntervalNanoseconds = min(shortestIntervalNanoseconds ?? interval, interval)
      longestIntervalNanoseconds = max(longestIntervalNanoseconds ?? interval, interval)
    }
    last = sample
  }

  /// Adds other values of the key, of any time. Their intervals are not known then.
  mutating func add(_ other: KeySummary) {
    let (sum, overflow) = sampleCount.addingReportingOverflow(other.sampleCount)
    sampleCount = overflow ? .max : sum
    if other.first.time < first.time { first = other.first }
    if other.last.time >= last.time { last = other.last }
    smallest = min(smallest, other.smallest)
    largest = max(largest, other.largest)
    shortestIntervalNanoseconds = nil
    longestIntervalNanoseconds = nil
  }

  /// Values per second where they are farthest apart. `nil` when there are no two different times.
  package var lowestRate: Double? { longestIntervalNanoseconds.map { 1e9 / Double($0) } }

  /// Values per second where they are closest together. `nil` when there are no two different times.
  package var highestRate: Double? { shortestIntervalNanoseconds.map { 1e9 / Double($0) } }

  /// Values per second from the first to the last. `nil` when there are no two different times.
  package var meanRate: Double? {
    let duration = last.time.seconds(since: first.time)
    return duration > 0 ? Double(sampleCount - 1) / duration : nil
  }
}

extension KeySummary {
  /// What each key does in samples in the order of time.
  static func all(
    of samples: RowCursor<SampleRecord>
  ) throws(StoreError) -> [KeyHandle: KeySummary] {
    var summaries: [KeyHandle: KeySummary] = [:]
    while let row = try samples.next() {
      if summaries[row.key]?.add(row.sample) == nil {
        summaries[row.key] = KeySummary(key: row.key, only: row.sample)
      }
    }
    return summaries
  }
}

/// The table `key_summary`, written when a session is closed.
struct KeySummaryTable: ReadableTable, ~Copyable {
  static let name = "key_summary"
  static let columns = [
    "session", "key", "sample_count", "first_ns", "last_ns", "min_interval_ns", "max_interval_ns",
    "first_value", "last_value", "min_value", "max_value",
  ]
  static let ofSession = selectText + " WHERE session = ?1 ORDER BY key"
  static var texts: [String] { [insertText, ofSession] }

  static func insert(
    _ summaries: [KeySummary], session: Int64, into connection: borrowing Connection
  ) throws(SQLiteError) {
    let row = try connection.prepare(insertText)
    for summary in summaries {
      try row.run(
        session, summary.key, summary.sampleCount, summary.first.time, summary.last.time,
        summary.shortestIntervalNanoseconds, summary.longestIntervalNanoseconds,
        summary.first.value, summary.last.value, summary.smallest, summary.largest)
    }
  }

  static func read(_ row: borrowing Statement) throws(BadValue) -> KeySummary {
    var summary = KeySummary(
      key: KeyHandle(rawValue: try row.handle(1)),
      only: Sample(time: try row.instant(3), value: try row.real(7)))
    summary.sampleCount = try row.rowNumber(2)
    summary.last = Sample(time: try row.instant(4), value: try row.real(8))
    summary.shortestIntervalNanoseconds = try interval(row, 5)
    summary.longestIntervalNanoseconds = try interval(row, 6)
    summary.smallest = try row.real(9)
    summary.largest = try row.real(10)
    return summary
  }

  private static func interval(
    _ row: borrowing Statement, _ column: Int32
  ) throws(BadValue) -> Int64? {
    guard let interval = try row.optionalInteger(column) else { return nil }
    guard interval > 0 else {
      throw BadValue(column: columns[Int(column)], found: "the interval \(interval)")
    }
    return interval
  }
}
