/// The checksum of a block: CRC-32C (Castagnoli's polynomial, reflected, as in RFC 3720 for iSCSI).
///
/// It covers the block's place as well as its bytes, so that two blocks that changed places are found.
package enum BlockChecksum {
  /// Castagnoli's polynomial 0x1EDC6F41 with its bits reversed.
  private static let polynomial: UInt32 = 0x82F6_3B78

  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { sum, _ in
      sum & 1 == 1 ? sum >> 1 ^ polynomial : sum >> 1
    }
  }

  /// CRC-32C of bytes alone.
  package static func crc32c(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    var sum = ~UInt32(0)
    add(bytes, to: &sum)
    return ~sum
  }

  /// The checksum of a block's bytes under its name in its segment. About half a nanosecond a byte.
  static func of(
    _ bytes: UnsafeRawBufferPointer, property: BlockProperty, in segment: SegmentRecord
  ) -> Int64 {
    var sum = ~UInt32(0)
    for number in [segment.firstFrame, segment.lastFrame, segment.rowCount] {
      withUnsafeBytes(of: number.littleEndian) { add($0, to: &sum) }
    }
    for byte in property.rawValue.utf8 { add(byte, to: &sum) }
    // A name's end, so that a name cannot run on into the bytes.
    add(0, to: &sum)
    add(bytes, to: &sum)
    return Int64(~sum)
  }

  /// The checksum of the head of a segment of samples.
  static func of(_ bytes: [UInt8], in segment: SampleSegmentRecord) -> Int64 {
    var sum = ~UInt32(0)
    for number in [segment.first, segment.last, segment.rowCount] {
      withUnsafeBytes(of: number.littleEndian) { add($0, to: &sum) }
    }
    bytes.withUnsafeBytes { add($0, to: &sum) }
    return Int64(~sum)
  }

  private static func add(_ byte: UInt8, to sum: inout UInt32) {
    sum = table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] ^ sum >> 8
  }

  /// Eight bytes at a time: the table of a byte's place holds what the byte comes to behind that many zeros
  /// (Kounavis and Berry, "A Systematic Approach to Building High Performance Software-based CRC
  /// Generators", 2005).
  private static let tables: [UInt32] = {
    var tables = table
    for index in 0..<7 * 256 {
      let before = tables[index]
      tables.append(table[Int(UInt8(truncatingIfNeeded: before))] ^ before >> 8)
    }
    return tables
  }()

  private static func add(_ bytes: UnsafeRawBufferPointer, to sum: inout UInt32) {
    var running = sum
    var at = 0
    tables.withUnsafeBufferPointer { tables in
      while at + 8 <= bytes.count {
        let loaded = bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self)
        let word = UInt64(littleEndian: loaded) ^ UInt64(running)
        running = 0
        for index in 0..<8 {
          running ^= tables[(7 - index) << 8 | Int(UInt8(truncatingIfNeeded: word >> (index << 3)))]
        }
        at += 8
      }
      while at < bytes.count {
        running = tables[Int(UInt8(truncatingIfNeeded: running) ^ bytes[at])] ^ running >> 8
        at += 1
      }
    }
    sum = running
  }
}
