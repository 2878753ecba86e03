/// Bits in a row, the most significant of each number first, as the report's own reader takes them.
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

/// A run of zero bits of this length says that the number follows as it is. Longer runs would cost more
/// than that. No unit.
private let escapeLength = 24

/// The most earlier numbers that a guess goes by: a parabola. No unit.
private let highestOrder = 3

extension BitWriter {
  /// The largest magnitude that a column takes: differences of the third order and their signs then stay
  /// below 2^53, so that the report's numbers hold them exactly. No unit.
  static let largestMagnitude: Int64 = 1 << 49

  /// Appends a signed number: its width, then its digits with the sign folded in.
  mutating func append(signed value: Int64) { append(folded: folded(value)) }

  /// Appends a number whose sign is folded in already: its width, then its digits.
  private mutating func append(folded: UInt64) {
    let width = UInt64.bitWidth - folded.leadingZeroBitCount
    append(UInt64(width), bits: 6)
    append(folded, bits: width)
  }

  /// Appends numbers that belong together: one where all are equal, else what a polynomial through the
  /// last ones misses them by, as Rice codes (R. F. Rice 1979) with the shift that suits these. The first
  /// ones, before which the polynomial has too few to go by, are missed by more and carry their own width:
  /// so a column may be short, and few have to be unpacked for one instant.
  ///
  /// - Parameter values: Numbers of at most ``largestMagnitude``. Their count is known to the reader.
  mutating func append(column values: [Int64]) {
    guard let first = values.first else { return }
    guard values.contains(where: { $0 != first }) else {
      append(1, bits: 1)
      append(signed: first)
      return
    }
    var best: (order: Int, sum: UInt64) = (0, .max)
    for order in 0...highestOrder {
      var sum: UInt64 = 0
      values.withUnsafeBufferPointer { values in
        for index in max(1, order)..<max(1, order, values.count) {
          sum &+= miss(values, index, order)
        }
      }
      if sum < best.sum { best = (order, sum) }
    }
    let count = max(1, values.count - max(1, best.order))
    let shift = suitableShift(sum: best.sum, count: UInt64(count))
    append(0, bits: 1)
    append(UInt64(best.order), bits: 2)
    append(UInt64(shift), bits: 6)
    append(signed: first)
    values.withUnsafeBufferPointer { values in
      for index in 1..<values.count {
        let miss = miss(values, index, best.order)
        if index < best.order { append(folded: miss) } else { append(rice: miss, shift: shift) }
      }
    }
  }

  private mutating func append(rice value: UInt64, shift: Int) {
    let quotient = value >> UInt64(shift)
    guard quotient < escapeLength else {
      append(0, bits: escapeLength)
      append(value, bits: BitWriter.widest)
      return
    }
    append(1, bits: Int(quotient) + 1)
    append(value, bits: shift)
  }
}

/// 0, -1, 1, -2, 2, … as 0, 1, 2, 3, 4, ….
private func folded(_ value: Int64) -> UInt64 {
  UInt64(bitPattern: value << 1 ^ value >> 63)
}

/// By how much the guess from the numbers before misses one, folded.
private func miss(_ values: UnsafeBufferPointer<Int64>, _ index: Int, _ order: Int) -> UInt64 {
  let guess: Int64 =
    switch min(order, index) {
    case 0: 0
    case 1: values[index - 1]
    case 2: 2 * values[index - 1] - values[index - 2]
    default: 3 * (values[index - 1] - values[index - 2]) + values[index - 3]
    }
  return folded(values[index] - guess)
}

/// The smallest shift at which the quotients are one half or less on average, as in lossless JPEG
/// (ITU-T T.87, A.5.1).
private func suitableShift(sum: UInt64, count: UInt64) -> Int {
  var shift = 0
  while shift < BitWriter.widest - 8, count << UInt64(shift) < sum / 2 { shift += 1 }
  return shift
}
