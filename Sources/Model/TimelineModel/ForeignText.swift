/// Texts that a page or a browser wrote. They are data: what is printed of them is cleaned and cut.
package enum PageText {
  /// The most letters of a name.
  private static let longestName = 40
  /// The most letters of a sentence.
  private static let longestSentence = 80

  /// The name of an element as it is printed: letters other than those of words, `.`, `-`, `/`, `#` and blanks become `_`.
  package static func name(_ text: String) -> String {
    String(
      text.prefix(longestName).map { letter in
        letter.isLetter || letter.isNumber || "_.-/# ".contains(letter) ? letter : "_"
      })
  }

  /// A sentence in quotation marks, on one line.
  package static func quoted(_ text: String) -> String {
    let isLong = text.count > longestSentence
    let shown = text.prefix(longestSentence).map { letter -> Character in
      letter.isNewline || letter.isWhitespace
        ? " "
        : letter == "\"" ? "'" : letter.unicodeScalars.contains { !isPlain($0) } ? "_" : letter
    }
    return "\"\(String(shown))\(isLong ? "…" : "")\""
  }

  /// Whether a letter cannot move others or hide, as controls and directions do.
  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .privateUse, .surrogate, .unassigned, .lineSeparator,
      .paragraphSeparator:
      false
    default: true
    }
  }
}
