/// Lines that somebody copied out of a terminal or a mail: with marks of quotation before them, broken where the mail
/// was too narrow, and with the kernel's messages between them.
struct PastedLines {
  /// Most lines that one was broken into.
  private static let mostParts = 4
  /// Most messages of the kernel between the parts of a line.
  private static let mostMessages = 16

  private let lines: [GestureSource.Line]
  private let begins: (ArraySlice<UInt8>) -> Bool
  private let continues: (ArraySlice<UInt8>) -> Bool
  private var next = 0

  /// - Parameters:
  ///   - source: The file.
  ///   - continues: Whether a line can only be the end of the one before, though that has a meaning without it.
  ///   - begins: Whether a line, without marks of quotation, is one of the format, at least at its beginning.
  init(
    _ source: GestureSource, continues: @escaping (ArraySlice<UInt8>) -> Bool = { _ in false },
    begins: @escaping (ArraySlice<UInt8>) -> Bool
  ) {
    (lines, self.begins, self.continues) = (source.lines, begins, continues)
  }

  /// The next line of the format, with its readable values. Other lines are passed over.
  ///
  /// - Parameter parse: Reads a line. `nil` where it is none, or not whole.
  /// - Returns: The line and its meaning, nil where even with the lines that follow there is none. `nil` at the end.
  mutating func read<Meaning>(
    _ parse: (ArraySlice<UInt8>) -> Meaning?
  ) -> (line: GestureSource.Line, meaning: Meaning?)? {
    while next < lines.count {
      let index = next
      next += 1
      guard begins(unquoted(lines[index].text)) else { continue }
      guard let found = Self.meaning(of: lines, at: index, begins, parse) else {
        return (lines[index], nil)
      }
      next = found.next
      if next < lines.count, continues(unquoted(lines[next].text)),
        let whole = parse(Self.join(found.text, unquoted(lines[next].text)))
      {
        next += 1
        return (lines[index], whole)
      }
      return (lines[index], found.meaning)
    }
    return nil
  }

  /// The meaning of a line, put together with those that follow where it was broken.
  ///
  /// - Returns: The meaning, the text and the index of the line behind. `nil` where the line has none.
  static func meaning<Meaning>(
    of lines: [GestureSource.Line], at index: Int, _ begins: (ArraySlice<UInt8>) -> Bool,
    _ parse: (ArraySlice<UInt8>) -> Meaning?
  ) -> (meaning: Meaning, text: ArraySlice<UInt8>, next: Int)? {
    var text = unquoted(lines[index].text)
    guard begins(text) else { return nil }
    if let meaning = parse(text) { return (meaning, text, index + 1) }
    var (parts, messages) = (1, 0)
    for next in (index + 1)..<lines.count {
      let part = unquoted(lines[next].text)
      guard !begins(part) else { return nil }
      if isKernelMessage(part) {
        messages += 1
        guard messages <= mostMessages else { return nil }
        continue
      }
      parts += 1
      guard parts <= mostParts else { return nil }
      text = join(text, part)
      if let meaning = parse(text) { return (meaning, text, next + 1) }
    }
    return nil
  }

  /// Two parts of a line. A mail breaks it at a space, which goes, or behind a minus sign.
  private static func join(
    _ text: ArraySlice<UInt8>, _ part: ArraySlice<UInt8>
  ) -> ArraySlice<UInt8> {
    let minus = UInt8(ascii: "-")
    let endsWithSign = text.last == minus && text.dropLast().last != minus
    return (endsWithSign ? text : text + [UInt8(ascii: " ")]) + part
  }

  /// `[ 1961.191409] usb 1-1: reset`.
  private static func isKernelMessage(_ text: ArraySlice<UInt8>) -> Bool {
    guard text.first == UInt8(ascii: "["),
      let stamp = words(text.dropFirst().prefix(40), without: "]@".utf8).first
    else { return false }
    return nanoseconds(fromSeconds: stamp) != nil
  }
}

/// A line without the marks of quotation that a mail puts before it, and without a log's words.
func unquoted(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
  let text = text.drop {
    $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t")
  }
  return text[LinePrefix(text).end...]
}

/// The words of a line, the signs given being space too.
func words(_ text: ArraySlice<UInt8>, without signs: String.UTF8View) -> [ArraySlice<UInt8>] {
  text.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") || signs.contains($0) }
}
