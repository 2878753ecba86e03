/// The text, in quotes where a comma, a quote, a line end or a blank at an end asks for them.
package func quotedCell(_ text: String) -> String {
  // By bytes: CR LF is one letter of a Swift string.
  let asksForQuotes =
    text.utf8.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }
    || text.utf8.first == 0x20 || text.utf8.last == 0x20
  guard asksForQuotes else { return text }
  var quoted = "\""
  for scalar in text.unicodeScalars {
    if scalar == "\"" { quoted += "\"" }
    quoted.unicodeScalars.append(scalar)
  }
  return quoted + "\""
}

/// Text that a spreadsheet would take for a formula, and that is kept from it by an apostrophe before it.
///
/// A text that has the apostrophes already gets one more, so that every text is read back as it was.
package enum GuardedText {
  /// What a formula begins with (OWASP, "CSV Injection").
  private static let beginnings: [UInt8] = [0x3D, 0x2B, 0x2D, 0x40, 0x09, 0x0D]
  private static let apostrophe: UInt8 = 0x27

  private static func beginsFormula(_ text: some StringProtocol) -> Bool {
    text.utf8.first { $0 != apostrophe }.map(beginnings.contains) ?? false
  }

  /// The text as a cell has it.
  package static func guarded(_ text: String) -> String {
    beginsFormula(text) ? "'" + text : text
  }

  package static func text(of cell: String) -> String {
    cell.utf8.first == apostrophe && beginsFormula(cell)
      ? String(decoding: cell.utf8.dropFirst(), as: UTF8.self) : cell
  }
}

/// Rows of comma-separated text as RFC 4180 has them, read strictly: lines end in LF, CR LF or CR, a byte order
/// mark is passed over, and so are empty lines.
package struct CommaSeparatedRows {
  /// A row, and the line on which it begins, counted from 1.
  package struct Row {
    package var line: Int
    package var cells: [String]
  }

  /// What is wrong on a line, as the rest of a sentence.
  package struct Fault: Error {
    package var line: Int
    package var what: String

    package init(line: Int, what: String) {
      (self.line, self.what) = (line, what)
    }
  }

  private let bytes: [UInt8]
  private var position: Int
  private var line = 1

  /// Begins at the first row.
  package init(_ bytes: [UInt8]) throws(Fault) {
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      throw Fault(line: 1, what: "the text is UTF-16. Save it as UTF-8")
    }
    self.bytes = bytes
    position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  /// The next row. `nil` at the end.
  package mutating func next() throws(Fault) -> Row? {
    while position < bytes.count {
      var row = Row(line: line, cells: [])
      repeat { row.cells.append(try cell(of: row.line)) } while takes(0x2C)
      takeLineEnd()
      if row.cells != [""] { return row }
    }
    return nil
  }

  private mutating func takes(_ byte: UInt8) -> Bool {
    guard position < bytes.count, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  private mutating func takeLineEnd() {
    guard position < bytes.count else { return }
    if takes(0x0D) { _ = takes(0x0A) } else { position += 1 }
    line += 1
  }

  private mutating func cell(of first: Int) throws(Fault) -> String {
    let begin = line
    var cell: [UInt8] = []
    if takes(0x22) {
      while true {
        guard position < bytes.count else {
          throw Fault(line: begin, what: "a quotation mark has no partner. The file may be cut off")
        }
        let byte = bytes[position]
        position += 1
        if byte == 0x22 {
          guard takes(0x22) else { break }
        } else if byte == 0x0A
          || byte == 0x0D && !(position < bytes.count && bytes[position] == 0x0A)
        {
          line += 1
        }
        cell.append(byte)
      }
      guard position == bytes.count || [0x2C, 0x0A, 0x0D].contains(bytes[position]) else {
        throw Fault(
          line: line,
          what: "there is text after a closing quotation mark. Double the marks within a field")
      }
    } else {
      let end =
        bytes[position...].firstIndex { [0x2C, 0x0A, 0x0D, 0x22].contains($0) } ?? bytes.count
      guard end == bytes.count || bytes[end] != 0x22 else {
        throw Fault(
          line: line,
          what:
            "there is a quotation mark within a field. Put the field in quotation marks and double it"
        )
      }
      cell = Array(bytes[position..<end])
      position = end
    }
    guard let text = String(validating: cell, as: UTF8.self) else {
      throw Fault(line: begin, what: "the text is not UTF-8. Save it as UTF-8")
    }
    return text
  }
}

/// A noun with its article: "a row", "an event", "an X11 window", "a UITouch".
///
/// Capitals are letters that are spelled, and u counts as a vowel unless it begins one of a few words.
package func withArticle(_ noun: String) -> String {
  let isSpelled = noun.prefix(2).allSatisfy { $0.isUppercase || $0.isNumber }
  let first = noun.first.map { Character($0.lowercased()) } ?? " "
  let beginsWithVowel =
    isSpelled && !noun.isEmpty
    ? "aefhilmnorsx8".contains(first)
    : "aeio".contains(first)
      || first == "u" && !["uni", "use", "usu"].contains(where: noun.lowercased().hasPrefix)
  return (beginsWithVowel ? "an " : "a ") + noun
}

/// A count with its noun: "1 release", "2 releases".
package func counted(_ count: Int, _ noun: String) -> String {
  "\(count) \(noun)\(count == 1 ? "" : "s")"
}
