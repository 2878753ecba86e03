/// Why a text of no known shape is refused: with its first line that has numbers, if several have.
func refusal(ofLinesIn source: GestureSource) -> GestureError {
  var numbered: [(line: GestureSource.Line, text: ArraySlice<UInt8>)] = []
  for line in source.lines.prefix(20_000) where line.text.count <= 4096 {
    let text = line.text[LinePrefix(line.text).end...]
    guard text.allSatisfy({ $0 >= 32 && $0 != 127 || $0 == 9 }), numbers(in: text).count >= 2 else {
      continue
    }
    numbered.append((line, text))
    if numbered.count == 3 { break }
  }
  guard numbered.count == 3, let first = numbered.first else {
    return source.error(
      .unknownFormat, "The content is of no known format. kymo help formats lists the formats.")
  }
  return source.error(
    .unsupported, line: first.line.number,
    "No known shape fits '\(shown(first.text))'. Say which number is which: --pattern"
      + " '\(patternGuess(of: first.text))'. Its holes are {t:ms}, {x}, {y}, {id} and {phase}, and {…} for other text. A"
      + " table needs --columns 't=#1:ms,x=#2,y=#3'.")
}

/// Whether the first line that has numbers is a log's: it has signs, or a colon after a name, that no row of a table has.
func looksLikeLog(_ source: GestureSource) -> Bool {
  for line in source.lines.prefix(1000) where line.text.count <= 4096 {
    let text = line.text[LinePrefix(line.text).end...]
    guard numbers(in: text).count >= 2 else { continue }
    let isNamed = zip(text, text.dropFirst()).contains { isLetter($0) && $1 == UInt8(ascii: ":") }
    return isNamed || text.contains { "@()<>=".utf8.contains($0) }
      || NamedLine.words(in: text).count > numbers(in: text).count
  }
  return false
}

/// The ranges of the numbers in a text.
private func numbers(in text: ArraySlice<UInt8>) -> [Range<Int>] {
  var ranges: [Range<Int>] = []
  var scan = ByteScan(text, at: text.startIndex)
  while !scan.isAtEnd {
    let start = scan.index
    if isWordByte(scan.byte), !isDigit(scan.byte) {
      _ = scan.word()
    } else if WrittenNumber(&scan) != nil || writtenNumber(&scan) != nil {
      ranges.append(start..<scan.index)
    } else {
      scan.index += 1
    }
  }
  return ranges
}

/// A line as a pattern, as far as its names say it.
func patternGuess(of text: ArraySlice<UInt8>) -> String {
  var named = NamedLine.holes(in: text)
  let ranges = numbers(in: text)
  // `moved to (398, 882)`: two numbers in brackets are a position.
  if !named.values.contains("x"), let pair = positions(ranges, in: text) {
    (named[ranges[pair].lowerBound], named[ranges[pair + 1].lowerBound]) = ("x", "y")
  }
  var pattern = ""
  var end = text.startIndex
  var taken: Set<String> = []
  for range in ranges.prefix(12) {
    let between = String(decoding: text[end..<range.lowerBound], as: UTF8.self)
    let hole = named[range.lowerBound].flatMap { taken.insert($0).inserted ? $0 : nil }
    pattern +=
      (pattern.hasSuffix("}") && between.isEmpty ? " " : between)
      + (hole.map { "{\($0)}" } ?? "{…}")
    end = range.upperBound
  }
  if let close = text[end...].first, ")]}".utf8.contains(close) {
    pattern += String(decoding: [close], as: UTF8.self)
  }
  let rest = pattern.replacingWord { WrittenPhase(word: $0) != nil && !taken.contains("phase") }
  return shownPattern(rest)
}

/// The first of two numbers that stand in brackets by themselves.
private func positions(_ ranges: [Range<Int>], in text: ArraySlice<UInt8>) -> Int? {
  ranges.indices.dropLast().first { index in
    let (x, y) = (ranges[index], ranges[index + 1])
    guard x.lowerBound > text.startIndex, y.upperBound < text.endIndex,
      "([{".utf8.contains(text[x.lowerBound - 1]), ")]}".utf8.contains(text[y.upperBound])
    else { return false }
    return text[x.upperBound..<y.lowerBound].allSatisfy { ", ;".utf8.contains($0) }
  }
}

/// A pattern in a message: without what controls a terminal, and without apostrophes, which end it in a shell.
private func shownPattern(_ pattern: String) -> String {
  String(
    String.UnicodeScalarView(
      pattern.unicodeScalars.filter { $0.value >= 32 && $0.value != 127 && $0 != "'" }))
}

extension String {
  /// The text with `{phase}` for its first word that is one.
  fileprivate func replacingWord(where isOne: (String) -> Bool) -> String {
    var words = split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    if let index = words.firstIndex(where: { word in
      word.contains(where: \.isLetter) && !word.contains("{") && isOne(word)
    }) {
      words[index] = "{phase}"
    }
    return words.joined(separator: " ")
  }
}
