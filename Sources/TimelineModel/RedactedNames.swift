/// Replaces the names of elements in what a session says, by one redaction.
package struct RedactedNames: Sendable {
  private let redaction: Redaction
  /// What stands in each name's place.
  private var names: [String: String] = [:]

  package init(_ redaction: Redaction) { self.redaction = redaction }

  /// What stands in a name's place, which is known from then on.
  package mutating func replacement(of id: String) -> String {
    if let known = names[id] { return known }
    let pseudonym = redaction.pseudonym(of: id)
    names[id] = pseudonym
    return pseudonym
  }

  /// A value in which each text that is a known name is replaced.
  package func redacted(_ value: FieldValue) -> FieldValue {
    switch value {
    case .text(let text): .text(names[text] ?? text)
    case .list(let values): .list(values.map(redacted))
    case .object(let fields): .object(fields.map { Field($0.name, redacted($0.value)) })
    default: value
    }
  }

  /// A JSON text in which each string that is a known name, and no name of a field, is replaced.
  package func redacted(json: String) -> String {
    let replacements = self.replacements
    var kept = ""
    var rest = Substring(json)
    while let start = rest.firstIndex(of: "\"") {
      kept += rest[..<start]
      var end = rest.index(after: start)
      while end < rest.endIndex, rest[end] != "\"" {
        if rest[end] == "\\" { end = rest.index(after: end) }
        if end < rest.endIndex { end = rest.index(after: end) }
      }
      guard end < rest.endIndex else { return kept + rest[start...] }
      let next = rest.index(after: end)
      let literal = String(rest[start..<next])
      let isFieldName = rest[next...].first { $0 != " " } == ":"
      kept += isFieldName ? literal : replacements[literal] ?? literal
      rest = rest[next...]
    }
    return kept + rest
  }

  /// What stands in the place of each name, both as JSON strings.
  private var replacements: [String: String] {
    var texts: [String: String] = [:]
    for (name, pseudonym) in names {
      texts[FieldValue.text(name).json] = FieldValue.text(pseudonym).json
    }
    return texts
  }
}
