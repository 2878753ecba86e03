extension FieldValue {
  /// What a JSON text as ``json`` writes it says, names in their order; nil for other texts, which may be
  /// JSON of more than 64 levels or with characters written as `\u` beyond U+00FF.
  init?(json: String) {
    var reader = JSONBytes(bytes: Array(json.utf8))
    guard let value = reader.value(levels: 64), reader.next == nil else { return nil }
    self = value
  }
}

/// A JSON text that is gone through once.
private struct JSONBytes {
  let bytes: [UInt8]
  private var place = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  /// The next byte that is no white space; nil at the end.
  var next: UInt8? {
    mutating get {
      while place < bytes.count, bytes[place] <= 0x20 { place += 1 }
      return place < bytes.count ? bytes[place] : nil
    }
  }

  /// Goes past a byte if it is the next.
  private mutating func take(_ byte: Character) -> Bool {
    guard let next, next == byte.asciiValue else { return false }
    place += 1
    return true
  }

  mutating func value(levels: Int) -> FieldValue? {
    guard levels > 0 else { return nil }
    if take("\"") { return text().map(FieldValue.text) }
    if take("[") {
      return list("]") { $0.value(levels: levels - 1) }.map(FieldValue.list)
    }
    if take("{") {
      let fields = list("}") { reader -> Field? in
        guard reader.take("\""), let name = reader.text(), reader.take(":") else { return nil }
        return reader.value(levels: levels - 1).map { Field(name, $0) }
      }
      return fields.map(FieldValue.object)
    }
    let start = place
    while place < bytes.count, !Array(" ,]}".utf8).contains(bytes[place]) { place += 1 }
    switch String(decoding: bytes[start..<place], as: UTF8.self) {
    case "null": return .null
    case "true": return .flag(true)
    case "false": return .flag(false)
    case let word:
      return Int64(word).map(FieldValue.integer) ?? Double(word).map(FieldValue.number)
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
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      if byte == UInt8(ascii: "\"") { return String(decoding: units, as: UTF8.self) }
      guard byte == UInt8(ascii: "\\"), place < bytes.count else {
        units.append(byte)
        continue
      }
      place += 1
      switch Character(Unicode.Scalar(bytes[place - 1])) {
      case "n": units.append(0x0A)
      case "r": units.append(0x0D)
      case "t": units.append(0x09)
      case "u":
        let digits = String(decoding: bytes[place...].prefix(4), as: UTF8.self)
        guard digits.utf8.count == 4, let unit = UInt8(digits, radix: 16) else { return nil }
        units += String(Unicode.Scalar(unit)).utf8
        place += 4
      default: units.append(bytes[place - 1])
      }
    }
    return nil
  }
}
