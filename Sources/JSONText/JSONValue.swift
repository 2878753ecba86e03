/// A JSON value, with whole numbers kept apart from the others.
package indirect enum JSONValue: Sendable, Hashable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number without a fraction that fits 64 bits, kept exactly. `1.0` and `1e3` count as well.
  case integer(Int64)
  /// Any other number. Always finite.
  case number(Double)
  case string(String)
  case array([JSONValue])
  /// An object. Its fields have no order, and no name stands twice.
  case object([String: JSONValue])
}

extension JSONValue {
  /// The kind of the value, for the end of a message: `'wide'`, `an array of 3`.
  var phrase: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .number(let value): "\(value)"
    case .string(let value): quoted(value)
    case .array(let values): values.isEmpty ? "an empty array" : "an array of \(values.count)"
    case .object: "an object"
    }
  }
}

/// The text between single quotation marks, cut after 40 characters, with control characters left out.
func quoted(_ text: String, mark: Character = "'") -> String {
  let shown = text.prefix(40).filter { !($0.unicodeScalars.allSatisfy { $0.value < 32 }) }
  return "\(mark)\(shown)\(text.count > 40 ? "…" : "")\(mark)"
}

/// Why a JSON text, or a value in it, was refused.
package struct JSONError: Error, Hashable, Sendable {
  /// The position in the value, as a JSON path: `$.layouts.grid.itemSize[1]`. In a text that is not JSON,
  /// line and column: `3:15`.
  package var path: String
  /// A full sentence: what is wrong.
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

  /// The file, the position in it and the sentence: `grid.json:3:15: …`, `grid.json: $.viewport: …`.
  ///
  /// - Parameter line: The line of a file that has a JSON text on each.
  package func description(in file: String, line: Int? = nil) -> String {
    guard path.hasPrefix("$") else { return "\(file):\(path): \(message)" }
    return file + (line.map { ":\($0)" } ?? "") + ": \(self)"
  }
}
