/// One strict walk over a JSON text, which builds the value meanwhile.
///
/// It follows RFC 8259 to the letter, refuses doubled names and nesting beyond ``maximumNesting``, and says where.
struct JSONSyntax {
  /// Deepest nesting of arrays and objects. No file of ours goes beyond ten. The limit keeps a line
  /// of brackets from using up the stack.
  static let maximumNesting = 128

  private let bytes: UnsafeBufferPointer<UInt8>
  private let firstLine: Int
  private var position = 0
  private var nesting = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>, firstLine: Int) {
    self.bytes = bytes
    self.firstLine = firstLine
  }

  /// Reads the whole text.
  mutating func read() throws(JSONError) -> JSONValue {
    skipSpace()
    let value = try value()
    skipSpace()
    if current != nil { throw failure("Unexpected \(found) after the JSON value.") }
    return value
  }

  private mutating func value() throws(JSONError) -> JSONValue {
    guard let byte = current else { throw failure("Unexpected \(found). Expected a value.") }
    switch byte {
    case UInt8(ascii: "{"): return try object()
    case UInt8(ascii: "["): return try array()
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    case UInt8(ascii: "t"):
      try word("true")
      return .bool(true)
    case UInt8(ascii: "f"):
      try word("false")
      return .bool(false)
    case UInt8(ascii: "n"):
      try word("null")
      return .null
    default: throw failure("Unexpected \(found). Expected a value.")
    }
  }

  private mutating func object() throws(JSONError) -> JSONValue {
    try descend()
    var fields: [String: JSONValue] = [:]
    skipSpace()
    if take("}") { return ascend(.object(fields)) }
    // A line of an app has about five fields.
    fields.reserveCapacity(6)
    while true {
      skipSpace()
      guard current == UInt8(ascii: "\"") else {
        throw failure("Unexpected \(found). Expected a field name in quotation marks.")
      }
      let start = position
      let name = try string()
      skipSpace()
      guard take(":") else {
        throw failure("Unexpected \(found). Expected ':' after the field name.")
      }
      skipSpace()
      if fields.updateValue(try value(), forKey: name) != nil {
        position = start
        throw failure("The field \(quoted(name)) appears twice in one object.")
      }
      skipSpace()
      if take("}") { return ascend(.object(fields)) }
      guard take(",") else {
        throw failure("Unexpected \(found). Expected ',' or '}'.")
      }
    }
  }

  private mutating func array() throws(JSONError) -> JSONValue {
    try descend()
    var elements: [JSONValue] = []
    skipSpace()
    if take("]") { return ascend(.array(elements)) }
    while true {
      skipSpace()
      elements.append(try value())
      skipSpace()
      if take("]") { return ascend(.array(elements)) }
      guard take(",") else {
        throw failure("Unexpected \(found). Expected ',' or ']'.")
      }
    }
  }

  /// Reads a string. Most have no escape and are taken as they are.
  private mutating func string() throws(JSONError) -> String {
    let start = position
    position += 1
    var part = position
    var text: [UInt8] = []
    while let byte = current {
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        let rest = bytes[part..<position - 1]
        if text.isEmpty {
          return String(decoding: UnsafeBufferPointer(rebasing: rest), as: UTF8.self)
        }
        return String(decoding: text + rest, as: UTF8.self)
      case UInt8(ascii: "\\"):
        text += bytes[part..<position]
        try escape(into: &text)
        part = position
      case 0..<32:
        throw failure("Unexpected \(found) in a string. Write line ends and tabs as \\n and \\t.")
      default:
        position += 1
      }
    }
    position = start
    throw failure("This string has no closing quotation mark.")
  }

  /// Reads the characters after a backslash. Half of a character without the other half is U+FFFD.
  private mutating func escape(into text: inout [UInt8]) throws(JSONError) {
    position += 1
    switch current {
    case UInt8(ascii: "u"):
      var unit = try hexadecimalUnit()
      // Beyond the basic plane a character is written as a high and a low half.
      let end = position
      if (0xD800..<0xDC00).contains(unit), take("\\"), current == UInt8(ascii: "u") {
        let low = try hexadecimalUnit()
        if (0xDC00...0xDFFF).contains(low) {
          unit = 0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)
        } else {
          position = end
        }
      } else {
        position = end
      }
      text += String(Unicode.Scalar(unit) ?? "\u{FFFD}").utf8
    case let byte? where "\"\\/".utf8.contains(byte):
      position += 1
      text.append(byte)
    case let byte?:
      guard let place = Self.escapes.firstIndex(of: byte) else { fallthrough }
      position += 1
      text.append(Self.escaped[place])
    default:
      throw failure("Unexpected \(found) after a backslash in a string.")
    }
  }

  private static let escapes = Array("bfnrt".utf8)
  private static let escaped: [UInt8] = [8, 12, 10, 13, 9]

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

  /// Reads a number: whole numbers of 64 bits exactly, all others as the nearest `Double`.
  private mutating func number() throws(JSONError) -> JSONValue {
    let start = position
    let isNegative = take("-")
    var digits = Digits()
    if !take("0") { try read(&digits) }
    var isPlain = true
    if take(".") {
      isPlain = false
      let whole = position
      try read(&digits)
      digits.exponent = whole - position
    }
    if take("e") || take("E") {
      isPlain = false
      digits.exponent = .min
      if !take("+") { _ = take("-") }
      var exponent = Digits()
      try read(&exponent)
    }
    if isPlain, digits.count <= 18, !(isNegative && digits.value == 0) {
      return .integer(isNegative ? -Int64(digits.value) : Int64(digits.value))
    }
    var number: Double
    if digits.count <= 19, digits.value <= 1 << 53, (-22...0).contains(digits.exponent) {
      // Both are exact, so that the quotient is the nearest (W. D. Clinger, How to read floating point numbers
      // accurately, 1990).
      number = Double(digits.value) / Self.powersOfTen[-digits.exponent]
      if isNegative { number.negate() }
    } else {
      let text = String(decoding: bytes[start..<position], as: UTF8.self)
      if isPlain, let integer = Int64(text) { return .integer(integer) }
      guard let nearest = Double(text), nearest.isFinite else {
        position = start
        throw failure(
          "The number \(text.prefix(40)) is too large for a 64-bit floating-point number.")
      }
      number = nearest
    }
    // No integer is minus zero.
    guard let integer = Int64(exactly: number), integer != 0 || number.sign == .plus else {
      return .number(number)
    }
    return .integer(integer)
  }

  /// Decimal digits that were read, up to the nineteenth that counts.
  private struct Digits {
    var value: UInt64 = 0
    /// How many there were from the first that is not 0.
    var count = 0
    /// The power of ten to multiply with.
    var exponent = 0
  }

  private static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  ]

  private mutating func read(_ digits: inout Digits) throws(JSONError) {
    guard let byte = current, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else {
      throw failure("Unexpected \(found). Expected a digit.")
    }
    while let byte = current, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
      if digits.count < 19 { digits.value = digits.value * 10 + UInt64(byte - UInt8(ascii: "0")) }
      if digits.count > 0 || byte != UInt8(ascii: "0") { digits.count += 1 }
      position += 1
    }
  }

  private mutating func word(_ word: StaticString) throws(JSONError) {
    let end = position + word.utf8CodeUnitCount
    let isThere =
      end <= bytes.count
      && (0..<word.utf8CodeUnitCount).allSatisfy { bytes[position + $0] == word.utf8Start[$0] }
    guard isThere else { throw failure("Unexpected \(found). Expected a value.") }
    position = end
  }

  private mutating func descend() throws(JSONError) {
    nesting += 1
    if nesting > Self.maximumNesting {
      throw failure("Arrays and objects are nested deeper than \(Self.maximumNesting) levels.")
    }
    position += 1
  }

  private mutating func ascend(_ value: JSONValue) -> JSONValue {
    nesting -= 1
    return value
  }

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
