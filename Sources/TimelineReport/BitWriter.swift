/// Bits in a row, the most significant of each number first, as the page's own reader takes them.
struct BitWriter {
  /// The whole bytes so far.
  private(set) var bytes: [UInt8] = []
  /// Bits that do not fill a byte yet, in the lowest places.
  private var pending: UInt64 = 0
  private var pendingCount = 0

  /// The most bits that one call takes: with seven that wait they fit a word.
  static let widest = 56

  /// Appends the lowest bits of a number, at most ``widest``.
  mutating func append(_ value: UInt64, bits count: Int) {
    pending = pending << UInt64(count) | value & (1 << UInt64(count) - 1)
    pendingCount += count
    while pendingCount >= 8 {
      pendingCount -= 8
      bytes.append(UInt8(truncatingIfNeeded: pending >> UInt64(pendingCount)))
    }
  }

  /// Appends a count: the width of its digits in six bits, then the digits.
  mutating func append(count: Int) {
    let value = UInt64(count)
    let width = UInt64.bitWidth - value.leadingZeroBitCount
    append(UInt64(width), bits: 6)
    append(value, bits: width)
  }

  /// Everything as whole bytes, the last one filled up with zeros.
  consuming func finished() -> [UInt8] {
    if pendingCount > 0 { append(0, bits: 8 - pendingCount) }
    return bytes
  }
}
