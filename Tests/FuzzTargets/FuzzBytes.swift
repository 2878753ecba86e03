/// A fuzzer's bytes, taken from the front; zeros when there are no more.
struct FuzzBytes {
  private var bytes: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

  var isAtEnd: Bool { bytes.isEmpty }

  mutating func byte() -> UInt8 { bytes.popFirst() ?? 0 }

  /// Eight bytes, the lowest first.
  mutating func word() -> UInt64 {
    (0..<8).reduce(0) { $0 | UInt64(byte()) << (8 * $1) }
  }

  /// At most so many bytes.
  mutating func take(_ count: Int) -> [UInt8] {
    let taken = Array(bytes.prefix(count))
    bytes = bytes.dropFirst(count)
    return taken
  }

  mutating func rest() -> [UInt8] { take(bytes.count) }

  /// Up to 15 lengths of up to 255, behind their number.
  mutating func lengths() -> [Int32] {
    (0..<Int(byte() % 16)).map { _ in Int32(byte()) }
  }
}
