/// Texts that a recording, a page or a browser wrote. They are data: what is printed of them is cleaned and cut.
package enum ForeignText {
  /// The most letters of a name.
  private static let longestName = 40
  /// The most letters of a sentence.
  private static let longestSentence = 80

  /// The name of an element as it is printed: all but the letters of words, digits, `.-/_#` and blanks becomes `_`, and
  /// what is longer than ``longestName`` is cut.
  package static func name(_ text: String) -> String {
    let letters = text.unicodeScalars.prefix(longestName).map { scalar -> Unicode.Scalar in
      let isOfWord = scalar.properties.isAlphabetic || scalar.properties.numericType != nil
      return isOfWord || "_.-/# ".unicodeScalars.contains(scalar) ? scalar : "_"
    }
    return String(String.UnicodeScalarView(letters))
  }

  /// A name as a sentence has it: ``name(_:)``, with an ellipsis where it was cut.
  package static func shownName(_ text: String) -> String {
    name(text) + (text.unicodeScalars.count > longestName ? "…" : "")
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

extension String {
  /// Whether each byte is a printable character of ASCII, or a line feed if those are allowed. Most names and cells
  /// are, and this costs two comparisons a byte.
  package func isPrintableASCII(orLineFeed allowsLineFeeds: Bool = false) -> Bool {
    utf8.allSatisfy { ($0 >= 0x20 && $0 < 0x7f) || ($0 == 0x0a && allowsLineFeeds) }
  }
}
