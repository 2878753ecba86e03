/// One strict walk over a JSON text before Foundation's decoder sees it.
///
/// The decoder names no line or column, lets a comma before a closing bracket pass and keeps one of
/// two fields with the same name. This walk follows RFC 8259 to the letter, refuses doubled names
/// and nesting beyond ``maximumNesting``, and says where. It builds nothing. Half of a character written as an
/// escape is JSON, but the decoder refuses it: ``halves`` says where these are.
struct JSONSyntax {
  /// Deepest nesting of arrays and objects. No file of ours goes beyond ten; the limit keeps a line
  /// of brackets from using up the stack.
  static let maximumNesting = 128

  private let bytes: UnsafeBufferPointer<UInt8>
  private let firstLine: Int
  private var position = 0
  private var nesting = 0
  /// Where the four digits of escapes begin that are half of a character without the other half.
  private(set) var halves: [Int] = []

  init(_ bytes: UnsafeBufferPointer<UInt8>, firstLine: Int) {
    self.bytes = bytes
    self.firstLine = firstLine
  }

  /// Walks the whole text.
  mutating func check() throws(JSONError) {
    skipSpace()
    if current == nil { throw failure("Unexpected end of text; expected a value.") }
    try value()
    skipSpace()
    if current != nil { throw failure("Unexpected \(found) after the JSON value.") }
  }

  private mutating func value() throws(JSONError) {
    switch current {
    case UInt8(ascii: "{"): try object()
    case UInt8(ascii: "["): try array()
    case UInt8(ascii: "\""): _ = try string()
    case let byte? where "-0123456789".utf8.contains(byte): try number()
    case UInt8(ascii: "t"): try word("true")
    case UInt8(ascii: "f"): try word("false")
    case UInt8(ascii: "n"): try word("null")
    default: throw failure("Unexpected \(found); expected a value.")
    }
  }

  private mutating func object() throws(JSONError) {
    try descend()
    var names: Set<ArraySlice<UInt8>> = []
    skipSpace()
    if take("}") { return ascend() }
    while true {
      skipSpace()
      guard current == UInt8(ascii: "\"") else {
        throw failure("Unexpected \(found); expected a field name in quotation marks.")
      }
      let start = position
      let name = try string()
      if !names.insert(ArraySlice(name)).inserted {
        position = start
        throw failure(
          "The field \(quoted(String(decoding: name, as: UTF8.self))) appears twice in one object.")
      }
      skipSpace()
      guard take(":") else {
        throw failure("Unexpected \(found); expected ':' after the field name.")
      }
      skipSpace()
      try value()
      skipSpace()
      if take("}") { return ascend() }
      guard take(",") else {
        throw failure("Unexpected \(found); expected ',' or '}'.")
      }
    }
  }

  private mutating func array() throws(JSONError) {
    try descend()
    skipSpace()
    if take("]") { return ascend() }
    while true {
      skipSpace()
      try value()
      skipSpace()
      if take("]") { return ascend() }
      guard take(",") else {
        throw failure("Unexpected \(found); expected ',' or ']'.")
      }
    }
  }

  /// Walks a string and returns the bytes between its quotation marks, escapes as written.
  private mutating func string() throws(JSONError) -> UnsafeBufferPointer<UInt8>.SubSequence {
    let start = position
    position += 1
    while let byte = current {
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        return bytes[start + 1..<position - 1]
      case UInt8(ascii: "\\"):
        try escape()
      case 0..<32:
        throw failure("Unexpected \(found) in a string; write line ends and tabs as \\n and \\t.")
      default:
        position += 1
      }
    }
    position = start
    throw failure("This string has no closing quotation mark.")
  }

  private mutating func escape() throws(JSONError) {
    position += 1
    switch current {
    case UInt8(ascii: "u"):
      let digits = position + 1
      let unit = try hexadecimalUnit()
      guard (0xD800...0xDFFF).contains(unit) else { return }
      // Beyond the basic plane a character is written as a high and a low half.
      let end = position
      if unit < 0xDC00, take("\\"), current == UInt8(ascii: "u"),
        (0xDC00...0xDFFF).contains(try hexadecimalUnit())
      {
        return
      }
      position = end
      halves.append(digits)
    case let byte? where "\"\\/bfnrt".utf8.contains(byte):
      position += 1
    default:
      throw failure("Unexpected \(found) after a backslash in a string.")
    }
  }

  /// Reads `uXXXX`.
  private mutating func hexadecimalUnit() throws(JSONError) -> UInt32 {
    position += 1
    guard position + 4 <= bytes.count,
      bytes[position..<position + 4].allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let unit = UInt32(String(decoding: bytes[position..<position + 4], as: UTF8.self), radix: 16)
    else { throw failure("Missing hexadecimal digits: \\u must have four.") }
    position += 4
    return unit
  }

  private mutating func number() throws(JSONError) {
    let start = position
    _ = take("-")
    if !take("0") { try digits() }
    var isPlain = true
    if take(".") {
      try digits()
      isPlain = false
    }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      try digits()
      isPlain = false
    }
    // Fewer than 300 plain digits cannot pass the largest Double.
    if isPlain && position - start < 300 { return }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if Double(text)?.isFinite != true {
      position = start
      throw failure(
        "The number \(text.prefix(40)) is too large for a 64-bit floating-point number.")
    }
  }

  private mutating func digits() throws(JSONError) {
    guard let byte = current, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else {
      throw failure("Unexpected \(found); expected a digit.")
    }
    while let byte = current, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
      position += 1
    }
  }

  private mutating func word(_ word: StaticString) throws(JSONError) {
    let end = position + word.utf8CodeUnitCount
    let isThere =
      end <= bytes.count
      && (0..<word.utf8CodeUnitCount).allSatisfy { bytes[position + $0] == word.utf8Start[$0] }
    guard isThere else { throw failure("Unexpected \(found); expected a value.") }
    position = end
  }

  private mutating func descend() throws(JSONError) {
    nesting += 1
    if nesting > Self.maximumNesting {
      throw failure("Arrays and objects are nested deeper than \(Self.maximumNesting) levels.")
    }
    position += 1
  }

  private mutating func ascend() { nesting -= 1 }

  private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard current == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func skipSpace() {
    while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      position += 1
    }
  }

  /// The character at the position, in words.
  private var found: String {
    guard let byte = current else { return "end of text" }
    if byte == 0x0A || byte == 0x0D { return "end of line" }
    if byte < 32 || byte == 127 { return "control character" }
    let rest = String(decoding: bytes[position..<min(position + 4, bytes.count)], as: UTF8.self)
    return rest.first.map { "'\($0)'" } ?? "byte that is not text"
  }

  private func failure(_ sentence: String) -> JSONError {
    JSONError(
      path: textLocation(of: position, in: bytes, firstLine: firstLine), message: sentence)
  }
}

/// "3:7": line and column, both counted from 1, the column in bytes.
func textLocation(
  of offset: Int, in bytes: UnsafeBufferPointer<UInt8>, firstLine: Int
) -> String {
  let before = bytes[..<min(offset, bytes.count)]
  let line = before.reduce(firstLine) { $1 == 0x0A ? $0 + 1 : $0 }
  let column = offset - (before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0) + 1
  return "\(line):\(column)"
}
