/// A value of an event's field or of a printed row: what JSON can say, with integers kept apart.
public enum FieldValue: Hashable, Sendable {
  /// Nothing known.
  case null
  /// Yes or no.
  case flag(Bool)
  /// A whole number. Times in nanoseconds are of this kind.
  case integer(Int64)
  /// Any other number.
  case number(Double)
  /// Text.
  case text(String)
  /// Several values in order.
  case list([FieldValue])
  /// Named values in order.
  case object([EventField])

  /// The value, or null when there is none.
  package init(_ value: Double?) { self = value.map(FieldValue.number) ?? .null }

  /// The value, or null when there is none.
  package init(_ value: Int?) { self = value.map { .integer(Int64($0)) } ?? .null }

  /// The value, or null when there is none.
  package init(_ value: String?) { self = value.map(FieldValue.text) ?? .null }

  /// The value, or null when there is none.
  package init(_ value: Bool?) { self = value.map(FieldValue.flag) ?? .null }

  /// The moment in nanoseconds, or null when there is none.
  package init(_ value: Instant?) { self = value.map { .integer($0.nanoseconds) } ?? .null }

  /// Two coordinates `[x, y]`.
  package init(_ value: Point2D) { self = .list([.number(value.x), .number(value.y)]) }

  /// Two extents `[width, height]`.
  package init(_ value: Size2D) { self = .list([.number(value.width), .number(value.height)]) }

  /// Four numbers `[x, y, width, height]`.
  package init(_ value: Rect2D) {
    self = .list([
      .number(value.origin.x), .number(value.origin.y), .number(value.size.width),
      .number(value.size.height),
    ])
  }

  /// Two numbers `[section, item]`.
  package init(_ value: ItemIndexPath) {
    self = .list([.integer(Int64(value.section)), .integer(Int64(value.item))])
  }
}

/// A named value.
public struct EventField: Hashable, Sendable {
  /// The name. Stable once shipped.
  public var name: String
  /// The value.
  public var value: FieldValue

  /// Makes a named value.
  public init(_ name: String, _ value: FieldValue) {
    self.name = name
    self.value = value
  }
}

extension FieldValue {
  /// The value as JSON (RFC 8259) on one line: numbers in the shortest form that reads back to the
  /// same bits, whole numbers without a fraction, a number that is not finite as null.
  package var json: String {
    var text = ""
    write(to: &text)
    return text
  }

  /// Appends ``json`` to a text.
  package func write(to text: inout String) {
    switch self {
    case .null: text += "null"
    case .flag(let flag): text += flag ? "true" : "false"
    case .integer(let integer): text += String(integer)
    case .number(let number): text += FieldValue.jsonNumber(number)
    case .text(let string): FieldValue.writeQuoted(string, to: &text)
    case .list(let values):
      text += "["
      for (index, value) in values.enumerated() {
        if index > 0 { text += "," }
        value.write(to: &text)
      }
      text += "]"
    case .object(let fields):
      text += "{"
      for (index, field) in fields.enumerated() {
        if index > 0 { text += "," }
        FieldValue.writeQuoted(field.name, to: &text)
        text += ":"
        field.value.write(to: &text)
      }
      text += "}"
    }
  }

  /// A number in the shortest decimal form that reads back to the same bits. "null" when it is not
  /// finite, since JSON has no such number.
  package static func jsonNumber(_ number: Double) -> String {
    guard number.isFinite else { return "null" }
    let text = number.description
    return text.hasSuffix(".0") && text != "-0.0" ? String(text.dropLast(2)) : text
  }

  private static func writeQuoted(_ string: String, to text: inout String) {
    text += "\""
    defer { text += "\"" }
    // Few texts have a character to escape, and bytes are read faster than characters.
    guard string.utf8.contains(where: { $0 < 0x20 || $0 == 0x22 || $0 == 0x5c || $0 == 0x7f })
    else {
      text += string
      return
    }
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case _ where scalar.value < 0x20 || scalar.value == 0x7f:
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
  }
}
