import TimelineModel

/// Samples of a segment, or of one key of it, in the order of the table `plain_sample`.
struct OrderedSamples: Sendable {
  private(set) var times: [Int64] = []
  private(set) var slots: [Int64] = []
  private(set) var words: [UInt64] = []

  init(_ series: SampleColumns.Series) {
    times = series.times
    words = series.words
    slots.reserveCapacity(times.count)
    for index in times.indices { slots.append(series.slot(index)) }
  }

  init(_ columns: SampleColumns) {
    let all = columns.series
    guard let first = all.first else { return }
    if all.count == 1 {
      self = OrderedSamples(first)
      return
    }
    // Keys that are sampled together come in the order of their numbers at each instant.
    if all.allSatisfy({ $0.times == first.times && $0.ordinals == first.ordinals }) {
      let (count, step) = (first.times.count, all.count)
      times = Array(unsafeUninitializedCapacity: count * step) { times, filled in
        for index in 0..<count {
          for position in 0..<step { times[index * step + position] = first.times[index] }
        }
        filled = count * step
      }
      slots = Self.byInstant(all, count) { $0.slot($1) }
      words = Self.byInstant(all, count) { $0.words[$1] }
      return
    }
    times.reserveCapacity(columns.rowCount)
    slots.reserveCapacity(columns.rowCount)
    words.reserveCapacity(columns.rowCount)
    var rows: [(time: Int64, slot: Int64, word: UInt64)] = []
    rows.reserveCapacity(columns.rowCount)
    for series in all {
      for index in series.times.indices {
        rows.append((series.times[index], series.slot(index), series.words[index]))
      }
    }
    rows.sort { ($0.time, $0.slot) < ($1.time, $1.slot) }
    for row in rows {
      times.append(row.time)
      slots.append(row.slot)
      words.append(row.word)
    }
  }

  /// A column of keys that have so many samples each at the same instants, instant after instant.
  @inline(__always)
  private static func byInstant<Number>(
    _ all: [SampleColumns.Series], _ count: Int, _ number: (SampleColumns.Series, Int) -> Number
  ) -> [Number] {
    Array(unsafeUninitializedCapacity: count * all.count) { numbers, filled in
      for (position, series) in all.enumerated() {
        for index in 0..<count { numbers[index * all.count + position] = number(series, index) }
      }
      filled = count * all.count
    }
  }

  func only(_ key: Int32) -> OrderedSamples {
    var some = self
    let positions = times.indices.filter { SampleSlot.key(slots[$0]) == key }
    some.times = positions.map { times[$0] }
    some.slots = positions.map { slots[$0] }
    some.words = positions.map { words[$0] }
    return some
  }

  /// The places of the samples in a range of instants.
  func positions(in range: ClosedRange<Int64>) -> Range<Int> {
    let start = times.partitioningIndex { $0 >= range.lowerBound }
    return start..<max(start, times.partitioningIndex { $0 > range.upperBound })
  }

  func record(at position: Int) -> SampleRecord {
    let slot = slots[position]
    return SampleRecord(
      key: KeyHandle(rawValue: SampleSlot.key(slot)),
      sample: Sample(
        time: Instant(nanoseconds: times[position]), value: Double(bitPattern: words[position])),
      phase: MotionPhase(stored: Int64(SampleSlot.phase(slot))) ?? .idle,
      ordinal: SampleSlot.ordinal(slot))
  }
}
