import TimelineStore

extension FuzzTarget {
  /// The first byte chooses: a head and data as they are, a head whose checksums are right, or samples that
  /// go through a segment and back.
  func takeSamples(_ bytes: [UInt8]) {
    var input = FuzzBytes(bytes)
    switch input.byte() % 3 {
    case 0: takeSegmentBytes(&input)
    case 1: takeChecked(&input)
    default: takeSampleRows(&input)
    }
  }

  private func record(_ input: inout FuzzBytes) -> SampleSegmentRecord {
    let isWide = input.byte() % 2 == 1
    let first = Int64(bitPattern: isWide ? input.word() : UInt64(input.byte()))
    let last = Int64(bitPattern: isWide ? input.word() : UInt64(input.byte()))
    let rows = Int64(bitPattern: isWide ? input.word() : UInt64(input.byte()))
    return SampleSegmentRecord(first: first, last: last, rowCount: rows)
  }

  private func takeSegmentBytes(_ input: inout FuzzBytes) {
    let record = record(&input)
    let head = input.take(Int(input.byte()))
    expectExact(head, input.rest(), record)
  }

  /// Clocks and keys of any numbers and any blocks, whose checksums hold: what a checksum would refuse is read.
  private func takeChecked(_ input: inout FuzzBytes) {
    let record = record(&input)
    var head: [UInt8] = [BlockCodec.formatVersion]
    var data: [UInt8] = []
    func append(_ block: [UInt8]) {
      let sum = block.withUnsafeBytes(BlockChecksum.crc32c)
      withUnsafeBytes(of: sum.littleEndian) { head.append(contentsOf: $0) }
      data += block
    }
    let clocks = input.byte() % 8
    head.append(number: UInt64(clocks))
    for _ in 0..<clocks {
      head.append(number: UInt64(input.byte()))
      for _ in 0..<(input.byte() % 4) {
        head.append(number: UInt64(input.byte()))
      }
      let times = input.take(Int(input.byte()))
      let ordinals = input.take(Int(input.byte()))
      head.append(number: UInt64(times.count))
      head.append(number: UInt64(ordinals.count))
      append(times + ordinals)
    }
    let keys = input.byte() % 8
    head.append(number: UInt64(keys))
    for _ in 0..<keys {
      head.append(number: UInt64(input.byte()))
      head.append(number: UInt64(input.byte()))
      let values = input.take(Int(input.byte()))
      head.append(number: UInt64(values.count))
      append(values)
    }
    expectExact(head, data, record)
  }

  /// What can be read gives as many samples as the record says, and the same ones when they are packed again.
  private func expectExact(_ head: [UInt8], _ data: [UInt8], _ record: SampleSegmentRecord) {
    guard let block = try? SampleBlock(head, record), let columns = try? block.columns(data) else {
      return
    }
    precondition(Int64(columns.rowCount) == record.rowCount, "A segment gave too few samples.")
    expectTheSame(columns, record)
  }

  private func expectTheSame(_ columns: SampleColumns, _ record: SampleSegmentRecord) {
    let (head, data) = SampleBlock.encode(columns)
    let again = try? SampleBlock(head, record).columns(data)
    precondition(again == columns, "A segment of samples is not exact.")
  }

  /// Samples of any keys, instants, ordinals and bits come back in order.
  private func takeSampleRows(_ input: inout FuzzBytes) {
    var columns = SampleColumns()
    var (first, last) = (Int64.max, Int64.min)
    var seen: Set<[Int64]> = []
    var time: Int64 = 0
    while !input.isAtEnd {
      let step = input.byte()
      time = step == 255 ? Int64(bitPattern: input.word()) : time &+ Int64(step)
      let key = Int64(input.byte() % 16)
      let ordinal = Int64(input.byte() % 4)
      let phase = Int64(input.byte() % 3)
      // NaN has no value of its own in a recording.
      let value = Double(bitPattern: input.word())
      guard value.isFinite, seen.insert([time, key, ordinal]).inserted else { continue }
      columns.add(time, ordinal << 32 | key << 2 | phase, value.bitPattern)
      first = min(first, time)
      last = max(last, time)
    }
    guard columns.rowCount > 0 else { return }
    expectTheSame(
      columns.sorted(),
      SampleSegmentRecord(first: first, last: last, rowCount: Int64(columns.rowCount)))
  }
}
