/// A file of recorded touches, cut into lines.
struct GestureSource {
  /// One line that holds more than space.
  struct Line {
    /// The number in the file, counted from 1.
    let number: Int
    /// The content without surrounding space. A carriage return at the end is space too.
    let text: ArraySlice<UInt8>
    /// Whether a line end follows. A last line without one may have been cut off.
    let isTerminated: Bool

    /// The line without what a log put before it. `nil` if nothing is left.
    var withoutPrefix: Line? {
      let end = LinePrefix(text).end
      guard end < text.endIndex else { return nil }
      return Line(number: number, text: text[end...], isTerminated: isTerminated)
    }
  }

  /// The file's name, for messages.
  let name: String
  /// The whole content, for a format that has no lines.
  let bytes: [UInt8]
  /// The content that the lines are parts of.
  private let content: [UInt8]
  /// The lines in order, empty ones left out, without marks of quotation.
  private(set) var lines: [Line]

  /// Whether there are more lines than are read.
  let isTooLong: Bool

  /// The most lines: an hour and more of a finger at 120 Hz as the kernel tells it, five lines a report.
  static let mostLines = 4_000_000

  /// The lines that show whether a log put something before them.
  private static let firstLines = 1000

  init(name: String, bytes: [UInt8], hasLines: Bool = true) {
    (self.name, self.bytes) = (name, bytes)
    content = hasLines ? plainText(bytes) : []
    var rest = content[...]
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    // Old systems end lines by a carriage return alone.
    let lineEnd = rest.contains(UInt8(ascii: "\n")) ? UInt8(ascii: "\n") : UInt8(ascii: "\r")
    var lines: [Line] = []
    var number = 0
    while !rest.isEmpty, lines.count <= Self.mostLines {
      number += 1
      let end = rest.firstIndex(of: lineEnd)
      let text = withoutQuotation(trimmed(rest[..<(end ?? rest.endIndex)]))
      if !text.isEmpty, !isFence(text) {
        lines.append(Line(number: number, text: text, isTerminated: end != nil))
      }
      rest = end.map { rest[($0 + 1)...] } ?? []
    }
    self.lines = lines
    isTooLong = lines.count > Self.mostLines
  }

  /// The file without what a log put before its lines. Rows of a table may begin with their times, so they are not read so.
  var withoutPrefixes: GestureSource {
    guard
      lines.prefix(Self.firstLines).contains(where: {
        LinePrefix($0.text).end > $0.text.startIndex
      })
    else { return self }
    var source = self
    source.lines = lines.compactMap(\.withoutPrefix)
    return source
  }

  /// A line with the tabs before and after it, which stand for empty cells.
  func withTabs(_ line: Line) -> ArraySlice<UInt8> {
    let tab = UInt8(ascii: "\t")
    var (start, end) = (line.text.startIndex, line.text.endIndex)
    while start > 0, content[start - 1] == tab { start -= 1 }
    while end < content.count, content[end] == tab { end += 1 }
    return content[start..<end]
  }

  /// An error about this file.
  func error(_ code: GestureError.Code, line: Int? = nil, _ message: String) -> GestureError {
    GestureError(code: code, file: name, line: line, message: message)
  }
}

/// The bytes without space, tabs and carriage returns at both ends.
func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
  var bytes = bytes
  while let first = bytes.first, isSpace(first) { bytes.removeFirst() }
  while let last = bytes.last, isSpace(last) { bytes.removeLast() }
  return bytes
}

/// The words between spaces and tabs.
func words(_ bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
  bytes.split(whereSeparator: isSpace)
}

private func isSpace(_ byte: UInt8) -> Bool {
  byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
}
