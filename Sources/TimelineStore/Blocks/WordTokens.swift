/// Words of 64 bits, most of them small, as bytes and back.
///
/// A control byte says what follows it:
///
///     00nnnnnn           n + 1 words of zero. N = 63: 64 plus a variable-length number follows
///     01lllttt           one word: l + 1 bytes, low ones first, above t bytes of zero
///     1lllcccc           c + 1 words of l + 1 bytes each, low ones first
///
/// Neighbouring words are of like size where a movement is smooth, so one control byte serves many.
enum WordTokens {
  /// The most bytes that so many words can take, with room for the last word's eight-byte store.
  static func capacity(_ count: Int) -> Int { 9 * count + 16 }

  /// The longest run of words under one control byte.
  private static let longestRun = 16
  /// Zeros under one control byte. More take a number after it.
  private static let shortZeros = 63
  /// Fewer zero bytes at the low end than this are kept: leaving one out costs a control byte.
  private static let leastTrailing = 2

  /// Significant bytes of a word, 0 to 8.
  @inline(__always)
  static func bytes(_ word: UInt64) -> Int { (71 - word.leadingZeroBitCount) >> 3 }

  /// Writes words.
  ///
  /// - Parameter output: Room for ``capacity(_:)`` bytes.
  /// - Returns: how many bytes were written.
  static func write(
    _ words: UnsafeBufferPointer<UInt64>, to output: UnsafeMutableRawPointer
  ) -> Int {
    var at = 0
    var index = 0
    let count = words.count
    while index < count {
      let word = words[index]
      if word == 0 {
        var end = index + 1
        while end < count, words[end] == 0 { end += 1 }
        at = writeZeros(end - index, at: at, to: output)
        index = end
        continue
      }
      let trailing = word.trailingZeroBitCount >> 3
      if trailing >= leastTrailing {
        let shifted = word >> UInt64(trailing << 3)
        let length = bytes(shifted)
        output.storeBytes(
          of: UInt8(0x40 | (length - 1) << 3 | trailing), toByteOffset: at, as: UInt8.self)
        output.storeBytes(of: shifted.littleEndian, toByteOffset: at + 1, as: UInt64.self)
        at += 1 + length
        index += 1
        continue
      }
      let (length, end) = run(words, from: index)
      output.storeBytes(
        of: UInt8(0x80 | (length - 1) << 4 | (end - index - 1)), toByteOffset: at, as: UInt8.self)
      at += 1
      for position in index..<end {
        output.storeBytes(of: words[position].littleEndian, toByteOffset: at, as: UInt64.self)
        at += length
      }
      index = end
    }
    return at
  }

  /// The length of the words from an index on, and where it stops being worth while.
  @inline(__always)
  private static func run(
    _ words: UnsafeBufferPointer<UInt64>, from index: Int
  ) -> (length: Int, end: Int) {
    var length = bytes(words[index])
    // A byte of padding in the first word is worth no control byte before the second.
    if index + 1 < words.count, bytes(words[index + 1]) == length + 1 { length += 1 }
    let limit = min(words.count, index + longestRun)
    var end = index + 1
    while end < limit {
      let word = words[end]
      if word == 0 || word.trailingZeroBitCount >= leastTrailing * 8 { break }
      let size = bytes(word)
      if size > length || size < length - 1 { break }
      if size < length, end + 1 < words.count, bytes(words[end + 1]) < length { break }
      end += 1
    }
    return (length, end)
  }

  private static func writeZeros(
    _ count: Int, at start: Int, to output: UnsafeMutableRawPointer
  ) -> Int {
    if count <= shortZeros {
      output.storeBytes(of: UInt8(count - 1), toByteOffset: start, as: UInt8.self)
      return start + 1
    }
    output.storeBytes(of: UInt8(shortZeros), toByteOffset: start, as: UInt8.self)
    var at = start + 1
    var rest = count - shortZeros - 1
    while rest >= 0x80 {
      output.storeBytes(
        of: UInt8(truncatingIfNeeded: rest) | 0x80, toByteOffset: at, as: UInt8.self)
      rest >>= 7
      at += 1
    }
    output.storeBytes(of: UInt8(rest), toByteOffset: at, as: UInt8.self)
    return at + 1
  }

  /// Reads exactly as many words as there is room for, from all bytes that are left.
  static func read(
    _ input: inout ByteInput, into words: UnsafeMutableBufferPointer<UInt64>
  ) throws(BlockError) {
    var index = 0
    let count = words.count
    while index < count {
      let control = Int(try input.byte())
      if control < 0x40 {
        var zeros = control + 1
        if control == shortZeros {
          let more = try input.number()
          guard more <= UInt64(count) else { throw .wrongCount }
          zeros += Int(more)
        }
        guard zeros <= count - index else { throw .wrongCount }
        for position in index..<index + zeros { words[position] = 0 }
        index += zeros
      } else if control < 0x80 {
        let length = (control >> 3 & 7) + 1
        let trailing = control & 7
        guard length + trailing <= 8 else { throw .wrongValue }
        words[index] = try input.word(bytes: length) << UInt64(trailing << 3)
        index += 1
      } else {
        let length = (control >> 4 & 7) + 1
        let run = control & 15 + 1
        guard run <= count - index else { throw .wrongCount }
        try input.words(run, bytes: length, into: words, at: index)
        index += run
      }
    }
    guard input.isAtEnd else { throw .surplus }
  }
}
