import JSONText

/// A JSON value in a text, with the line that it begins in.
struct JSONPiece {
  var value: JSONValue
  var line: Int
}

/// The JSON values of a text: a whole document, a value a line, values behind a log's prefix, or a list in a program's
/// source.
///
/// One walk finds where values begin and end, so that a value that never ends gives those inside it that do.
struct JSONPieces {
  /// The most bytes of one value, which is in memory as a whole: half an hour of one finger at 120 Hz.
  static let longest = 32 << 20
  /// Deepest nesting that is looked at.
  private static let mostOpen = 128

  private struct Open {
    var start: Int
    var line: Int
    var closing: UInt8
    var ended: [Range<Int>] = []
    var lines: [Int] = []
  }

  /// The bounds of the values, and their lines.
  private(set) var bounds: [Range<Int>] = []
  private(set) var lines: [Int] = []
  /// The lines in which values begin that never end.
  private(set) var openLines: [Int] = []
  private(set) var isTooDeep = false
  let text: [UInt8]

  init(_ source: GestureSource) {
    var text: [UInt8] = []
    var lineOf: [Int] = []
    for line in source.lines {
      text += line.text
      text.append(UInt8(ascii: "\n"))
      lineOf.append(line.number)
    }
    self.text = text
    find(lineOf)
  }

  private mutating func find(_ lineOf: [Int]) {
    var top = Open(start: 0, line: 0, closing: 0)
    var stack: [Open] = []
    var isInString = false
    var row = 0
    var index = 0
    while index < text.count {
      let byte = text[index]
      if byte == UInt8(ascii: "\n") {
        // A string ends with its line at the latest.
        isInString = false
        row += 1
      } else if isInString {
        if byte == UInt8(ascii: "\\") {
          index += 1
          continue
        }
        if byte == UInt8(ascii: "\"") { isInString = false }
      } else if byte == UInt8(ascii: "\"") {
        isInString = !stack.isEmpty
      } else if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
        guard stack.count < Self.mostOpen else {
          isTooDeep = true
          return
        }
        stack.append(
          Open(start: index, line: lineOf[min(row, lineOf.count - 1)], closing: byte + 2))
      } else if let last = stack.last, byte == last.closing {
        stack.removeLast()
        let end = stack.count - 1
        if end >= 0 {
          stack[end].ended.append(last.start..<index + 1)
          stack[end].lines.append(last.line)
        } else {
          top.ended.append(last.start..<index + 1)
          top.lines.append(last.line)
        }
      }
      index += 1
    }
    for open in [top] + stack {
      bounds += open.ended
      lines += open.lines
    }
    openLines = stack.map(\.line)
  }
}

/// A text in the notation of JavaScript or Python as JSON: names without quotation marks, single ones, a comma at the end,
/// `undefined`, `None` and `True`.
func strictJSON(_ text: ArraySlice<UInt8>) -> [UInt8] {
  var strict: [UInt8] = []
  strict.reserveCapacity(text.count + text.count / 8)
  var index = text.startIndex
  func isWord(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$") || byte > 127
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }
  while index < text.endIndex {
    let byte = text[index]
    if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") || byte == UInt8(ascii: "`") {
      strict.append(UInt8(ascii: "\""))
      index += 1
      while index < text.endIndex, text[index] != byte {
        if text[index] == UInt8(ascii: "\\"), index + 1 < text.endIndex {
          if text[index + 1] != UInt8(ascii: "'") { strict.append(text[index]) }
          index += 1
          strict.append(text[index])
        } else {
          if text[index] == UInt8(ascii: "\"") { strict.append(UInt8(ascii: "\\")) }
          strict.append(text[index])
        }
        index += 1
      }
      strict.append(UInt8(ascii: "\""))
      index += 1
    } else if isWord(byte), !(0x30...0x39).contains(byte) {
      let end = text[index...].firstIndex { !isWord($0) } ?? text.endIndex
      let word = text[index..<end]
      let isExponent =
        strict.last.map { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") } ?? false
      index = end
      if isExponent {
        strict += word
        continue
      }
      // The name of a class: `Touch {identifier: 0}`.
      if let next = text[end...].first(where: { $0 != UInt8(ascii: " ") }), "{[".utf8.contains(next)
      {
        continue
      }
      switch String(decoding: word, as: UTF8.self) {
      case "true", "True": strict += "true".utf8
      case "false", "False": strict += "false".utf8
      case "null", "None", "undefined", "NaN", "nil", "nan": strict += "null".utf8
      default: strict += [UInt8(ascii: "\"")] + word + [UInt8(ascii: "\"")]
      }
    } else if (0x30...0x39).contains(byte),
      strict.last.map({ !isWord($0) && $0 != UInt8(ascii: ".") }) ?? true
    {
      let end = text[index...].firstIndex { !(0x30...0x39).contains($0) } ?? text.endIndex
      let isName = text[end...].first { $0 != UInt8(ascii: " ") } == UInt8(ascii: ":")
      strict +=
        isName
        ? [UInt8(ascii: "\"")] + text[index..<end] + [UInt8(ascii: "\"")] : Array(text[index..<end])
      index = end
    } else if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") {
      while let last = strict.last,
        last == UInt8(ascii: ",") || last == UInt8(ascii: " ") || last == UInt8(ascii: "\n")
      {
        strict.removeLast()
      }
      strict.append(byte)
      index += 1
    } else {
      strict.append(byte)
      index += 1
    }
  }
  return strict
}
