extension FieldValue {
  /// What a JSON text says, the fields of every object in the order in which they stand: a number with a
  /// fraction or an exponent is never an integer.
  ///
  /// - Parameter levels: How deep lists and objects may be nested.
  /// - Returns: nil for what is no JSON, not everything that is none is found.
  package init?(json: some Sequence<UInt8>, levels: Int = 64) {
    var reader = JSONBytes(bytes: Array(json))
    guard let value = reader.value(levels: levels), reader.next == nil else { return nil }
    self = value
  }
}

extension FieldValue {
  /// A field of an object. `nil` for another value.
  package subscript(name: String) -> FieldValue? {
    guard case .object(let fields) = self else { return nil }
    return fields.first { $0.name == name }?.value
  }

  /// The number, whole or not.
  package var asNumber: Double? {
    switch self {
    case .integer(let integer): Double(integer)
    case .number(let number): number
    default: nil
    }
  }

  /// Two numbers as a place or a way.
  package var asPoint: Point2D? {
    guard case .list(let values) = self, values.count == 2, let x = values[0].asNumber,
      let y = values[1].asNumber
    else { return nil }
    return Point2D(x: x, y: y)
  }

  /// The text. `nil` for another value.
  package var asText: String? { if case .text(let text) = self { text } else { nil } }

  /// The values of a list. None for another value.
  package var asList: [FieldValue] { if case .list(let values) = self { values } else { [] } }
}

/// A JSON text that is gone through once.
private struct JSONBytes {
  let bytes: [UInt8]
  private var position = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  /// The next byte that is no white space. `nil` at the end.
  var next: UInt8? {
    mutating get {
      while position < bytes.count, bytes[position] <= 0x20 { position += 1 }
      return position < bytes.count ? bytes[position] : nil
    }
  }

  /// Goes past a byte if it is the next.
  private mutating func take(_ byte: Character) -> Bool {
    guard let next, next == byte.asciiValue else { return false }
    position += 1
    return true
  }

  mutating func value(levels: Int) -> FieldValue? {
    guard levels > 0 else { return nil }
    if take("\"") { return text().map(FieldValue.text) }
    if take("[") {
      return list("]") { $0.value(levels: levels - 1) }.map(FieldValue.list)
    }
    if take("{") {
      let fields = list("}") { reader -> EventField? in
        guard reader.take("\""), let name = reader.text(), reader.take(":") else { return nil }
        return reader.value(levels: levels - 1).map { EventField(name, $0) }
      }
      return fields.map(FieldValue.object)
    }
    let start = position
    while position < bytes.count, !" ,]}\t\r\n".utf8.contains(bytes[position]) { position += 1 }
    switch String(decoding: bytes[start..<position], as: UTF8.self) {
    case "null": return .null
    case "true": return .flag(true)
    case "false": return .flag(false)
    case let word:
      // Minus zero is no integer.
      if word != "-0", let integer = Int64(word) { return .integer(integer) }
      return Double(word).map(FieldValue.number)
    }
  }

  private mutating func list<Part>(_ end: Character, _ part: (inout Self) -> Part?) -> [Part]? {
    var parts: [Part] = []
    if take(end) { return parts }
    repeat {
      guard let next = part(&self) else { return nil }
      parts.append(next)
    } while take(",")
    return take(end) ? parts : nil
  }

  /// The rest of a string whose first quotation mark is behind.
  private mutating func text() -> String? {
    var units: [UInt8] = []
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if byte == UInt8(ascii: "\"") { return String(decoding: units, as: UTF8.self) }
      guard byte == UInt8(ascii: "\\"), position < bytes.count else {
        units.append(byte)
        continue
      }
      position += 1
      switch Character(Unicode.Scalar(bytes[position - 1])) {
      case "b": units.append(0x08)
      case "f": units.append(0x0C)
      case "n": units.append(0x0A)
      case "r": units.append(0x0D)
      case "t": units.append(0x09)
      case "u":
        guard let character = character() else { return nil }
        units += character.utf8
      default: units.append(bytes[position - 1])
      }
    }
    return nil
  }

  /// What is behind `\u`: four digits, or two times four with another `\u` between them. U+FFFD for half of a
  /// character.
  private mutating func character() -> String? {
    guard var code = digits() else { return nil }
    let end = position
    if 0xD800..<0xDC00 ~= code, bytes[position...].starts(with: Array("\\u".utf8)) {
      position += 2
      if let second = digits(), 0xDC00..<0xE000 ~= second {
        code = 0x10000 + (code - 0xD800) << 10 + (second - 0xDC00)
      } else {
        position = end
      }
    }
    return String(Unicode.Scalar(code) ?? "\u{FFFD}")
  }

  private mutating func digits() -> UInt32? {
    let digits = String(decoding: bytes[position...].prefix(4), as: UTF8.self)
    guard digits.utf8.count == 4 else { return nil }
    position += 4
    return UInt32(digits, radix: 16)
  }
}
