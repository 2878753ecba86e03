import TimelineModel

/// The report's packed numbers: one text in base64 (RFC 4648), in blocks that are unpacked alone.
struct PackedText {
  /// The letters so far.
  private(set) var bytes: [UInt8] = []

  /// Where a block lies in the text, in letters, and how many rows it has.
  struct Block: Hashable, Sendable {
    var start: Int
    var length: Int
    var rows: Int

    /// The three numbers as the report reads them.
    var field: FieldValue {
      .list([.integer(Int64(start)), .integer(Int64(length)), .integer(Int64(rows))])
    }
  }

  /// Appends a block and tells where it lies.
  mutating func append(_ bits: consuming BitWriter, rows: Int) -> Block {
    let start = bytes.count
    appendBase64(bits.finished(), to: &bytes)
    return Block(start: start, length: bytes.count - start, rows: rows)
  }

  /// Forgets everything from a length on.
  mutating func cut(to length: Int) { bytes.removeSubrange(length...) }
}

private let base64Letters = Array(
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

/// Bytes in base64.
func base64(_ bytes: [UInt8]) -> String {
  var letters: [UInt8] = []
  appendBase64(bytes, to: &letters)
  return String(decoding: letters, as: UTF8.self)
}

/// Appends bytes in base64, filled up with `=`.
func appendBase64(_ source: [UInt8], to target: inout [UInt8]) {
  for start in stride(from: 0, to: source.count, by: 3) {
    let count = min(3, source.count - start)
    var word: UInt32 = 0
    for offset in 0..<3 {
      word = word << 8 | (offset < count ? UInt32(source[start + offset]) : 0)
    }
    for digit in 0..<4 {
      let index = Int(word >> UInt32(18 - 6 * digit) & 63)
      target.append(digit <= count ? base64Letters[index] : UInt8(ascii: "="))
    }
  }
}
