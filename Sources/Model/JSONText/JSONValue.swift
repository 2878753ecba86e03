/// A JSON value, with whole numbers kept apart from the others.
package indirect enum JSONValue: Sendable, Hashable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number without a fraction that fits 64 bits, kept exactly. `1.0` and `1e3` count as well.
  case integer(Int64)
  /// Any other number; always finite.
  case number(Double)
  case string(String)
  case array([JSONValue])
  /// An object. Its fields have no order, and no name stands twice.
  case object([String: JSONValue])
}

extension JSONValue {
  /// What the value is, for the "found" part of a message: `the string "wide"`, `an array of 3`.
  var phrase: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .integer(let value): "the number \(value)"
    case .number(let value): "the number \(value)"
    case .string(let value): "the string \(quoted(value))"
    case .array(let values): values.isEmpty ? "an empty array" : "an array of \(values.count)"
    case .object: "an object"
    }
  }
}

/// The text in quotation marks, cut after 40 characters, with control characters left out.
func quoted(_ text: String) -> String {
  let shown = text.prefix(40).filter { !($0.unicodeScalars.allSatisfy { $0.value < 32 }) }
  return "\"\(shown)\(text.count > 40 ? "…" : "")\""
}

/// Why a JSON text, or a value in it, was refused.
package struct JSONError: Error, Hashable, Sendable {
  /// The place in the value, as a JSON path: `$.layouts.grid.itemSize[1]`. A text that is not JSON
  /// at all has the path `$`, and its message names line and column.
  package var path: String
  /// A full sentence: what was found and what was expected.
  package var message: String

  /// Makes an error from a JSON path and a full sentence.
  package init(path: String, message: String) {
    self.path = path
    self.message = message
  }
}

extension JSONError: CustomStringConvertible {
  /// The path (when it says more than "the whole text") and the sentence.
  package var description: String { path == "$" ? message : "\(path): \(message)" }
}
