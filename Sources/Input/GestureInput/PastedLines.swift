/// Lines that somebody copied out of a terminal or a mail: with marks of quotation before them, and broken where the
/// mail was too narrow.
struct PastedLines {
  /// Most lines that one was broken into.
  private static let mostParts = 4

  private let lines: [GestureSource.Line]
  private let begins: (ArraySlice<UInt8>) -> Bool
  private var next = 0

  /// - Parameters:
  ///   - source: The file.
  ///   - begins: Whether a line, without marks of quotation, is one of the format, at least at its beginning.
  init(_ source: GestureSource, begins: @escaping (ArraySlice<UInt8>) -> Bool) {
    (lines, self.begins) = (source.lines, begins)
  }

  /// The next line of the format, with what can be read from it; other lines are passed over.
  ///
  /// - Parameter parse: Reads a line; nil where it is none, or not whole.
  /// - Returns: The line and its meaning, nil where even with the lines that follow there is none; nil at the end.
  mutating func read<Meaning>(
    _ parse: (ArraySlice<UInt8>) -> Meaning?
  ) -> (line: GestureSource.Line, meaning: Meaning?)? {
    while next < lines.count {
      let line = lines[next]
      next += 1
      let text = unquoted(line.text)
      guard begins(text) else { continue }
      if let meaning = parse(text) { return (line, meaning) }
      var whole = Array(text)
      for index in next..<min(next + Self.mostParts - 1, lines.count) {
        let part = unquoted(lines[index].text)
        guard !begins(part) else { break }
        whole += [UInt8(ascii: " ")] + part
        if let meaning = parse(whole[...]) {
          next = index + 1
          return (line, meaning)
        }
      }
      return (line, nil)
    }
    return nil
  }
}

/// A line without the marks of quotation that a mail puts before it.
func unquoted(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
  text.drop { $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
}

/// The words of a line, the signs given being space too.
func words(_ text: ArraySlice<UInt8>, without signs: String.UTF8View) -> [ArraySlice<UInt8>] {
  text.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") || signs.contains($0) }
}
