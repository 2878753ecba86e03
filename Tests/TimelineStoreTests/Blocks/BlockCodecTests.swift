import TestSupport
import Testing

@testable import TimelineStore

@Suite struct BlockCodecTests {
  private func encode(_ words: [UInt64], _ series: [Int], isInteger: Bool = false) -> [UInt8] {
    BlockCodec.encode(words, series: series.map(Int32.init), isInteger: isInteger)
  }

  private func decode(
    _ bytes: [UInt8], _ series: [Int], isInteger: Bool = false
  ) throws(BlockError) -> [UInt64] {
    try bytes.inPlace { bytes throws(BlockError) in
      try BlockCodec.decode(bytes, series: series.map(Int32.init), isInteger: isInteger)
    }
  }

  /// Series of random lengths, with empty ones among them.
  private func series(_ generator: inout SplitMix) -> [Int] {
    (0..<Int(generator.next() % 12)).map { _ in Int(generator.next() % 50) }
  }

  private static func words(_ seed: Int, count: Int, _ generator: inout SplitMix) -> [UInt64] {
    let spring = RandomSegments.spring(count: count)
    return (0..<count).map { index in
      switch seed % 7 {
      case 0: RandomSegments.number(&generator).bitPattern
      case 1: spring[index]
      case 2: Double(Float(Double(bitPattern: spring[index]))).bitPattern
      case 3: ((Double(bitPattern: spring[index]) * 1024).rounded() / 1024).bitPattern
      case 4: generator.next() % 5 == 0 ? spring[index] : 1.0.bitPattern
      case 5: (-0.0).bitPattern
      default: (generator.next() % 2 == 0 ? 1e308 : -1e308).bitPattern
      }
    }
  }

  @Test(arguments: 0..<70)
  func `numbers come back bit for bit, and a plain reader reads the same`(seed: Int) throws {
    var generator = SplitMix(seed: UInt64(seed))
    let series = series(&generator)
    let words = BlockCodecTests.words(seed, count: series.reduce(0, +), &generator)
    let bytes = encode(words, series)
    #expect(try decode(bytes, series) == words)
    #expect(PlainBlockReader.words(bytes, series: series) == words)
    #expect(encode(words, series) == bytes)
  }

  @Test(arguments: 0..<20)
  func `whole numbers come back, and a plain reader reads the same`(seed: Int) throws {
    var generator = SplitMix(seed: UInt64(seed))
    let series = series(&generator)
    let words = (0..<series.reduce(0, +)).map { index -> UInt64 in
      switch generator.next() % 4 {
      case 0: generator.next()
      case 1: UInt64(bitPattern: .min)
      default: UInt64(index)
      }
    }
    let bytes = encode(words, series, isInteger: true)
    #expect(try decode(bytes, series, isInteger: true) == words)
    #expect(PlainBlockReader.words(bytes, series: series) == words)
  }

  @Test func `every sort of words is used where it fits`() throws {
    let spring = RandomSegments.spring(count: 100)
    let numbers = spring.map { Double(bitPattern: $0) }
    let single = numbers.map { Double(Float($0)).bitPattern }
    let fixed = numbers.map { (($0 * 1024).rounded() / 1024).bitPattern }
    let sizes = [spring, single, fixed].map { encode($0, [100]) }
    #expect(sizes.map { $0[1] & 15 } == [0, 1, 2])
    #expect(sizes[0].count > sizes[1].count)
    #expect(sizes[1].count > sizes[2].count)
    // -0.0 is no multiple of 1/1024 that could be told from 0, but a 32-bit float.
    #expect(encode([(-0.0).bitPattern, 0], [2])[1] & 15 == 1)
  }

  @Test func `what rests takes next to nothing, and a smooth movement less than its difference`() {
    let resting = Array(repeating: (1.0 / 3).bitPattern, count: 100_000)
    #expect(encode(resting, [50_000, 50_000]).count < 24)
    let spring = RandomSegments.spring(count: 600)
    let bytes = encode(spring, [600])
    #expect(bytes[1] >> 4 > 1)
    // Plain XOR with the value before leaves 6.5 bytes of each, with a control byte 7.5.
    #expect(bytes.count < 600 * 5)
  }

  @Test func `runs of zeros of every length come back`() throws {
    for count in [1, 2, 62, 63, 64, 65, 127, 128, 191, 192, 193, 16_447, 16_448, 16_449] {
      var words = Array(repeating: UInt64(7), count: count + 2)
      words[count + 1] = 9
      let bytes = encode(words, [count + 2], isInteger: true)
      #expect(try decode(bytes, [count + 2], isInteger: true) == words)
    }
  }

  @Test func `bytes of a block that are wrong give an error or as many words`() throws {
    var generator = SplitMix(seed: 5)
    let series = [20, 0, 1, 30]
    var damaged = 0
    for seed in 0..<7 {
      let words = BlockCodecTests.words(seed, count: 51, &generator)
      let bytes = encode(words, series)
      for index in bytes.indices {
        for bit in 0..<8 {
          var wrong = bytes
          wrong[index] ^= 1 << bit
          do throws(BlockError) {
            #expect(try decode(wrong, series).count == 51)
          } catch {
            damaged += 1
          }
        }
        #expect(throws: BlockError.self) { try decode(Array(bytes[..<index]), series) }
      }
      #expect(throws: BlockError.surplus) { try decode(bytes + [0], series) }
    }
    #expect(damaged > 0)
  }

  @Test(arguments: 0..<200)
  func `noise gives an error or as many words`(seed: Int) {
    var generator = SplitMix(seed: UInt64(seed))
    var bytes = (0..<Int(generator.next() % 200)).map { _ in
      UInt8(truncatingIfNeeded: generator.next())
    }
    // Half of them begin as a block does, so that the noise gets further.
    if seed % 2 == 0 { bytes = [1, UInt8(seed / 2 % 4), 60] + bytes }
    do throws(BlockError) {
      #expect(try decode(bytes, [30, 30], isInteger: seed % 8 == 6).count == 60)
    } catch {
      #expect(!error.found.isEmpty)
    }
  }

  @Test func `counts that no block can have are refused`() {
    let bytes = encode([1, 2, 3], [3], isInteger: true)
    #expect(throws: BlockError.wrongCount) { try decode(bytes, [2], isInteger: true) }
    #expect(throws: BlockError.wrongCount) { try decode(bytes, [-1, 4], isInteger: true) }
    #expect(throws: BlockError.unknownFormat) { try decode(bytes, [3]) }
    #expect(throws: BlockError.unknownFormat) {
      try decode([2] + bytes.dropFirst(), [3], isInteger: true)
    }
    // A number that is longer than 64 bits.
    let endless: [UInt8] = [1, 3] + Array(repeating: 0xff, count: 20)
    #expect(throws: BlockError.wrongValue) { try decode(endless, [3], isInteger: true) }
  }

  @Test func `the checksum is CRC-32C`() {
    // The check value of RFC 3720's polynomial over the digits 1 to 9.
    let sum = Array("123456789".utf8).withUnsafeBytes { BlockChecksum.crc32c($0) }
    #expect(sum == 0xe306_9283)
  }
}
