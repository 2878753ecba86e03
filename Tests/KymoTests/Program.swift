import Foundation
import JSONText
import TestSupport
import Testing

/// A printed row: a JSON object whose fields are asked for by name.
typealias Row = JSONValue

/// The objects of one JSON array.
func rows(_ text: String) throws -> [Row] {
  guard case .array(let rows) = try parseJSON(Array(text.utf8)) else {
    throw JSONError(path: "$", message: "This is no array.")
  }
  return rows
}

extension JSONValue {
  /// A field; null where there is none.
  subscript(_ name: String) -> JSONValue {
    guard case .object(let fields) = self else { return .null }
    return fields[name] ?? .null
  }

  /// The names of the fields.
  var names: Set<String> {
    guard case .object(let fields) = self else { return [] }
    return Set(fields.keys)
  }

  /// The number, whole or not.
  var number: Double? {
    switch self {
    case .integer(let integer): Double(integer)
    case .number(let number): number
    default: nil
    }
  }

  /// The elements of an array.
  var array: [JSONValue] {
    if case .array(let elements) = self { return elements }
    return []
  }

  /// The whole number.
  var integer: Int64? {
    if case .integer(let integer) = self { return integer }
    return nil
  }

  var text: String? {
    if case .string(let text) = self { return text }
    return nil
  }

  /// The numbers of an array.
  var numbers: [Double]? {
    guard case .array(let values) = self else { return nil }
    return values.compactMap(\.number)
  }
}

/// A folder with what a test needs: files that are written, and recordings that are made.
struct Workplace {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The path of a file in the folder.
  func path(_ name: String) -> String { folder.path(name) }

  /// Writes a file.
  func file(_ name: String, _ text: String) throws -> String {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path(name)))
    return path(name)
  }

  /// A file's bytes.
  func bytes(_ name: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path(name)))
  }

  /// The names of all files that are there.
  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
  }

  /// Records a scenario that lies in the fixtures.
  @discardableResult
  func record(
    _ scenario: String, gesture: String? = nil, into name: String, _ more: String...
  ) throws -> String {
    var words = ["record", "--scenario", fixture("scenarios/\(scenario)"), "--into", path(name)]
    if let gesture { words += ["--gesture", fixture("gestures/\(gesture)")] }
    let run = try kymo(words + more)
    #expect(run.code == 0, "\(run.errors)")
    return path(name)
  }

  /// Records a scenario that is given as text.
  @discardableResult
  func record(text scenario: String, into name: String, _ more: String...) throws -> String {
    let words = ["record", "--scenario", "-", "--into", path(name)] + more
    let run = try kymo(words, input: Data(scenario.utf8))
    #expect(run.code == 0, "\(run.errors)")
    return path(name)
  }
}

/// Names of the scenarios in the fixtures.
enum Scenarios {
  static let drag = "grid-to-detail.drag.json"
  static let pinch = "grid-to-detail.pinch.json"
  static let script = "grid-to-detail.script.json"

  /// Two small layouts at 100 frames a second, with the given further fields.
  static func small(_ fields: String = "") -> String {
    """
    { "scenario": 1, "viewport": [100, 200], "refreshRate": 100,
      "sections": [{ "id": "s", "items": 3 }],
      "layouts": {
        "small": { "type": "flow", "itemSize": [20, 20], "minimumLineSpacing": 0,
                   "minimumInteritemSpacing": 0 },
        "large": { "type": "flow", "itemSize": [100, 60], "minimumLineSpacing": 0,
                   "minimumInteritemSpacing": 0 } },
      "initialLayout": "small"\(fields.isEmpty ? "" : ", ")\(fields) }
    """
  }

  /// The same with a script.
  static func scripted(_ steps: String, _ fields: String = "") -> String {
    small("\"script\": [\(steps)]" + (fields.isEmpty ? "" : ", \(fields)"))
  }
}
