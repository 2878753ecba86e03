import Foundation
import JSONText
import TestSupport
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite struct CheckTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  /// Records a pinch as often as asked, into one file, and gives its path.
  private func pinches(_ name: String, _ gestures: String...) throws -> String {
    for gesture in gestures { try place.record(Scenarios.pinch, gesture: gesture, into: name) }
    return place.path(name)
  }

  private let strict = """
    {"version": 1, "rules": [
      {"key": "*", "max_abs": {"fail": 1e-9}}, {"metric": "decision", "must": "match"},
      {"metric": "hitch_ms_per_s", "fail": 1000, "aggregate": "median"}]}
    """

  @Test func `runs like the golden one pass, each session of each file`() throws {
    let golden = try pinches("golden.kymo", "pinch-open.evemu")
    let runs = try pinches("runs.kymo", "pinch-open.evemu", "pinch-open.evemu")
    let rules = try place.file("strict.json", strict)
    let check = try kymo("check", runs, golden, "--tolerances", rules, "--golden", golden)
    #expect(check.errors == "")
    #expect(check.output.hasPrefix("Passed: 3 runs against \(golden)."))
    #expect(check.code == 0)
    let rows = try rows(
      try kymo(
        "check", "\(runs)#2", "--tolerances", rules, "--golden", golden, "--format", "json"
      ).output)
    #expect(rows.allSatisfy { $0["finding"].text == "pass" })
    #expect(rows.contains { $0["measure"].text == "hitch_ms_per_s" && $0["file"] == .null })
    #expect(rows.contains { $0["subject"].text == "progress" && $0["session"].integer == 2 })
  }

  @Test func `a run that differs fails with 1, and JUnit and a page tell it`() throws {
    let golden = try pinches("golden.kymo", "pinch-open.evemu")
    let runs = try pinches("runs.kymo", "pinch-open.evemu", "pinch-back.evemu")
    let rules = try place.file("strict.json", strict)
    let (xml, page) = (place.path("out.xml"), place.path("out.html"))
    let check = try kymo(
      "check", runs, "--tolerances", rules, "--golden", golden, "--junit", xml, "--report", page)
    #expect(check.code == 1)
    #expect(check.output.hasPrefix("Failed: 1 of 2 runs against \(golden)."))
    #expect(check.output.contains("more, --all"))
    let all = try kymo("check", runs, "--tolerances", rules, "--golden", golden, "--all")
    #expect(all.output.contains("decision"))
    let document = try XMLText(contentsOf: xml)
    #expect(document.elements.filter { $0 == "testcase" }.count == 3)
    #expect(document.elements.filter { $0 == "failure" }.count == 1)
    #expect(try String(contentsOfFile: page, encoding: .utf8).contains("Failed: 1 of 2 runs"))
    // Neither is written over unless that is asked for.
    let again = try kymo("check", runs, "--tolerances", rules, "--golden", golden, "--junit", xml)
    #expect(again.code == 2)
    #expect(again.errors.contains("--force"))
  }

  @Test func `what is missing is told as missing, from the golden run's side`() throws {
    func record(_ name: String, _ keys: [String]) throws -> String {
      let lines = keys.map { "{\"t_ns\": 0, \"key\": \"\($0)\", \"value\": 1}\n" }.joined()
      let run = try kymo(
        "record", "--from-ndjson", "-", "--into", place.path(name),
        input: "{\"kymograph\": 1}\n" + lines)
      #expect(run.code == 0)
      return place.path(name)
    }
    let rules = try place.file("rules.json", #"{"version": 1, "rules": []}"#)
    let junit = place.path("out.xml")
    let check = try kymo(
      "check", try record("run.kymo", ["x", "new"]), "--tolerances", rules, "--golden",
      try record("golden.kymo", ["x", "old"]), "--junit", junit)
    #expect(check.code == 1)
    #expect(check.output.contains("old      missing"))
    #expect(check.output.contains("new      not in the golden run"))
    let text = try String(contentsOfFile: junit, encoding: .utf8)
    #expect(text.contains("old is missing") && !text.contains("cannot be told"))
  }

  @Test func `sessions are matched by their names`() throws {
    try place.record(Scenarios.pinch, gesture: "pinch-open.evemu", into: "g.kymo", "--name", "open")
    try place.record(Scenarios.pinch, gesture: "pinch-back.evemu", into: "g.kymo", "--name", "back")
    let golden = place.path("g.kymo")
    try place.record(Scenarios.pinch, gesture: "pinch-back.evemu", into: "r.kymo", "--name", "back")
    let rules = try place.file("strict.json", strict)
    #expect(
      try kymo("check", place.path("r.kymo"), "--tolerances", rules, "--golden", golden).code == 0)
    #expect(
      try kymo("check", place.path("r.kymo"), "--tolerances", rules, "--golden", golden + "#open")
        .code == 1)
    let unnamed = try pinches("u.kymo", "pinch-open.evemu")
    let refused = try kymo("check", unnamed, "--tolerances", rules, "--golden", golden)
    #expect(refused.code == 2)
    #expect(refused.errors.contains("name the session: --golden"))
  }

  @Test func `without a golden run what one run tells is judged, and the rest is named`() throws {
    let run = try pinches("run.kymo", "pinch-open.evemu")
    let rules = try place.file("strict.json", strict)
    let check = try kymo("check", run, "--tolerances", rules)
    #expect(check.code == 0)
    #expect(check.errors.contains("not judged: rules[0], rules[1]"))
    let none = try place.file(
      "none.json", #"{"version": 1, "rules": [{"key": "*", "max_abs": 1}]}"#)
    let refused = try kymo("check", run, "--tolerances", none)
    #expect(refused.code == 2)
    #expect(refused.errors.contains("give --golden"))
  }

  @Test func `a wrong rule is told with its place`() throws {
    let run = try pinches("run.kymo", "pinch-open.evemu")
    let rules = try place.file(
      "wrong.json", #"{"version": 1, "rules": [{"metric": "hitch_ms_per_s", "fial": 1}]}"#)
    let check = try kymo("check", run, "--tolerances", rules)
    #expect(check.code == 2)
    #expect(check.errors.contains("wrong.json") && check.errors.contains("fail"))
    #expect(try kymo("check", run).code == 2)
    #expect(
      try kymo("check", place.path("nowhere.kymo"), "--tolerances", rules).code != 0)
  }
}

/// The names of a document's elements, read by Foundation's parser.
private final class XMLText: NSObject, XMLParserDelegate {
  private(set) var elements: [String] = []

  init(contentsOf path: String) throws {
    super.init()
    let parser = XMLParser(data: try Data(contentsOf: URL(fileURLWithPath: path)))
    parser.delegate = self
    #expect(parser.parse())
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) { elements.append(name) }
}
