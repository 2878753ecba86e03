/// Big-endian numbers out of bytes that may hold anything. `nil` beyond their end.
///
/// The layout is the published one (sqlite.org, "Database File Format").
struct DatabaseBytes {
  var bytes: [UInt8]

  func byte(_ offset: Int) -> Int? {
    bytes.indices.contains(offset) ? Int(bytes[offset]) : nil
  }

  /// A number of two bytes.
  func number16(_ offset: Int) -> Int? {
    guard offset >= 0, offset <= bytes.count - 2 else { return nil }
    return Int(bytes[offset]) << 8 | Int(bytes[offset + 1])
  }

  /// A number of four bytes.
  func number32(_ offset: Int) -> UInt32? {
    guard offset >= 0, offset <= bytes.count - 4 else { return nil }
    var value: UInt32 = 0
    for index in offset..<offset + 4 { value = value << 8 | UInt32(bytes[index]) }
    return value
  }

  /// A number of one to nine bytes, and the place after it (section 1.6, "varint").
  func varint(_ offset: Int) -> (value: Int64, end: Int)? {
    var value: UInt64 = 0
    for step in 0..<9 {
      guard let byte = byte(offset + step) else { return nil }
      if step == 8 { return (Int64(bitPattern: value << 8 | UInt64(byte)), offset + 9) }
      value = value << 7 | UInt64(byte & 0x7f)
      if byte < 0x80 { return (Int64(bitPattern: value), offset + step + 1) }
    }
    return nil
  }
}
