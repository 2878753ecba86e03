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
    #expect(check.output.hasPrefix("Passed: 3 sessions against \(golden)."))
    #expect(check.code == 0)
    let rows = try rows(
      try kymo(
        "check", "\(runs)#2", "--tolerances", rules, "--golden", golden, "--format", "json"
      ).output)
    #expect(rows.allSatisfy { $0["finding"].text == "pass" })
    #expect(rows.contains { $0["measure"].text == "hitch_ms_per_s" && $0["file"] == .null })
    #expect(rows.contains { $0["subject"].text == "progress" && $0["session"].integer == 2 })
  }

  @Test func `the first line has the reason, with the file where several are checked`() throws {
    let golden = try pinches("golden.kymo", "pinch-open.evemu")
    let (good, bad) = (
      try pinches("good.kymo", "pinch-open.evemu"), try pinches("bad.kymo", "pinch-back.evemu")
    )
    let alone = try kymo("check", bad, "--golden", golden).output.prefix { $0 != "\n" }
    #expect(alone.hasPrefix("Failed: 1 of 1 session against \(golden). Worst: the decision"))
    let first = try kymo("check", good, bad, "--golden", golden).output.prefix { $0 != "\n" }
    #expect(first.hasPrefix("Failed: 1 of 2 sessions against \(golden). Worst: \(bad) #1 "))
    #expect(first.contains("the decision changed from finish to cancel"))
    let marks = try kymo("check", good, bad, "--golden", golden, "--annotations", "github").output
    #expect(marks.contains("::error title=kymo check%3A \(bad) #1 "))
  }

  @Test func `a run that differs fails with 1, and JUnit and a page tell it`() throws {
    let golden = try pinches("golden.kymo", "pinch-open.evemu")
    let runs = try pinches("runs.kymo", "pinch-open.evemu", "pinch-back.evemu")
    let rules = try place.file("strict.json", strict)
    let (xml, page) = (place.path("out.xml"), place.path("out.html"))
    let check = try kymo(
      "check", runs, "--tolerances", rules, "--golden", golden, "--junit", xml, "--page", page)
    #expect(check.code == 1)
    #expect(check.output.hasPrefix("Failed: 1 of 2 sessions against \(golden)."))
    #expect(check.output.contains("more (--all)"))
    let all = try kymo("check", runs, "--tolerances", rules, "--golden", golden, "--all")
    #expect(all.output.split(separator: "\n").count > check.output.split(separator: "\n").count)
    let document = try XMLText(contentsOf: xml)
    #expect(document.elements.filter { $0 == "testcase" }.count == 3)
    #expect(document.elements.filter { $0 == "failure" }.count == 1)
    #expect(try String(contentsOfFile: page, encoding: .utf8).contains("Failed: 1 of 2 sessions"))
    // Ours are made anew; what is not stays unless that is asked for.
    #expect(
      try kymo("check", runs, "--tolerances", rules, "--golden", golden, "--junit", xml).code == 1)
    let mine = try place.file("mine.xml", "<testsuites/>")
    let again = try kymo("check", runs, "--tolerances", rules, "--golden", golden, "--junit", mine)
    #expect(again.code == 2)
    #expect(again.errors.contains("--force"))
  }

  @Test func `what is missing is told as missing, from the golden side`() throws {
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
    let found = try rows(
      kymo(
        "check", place.path("run.kymo"), "--tolerances", rules, "--golden",
        place.path("golden.kymo"), "--json"
      ).output)
    #expect(
      found.first { $0["subject"].text == "old" }.map { [$0["measure"].text, $0["finding"].text] }
        == ["missing", "fail"])
    #expect(
      found.first { $0["subject"].text == "new" }?["measure"].text == "not in the golden session")
    let text = try String(contentsOfFile: junit, encoding: .utf8)
    #expect(text.contains("old is missing"))
    #expect(!text.contains("is not known"))
  }

  @Test func `sessions are matched by their names`() throws {
    try place.record(Scenarios.pinch, gesture: "pinch-open.evemu", into: "g.kymo", "--name", "open")
    try place.record(Scenarios.pinch, gesture: "pinch-back.evemu", into: "g.kymo", "--name", "back")
    let golden = place.path("g.kymo")
    try place.record(Scenarios.pinch, gesture: "pinch-back.evemu", into: "r.kymo", "--name", "back")
    let rules = try place.file("strict.json", strict)
    #expect(
      try kymo(
        "check", place.path("r.kymo"), "--tolerances", rules, "--golden", golden, "--subset"
      ).code == 0)
    #expect(
      try kymo("check", place.path("r.kymo"), "--tolerances", rules, "--golden", golden + "#open")
        .code == 1)
    let twice = try named("twice.kymo", "open", "open")
    let refused = try kymo("check", golden, "--tolerances", rules, "--golden", twice)
    #expect(refused.code == 2)
    #expect(refused.errors.contains("Name the session: --golden"))
  }

  /// Records a session of one key for each name.
  @discardableResult
  private func named(_ file: String, _ names: String...) throws -> String {
    for name in names {
      let run = try kymo(
        "record", "--from-ndjson", "-", "--into", place.path(file),
        input:
          "{\"kymograph\": 1, \"name\": \"\(name)\"}\n{\"t_ns\": 0, \"key\": \"x\", \"value\": 1}\n"
      )
      #expect(run.code == 0, "\(run.errors)")
    }
    return place.path(file)
  }

  @Test func `what moved otherwise comes before what is missing, and the verdict names both`()
    throws
  {
    func session(_ name: String, _ value: Double, _ extra: String = "") -> String {
      """
      {"kymograph": 1, "name": "\(name)"}
      {"t_ns": 0, "key": "x", "value": 0}
      {"t_ns": 500000000, "key": "x", "value": \(value)}
      {"t_ns": 1000000000, "key": "x", "value": 1}
      \(extra)
      """
    }
    let extra = #"{"t_ns": 1000000000, "key": "debug", "value": 1}"#
    let golden = try place.record(lines: session("a", 0.5, extra), into: "golden.kymo")
    let added = try kymo(
      "record", "--from-ndjson", "-", "--into", golden, input: session("b", 0.5))
    #expect(added.code == 0, "\(added.errors)")
    let run = try place.record(lines: session("a", 0.9), into: "run.kymo")
    let checked = try kymo("check", run, "--golden", golden)
    #expect(checked.code == 1)
    let line = try #require(checked.output.split(separator: "\n").first)
    #expect(line.contains("debug is missing; "), "\(line)")
    let found = try rows(kymo("check", run, "--golden", golden, "--json").output)
      .filter { $0["finding"].text == "fail" }.map { $0["subject"].text ?? "" }
    #expect(found.first == "x", "\(found)")
    #expect(found.suffix(2) == ["debug", "b"], "\(found)")
  }

  @Test func `files that cannot be read still give a line and a JUnit file`() throws {
    let golden = try named("golden.kymo", "a")
    let (bad, worse) = (try place.file("bad.kymo", "no"), try place.file("worse.kymo", "none"))
    let junit = place.path("out.xml")
    let checked = try kymo("check", bad, worse, "--golden", golden, "--junit", junit)
    #expect(checked.code == 4)
    #expect(checked.output == "Failed: no file could be read.\n")
    #expect(checked.errors.contains("left out: "))
    #expect(checked.errors.contains(worse))
    let text = try String(contentsOfFile: junit, encoding: .utf8)
    #expect(text.contains("tests=\"2\" failures=\"0\" errors=\"2\""), "\(text)")

    let empty = place.path("empty")
    try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: true)
    let none = try kymo("check", empty, "--golden", golden, "--junit", junit)
    #expect(none.code == 4)
    #expect(none.output == "Failed: no file could be read.\n")
    #expect(
      none.errors == "kymo check: left out: the folder \(empty) contains no recording (*.kymo)\n")
    let written = try String(contentsOfFile: junit, encoding: .utf8)
    #expect(written.contains("tests=\"1\" failures=\"0\" errors=\"1\""), "\(written)")
    #expect(written.contains("contains no recording"), "\(written)")
    let row = try rows(kymo("check", empty, "--golden", golden, "--json").output)
    #expect(row.count == 1)
    #expect(row[0]["finding"].text == "error")
  }

  @Test func `the margin of an app's own decision is the rule's, whatever command is asked`() throws
  {
    func app(_ file: String, _ progress: Double, by source: String = "app") throws -> String {
      var lines = [
        #"{"kymograph": 1, "name": "swipe", "refreshRate": 100}"#,
        #"{"t_ns": 0, "event": "start"}"#,
      ]
      for step in 0...10 {
        let value = progress * Double(step) / 10
        lines.append(
          #"{"t_ns": \#(step * 10_000_000), "key": "progress", "role": "progress", "value": \#(value)}"#
        )
      }
      lines += [
        #"{"t_ns": 100000000, "decision": {"outcome": "finish", "rule": "progress", "threshold": 0.5, "#
          + #""progress": \#(progress), "decidedBy": "\#(source)"}}"#,
        #"{"t_ns": 100000000, "event": "finish"}"#,
        #"{"t_ns": 200000000, "key": "progress", "role": "progress", "value": 1}"#,
      ]
      return try place.record(lines: lines.joined(separator: "\n") + "\n", into: file)
    }
    let (wide, near) = (try app("wide.kymo", 0.875), try app("near.kymo", 0.625))
    for (path, margin) in [(wide, 0.375), (near, 0.125)] {
      #expect(try answers("velocity", path)[0]["margin_progress"].number == margin)
      let metrics = try parseJSON(Array(kymo("rows", "--metrics", input: path + "\n").output.utf8))
      let own = metrics["metrics"].array.first { $0["name"].text == "margin" }
      #expect(own?["value"].number == margin, "\(metrics)")
    }
    let decision = try #require(
      rows(kymo("compare", wide, near, "--json").output).first { $0["row"].text == "decision" })
    #expect(decision["margin_a"].number == 0.375)
    #expect(decision["margin_b"].number == 0.125)
    let rules = try place.file(
      "margin.json",
      #"{"version": 1, "rules": [{"metric": "margin", "fail": 0.2}, {"key": "*", "level": "off"}]}"#
    )
    let checked = try rows(
      kymo("check", near, "--golden", wide, "--tolerances", rules, "--json").output)
    let found = checked.first { $0["measure"].text == "margin" }
    #expect(found?["value"].number == 0.25, "\(checked)")
    #expect(found?["finding"].text == "fail", "\(checked)")
    let learned = try kymo(
      "golden learn", wide, near, "--allow-wide", "-o", place.path("t.json"), "--json")
    let margin = try rows(learned.output).first { $0["measure"].text == "margin" }
    #expect(margin?["max"].number == 0.25, "\(learned.output)")
  }

  @Test func `rules can come through a pipe, for one file and for several`() throws {
    let golden = try named("golden.kymo", "a")
    let (run, other) = (try named("run.kymo", "a"), try named("other.kymo", "a"))
    let rules = try place.file("rules.json", #"{"version": 1, "rules": []}"#)
    let needed = try place.file(
      "needed.json", #"{"requirements": 1, "rules": [{"continuous": "x", "excess_share": 0.5}]}"#)
    for files in ["\(run)", "\(run) \(other)"] {
      for flag in ["--requirements <(cat \(needed))", "--requirements=<(cat \(needed))"] {
        let checked = try ProgramRun.shell(
          "exec bash -c \"$kymo check \(files) --golden \(golden) --tolerances <(cat \(rules)) \(flag)\"",
          [])
        let expected = try kymo(
          ["check"] + files.split(separator: " ").map(String.init)
            + ["--golden", golden, "--tolerances", rules, "--requirements", needed])
        #expect(checked.code == expected.code, "\(checked.errors)")
        #expect(checked.output == expected.output)
        #expect(!checked.output.isEmpty)
      }
    }
  }

  @Test func `a golden session that no run is like is missing, by name`() throws {
    let golden = try named("golden.kymo", "a", "b", "c", "d")
    let run = try named("run.kymo", "b")
    let rules = try place.file("rules.json", #"{"version": 1, "rules": []}"#)
    func check(_ words: String...) throws -> ProgramRun {
      try kymo(["check", "--golden", golden, "--tolerances", rules] + words)
    }
    let junit = place.path("out.xml")
    let missing = try check(run, "--junit", junit)
    #expect(missing.code == 1)
    #expect(missing.output.hasPrefix("Failed: 3 missing sessions against \(golden)."))
    #expect(missing.output.contains("Worst: a is missing; 2 more."))
    let text = try String(contentsOfFile: junit, encoding: .utf8)
    for name in ["a", "c", "d"] { #expect(text.contains("message=\"\(name) is missing\"")) }
    #expect(text.contains("tests=\"4\" failures=\"3\" errors=\"0\""))
    let found = try rows(check(run, "--json").output).filter { $0["finding"].text == "fail" }
    #expect(found.map { $0["name"].text } == ["a", "c", "d"])
    #expect(found.allSatisfy { $0["measure"].text == "missing" && $0["file"].text == golden })
    let subset = try check(run, "--subset")
    #expect(subset.code == 0)
    #expect(subset.output.hasPrefix("Passed: 1 session against"))
    // All of them, spread over two files, are none too few.
    let others = try named("others.kymo", "a", "c", "d")
    #expect(try check(run, others).code == 0)
    // One that the golden recording does not have is named, and no failure of its own.
    let more = try named("more.kymo", "e")
    let extra = try check(run, others, more)
    #expect(extra.code == 0)
    #expect(extra.output.hasPrefix("Passed: 4 sessions against \(golden), 1 warning."))
    let warned = try rows(check(run, others, more, "--json").output)
      .filter { $0["finding"].text == "warn" }
    #expect(warned.map { $0["measure"].text } == ["not in the golden recording"])
    #expect(warned.map { $0["name"].text } == ["e"])
    #expect(try check(more).output.hasPrefix("Failed: 4 missing sessions"))
    #expect(try check(more, "--subset").code == 2)
    let alone = try kymo("check", run, "--tolerances", rules, "--subset")
    #expect(alone.code == 2)
    // One golden session that is named stands for itself.
    #expect(
      try kymo("check", run, "--golden", golden + "#c", "--tolerances", rules).code == 0)
  }

  @Test func `a flipped decision comes first, in words, and rules have their names`() throws {
    let golden = try pinches("golden.kymo", "pinch-open.evemu")
    let run = try pinches("run.kymo", "pinch-back.evemu")
    let rules = try place.file(
      "rules.json",
      """
      {"version": 1, "rules": [{"item": "*", "max_abs": 1e-9}, {"key": "*", "max_abs": 1e-9},
        {"metric": "layout_distance_pt", "fail": 0}, {"metric": "structure", "must": "match"},
        {"metric": "decision", "must": "match"}]}
      """)
    let junit = place.path("out.xml")
    let words = "the decision changed from finish to cancel (limit 5 'decision')"
    for command in [["check", run, "--golden", golden], ["compare", golden, run]] {
      let table = try kymo(
        command + ["--tolerances", rules, "--junit", junit, "--force"])
      #expect(table.code == 1)
      #expect(table.output.contains("… "))
      #expect(table.output.prefix(600).contains(words), "\(table.output)")
      let text = try String(contentsOfFile: junit, encoding: .utf8)
      let first = try #require(text.split(separator: "\n").first { $0.contains("<failure") })
      #expect(first.contains("message=\"\(words)\""), "\(first)")
    }
    let checked = try rows(
      kymo("check", run, "--golden", golden, "--tolerances", rules, "--json").output)
    #expect(checked[0]["measure"].text == "decision")
    #expect(checked[0]["says"].text == words)
    #expect(checked[0]["rule"].integer == 5)
    #expect(checked[0]["rule_name"].text == "decision")
    let kinds = checked.filter { $0["finding"].text == "fail" }.map { row -> Int in
      switch row["measure"].text {
      case "decision": 0
      case "structure", "missing": 1
      default: row["subject"].text?.hasPrefix("item.") == true ? 3 : 2
      }
    }
    #expect(kinds == kinds.sorted())
    #expect(Set(kinds).isSuperset(of: [0, 2, 3]))
    let compared = try rows(
      kymo("compare", golden, run, "--tolerances", rules, "--json").output)
    #expect(compared[0]["row"].text == "decision")
    guard case .array(let failures) = compared.last?["failures"] else {
      Issue.record("There is no list of failures.")
      return
    }
    #expect(failures.first?["says"].text == words)
  }

  @Test func `without a golden session what one run tells is judged`() throws {
    let run = try pinches("run.kymo", "pinch-open.evemu")
    let rules = try place.file("strict.json", strict)
    let check = try kymo("check", run, "--tolerances", rules)
    #expect(check.code == 0)
    #expect(check.errors.contains("not judged: limit 1 '*', limit 2 'decision'"))
    let none = try place.file(
      "none.json", #"{"version": 1, "rules": [{"key": "*", "max_abs": 1}]}"#)
    let refused = try kymo("check", run, "--tolerances", none)
    #expect(refused.code == 2)
    #expect(refused.errors.contains("without --golden FILE"))
  }

  @Test func `a wrong rule is told with its place`() throws {
    let run = try pinches("run.kymo", "pinch-open.evemu")
    let rules = try place.file(
      "wrong.json", #"{"version": 1, "rules": [{"metric": "hitch_ms_per_s", "fial": 1}]}"#)
    let check = try kymo("check", run, "--tolerances", rules)
    #expect(check.code == 4)
    #expect(check.errors.contains("wrong.json"))
    #expect(check.errors.contains("fail"))
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
