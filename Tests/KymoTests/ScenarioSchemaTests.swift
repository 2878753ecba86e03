import Foundation
import JSONText
import TestSupport
import Testing

/// The schema that the program prints, held against what its reader takes.
@Suite struct ScenarioSchemaTests {
  private let schema: JSONValue

  init() throws { schema = try parseJSON(Array(try kymo("scenario", "schema").output.utf8)) }

  private func fields(_ value: JSONValue) -> Set<String> { value["properties"].names }

  private func check(_ text: String) throws -> ProgramRun {
    try kymo("scenario", "check", "-", input: text)
  }

  /// Whether the reader takes exactly these fields in the place of `?`: it says how many it knows, and refuses none.
  private func takes(_ fields: Set<String>, in text: String) throws -> Bool {
    // No field is near to it.
    let run = try check(text.replacingOccurrences(of: "\"?\"", with: "\"??????\""))
    #expect(run.code == 2)
    guard let start = run.errors.range(of: "unknown field '??????'. Known: ") else { return false }
    let words = run.errors[start.upperBound...].split { !$0.isLetter && !$0.isNumber && $0 != "_" }
    let more = words.count > 3 && words.last == "more" ? Int(words[words.count - 2]) ?? 0 : 0
    let listed = more > 0 ? words.dropLast(3) : words[...]
    return try listed.allSatisfy { fields.contains(String($0)) }
      && listed.count + more == fields.count
      && fields.allSatisfy { field in
        try !check(text.replacingOccurrences(of: "\"?\"", with: "\"\(field)\"")).errors
          .contains("unknown field '\(field)'. ")
      }
  }

  @Test func `the reader takes exactly the fields of the schema, at every level`() throws {
    let defs = schema["$defs"]
    for (text, object) in [
      (Scenarios.small("\"?\": 0"), schema),
      (Scenarios.small("\"release\": {\"?\": 0}"), schema["properties"]["release"]),
      (Scenarios.small("\"gesture\": {\"?\": 0}"), schema["properties"]["gesture"]),
      (
        Scenarios.small("\"gesture\": {\"recognizer\": \"pan\", \"progress\": {\"?\": 0}}"),
        schema["properties"]["gesture"]["properties"]["progress"]
      ),
      (
        Scenarios.small(
          "\"gesture\": {\"recognizer\": \"pan\", \"progress\": {\"of\": \"scale\", \"from\": 0, "
            + "\"to\": 1, \"back\": {\"?\": 0}}}"),
        schema["properties"]["gesture"]["properties"]["progress"]["properties"]["back"]
      ),
      (
        Scenarios.small("\"gesture\": {\"recognizer\": \"pan\", \"map\": {\"?\": 0}}"),
        schema["properties"]["gesture"]["properties"]["map"]
      ),
      (
        Scenarios.scripted(
          "{\"at\": 0, \"do\": \"start\", \"to\": \"large\", \"offset\": {\"?\": 0}}"),
        defs["offset"]
      ),
    ] {
      let documented = fields(object)
      #expect(!documented.isEmpty, "\(text)")
      #expect(try takes(documented, in: text), "\(text)")
    }
  }

  @Test func `every layout type of the schema is one of the reader's, with the same fields`() throws
  {
    func scenario(_ layout: String) -> String {
      Scenarios.small().replacingOccurrences(
        of: "\"layouts\": {", with: "\"layouts\": {\"a\": \(layout),")
    }
    guard case .array(let types) = schema["properties"]["layouts"]["additionalProperties"]["oneOf"]
    else {
      Issue.record("The schema has no layout types.")
      return
    }
    var names: [String] = []
    for type in types {
      let def = try #require(type["$ref"].text).split(separator: "/")[2]
      let layout = schema["$defs"][String(def)]
      let name = try #require(layout["properties"]["type"]["const"].text)
      names.append(name)
      #expect(
        try takes(fields(layout), in: scenario("{\"type\": \"\(name)\", \"?\": 0}")), "\(name)")
      #expect(layout["additionalProperties"] == .bool(false), "\(name)")
      #expect(layout["required"] == .array([.string("type")]), "\(name)")
      #expect(layout["description"].text != nil, "\(name)")
      for field in fields(layout) where field != "type" {
        var described = layout["properties"][field]
        // A flow's field stands under another type as a reference.
        if described["$ref"].text == "#/$defs/flow/properties/\(field)" {
          described = schema["$defs"]["flow"]["properties"][field]
        }
        let isList = described["items"] != .null
        #expect(described["description"].text != nil || isList, "\(name).\(field)")
      }
      #expect(try check(scenario("{\"type\": \"\(name)\"}")).code == 0, "\(name)")
    }
    let run = try check(scenario("{\"type\": \"?\"}"))
    #expect(run.errors.contains("Known: \(names.joined(separator: ", "))\n"))
  }

  @Test func `every step of the schema is one of the reader's, with the same fields`() throws {
    guard case .array(let steps) = schema["$defs"]["step"]["oneOf"] else {
      Issue.record("The schema has no steps.")
      return
    }
    var names: Set<String> = []
    for step in steps {
      let name = try #require(step["properties"]["do"]["const"].text)
      names.insert(name)
      #expect(
        try takes(
          fields(step), in: Scenarios.scripted("{\"at\": 0, \"do\": \"\(name)\", \"?\": 0}")),
        "\(name)")
      guard case .array(let required) = step["required"] else { continue }
      #expect(Set(required.compactMap(\.text)).isSuperset(of: ["at", "do"]))
    }
    let run = try kymo(
      "scenario", "check", "-", input: Scenarios.scripted("{\"at\": 0, \"do\": \"?\"}"))
    #expect(run.errors.contains(", and \(names.count - 8) more\n"), "\(run.errors)")
    for name in names {
      let step = Scenarios.scripted("{\"at\": 0, \"do\": \"\(name)\"}")
      #expect(try !check(step).errors.contains("unknown value"), "\(name)")
    }
  }

  @Test func `every operation of the schema is one of the reader's, with the same fields`() throws {
    guard case .array(let operations) = schema["$defs"]["operation"]["oneOf"] else {
      Issue.record("The schema has no operations.")
      return
    }
    #expect(operations.count == 8)
    for operation in operations {
      guard case .array(let required) = operation["required"], let name = required.first?.text
      else {
        Issue.record("An operation has no name.")
        continue
      }
      let text = Scenarios.scripted(
        "{\"at\": 0, \"do\": \"update\", \"operations\": [{\"\(name)\": 0, \"?\": 0}]}")
      #expect(try takes(fields(operation), in: text), "\(name)")
    }
  }

  @Test func `every transition type of the schema is one of the reader's, with the same fields`()
    throws
  {
    guard case .array(let types) = schema["properties"]["transition"]["oneOf"] else {
      Issue.record("The schema has no transition types.")
      return
    }
    for type in types {
      let name = try #require(type["properties"]["type"]["const"].text)
      #expect(
        try takes(
          fields(type), in: Scenarios.small("\"transition\": {\"type\": \"\(name)\", \"?\": 0}")),
        "\(name)")
    }
    let run = try check(Scenarios.small("\"transition\": {\"type\": \"?\"}"))
    for type in types {
      #expect(run.errors.contains(type["properties"]["type"]["const"].text ?? "?"))
    }
  }

  @Test func `every settle type of the schema is one of the reader's, with the same fields`() throws
  {
    guard case .array(let types) = schema["properties"]["settle"]["oneOf"] else {
      Issue.record("The schema has no settle types.")
      return
    }
    for type in types {
      let name = try #require(type["properties"]["type"]["const"].text)
      #expect(
        try takes(
          fields(type), in: Scenarios.small("\"settle\": {\"type\": \"\(name)\", \"?\": 0}")),
        "\(name)")
      #expect(type["additionalProperties"] == .bool(false))
    }
    // Without a type it is the first one.
    #expect(try takes(fields(types[0]), in: Scenarios.small("\"settle\": {\"?\": 0}")))
    let run = try check(Scenarios.small("\"settle\": {\"type\": \"?\"}"))
    for type in types {
      #expect(run.errors.contains(type["properties"]["type"]["const"].text ?? "?"))
    }
    // The names of the definitions are those of the reader.
    let wrong = try check(Scenarios.small("\"settle\": {\"definition\": \"?\"}"))
    guard case .array(let names) = types[0]["properties"]["definition"]["enum"] else { return }
    let known = try #require(wrong.errors.firstMatch(of: /Known: ([a-z, -]+)\n/)?.output.1)
    let offered = known.split(separator: ", ").map { JSONValue.string(String($0)) }
    #expect(offered.count > 4)
    #expect(Set(offered).isSubset(of: Set(names)), "\(wrong.errors)")
    for name in names {
      let text = Scenarios.small("\"settle\": {\"definition\": \"\(name.text ?? "?")\"}")
      #expect(try !check(text).errors.contains("unknown value"), "\(name)")
    }
  }

  @Test func `the top level asks for what the reader asks for`() throws {
    #expect(schema["additionalProperties"] == .bool(false))
    guard case .array(let required) = schema["required"] else { return }
    #expect(
      Set(required.compactMap(\.text)) == ["scenario", "viewport", "sections", "layouts"])
  }
}
