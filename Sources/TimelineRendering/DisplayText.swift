public import TimelineModel

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Values as people read them in a terminal: short, on one line, and harmless.
public enum DisplayText: Sendable {
  /// The widest a cell of a table may be, in terminal columns; 36 of a uuid fit, and two such cells
  /// fit a line.
  public static let largestCellWidth = 48

  /// The most significant digits of a number that is not whole; no unit.
  private static let significantDigits: Int32 = 6

  /// Whole numbers below this are printed with all their digits: those that a Double holds exactly.
  private static let largestWhole = 9_007_199_254_740_992.0

  /// A value as a cell: null as an en dash, text cut at ``largestCellWidth`` with an ellipsis.
  public static func cell(_ value: FieldValue) -> String {
    cut(text(of: value, isInside: false), toWidth: largestCellWidth)
  }

  /// A number with at most 6 significant digits; an en dash when it is not finite.
  public static func number(_ number: Double) -> String {
    guard number.isFinite else { return "–" }
    if number == number.rounded(), abs(number) < largestWhole { return String(Int64(number)) }
    var buffer = [CChar](repeating: 0, count: 32)
    _ = withVaList([significantDigits, number]) { vsnprintf(&buffer, buffer.count, "%.*g", $0) }
    return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// The text with everything made visible that could move the cursor, change a terminal's state or
  /// turn the reading direction: control characters become their pictures (ESC is ␛), what has no
  /// picture becomes U+FFFD.
  public static func harmless(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isHarmful) else { return text }
    var safe = ""
    for scalar in text.unicodeScalars {
      guard isHarmful(scalar) else {
        safe.unicodeScalars.append(scalar)
        continue
      }
      let picture: UInt32 =
        switch scalar.value {
        case 0..<0x20: 0x2400 + scalar.value
        case 0x7f: 0x2421
        default: 0xfffd
        }
      if let visible = Unicode.Scalar(picture) { safe.unicodeScalars.append(visible) }
    }
    return safe
  }

  private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    // Joiners belong to emoji and to scripts; the other format characters turn or hide text.
    case .format: scalar.value != 0x200c && scalar.value != 0x200d
    default: false
    }
  }

  private static func text(of value: FieldValue, isInside: Bool) -> String {
    switch value {
    case .null: "–"
    case .flag(let flag): flag ? "yes" : "no"
    case .integer(let integer): String(integer)
    case .number(let number): DisplayText.number(number)
    case .text(let text): harmless(text)
    case .list(let values):
      "[" + values.map { DisplayText.text(of: $0, isInside: true) }.joined(separator: ", ") + "]"
    case .object(let fields):
      (isInside ? "{" : "")
        + fields.map { harmless($0.name) + ": " + DisplayText.text(of: $0.value, isInside: true) }
        .joined(separator: ", ") + (isInside ? "}" : "")
    }
  }
}
