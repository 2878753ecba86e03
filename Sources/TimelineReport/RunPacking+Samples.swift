import TimelineModel
import TimelineSession
import TimelineStore

/// The most samples of all keys together that a report holds: an hour of one key at 120 Hz, or five
/// minutes of ten. Of more only each stretch's smallest and largest are kept.
private let sampleLimit: Int64 = 400_000

/// Values of keys take at most this share of what a session may take. No unit.
private let sampleShare = 0.4

extension RunPacking {
  /// Packs every key's values, each key's apart. Of longer stretches the smallest and the largest until they have their
  /// share of the limit.
  mutating func packSamples(byteLimit: Int) throws {
    let start = text.bytes.count
    var scales: [KeyHandle: ValueScale] = [:]
    var total: Int64 = 0
    for summary in summaries {
      scales[summary.key] = ValueScale(low: summary.smallest, high: summary.largest)
      total = min(total + summary.sampleCount, 1 << 48)
    }
    if total > sampleLimit { sampleBucket = Int(2 * ((total + sampleLimit - 1) / sampleLimit)) }
    let hasSeconds = try total > 0 && source.canReadByKey(from: 0)
    let second = hasSeconds ? try reader.mostSamplesOfSecond(in: session.number) : 0
    while true {
      // The summaries of seconds are as good if no second has more values than a point of the report.
      usesSeconds = hasSeconds && sampleBucket.map { $0 >= second } == true
      try packSamples(scales)
      let share = Double(text.bytes.count - start) / (sampleShare * Double(byteLimit))
      // With two values of each key left there is nothing more to leave out.
      if share <= 1 || sampleBucket.map({ $0 >= total }) == true { return }
      let needed = (Double(sampleBucket ?? 2) / 2 * share).rounded(.up)
      sampleBucket = 2 * max((sampleBucket ?? 2) / 2 + 1, Int(min(Double(total), needed)))
      text.cut(to: start)
      keyBlocks.removeAll(keepingCapacity: true)
    }
  }

  private mutating func packSamples(_ scales: [KeyHandle: ValueScale]) throws {
    var packed = PackedKeys(
      indices: IndexByNumber(keys.enumerated().map { ($1.handle.rawValue, $0) }), clock: clock,
      bucketCount: sampleBucket.map { Int64($0) },
      all: keys.map { PackedKey(levels: StepLevels(of: $0), scale: scales[$0.handle]) })
    if usesSeconds {
      var outline: [SampleRecord] = []
      try source.forEachSecond { second in
        outline.removeAll(keepingCapacity: true)
        second.outline(to: &outline)
        for (index, row) in outline.enumerated() {
          // The bucket is full with the last of them, not before.
          let full = packed.take(
            row.key, row.time.nanoseconds, row.value, row.phase,
            standingFor: index + 1 == outline.count ? max(1, second.summary.sampleCount) : 0)
          if let full { appendBlock(of: full, &packed) }
        }
      }
    } else {
      try source.forEachSample {
        if let full = packed.take($0, $1, $2, $3) { appendBlock(of: full, &packed) }
      }
    }
    for key in viewport {
      for row in key.records {
        let full = packed.take(row.key, row.time.nanoseconds, row.value, row.phase)
        if let full { appendBlock(of: full, &packed) }
      }
    }
    if let farOff = packed.farOff {
      throw StoreError.damaged(
        reader.path,
        "a value at \(farOff.nanoseconds) ns is outside of the range that key_summary has of its key"
      )
    }
    for (index, key) in keys.enumerated() {
      stepLevels[key.handle] = packed.all[index].levels
      packed.all[index].waiting += packed.all[index].bucket.kept
      appendBlock(of: index, &packed)
    }
  }

  /// Appends the values of a key that wait.
  private mutating func appendBlock(of index: Int, _ packed: inout PackedKeys) {
    guard let scale = packed.all[index].scale else { return }
    append(packed.all[index].waiting, of: keys[index].handle, scale)
    packed.all[index].waiting = []
  }

  private mutating func append(
    _ rows: [PackedPoint], of key: KeyHandle, _ scale: ValueScale
  ) {
    guard !rows.isEmpty else { return }
    var bits = BitWriter()
    bits.append(column: rows.map { clock.ticks($0.time) })
    bits.append(column: rows.map { scale.steps($0.value) })
    bits.append(column: rows.map(\.phase.pageNumber))
    keyBlocks[key, default: []].append(text.append(bits, rows: rows.count))
  }
}

/// What is packed of all keys' values so far, in a list, since a dictionary costs each of millions of rows a hash.
private struct PackedKeys {
  let indices: IndexByNumber
  let clock: PageClock
  /// Of so many samples of a key the smallest and the largest are kept. `nil`: all are.
  let bucketCount: Int64?
  var all: [PackedKey]
  /// The first instant that no column takes.
  var farOff: Instant?

  /// Takes a value that counts for several, the others of which count for none.
  ///
  /// - Returns: The place of its key, if the next block of that is full.
  @inline(__always)
  mutating func take(
    _ key: KeyHandle, _ time: Int64, _ value: Double, _ phase: MotionPhase,
    standingFor count: Int64 = 1
  ) -> Int? {
    let point = PackedPoint(time: Instant(nanoseconds: time), value: value, phase: phase)
    guard clock.reaches(point.time) else {
      farOff = farOff ?? point.time
      return nil
    }
    let index = indices[key.rawValue]
    guard value.isFinite, index >= 0,
      all[index].take(point, standingFor: count, bucketCount: bucketCount)
    else { return nil }
    return index
  }
}

/// What is packed of a key's values so far.
private struct PackedKey {
  var levels: StepLevels
  /// nil: the key has no value.
  var scale: ValueScale?
  /// The samples of the next block.
  var waiting: [PackedPoint] = []
  var bucket = SampleBucket()

  /// Takes a value.
  ///
  /// - Returns: Whether the next block is full.
  @inline(__always)
  mutating func take(
    _ point: PackedPoint, standingFor count: Int64, bucketCount: Int64?
  ) -> Bool {
    guard scale != nil else { return false }
    levels.add(point.value)
    guard let bucketCount else {
      waiting.append(point)
      return waiting.count >= PageScale.blockRows
    }
    bucket.append(point, standingFor: count)
    guard bucket.count >= bucketCount else { return false }
    waiting += bucket.kept
    bucket = SampleBucket()
    return waiting.count >= PageScale.blockRows
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

/// A value of a key.
private struct PackedPoint {
  var time: Instant
  var value: Double
  var phase: MotionPhase
}

/// Samples in a row of which only the smallest and the largest are kept, so that no peak is lost.
private struct SampleBucket {
  private(set) var count: Int64 = 0
  private var lowest = PackedPoint(
    time: Instant(nanoseconds: 0), value: .infinity, phase: .idle)
  private var highest = PackedPoint(
    time: Instant(nanoseconds: 0), value: -.infinity, phase: .idle)
  /// Which of the samples they are. 0: none.
  private var (lowestNumber, highestNumber) = (0, 0)
  private var number = 0

  /// Takes a sample that counts for several.
  mutating func append(_ point: PackedPoint, standingFor many: Int64) {
    count = min(count + min(many, 1 << 48), 1 << 48)
    number += 1
    if point.value < lowest.value { (lowest, lowestNumber) = (point, number) }
    if point.value > highest.value { (highest, highestNumber) = (point, number) }
  }

  /// The two in the order in which they came, or the one that is both.
  var kept: [PackedPoint] {
    guard number > 0 else { return [] }
    if lowestNumber == highestNumber { return [lowest] }
    return lowestNumber < highestNumber ? [lowest, highest] : [highest, lowest]
  }
}
