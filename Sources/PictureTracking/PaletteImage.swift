/// A picture with up to 256 colours, which can be written as a PNG.
package struct PaletteImage: Hashable, Sendable {
  /// A colour, each part from 0 to 255.
  package struct Colour: Hashable, Sendable {
    package var red: UInt8
    package var green: UInt8
    package var blue: UInt8
  }

  package let width: Int
  package let height: Int
  /// At most 256.
  package let palette: [Colour]
  /// The number of each pixel's colour, row by row.
  package internal(set) var pixels: [UInt8]

  /// The picture as a PNG (ISO 15948): each row as its difference to the one above, in one block of deflate.
  ///
  /// Cost: about 20 ns a pixel.
  package var png: [UInt8] {
    var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    var head = bytes(of: width) + bytes(of: height)
    // 8 bits a pixel, with a palette, deflate, the usual filters, all rows in order.
    head += [8, 3, 0, 0, 0]
    addChunk("IHDR", head, to: &file)
    addChunk("PLTE", palette.flatMap { [$0.red, $0.green, $0.blue] }, to: &file)
    addChunk("IDAT", compressedRows, to: &file)
    addChunk("IEND", [], to: &file)
    return file
  }

  private func addChunk(_ name: String, _ content: [UInt8], to file: inout [UInt8]) {
    let body = Array(name.utf8) + content
    file += bytes(of: content.count) + body + bytes(of: Int(Self.checksum(body)))
  }

  private func bytes(of number: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  /// The rows as a zlib stream (RFC 1950).
  private var compressedRows: [UInt8] {
    var rows: [UInt8] = []
    rows.reserveCapacity((width + 1) * height)
    for y in 0..<height {
      // The filter "up". The first row has nothing above.
      rows.append(2)
      for x in 0..<width {
        let at = y * width + x
        rows.append(pixels[at] &- (y > 0 ? pixels[at - width] : 0))
      }
    }
    var stream = DeflateStream(bytes: [0x78, 0x01])
    stream.add(rows)
    return stream.bytes + bytes(of: Int(Self.adler(rows)))
  }

  /// Adler-32 (RFC 1950).
  private static func adler(_ bytes: [UInt8]) -> UInt32 {
    var (one, two): (UInt32, UInt32) = (1, 0)
    for byte in bytes {
      one = (one + UInt32(byte)) % 65521
      two = (two + one) % 65521
    }
    return two << 16 | one
  }

  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
  }

  /// CRC-32 as PNG has it.
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(~UInt32(0)) { table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ $0 >> 8 }
  }
}

/// One block of deflate with the fixed codes (RFC 1951, 3.2.6). Only runs of one byte get shorter: a screen has many of them.
private struct DeflateStream {
  var bytes: [UInt8]
  private var pending: UInt32 = 0
  private var pendingCount: UInt32 = 0

  /// The first length of each code from 257 on, and how many bits follow it (RFC 1951, 3.2.5).
  private static let lengths = [
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131,
    163, 195, 227, 258,
  ]
  private static let following: [UInt32] = [
    0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
  ]

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func add(_ content: [UInt8]) {
    // The last block, with the fixed codes.
    addBits(0b011, 3)
    var at = 0
    while at < content.count {
      let byte = content[at]
      addCode(Int(byte))
      at += 1
      var run = 0
      while at + run < content.count, content[at + run] == byte, run < 258 { run += 1 }
      guard run >= 3, let place = Self.lengths.lastIndex(where: { $0 <= run }) else { continue }
      addCode(257 + place)
      addBits(UInt32(run - Self.lengths[place]), Self.following[place])
      // A distance of one byte.
      addBits(0, 5)
      at += run
    }
    addCode(256)
    if pendingCount > 0 { bytes.append(UInt8(truncatingIfNeeded: pending)) }
  }

  private mutating func addCode(_ code: Int) {
    switch code {
    case ..<144: addReversed(UInt32(0x30 + code), 8)
    case ..<256: addReversed(UInt32(0x190 + code - 144), 9)
    case ..<280: addReversed(UInt32(code - 256), 7)
    default: addReversed(UInt32(0xC0 + code - 280), 8)
    }
  }

  /// The bits of a code come from its highest on.
  private mutating func addReversed(_ bits: UInt32, _ count: UInt32) {
    var reversed: UInt32 = 0
    for place in 0..<count { reversed |= (bits >> place & 1) << (count - 1 - place) }
    addBits(reversed, count)
  }

  private mutating func addBits(_ bits: UInt32, _ count: UInt32) {
    pending |= bits << pendingCount
    pendingCount += count
    while pendingCount >= 8 {
      bytes.append(UInt8(truncatingIfNeeded: pending))
      pending >>= 8
      pendingCount -= 8
    }
  }
}
