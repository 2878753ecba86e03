import JSONText
import TimelineModel

/// Reads a JSON text into the form that recordings are written in, with the fields of every object in the order in
/// which they stand and every number as it was written: what ``parseJSON(_:line:)`` does not keep.
///
/// The text must be one that ``parseJSON(_:line:)`` has read; nothing of the syntax is checked again.
struct OrderedJSON {
  private let bytes: [UInt8]
  private var place = 0

  /// The fields of an object; none for any other value.
  static func fields(of bytes: [UInt8]) -> [Field] {
    var text = OrderedJSON(bytes)
    guard case .object(let fields) = text.value() else { return [] }
    return fields
  }

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  private mutating func value() -> FieldValue {
    switch next() {
    case UInt8(ascii: "{"):
      var fields: [Field] = []
      while take(UInt8(ascii: "}"), isFirst: fields.isEmpty) {
        guard case .text(let name) = scalar() else { return .null }
        _ = next()
        place += 1
        fields.append(Field(name, value()))
      }
      return .object(fields)
    case UInt8(ascii: "["):
      var values: [FieldValue] = []
      while take(UInt8(ascii: "]"), isFirst: values.isEmpty) { values.append(value()) }
      return .list(values)
    default: return scalar()
    }
  }

  /// The byte after white space; 0 at the end.
  private mutating func next() -> UInt8 {
    while place < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[place]) { place += 1 }
    return place < bytes.count ? bytes[place] : 0
  }

  /// Goes past the bracket or comma before an element; false where there is none, past the end.
  private mutating func take(_ end: UInt8, isFirst: Bool) -> Bool {
    if isFirst { place += 1 }
    let byte = next()
    if byte == end || byte == 0 {
      place += 1
      return false
    }
    if !isFirst { place += 1 }
    return next() != 0
  }

  private mutating func scalar() -> FieldValue {
    let start = place
    if next() == UInt8(ascii: "\"") {
      place += 1
      while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
        place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
      }
      place += 1
    } else {
      while place < bytes.count, !",]} \t\r\n".utf8.contains(bytes[place]) { place += 1 }
    }
    let token = Array(bytes[start..<min(place, bytes.count)])
    let value = (try? parseJSON(token))?.fieldValue ?? .null
    // A number with a fraction or an exponent stays one: a whole one is written in other digits.
    if case .integer = value, token.contains(where: { ".eE".utf8.contains($0) }),
      let number = Double(String(decoding: token, as: UTF8.self))
    {
      return .number(number)
    }
    return value
  }
}
