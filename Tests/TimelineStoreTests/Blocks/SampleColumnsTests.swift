import TestSupport
import Testing
import TimelineModel

@testable import TimelineStore

/// Samples in the bytes of a segment, and back.
@Suite struct SampleColumnsTests {
  /// Keys that are sampled together and alone, several values of an instant, held and whole values.
  private func random(_ generator: inout SplitMix) -> SampleColumns {
    var columns = SampleColumns()
    let keys = Int.random(in: 1...6, using: &generator)
    let start = [0, -5_000_000_000, Int64.min, Int64.max - 2_000_000_000].randomElement(
      using: &generator)!
    for frame in 0..<Int.random(in: 1...200, using: &generator) {
      let time = start + Int64(frame) * 8_333_333
      for key in 0..<keys where key < 2 || Int.random(in: 0..<key, using: &generator) == 0 {
        let phase = Int64(frame / 50 % 3)
        for ordinal in 0..<(key == 1 && frame % 40 == 0 ? Int64(3) : 1) {
          let value: Double =
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: Double(frame)
            case 1: -0.0
            case 2: Double.random(in: -1e300...1e300, using: &generator)
            case 3: Double(Float(frame) / 3)
            default: Double(bitPattern: UInt64(frame))
            }
          columns.add(
            time + (key == 3 ? 1_000 : 0), ordinal << 32 | Int64(key * key * 1_000) << 2 | phase,
            value.bitPattern)
        }
      }
    }
    return columns
  }

  /// One key's samples, from its own parts of the data.
  private func only(_ key: Int32, _ sealed: SealedColumns) throws -> SampleColumns.Series? {
    let block = try SampleBlock(sealed.head, sealed.record)
    guard let parts = block.parts(of: key) else { return nil }
    return try block.series(
      of: key, instants: Array(sealed.data[parts.instants.range]),
      values: Array(sealed.data[parts.values.range]))
  }

  @Test(arguments: 0..<(TestRounds.asked ?? 40))
  func `samples come back bit for bit`(_ seed: Int) throws {
    var generator = SplitMix(seed: UInt64(seed))
    let columns = random(&generator)
    let sealed = try #require(SealedColumns(columns))
    let block = try SampleBlock(sealed.head, sealed.record)
    let back = try block.columns(sealed.data)
    #expect(back == columns.sorted())
    #expect(sealed.record.rowCount == Int64(columns.rowCount))
    #expect(sealed.seconds.reduce(0) { $0 + $1.count } == Int64(columns.rowCount))
    for series in back.series {
      #expect(try only(series.key, sealed) == series)
    }
    var rows: [SampleRecord] = []
    back.addRecords(in: Int64.min...Int64.max, to: &rows)
    let places = zip(rows.map(\.time), rows.map(\.slot))
    #expect(zip(places, places.dropFirst()).allSatisfy { $0 < $1 })
    #expect(SampleColumns(rows.shuffled(using: &generator)) == back)
    let border = rows[rows.count / 2].time.nanoseconds
    var part: [SampleRecord] = []
    back.addRecords(in: border...border, to: &part)
    #expect(part == rows.filter { $0.time.nanoseconds == border })
  }

  @Test func `what comes out of order is put in order`() throws {
    var columns = SampleColumns()
    for time in [30, 10, 20, 10] as [Int64] {
      columns.add(time, columns.nextOrdinal(of: 7, at: time) << 32 | 7 << 2, UInt64(time))
    }
    let sealed = try #require(SealedColumns(columns))
    let series = try #require(try only(7, sealed))
    #expect(series.times == [10, 10, 20, 30])
    #expect(series.ordinals == [0, 1, 0, 0])
  }

  @Test func `numbers that are not finite, and slots that repeat, are not packed`() {
    var columns = SampleColumns()
    columns.add(0, 0, Double.nan.bitPattern)
    #expect(SealedColumns(columns) == nil)
    columns = SampleColumns()
    columns.add(0, 0, 0)
    columns.add(0, 1, 0)
    #expect(SealedColumns(columns) == nil)
    #expect(SealedColumns(SampleColumns()) == nil)
  }

  @Test func `tens of thousands of keys with an instant of their own are packed`() throws {
    var columns = SampleColumns()
    for key in 0..<30_000 as Range<Int64> { columns.add(key * 1_000, key << 2, 0) }
    let sealed = try #require(SealedColumns(columns))
    #expect(try SampleBlock(sealed.head, sealed.record).columns(sealed.data) == columns)
  }

  @Test func `the phase of an instant is the furthest of its samples'`() throws {
    var columns = SampleColumns()
    for (time, key, phase) in [(0, 0, 0), (0, 1, 1), (5, 0, 1), (5, 1, 0), (9, 1, 0)] {
      columns.add(Int64(time), Int64(key << 2 | phase), 0)
    }
    #expect(try #require(SealedColumns(columns)).phases == "[[0,1],[9,0]]")
  }

  @Test func `seconds are rounded down, before zero too`() throws {
    var columns = SampleColumns()
    for time in [-1_000_000_001, -1_000_000_000, -1, 0, 999_999_999] as [Int64] {
      columns.add(time, 0, Double(time).bitPattern)
    }
    let seconds = try #require(SealedColumns(columns)).seconds
    #expect(seconds.map(\.second) == [-2, -1, 0])
    #expect(seconds.map(\.count) == [1, 2, 2])
    #expect(seconds[1].smallest == -1_000_000_000)
    #expect(seconds[1].last.value == -1)
  }

  @Test(arguments: 0..<(TestRounds.asked ?? 8))
  func `bytes of any sort are refused, or are samples in order`(_ seed: Int) throws {
    var generator = SplitMix(seed: UInt64(seed))
    let sealed = try #require(SealedColumns(random(&generator)))
    func spoil(_ whole: [UInt8]) -> [UInt8] {
      var bytes = whole
      switch Int.random(in: 0..<3, using: &generator) {
      case 0:
        bytes[Int.random(in: bytes.indices, using: &generator)] ^=
          UInt8(1 << Int.random(in: 0..<8, using: &generator))
      case 1: bytes.removeLast(Int.random(in: 1...bytes.count, using: &generator))
      default:
        bytes = (0..<Int.random(in: 0..<60, using: &generator)).map { _ in
          UInt8.random(in: 0...255, using: &generator)
        }
      }
      return bytes
    }
    let block = try SampleBlock(sealed.head, sealed.record)
    for _ in 0..<300 {
      // A change of the data is found by their checksums.
      #expect(throws: BlockError.self) { try block.columns(spoil(sealed.data)) }
      guard let other = try? SampleBlock(spoil(sealed.head), sealed.record),
        let back = try? other.columns(sealed.data)
      else { continue }
      #expect(back.rowCount == Int(sealed.record.rowCount))
      for series in back.series { #expect(series.times.count == series.words.count) }
    }
  }

  @Test func `a count is no size to trust`() {
    for count in [
      Int64(SampleSegmentRecord.mostRows), Int64(SampleSegmentRecord.mostRows) + 1, 1 << 47,
    ] {
      let record = SampleSegmentRecord(first: 0, last: 1, rowCount: count)
      for bytes: [UInt8] in [
        [], [1], [1, 1, 255, 255, 255, 255, 15], [1, 255, 255, 255, 255, 15],
      ] {
        #expect(throws: BlockError.self) { try SampleBlock(bytes, record).columns([]) }
      }
    }
  }
}
