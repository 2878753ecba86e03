import TimelineModel

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
