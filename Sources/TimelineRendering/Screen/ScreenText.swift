/// Text taken apart into what a terminal shows in one or two columns.
///
/// Terminals differ in how wide they hold a sequence of joined characters to be, so each piece is one
/// character with at most a few marks on it, and nothing that could move a cursor is left.
enum ScreenText {
  /// A piece of text and the columns that it takes, 1 or 2.
  struct Piece: Hashable {
    var text: String
    var width: Int
  }

  /// The most marks that one character keeps. More are a prank, and would make cells large.
  private static let mostMarks = 3
  /// Terminals disagree on how wide flags are.
  private static let flagLetters: ClosedRange<UInt32> = 0x1f1e6...0x1f1ff
  /// These ask for a form of the character before them, and with it for another width.
  private static let variationSelectors: ClosedRange<UInt32> = 0xfe00...0xfe0f

  /// The pieces in order. A mark without a width of its own and without a letter is left out.
  static func pieces(of text: String) -> [Piece] {
    var pieces: [Piece] = []
    for character in DisplayText.harmless(text) {
      guard let first = character.unicodeScalars.first else { continue }
      if flagLetters.contains(first.value) {
        pieces.append(Piece(text: "\u{fffd}", width: 1))
        continue
      }
      let width = DisplayText.width(of: String(first))
      guard width > 0 else { continue }
      var kept = String(first)
      for mark in character.unicodeScalars.dropFirst().lazy.filter(isMark).prefix(mostMarks) {
        kept.unicodeScalars.append(mark)
      }
      pieces.append(Piece(text: kept, width: width))
    }
    return pieces
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: !variationSelectors.contains(scalar.value)
    default: false
    }
  }
}
