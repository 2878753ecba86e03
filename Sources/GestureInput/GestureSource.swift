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
  }

  /// The file's name, for messages.
  let name: String
  /// The whole content, for a format that has no lines.
  let bytes: [UInt8]
  /// The content that the lines are parts of.
  private let content: [UInt8]
  /// The lines in order, empty ones left out.
  let lines: [Line]

  /// Whether there are more lines than are read.
  let isTooLong: Bool

  /// The most lines: an hour and more of a finger at 120 Hz as the kernel tells it, five lines a report.
  static let mostLines = 4_000_000

  init(name: String, bytes: [UInt8], hasLines: Bool = true) {
    (self.name, self.bytes) = (name, bytes)
    content = hasLines ? withPlainSpaces(bytes) : []
    var rest = content[...]
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    // Old systems end lines by a carriage return alone.
    let lineEnd = rest.contains(UInt8(ascii: "\n")) ? UInt8(ascii: "\n") : UInt8(ascii: "\r")
    var lines: [Line] = []
    var number = 0
    while !rest.isEmpty, lines.count <= Self.mostLines {
      number += 1
      let end = rest.firstIndex(of: lineEnd)
      let text = unstamped(trimmed(rest[..<(end ?? rest.endIndex)]))
      if !text.isEmpty { lines.append(Line(number: number, text: text, isTerminated: end != nil)) }
      rest = end.map { rest[($0 + 1)...] } ?? []
    }
    self.lines = lines
    isTooLong = lines.count > Self.mostLines
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

/// The bytes with a space for each no-break space, which web pages put into what is copied from them.
private func withPlainSpaces(_ bytes: [UInt8]) -> [UInt8] {
  let mark: (UInt8, UInt8) = (0xC2, 0xA0)
  guard bytes.contains(mark.0) else { return bytes }
  var plain: [UInt8] = []
  plain.reserveCapacity(bytes.count)
  for byte in bytes {
    if byte == mark.1, plain.last == mark.0 {
      plain[plain.count - 1] = UInt8(ascii: " ")
    } else {
      plain.append(byte)
    }
  }
  return plain
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
