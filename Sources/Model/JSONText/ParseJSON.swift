#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Reads one JSON text.
///
/// The text is UTF-8 and follows RFC 8259 strictly: no comments, no comma before a closing bracket,
/// nothing after the value. Beyond the standard, a field name may not stand twice in an object,
/// nesting ends at 128 levels, and every number fits a 64-bit floating-point number. (Two names are
/// the same when they are written the same; `"a"` and `"\u0061"` are not recognised as one.) A byte order mark at
/// the beginning is passed over, and an escape that is half of a character is read as U+FFFD.
///
/// Cost: linear in the length; about 10 µs for a line of three fields.
///
/// - Parameters:
///   - bytes: The text.
///   - line: The number of the text's first line, for messages; a reader of NDJSON gives its own.
/// - Throws: ``JSONError`` with line and column as its path.
package func parseJSON(_ bytes: [UInt8], line: Int = 1) throws(JSONError) -> JSONValue {
  var bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes[3...]) : bytes
  let halves = try bytes.withUnsafeBufferPointer { text throws(JSONError) in
    try halvesOfCharacters(text, firstLine: line)
  }
  for digits in halves { bytes.replaceSubrange(digits..<digits + 4, with: "FFFD".utf8) }
  do {
    return try JSONDecoder().decode(DecodedValue.self, from: Data(bytes)).value
  } catch {
    throw JSONError(path: "$", message: "The text cannot be decoded as JSON.")
  }
}

/// Checks a text; where its halves of characters are.
private func halvesOfCharacters(
  _ bytes: UnsafeBufferPointer<UInt8>, firstLine: Int
) throws(JSONError) -> [Int] {
  if let offset = firstInvalidUTF8(bytes) {
    throw JSONError(
      path: textLocation(of: offset, in: bytes, firstLine: firstLine),
      message: "The text is not UTF-8.")
  }
  var syntax = JSONSyntax(bytes, firstLine: firstLine)
  try syntax.check()
  return syntax.halves
}

/// The offset of the first byte that belongs to no UTF-8 character; nil when all do.
private func firstInvalidUTF8(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
  if bytes.allSatisfy({ $0 < 0x80 }) { return nil }
  var iterator = bytes.makeIterator()
  var codec = UTF8()
  var offset = 0
  while true {
    switch codec.decode(&iterator) {
    case .scalarValue(let scalar): offset += UTF8.width(scalar)
    case .emptyInput: return nil
    case .error: return offset
    }
  }
}

/// Lets Foundation's decoder build a ``JSONValue``.
private struct DecodedValue: Decodable {
  let value: JSONValue

  /// Asks for the frequent kinds first: each wrong guess costs a thrown error.
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      value = .null
    } else if let number = try? container.decode(Double.self) {
      value = Self.number(number, in: container)
    } else if let string = try? container.decode(String.self) {
      value = .string(string)
    } else if let fields = try? container.decode([String: DecodedValue].self) {
      value = .object(fields.mapValues(\.value))
    } else if let elements = try? container.decode([DecodedValue].self) {
      value = .array(elements.map(\.value))
    } else {
      value = .bool(try container.decode(Bool.self))
    }
  }

  /// Minus zero stays a Double, since no integer is it. Whole numbers below 2^53 are exact as a Double; larger ones are read again as integers.
  private static func number(
    _ number: Double, in container: any SingleValueDecodingContainer
  ) -> JSONValue {
    guard number.rounded(.towardZero) == number, number.sign == .plus || number != 0 else {
      return .number(number)
    }
    if abs(number) < 9_007_199_254_740_992 { return .integer(Int64(number)) }
    if let integer = try? container.decode(Int64.self) { return .integer(integer) }
    return .number(number)
  }
}
