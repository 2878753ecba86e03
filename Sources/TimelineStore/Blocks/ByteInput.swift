/// Bytes of a block, read from the front. Never beyond their end.
///
/// Holds a pointer: it is valid only while the caller keeps the bytes in place.
struct ByteInput {
  private let bytes: UnsafeRawBufferPointer
  private var at = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// Whether everything was read.
  var isAtEnd: Bool { at == bytes.count }

  var left: Int { bytes.count - at }

  /// The next byte.
  mutating func byte() throws(BlockError) -> UInt8 {
    guard at < bytes.count else { throw .truncated }
    defer { at += 1 }
    return bytes[at]
  }

  /// A number of variable length: seven bits a byte, low ones first, the eighth set when more follow.
  mutating func number() throws(BlockError) -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let byte = try byte()
      let bits = UInt64(byte & 0x7f)
      guard shift < 63 || bits <= 1 else { throw .wrongValue }
      value |= bits << shift
      if byte < 0x80 { return value }
      shift += 7
      guard shift <= 63 else { throw .wrongValue }
    }
  }

  /// A word of 1 to 8 bytes, low ones first.
  mutating func word(bytes length: Int) throws(BlockError) -> UInt64 {
    guard length <= left else { throw .truncated }
    var word: UInt64 = 0
    for position in 0..<length { word |= UInt64(bytes[at + position]) << UInt64(position << 3) }
    at += length
    return word
  }

  /// Several words of one length.
  mutating func words(
    _ count: Int, bytes length: Int, into words: UnsafeMutableBufferPointer<UInt64>, at index: Int
  ) throws(BlockError) {
    guard count * length <= left else { throw .truncated }
    guard count * length + 8 <= left else {
      for position in 0..<count { words[index + position] = try word(bytes: length) }
      return
    }
    // Eight bytes may be loaded for the last word too, so the loop needs no further look at the end.
    let mask = UInt64.max >> UInt64(64 - length << 3)
    for position in 0..<count {
      let loaded = bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self)
      words[index + position] = UInt64(littleEndian: loaded) & mask
      at += length
    }
  }
}

extension Array where Element == UInt8 {
  /// Appends a number as ``ByteInput/number()`` reads it.
  package mutating func append(number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(rest))
  }

  /// Runs a piece of work on the bytes in place, with a typed error.
  func inPlace<Value>(
    _ work: (UnsafeRawBufferPointer) throws(BlockError) -> Value
  ) throws(BlockError) -> Value {
    let result: Result<Value, BlockError> = withUnsafeBytes { bytes in
      do throws(BlockError) {
        return .success(try work(bytes))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }
}
