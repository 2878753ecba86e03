/// The bytes of a segment of samples: a head, and the parts of its data.
///
/// The head begins with the version of the format of blocks and the number of clocks. A clock is what keys that
/// are sampled together share: the number of its instants, runs of phases (length << 2 | phase) that add up to
/// it, the length of the block of its instants, the length of the block of its ordinals, 0 where they are 0
/// but for values of one instant, which count on, and the checksum of both. Then come the number of keys and for
/// each the distance of its number from the one before, its clock, the length of the block of its values, and
/// its checksum. The data are the blocks in the same order, as ``BlockCodec`` writes them. Numbers have seven
/// bits a byte, checksums four bytes, low ones first.
package struct SampleBlock {
  private struct Clock {
    var count: Int
    var runs: [(length: Int, phase: UInt8)]
    var timeBytes: Int
    var part: Part
  }

  private struct Key {
    var key: Int32
    var clock: Int
    var part: Part
  }

  /// A stretch of the data.
  struct Part {
    var range: Range<Int>
    var checksum: UInt32
  }

  private let record: SampleSegmentRecord
  private var clocks: [Clock] = []
  private var keys: [Key] = []
  /// How many bytes of data there are.
  package private(set) var dataCount = 0

  /// Packs samples that are in order.
  package static func encode(_ columns: SampleColumns) -> (head: [UInt8], data: [UInt8]) {
    encode(columns, columns.clocks())
  }

  /// The same, with the clocks that they have.
  static func encode(
    _ columns: SampleColumns, _ clocks: (clocks: [SampleColumns.Series], ofKeys: [Int])
  ) -> (head: [UInt8], data: [UInt8]) {
    let (clocks, clockOfKey) = clocks
    var head: [UInt8] = [BlockCodec.formatVersion]
    var data: [UInt8] = []
    head.append(number: UInt64(clocks.count))
    for clock in clocks {
      head.append(number: UInt64(clock.times.count))
      var start = 0
      for index in clock.phases.indices
      where index + 1 == clock.phases.count || clock.phases[index + 1] != clock.phases[index] {
        head.append(number: UInt64(index + 1 - start) << 2 | UInt64(clock.phases[index]))
        start = index + 1
      }
      let series = [Int32(clock.times.count)]
      let times = BlockCodec.encode(
        clock.times.map { UInt64(bitPattern: $0) }, series: series, isInteger: true)
      let ordinals =
        clock.countsOrdinals
        ? []
        : BlockCodec.encode(clock.ordinals.map { UInt64($0) }, series: series, isInteger: true)
      head.append(number: UInt64(times.count))
      head.append(number: UInt64(ordinals.count))
      append(checksumOf: times + ordinals, to: &head)
      data += times
      data += ordinals
    }
    head.append(number: UInt64(columns.series.count))
    var next: Int64 = 0
    for (series, clock) in zip(columns.series, clockOfKey) {
      head.append(number: UInt64(Int64(series.key) - next))
      next = Int64(series.key) + 1
      head.append(number: UInt64(clock))
      let values = BlockCodec.encode(
        series.words, series: [Int32(series.words.count)], isInteger: false)
      head.append(number: UInt64(values.count))
      append(checksumOf: values, to: &head)
      data += values
    }
    return (head, data)
  }

  private static func append(checksumOf block: [UInt8], to bytes: inout [UInt8]) {
    withUnsafeBytes(of: block.withUnsafeBytes(BlockChecksum.crc32c).littleEndian) {
      bytes.append(contentsOf: $0)
    }
  }

  /// Reads a head. Takes any bytes.
  package init(_ head: [UInt8], _ record: SampleSegmentRecord) throws(BlockError) {
    self.record = record
    guard let rows = record.sampleCount else { throw .wrongCount }
    var clocks: [Clock] = []
    var keys: [Key] = []
    var at = 0
    try head.inPlace { bytes throws(BlockError) in
      var input = ByteInput(bytes)
      guard try input.byte() == BlockCodec.formatVersion else { throw .unknownFormat }
      func count(upTo most: Int) throws(BlockError) -> Int {
        guard let count = Int(exactly: try input.number()), count <= most else { throw .wrongCount }
        return count
      }
      func part(_ count: Int) throws(BlockError) -> Part {
        let range = at..<(at + count)
        at += count
        return Part(range: range, checksum: UInt32(try input.word(bytes: 4)))
      }
      // Each clock and key takes some bytes, so no more room is made than there are bytes.
      for _ in 0..<(try count(upTo: min(rows, bytes.count))) {
        let instants = try count(upTo: rows)
        var runs: [(length: Int, phase: UInt8)] = []
        var left = instants
        while left > 0 {
          let run = try input.number()
          guard let length = Int(exactly: run >> 2), length > 0, length <= left, run & 3 < 3 else {
            throw .wrongValue
          }
          runs.append((length, UInt8(run & 3)))
          left -= length
        }
        let timeBytes = try count(upTo: Self.mostBytes)
        let ordinalBytes = try count(upTo: Self.mostBytes)
        clocks.append(
          Clock(
            count: instants, runs: runs, timeBytes: timeBytes,
            part: try part(timeBytes + ordinalBytes)))
      }
      var next: Int64 = 0
      var sum = 0
      for _ in 0..<(try count(upTo: min(rows, bytes.count))) {
        let key = next + Int64(try count(upTo: 0x3fff_ffff))
        guard key <= 0x3fff_ffff else { throw .wrongValue }
        let clock = try count(upTo: rows)
        guard clock < clocks.count else { throw .wrongValue }
        keys.append(
          Key(key: Int32(key), clock: clock, part: try part(try count(upTo: Self.mostBytes))))
        sum += clocks[clock].count
        guard sum <= rows else { throw .wrongCount }
        next = key + 1
      }
      guard sum == rows else { throw .wrongCount }
      guard input.isAtEnd else { throw .surplus }
    }
    self.clocks = clocks
    self.keys = keys
    dataCount = at
  }

  /// More bytes than this has no block of samples: a word takes nine at most, and two blocks of a clock have a head
  /// each.
  private static let mostBytes = 16 * SampleSegmentRecord.mostRows

  /// Where the instants and the values of a key are. `nil` when it has none.
  func parts(of key: Int32) -> (instants: Part, values: Part)? {
    guard let found = keys.first(where: { $0.key == key }) else { return nil }
    return (clocks[found.clock].part, found.part)
  }

  /// The samples of one key. `nil` when it has none.
  ///
  /// - Parameters:
  ///   - instants: The bytes of its instants, as ``parts(of:)`` says.
  ///   - values: Those of its values.
  func series(
    of key: Int32, instants: [UInt8], values: [UInt8]
  ) throws(BlockError) -> SampleColumns.Series? {
    guard let found = keys.first(where: { $0.key == key }) else { return nil }
    var series = try clock(found.clock, key: key, instants[...])
    series.words = try words(found, values[...])
    return series
  }

  /// The samples of all keys.
  package func columns(_ data: [UInt8]) throws(BlockError) -> SampleColumns {
    guard data.count == dataCount else { throw data.count < dataCount ? .truncated : .surplus }
    var unpacked: [SampleColumns.Series?] = Array(repeating: nil, count: clocks.count)
    var all: [SampleColumns.Series] = []
    all.reserveCapacity(keys.count)
    for key in keys {
      var series = SampleColumns.Series(key: key.key)
      if let clock = unpacked[key.clock] {
        series.times = clock.times
        series.phases = clock.phases
        series.ordinals = clock.ordinals
      } else {
        series = try clock(key.clock, key: key.key, data[clocks[key.clock].part.range])
        unpacked[key.clock] = series
      }
      series.words = try words(key, data[key.part.range])
      all.append(series)
    }
    // No clock is there for nothing, and the segment's ends are those of its samples.
    guard unpacked.allSatisfy({ $0 != nil }),
      all.lazy.compactMap(\.times.first).min() == record.first,
      all.lazy.compactMap(\.times.last).max() == record.last
    else { throw .wrongValue }
    return SampleColumns(all, rowCount: Int(record.rowCount), record.first, record.last)
  }

  private func clock(
    _ index: Int, key: Int32, _ bytes: ArraySlice<UInt8>
  ) throws(BlockError) -> SampleColumns.Series {
    let clock = clocks[index]
    try check(bytes, clock.part)
    let border = bytes.startIndex + clock.timeBytes
    var series = SampleColumns.Series(key: key)
    series.times = try block(bytes[..<border], count: clock.count, isInteger: true).map {
      Int64(bitPattern: $0)
    }
    series.phases.reserveCapacity(clock.count)
    for run in clock.runs {
      series.phases.append(contentsOf: repeatElement(run.phase, count: run.length))
    }
    let countsOrdinals = border == bytes.endIndex
    if countsOrdinals {
      series.ordinals = Array(repeating: 0, count: clock.count)
    } else {
      for word in try block(bytes[border...], count: clock.count, isInteger: true) {
        guard word <= UInt64(Int32.max) else { throw .wrongValue }
        series.ordinals.append(Int32(word))
      }
    }
    if let first = series.times.first, let last = series.times.last, first >= record.first,
      last <= record.last, series.rises(after: nil)
    {
      return series
    }
    var before: Int64?
    for (index, time) in series.times.enumerated() {
      guard time >= record.first, time <= record.last else { throw .wrongValue }
      if let before {
        if time < before { throw .wrongValue }
        if time == before {
          if countsOrdinals { series.ordinals[index] = series.ordinals[index - 1] + 1 }
          guard series.ordinals[index] > series.ordinals[index - 1] else { throw .wrongValue }
        }
      }
      before = time
    }
    return series
  }

  private func words(_ key: Key, _ bytes: ArraySlice<UInt8>) throws(BlockError) -> [UInt64] {
    try check(bytes, key.part)
    return try block(bytes, count: clocks[key.clock].count, isInteger: false)
  }

  private func check(_ bytes: ArraySlice<UInt8>, _ part: Part) throws(BlockError) {
    guard bytes.count == part.range.count else { throw .truncated }
    guard bytes.withUnsafeBytes(BlockChecksum.crc32c) == part.checksum else { throw .checksum }
  }

  private func block(
    _ bytes: ArraySlice<UInt8>, count: Int, isInteger: Bool
  ) throws(BlockError) -> [UInt64] {
    let result: Result<[UInt64], BlockError> = bytes.withUnsafeBytes { bytes in
      do throws(BlockError) {
        return .success(
          try BlockCodec.decode(bytes, series: [Int32(count)], isInteger: isInteger))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }
}
