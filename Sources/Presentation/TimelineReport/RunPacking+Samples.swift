import TimelineModel
import TimelineQuery
import TimelineStore

/// The most samples of all keys together that a page holds: an hour of one key at 120 Hz, or five
/// minutes of ten. Of more only each stretch's smallest and largest are kept.
private let sampleLimit: Int64 = 400_000

extension RunPacking {
  /// Packs every key's values, each key's apart.
  mutating func packSamples() throws {
    var scales: [KeyHandle: ValueScale] = [:]
    for key in keys { stepLevels[key.handle] = StepLevels(of: key) }
    var total: Int64 = 0
    for summary in summaries {
      scales[summary.key] = ValueScale(low: summary.smallest, high: summary.largest)
      total = min(total + summary.sampleCount, 1 << 48)
    }
    if total > sampleLimit { sampleBucket = Int(2 * ((total + sampleLimit - 1) / sampleLimit)) }
    var waiting: [KeyHandle: [SampleRecord]] = [:]
    var buckets: [KeyHandle: SampleBucket] = [:]
    func take(_ row: SampleRecord) throws {
      guard clock.reaches(row.sample.time) else {
        throw StoreError.damaged(
          reader.path,
          "a value at \(row.sample.time.nanoseconds) ns lies outside of what key_summary says of its key"
        )
      }
      guard row.sample.value.isFinite, let scale = scales[row.key] else { return }
      stepLevels[row.key]?.add(row.sample.value)
      if let sampleBucket {
        buckets[row.key, default: SampleBucket()].append(row)
        guard buckets[row.key]?.count == sampleBucket else { return }
        waiting[row.key, default: []] += buckets.removeValue(forKey: row.key)?.kept ?? []
      } else {
        waiting[row.key, default: []].append(row)
      }
      if let rows = waiting[row.key], rows.count >= PageScale.blockRows {
        append(rows, scale)
        waiting[row.key] = []
      }
    }
    let rows = try reader.samples(in: session.number)
    while let row = try rows.next() { try take(row) }
    for key in viewport {
      for (index, time) in key.curve.times.enumerated() {
        try take(
          SampleRecord(
            key: key.record.handle, sample: Sample(time: time, value: key.curve.values[index]),
            phase: key.phases[index], ordinal: 0))
      }
    }
    for key in keys {
      let rest = (waiting[key.handle] ?? []) + (buckets[key.handle]?.kept ?? [])
      if let scale = scales[key.handle], !rest.isEmpty { append(rest, scale) }
    }
  }

  private mutating func append(_ rows: [SampleRecord], _ scale: ValueScale) {
    guard let key = rows.first?.key else { return }
    var bits = BitWriter()
    bits.append(column: rows.map { clock.ticks($0.sample.time) })
    bits.append(column: rows.map { scale.steps($0.sample.value) })
    bits.append(column: rows.map(\.phase.pageNumber))
    keyBlocks[key, default: []].append(text.append(bits, rows: rows.count))
  }
}

/// A key's range, and its values as steps in it.
struct ValueScale {
  var low: Double
  var high: Double

  /// How many steps a value is above the lowest. Halves, so that no range overflows.
  func steps(_ value: Double) -> Int64 {
    let range = high / 2 - low / 2
    guard range > 0 else { return 0 }
    return PageScale.steps((value / 2 - low / 2) / range, PageScale.value)
  }
}

/// Samples in a row of which only the smallest and the largest are kept, so that no peak is lost.
private struct SampleBucket {
  private(set) var count = 0
  private var lowest: SampleRecord?
  private var highest: SampleRecord?

  mutating func append(_ row: SampleRecord) {
    count += 1
    if row.sample.value < lowest?.sample.value ?? .infinity { lowest = row }
    if row.sample.value > highest?.sample.value ?? -.infinity { highest = row }
  }

  /// The two in the order of time, or the one that is both.
  var kept: [SampleRecord] {
    guard let lowest, let highest else { return [] }
    if lowest == highest { return [lowest] }
    let isInOrder =
      (lowest.sample.time, lowest.ordinal) < (highest.sample.time, highest.ordinal)
    return isInOrder ? [lowest, highest] : [highest, lowest]
  }
}
