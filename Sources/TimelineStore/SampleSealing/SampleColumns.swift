package import TimelineModel

/// Samples of a stretch of time in columns, key after key, each key's in the order of time.
package struct SampleColumns: Equatable, Sendable {
  /// The samples of one key.
  @usableFromInline
  package struct Series: Equatable, Sendable {
    package let key: Int32
    /// Nanoseconds of the session, none earlier than the one before.
    package var times: [Int64] = []
    /// What the session was doing. See ``TimelineModel/MotionPhase``.
    @usableFromInline
    package var phases: [UInt8] = []
    /// 0, 1, … for values of one instant.
    var ordinals: [Int32] = []
    /// Bits of the values, in the key's unit.
    @usableFromInline
    package var words: [UInt64] = []

    init(key: Int32) { self.key = key }

    /// What the session was doing at a sample.
    @inlinable
    package func phase(_ index: Int) -> MotionPhase {
      switch phases[index] {
      case 1: .driving
      case 2: .settling
      default: .idle
      }
    }

    /// The value of a sample, in the key's unit.
    @inlinable
    package func value(_ index: Int) -> Double { Double(bitPattern: words[index]) }

    /// Whether each instant is later than the instant before it, and the first one later than a time. `nil`: than none.
    package func rises(after time: Instant?) -> Bool {
      times.withUnsafeBufferPointer { times in
        guard let first = times.first else { return true }
        if let time, first <= time.nanoseconds { return false }
        for index in 1..<times.count where times[index] <= times[index - 1] { return false }
        return true
      }
    }

    /// Whether each value is a number.
    package var isFinite: Bool {
      words.withUnsafeBufferPointer { words in
        for word in words where !Double(bitPattern: word).isFinite { return false }
        return true
      }
    }

    /// The first sample from an index on at which something drives, or nothing does. The number of samples without one.
    package func firstIndex(isDriving: Bool, from start: Int) -> Int {
      phases.withUnsafeBufferPointer { phases in
        var index = start
        while index < phases.count, (phases[index] == 1) != isDriving { index += 1 }
        return index
      }
    }

    /// Adds to a list, for each sample, whether something was under way.
    package func addMoving(to list: inout [Bool]) {
      phases.withUnsafeBufferPointer { phases in
        list.append(contentsOf: phases.lazy.map { $0 == 1 || $0 == 2 })
      }
    }

    /// The column `slot` of a sample.
    func slot(_ index: Int) -> Int64 {
      SampleSlot.of(
        ordinal: Int64(ordinals[index]), key: key, phase: Int64(phases[index]))
    }

    /// The places of the samples in a range of instants.
    func positions(in range: ClosedRange<Int64>) -> Range<Int> {
      let start = times.partitioningIndex { $0 >= range.lowerBound }
      return start..<max(start, times.partitioningIndex { $0 > range.upperBound })
    }

    /// The places of the samples in a range of instants.
    package func positions(in range: ClosedRange<Instant>) -> Range<Int> {
      positions(in: range.lowerBound.nanoseconds...range.upperBound.nanoseconds)
    }

    /// A sample as it was recorded.
    package func sample(_ index: Int) -> Sample {
      Sample(time: Instant(nanoseconds: times[index]), value: value(index))
    }

    fileprivate func record(_ index: Int) -> SampleRecord {
      SampleRecord(
        key: KeyHandle(rawValue: key), sample: sample(index), phase: phase(index),
        ordinal: Int64(ordinals[index]))
    }

    /// Whether another series has the same instants, phases and ordinals.
    fileprivate func hasSameClock(as other: Series) -> Bool {
      times == other.times && phases == other.phases && ordinals == other.ordinals
    }

    /// Whether the ordinals are 0 but for values of one instant, which count on.
    var countsOrdinals: Bool {
      var expected: Int32 = 0
      for index in times.indices {
        expected = index > 0 && times[index] == times[index - 1] ? expected &+ 1 : 0
        if ordinals[index] != expected { return false }
      }
      return true
    }

    fileprivate mutating func sort() {
      let order = times.indices.sorted {
        (times[$0], ordinals[$0], $0) < (times[$1], ordinals[$1], $1)
      }
      times = order.map { times[$0] }
      phases = order.map { phases[$0] }
      ordinals = order.map { ordinals[$0] }
      words = order.map { words[$0] }
    }
  }

  private struct KeyInstant: Hashable {
    var key: Int32
    var time: Int64
  }

  /// The keys that have samples, in the order in which they came. In what ``sorted()`` returns, in that of their numbers.
  package private(set) var series: [Series] = []
  /// How many samples there are.
  package private(set) var rowCount = 0
  /// The earliest and the latest instant. The first is later than the last where there is none.
  private(set) var first = Int64.max
  private(set) var last = Int64.min
  private var isSorted = true
  private var positions: [Int32: Int] = [:]
  /// The next ordinals of keys' instants, from the first question for one on.
  private var nextOrdinals: [KeyInstant: Int64]?
  /// Where the next sample's key is looked for first: keys mostly come in the same order in each frame.
  private var guess = 0

  package static func == (one: SampleColumns, other: SampleColumns) -> Bool {
    one.series == other.series
  }

  /// Begins without samples.
  package init() {}

  /// Takes a sample.
  ///
  /// - Parameter slot: As the column `slot` has it. See ``SampleSlot``.
  package mutating func add(_ time: Int64, _ slot: Int64, _ word: UInt64) {
    let position = position(of: SampleSlot.key(slot))
    let ordinal = Int32(truncatingIfNeeded: SampleSlot.ordinal(slot))
    if let latest = series[position].times.last,
      time < latest || time == latest && ordinal <= series[position].ordinals.last ?? -1
    {
      isSorted = false
    }
    series[position].times.append(time)
    series[position].phases.append(SampleSlot.phase(slot))
    series[position].ordinals.append(ordinal)
    series[position].words.append(word)
    rowCount += 1
    first = min(first, time)
    last = max(last, time)
    if nextOrdinals != nil { count(ordinal, of: series[position].key, at: time) }
  }

  private mutating func count(_ ordinal: Int32, of key: Int32, at time: Int64) {
    let instant = KeyInstant(key: key, time: time)
    let next = max(nextOrdinals?[instant] ?? 0, Int64(ordinal) + 1)
    nextOrdinals?[instant] = next
  }

  private mutating func position(of key: Int32) -> Int {
    if guess < series.count, series[guess].key == key {
      defer { guess = guess + 1 == series.count ? 0 : guess + 1 }
      return guess
    }
    let position = positions[key] ?? series.count
    if position == series.count {
      positions[key] = position
      series.append(Series(key: key))
    }
    guess = position + 1 == series.count ? 0 : position + 1
    return position
  }

  mutating func add(_ others: SampleColumns) {
    for other in others.series where !other.times.isEmpty {
      let position = position(of: other.key)
      if let latest = series[position].times.last, let next = other.times.first,
        next < latest || next == latest && other.ordinals[0] <= series[position].ordinals.last ?? -1
      {
        isSorted = false
      }
      series[position].times += other.times
      series[position].phases += other.phases
      series[position].ordinals += other.ordinals
      series[position].words += other.words
    }
    isSorted = isSorted && others.isSorted
    nextOrdinals = nil
    rowCount += others.rowCount
    first = min(first, others.first)
    last = max(last, others.last)
  }

  /// Forgets the samples, not the keys, which will come again.
  mutating func removeAll() {
    for position in series.indices {
      series[position].times.removeAll(keepingCapacity: true)
      series[position].phases.removeAll(keepingCapacity: true)
      series[position].ordinals.removeAll(keepingCapacity: true)
      series[position].words.removeAll(keepingCapacity: true)
    }
    rowCount = 0
    first = .max
    last = .min
    isSorted = true
    nextOrdinals = nil
    guess = 0
  }

  /// The ordinal of the next value of a key at an instant.
  ///
  /// - Complexity: linear in the samples the first time, constant until they are forgotten.
  mutating func nextOrdinal(of key: Int32, at time: Int64) -> Int64 {
    if nextOrdinals == nil {
      nextOrdinals = [:]
      for one in series {
        for (time, ordinal) in zip(one.times, one.ordinals) {
          count(ordinal, of: one.key, at: time)
        }
      }
    }
    return nextOrdinals?[KeyInstant(key: key, time: time)] ?? 0
  }

  /// Puts the samples in the order of keys, then time, then ordinals, and leaves out keys without any.
  package func sorted() -> SampleColumns {
    var sorted = self
    sorted.series = series.filter { !$0.times.isEmpty }.sorted { $0.key < $1.key }
    if !isSorted { for position in sorted.series.indices { sorted.series[position].sort() } }
    sorted.positions = [:]
    sorted.isSorted = true
    sorted.guess = 0
    return sorted
  }

  /// The first of each set of keys that are sampled together, and which of them each key belongs to.
  ///
  /// - Complexity: linear in the samples, unless clocks differ and yet have one count, begin and end.
  func clocks() -> (clocks: [Series], ofKeys: [Int]) {
    struct Ends: Hashable {
      var count: Int
      var first: Int64?
      var last: Int64?
    }
    var clocks: [Series] = []
    var ofKeys: [Int] = []
    var known: [Ends: [Int]] = [:]
    for one in series {
      let ends = Ends(count: one.times.count, first: one.times.first, last: one.times.last)
      if let clock = known[ends]?.first(where: { clocks[$0].hasSameClock(as: one) }) {
        ofKeys.append(clock)
      } else {
        known[ends, default: []].append(clocks.count)
        ofKeys.append(clocks.count)
        clocks.append(one)
      }
    }
    return (clocks, ofKeys)
  }

  /// Gives every sample, key after key.
  func giveAll<Failure: Error>(
    _ body: (_ time: Int64, _ slot: Int64, _ word: UInt64) throws(Failure) -> Void
  ) throws(Failure) {
    for one in series {
      for index in one.times.indices {
        try body(one.times[index], one.slot(index), one.words[index])
      }
    }
  }
}

extension SampleColumns {
  /// Columns that are in order.
  init(_ series: [Series], rowCount: Int, _ first: Int64, _ last: Int64) {
    self.series = series
    self.rowCount = rowCount
    self.first = first
    self.last = last
  }

  /// Rows, in any order.
  init(_ rows: [SampleRecord]) {
    for row in rows { add(row) }
    self = sorted()
  }

  mutating func add(_ row: SampleRecord) {
    add(row.sample.time.nanoseconds, row.slot, row.sample.value.bitPattern)
  }

  /// The samples of one key.
  func only(_ key: Int32) -> SampleColumns {
    let some = series.filter { $0.key == key }
    return SampleColumns(some, rowCount: some.first?.times.count ?? 0, first, last)
  }

  /// Adds the samples of some instants in the order of the table `plain_sample`, if each key's are in order.
  func addRecords(in times: ClosedRange<Int64>, to records: inout [SampleRecord]) {
    guard let clock = series.first else { return }
    // Keys that are sampled together come in the order of their numbers at each instant.
    if series.dropFirst().allSatisfy({
      $0.times == clock.times && $0.ordinals == clock.ordinals
    }) {
      let range = clock.positions(in: times)
      records.reserveCapacity(records.count + range.count * series.count)
      for index in range {
        for position in series.indices { records.append(series[position].record(index)) }
      }
      return
    }
    let start = records.count
    for one in series {
      for index in one.positions(in: times) { records.append(one.record(index)) }
    }
    records[start...].sort { ($0.sample.time, $0.slot) < ($1.sample.time, $1.slot) }
  }
}
