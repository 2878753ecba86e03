import TimelineModel

/// Samples in the form in which a file has them.
package struct SealedColumns {
  /// What a key did in one second.
  struct Second {
    var key: Int32
    var second: Int64
    var count: Int64 = 1
    var first: (time: Int64, value: Double)
    var last: (time: Int64, value: Double)
    var smallest: Double
    var largest: Double
  }

  let record: SampleSegmentRecord
  let phases: String
  let checksum: Int64
  let head: [UInt8]
  let data: [UInt8]
  let seconds: [Second]

  /// Packs samples. `nil` for those that do not come back from their bytes exactly, which stay plain rows.
  ///
  /// - Parameter columns: Samples, in any order.
  init?(_ columns: SampleColumns) {
    let sorted = columns.sorted()
    guard sorted.rowCount > 0, sorted.rowCount <= SampleSegmentRecord.mostRows else { return nil }
    record = SampleSegmentRecord(
      first: sorted.first, last: sorted.last, rowCount: Int64(sorted.rowCount))
    let clocks = sorted.clocks()
    (head, data) = SampleBlock.encode(sorted, clocks)
    guard let back = try? SampleBlock(head, record).columns(data), back == sorted else {
      return nil
    }
    checksum = BlockChecksum.of(head, in: record)
    phases = Self.phases(clocks.clocks)
    seconds = Self.seconds(sorted)
  }

  /// The instants from which on the samples are of another phase: of those of one instant, the furthest.
  private static func phases(_ clocks: [SampleColumns.Series]) -> String {
    var instants: [(time: Int64, phase: UInt8)] = []
    for clock in clocks {
      instants += zip(clock.times, clock.phases).map { (time: $0, phase: $1) }
    }
    if clocks.count > 1 { instants.sort { $0.time < $1.time } }
    var changes: [(time: Int64, phase: UInt8)] = []
    var start = 0
    while start < instants.count {
      var end = start + 1
      var phase = instants[start].phase
      while end < instants.count, instants[end].time == instants[start].time {
        phase = max(phase, instants[end].phase)
        end += 1
      }
      if changes.last?.phase != phase { changes.append((instants[start].time, phase)) }
      start = end
    }
    return "[" + changes.map { "[\($0.time),\($0.phase)]" }.joined(separator: ",") + "]"
  }

  private static func seconds(_ columns: SampleColumns) -> [Second] {
    var seconds: [Second] = []
    for series in columns.series {
      var current: Second?
      for (time, word) in zip(series.times, series.words) {
        let value = Double(bitPattern: word)
        let second = time.flooredSeconds
        if var same = current, same.second == second {
          same.count += 1
          same.last = (time, value)
          same.smallest = min(same.smallest, value)
          same.largest = max(same.largest, value)
          current = same
          continue
        }
        if let current { seconds.append(current) }
        current = Second(
          key: series.key, second: second, first: (time, value), last: (time, value),
          smallest: value, largest: value)
      }
      if let current { seconds.append(current) }
    }
    return seconds
  }
}

extension SealedColumns.Second {
  /// As the table has it.
  func row(in segment: Int64) -> SampleSecondTable.Row {
    var summary = KeySummary(
      key: KeyHandle(rawValue: key),
      only: Sample(time: Instant(nanoseconds: first.time), value: first.value))
    summary.sampleCount = count
    summary.last = Sample(time: Instant(nanoseconds: last.time), value: last.value)
    (summary.smallest, summary.largest) = (smallest, largest)
    return SampleSecondTable.Row(segment: segment, second: second, summary: summary)
  }
}

extension Int64 {
  /// Whole seconds of nanoseconds, rounded down.
  fileprivate var flooredSeconds: Int64 {
    self / 1_000_000_000 - (self % 1_000_000_000 < 0 ? 1 : 0)
  }
}
