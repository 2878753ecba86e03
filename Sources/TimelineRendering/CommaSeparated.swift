import TimelineModel

/// Cells of comma-separated values, quoted as RFC 4180 says. Lines end in LF alone, as the tools that
/// read them here expect.
enum CommaSeparated {
  /// A value as a cell: nothing for null, numbers with all digits, lists and objects as JSON.
  static func cell(_ value: FieldValue) -> String {
    switch value {
    case .null: ""
    case .flag, .integer, .number: value.json == "null" ? "" : value.json
    // Quoted, so that an empty text is not taken for null.
    case .text(let text): text.isEmpty ? "\"\"" : quoted(text)
    case .list, .object: quoted(value.json)
    }
  }

  /// The text, in quotes where a comma, a quote, a line end or a blank at an end asks for them.
  static func quoted(_ text: String) -> String {
    let asksForQuotes =
      text.unicodeScalars.contains { ",\"\n\r".unicodeScalars.contains($0) }
      || text.hasPrefix(" ") || text.hasSuffix(" ")
    guard asksForQuotes else { return text }
    var quoted = "\""
    for scalar in text.unicodeScalars {
      if scalar == "\"" { quoted += "\"" }
      quoted.unicodeScalars.append(scalar)
    }
    return quoted + "\""
  }
}
