import KymographCLibrary
package import TimelineModel

/// Values as people read them in a terminal: short, on one line, and harmless.
package enum DisplayText: Sendable {
  /// The widest a cell of a table may be, in terminal columns. 36 of a uuid fit, and two such cells
  /// fit a line.
  package static let largestCellWidth = 48

  /// Digits after the point that a number keeps however large it is: a tenth of a point or of a millisecond.
  private static let leastDecimals = (number: 1, seconds: 4)

  /// A value as a cell: null as an en dash, text cut at ``largestCellWidth`` with an ellipsis.
  ///
  /// - Parameters:
  ///   - value: The content of the cell.
  ///   - column: The column's name. Seconds, whose columns end in `_s`, keep tenths of a millisecond.
  ///   - isPrecise: Whether a number has all of its digits.
  package static func cell(
    _ value: FieldValue, column: String = "", isPrecise: Bool = false
  ) -> String {
    if case .number(let number) = value, number.isFinite {
      return isPrecise
        ? value.json
        : NumberText.cell(
          number, leastPlaces: column.hasSuffix("_s") ? leastDecimals.seconds : leastDecimals.number
        )
    }
    // A speed without a unit of length: files write "1/s", people "/s".
    if column == "unit", case .text(let unit) = value, unit.hasPrefix("1/") {
      return String(unit.dropFirst())
    }
    return cut(text(of: value, isInside: false), toWidth: largestCellWidth)
  }

  /// The text with everything made visible that could move the cursor, change a terminal's state or
  /// turn the reading direction: control characters become their pictures (ESC is ␛), what has no
  /// picture becomes U+FFFD.
  package static func harmless(_ text: String) -> String {
    replacing(text, where: isHarmful, by: picture)
  }

  /// A text of several lines made ``harmless(_:)``: line feeds and tabs stay.
  package static func harmlessLines(_ text: String) -> String {
    replacing(text, where: { isHarmful($0) && $0 != "\n" && $0 != "\t" }, by: picture)
  }

  /// JSON that says the same, with everything escaped that ``harmless(_:)`` would replace in it.
  package static func escaped(json text: String) -> String {
    replacing(text, where: { isHarmful($0) && $0 != "\n" }, by: escape)
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    scalar.utf16.map { unit in
      let digits = String(unit, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }.joined()
  }

  /// A name as it is shown again and again, in pictures of a player: harmless, and at most as wide as a picture
  /// may be, however long it is.
  package static func shown(_ name: String) -> String {
    guard name.utf8.count > CellGrid.largestExtent else { return harmless(name) }
    let start = String(String.UnicodeScalarView(name.unicodeScalars.prefix(CellGrid.largestExtent)))
    return harmless(start) + "…"
  }

  private static func replacing(
    _ text: String, where isReplaced: (Unicode.Scalar) -> Bool,
    by replacement: (Unicode.Scalar) -> String
  ) -> String {
    if isPlain(text, orLineFeed: !isReplaced("\n")) { return text }
    guard text.unicodeScalars.contains(where: isReplaced) else { return text }
    var safe = ""
    for scalar in text.unicodeScalars {
      if isReplaced(scalar) {
        safe += replacement(scalar)
      } else {
        safe.unicodeScalars.append(scalar)
      }
    }
    return safe
  }

  /// Whether all of a text is printable ASCII, lines and dots (U+2500 to U+28FF), or line feeds if those are allowed. Most
  /// output is, and this costs a few comparisons a character.
  private static func isPlain(_ text: String, orLineFeed allowsLineFeeds: Bool) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      var index = 0
      while index < bytes.count {
        switch bytes[index] {
        case 0x20..<0x7f: index += 1
        case 0x0a where allowsLineFeeds: index += 1
        case 0xe2 where (0x94...0xa3).contains(bytes[index + 1]): index += 3
        default: return false
        }
      }
      return true
    }
  }

  private static func picture(_ scalar: Unicode.Scalar) -> String {
    switch scalar.value {
    case 0..<0x20: String(Unicode.Scalar(0x2400 + scalar.value).map(Character.init) ?? " ")
    case 0x7f: "\u{2421}"
    default: "\u{fffd}"
    }
  }

  private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7f..<0xa0: return true
    // Letters, lines and dots, of which there are many.
    case 0x20..<0xad, 0xae..<0x300, 0x2500..<0x2900: return false
    default: break
    }
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: return true
    // Joiners belong to emoji and to scripts. The other format characters turn or hide text.
    case .format: return scalar.value != 0x200c && scalar.value != 0x200d
    default: return false
    }
  }

  private static func text(of value: FieldValue, isInside: Bool) -> String {
    switch value {
    case .null: "–"
    case .flag(let flag): flag ? "yes" : "no"
    case .integer(let integer): String(integer)
    case .number(let number): NumberText.cell(number)
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

/// The scalars that take two columns of a terminal, beside emoji: the blocks of wide and full-width
/// characters of Unicode's East Asian Width (UAX #11).
private let wideBlocks: [(first: UInt32, last: UInt32)] = [
  (0x1100, 0x115f), (0x2e80, 0x303e), (0x3041, 0x4dbf), (0x4e00, 0xa4cf), (0xa960, 0xa97c),
  (0xac00, 0xd7a3), (0xf900, 0xfaff), (0xfe10, 0xfe19), (0xfe30, 0xfe6b), (0xff01, 0xff60),
  (0xffe0, 0xffe6), (0x16fe0, 0x18d08), (0x1b000, 0x1b2fb), (0x1f200, 0x1f265), (0x20000, 0x3fffd),
]

extension DisplayText {
  /// How many columns of a terminal a text takes: 2 for wide characters and emoji, 0 for marks that
  /// stand on another character, else 1.
  package static func width(of text: String) -> Int {
    if text.isPrintableASCII(orLineFeed: true) { return text.utf8.count }
    return text.reduce(0) { $0 + width(of: $1) }
  }

  /// The text cut to a width, ending in an ellipsis where something was cut.
  static func cut(_ text: String, toWidth limit: Int) -> String {
    // A text with few bytes is short enough whatever its characters are: each takes at most two
    // columns, and those of two columns have at least two bytes.
    if text.utf8.count <= limit || width(of: text) <= limit { return text }
    var kept = ""
    var used = 0
    for character in text {
      used += width(of: character)
      if used > limit - 1 { break }
      kept.append(character)
    }
    return kept + "…"
  }

  private static func width(of character: Character) -> Int {
    guard let first = character.unicodeScalars.first else { return 0 }
    if character.unicodeScalars.contains(where: isWide) { return 2 }
    switch first.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: return 1
    }
  }

  /// U+FE0F asks for the picture form of an emoji, which is wide.
  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isEmojiPresentation || scalar.value == 0xfe0f
      || wideBlocks.contains { $0.first <= scalar.value && scalar.value <= $0.last }
  }
}
