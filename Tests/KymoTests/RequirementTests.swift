// More than 400 lines: each kind of requirement with its defect.

import Foundation
import JSONText
import TestSupport
import Testing

/// Recorded motion held against requirements, without a golden session.
@Suite struct RequirementTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  private let rules = fixture("requirements/swipe.json")

  private func check(_ words: String...) throws -> ProgramRun {
    try kymo(["check"] + words)
  }

  /// The verdicts that a run gets by some rules.
  private func verdicts(_ path: String, _ rules: String) throws -> [Row] {
    let file = try place.file("rules.json", "{\"requirements\": 1, \"rules\": [\(rules)]}")
    let call = try check(path, "--requirements", file, "--json")
    #expect(call.code < 2, "\(call.errors)")
    return try rows(call.output)
  }

  @Test(arguments: [60, 120]) func `a good swipe is as each kind requires`(rate: Int) throws {
    let path = try place.record(RequiredRun(rate: rate), into: "good.kymo")
    let call = try check(path, "--requirements", rules, "--all")
    #expect(call.code == 0, "\(call.output)")
    #expect(call.errors == "", "\(call.output)")
    #expect(call.output.hasPrefix("Passed: 1 session against 12 requirements.\n"))
    let judged = try rows(try check(path, "--requirements", rules, "--json").output)
    #expect(Set(judged.compactMap { $0["rule_name"].text }) == Set(RequiredRun.defects.map(\.0)))
    #expect(judged.allSatisfy { $0["finding"].text == "pass" }, "\(judged)")
    #expect(judged.allSatisfy { ($0["margin"].number ?? -1) >= 0 }, "\(judged)")
    // Sealed, it is judged by the same numbers.
    #expect(try kymo("file pack", path).code == 0)
    #expect(try check(path, "--requirements", rules, "--all").output == call.output)
  }

  @Test(arguments: RequiredRun.defects) func `each defect fails its own kind alone`(
    kind: String, words: String
  ) throws {
    for rate in [60, 120] {
      let path = try place.record(RequiredRun(defect: kind, rate: rate), into: "bad.kymo")
      let call = try check(path, "--requirements", rules, "--json")
      let failed = try rows(call.output).filter { $0["finding"].text == "fail" }
      #expect(call.code == 1)
      #expect(Set(failed.compactMap { $0["rule_name"].text }) == [kind], "\(words): \(failed)")
      for row in failed {
        let (margin, number) = (try #require(row["margin"].number), row["value"].number)
        #expect(margin < 0)
        #expect(number != nil)
        #expect(row["limit"].number != nil)
      }
    }
  }

  @Test func `the numbers are those of the defects`() throws {
    let expected: [String: (measure: String, number: Double)] = [
      "follows": ("lag_ms", 60), "continuous": ("excess_pt", 22), "monotone": ("back_share", 0.04),
      "overshoot": ("overshoot_percent", 16.3), "stays_in": ("outside_pt", 7),
      "before": ("between_ms", -650), "stagger": ("gap_ms", 80), "appears_by": ("shown_ms", 498.5),
      "apart": ("gap_pt", 1), "hitch": ("longest_ms", 50),
    ]
    for (kind, _) in RequiredRun.defects {
      guard let (measure, number) = expected[kind] else { continue }
      let path = try place.record(RequiredRun(defect: kind), into: "bad.kymo")
      let rows = try rows(try check(path, "--requirements", rules, "--json").output)
      let found = rows.filter { $0["rule_name"].text == kind && $0["measure"].text == measure }
        .compactMap { $0["value"].number }
      #expect(found.contains { abs($0 - number) <= 0.01 * abs(number) + 0.01 }, "\(kind): \(found)")
    }
  }

  @Test func `a recorded gesture through the engine is judged as its settle and finger are`() throws
  {
    let path = try place.record(Scenarios.pinch, gesture: "pinch-open.evemu", into: "pinch.kymo")
    let rows = try verdicts(
      path,
      """
      {"settles_by": "progress", "by_ms": 800}, {"overshoot": "progress"}, {"hitch": "frames"},
      {"continuous": "progress"}, {"appears_by": "item.apple", "by_ms": 0}, {"monotone": "progress", "slack": 0.01},
      {"stays_in": "item.apple.center", "rect": [0, 0, 1, 1]}, {"settles_by": "progress", "by_ms": 50}
      """)
    #expect(
      rows.filter { $0["finding"].text == "fail" }.compactMap { $0["rule"].integer } == [7, 8])
    let row = try parseJSON(Array(try kymo("rows", "--metrics", input: path + "\n").output.utf8))
    let metric = row["metrics"].array.first {
      $0["name"].text == "settle_2_ms" && $0["key"].text == "progress"
    }
    let settled = rows.first { $0["rule"].integer == 1 }
    #expect(settled?["value"].number == metric?["value"].number)
  }

  @Test(arguments: [
    // Half of a frame is 8.3 ms.
    (least: 5, between: 3, passes: true), (5, 0, true), (5, -1, false), (5, -3, false),
    (20, 12, true), (20, 11, false), (20, -1, false), (0, 0, true), (0, -1, false),
  ])
  func `half of a frame never lets the other order of two events pass`(
    least: Int, between: Int, passes: Bool
  ) throws {
    let lines = [
      #"{"kymograph": 1, "refreshRate": 60}"#,
      #"{"t_ns": \#(100_000_000 + min(0, between) * 1_000_000), "event": "\#(between < 0 ? "b" : "a")"}"#,
      #"{"t_ns": \#(100_000_000 + max(0, between) * 1_000_000), "event": "\#(between < 0 ? "a" : "b")"}"#,
    ]
    let path = try place.record(
      lines: lines.joined(separator: "\n") + "\n", into: "order.kymo")
    let row = try verdicts(
      path, #"{"before": "event.a", "after": "event.b", "at_least_ms": \#(least)}"#)[0]
    #expect(row["value"].number == Double(between))
    #expect(row["finding"].text == (passes ? "pass" : "fail"), "\(row)")
  }

  @Test func `half of a frame never lets the other order of two elements pass`() throws {
    for (onset, passes) in [(104.0, true), (99.0, false)] {
      var lines = [#"{"kymograph": 1, "refreshRate": 60}"#]
      for time in stride(from: 0.0, through: 200, by: 1) {
        let items = [("a", 100.0), ("b", onset)].map { name, start in
          #"{"id": "\#(name)", "center": [\#(max(0, time - start)), 0], "size": [9, 9]}"#
        }
        lines.append(
          #"{"t_ns": \#(Int(time * 1_000_000)), "frame": {"items": [\#(items.joined(separator: ", "))]}}"#
        )
      }
      let path = try place.record(lines: lines.joined(separator: "\n") + "\n", into: "wave.kymo")
      let row = try verdicts(
        path,
        #"{"stagger": ["item.a.center.x", "item.b.center.x"], "step_ms": 5, "tolerance_ms": 1, "moved_pt": 1}"#
      )[0]
      #expect(abs((row["value"].number ?? .nan) - (onset - 100)) < 1e-6, "\(row)")
      #expect(row["finding"].text == (passes ? "pass" : "fail"), "\(row)")
    }
  }

  @Test func `a lag at constant speed is told by its beginning, and without it by nothing`() throws
  {
    func lines(lag: Double) -> String {
      var text = "{\"kymograph\": 1, \"refreshRate\": 60}\n"
      for report in 0...24 {
        let time = Double(report) / 60
        // The finger moves before the first report and beyond the last.
        text += "{\"t_ns\": \(Int64(time * 1e9)), \"touch\": {\"contact\": 0, \"phase\": "
        text += "\"\(report == 0 ? "began" : "moved")\", \"x\": 0, \"y\": \(600 * time)}}\n"
        text += "{\"t_ns\": \(Int64(time * 1e9)), \"key\": \"y\", \"unit\": \"pt\", \"value\": "
        text += "\(max(0, 600 * (time - lag)))}\n"
      }
      return text
        + "{\"t_ns\": 400000000, \"touch\": {\"contact\": 0, \"phase\": \"ended\", \"x\": 0, \"y\": 240}}\n"
    }
    for (lag, code) in [(0.0, true), (0.05, false)] {
      let path = try place.record(lines: lines(lag: lag), into: "steady.kymo")
      let row = try verdicts(path, #"{"follows": "y"}"#)[0]
      let found = try #require(row["value"].number)
      #expect(abs(found - lag * 1000) < 2, "\(row)")
      #expect(row["finding"].text == (code ? "pass" : "fail"))
      // Without its beginning it is too short to tell, which only --strict fails.
      let file = try place.file(
        "rules.json", #"{"requirements": 1, "rules": [{"follows": "y", "from": 0.2}]}"#)
      let later = try check(path, "--requirements", file, "--json")
      let told = try rows(later.output)[0]
      #expect(later.code == 0, "\(told)")
      #expect(told["finding"].text == "warn", "\(told)")
      #expect(told["undecided"] == .bool(true))
      #expect(told["value"].number != nil)
      let (low, high) = (try #require(told["low"].number), try #require(told["high"].number))
      #expect(low <= lag * 1000)
      #expect(lag * 1000 <= high)
      #expect(high - low > 100)
      let strict = try check(path, "--requirements", file, "--strict", "--json")
      #expect(strict.code == 1)
      #expect(try rows(strict.output)[0]["finding"].text == "fail")
      let junit = place.path("junit.xml")
      #expect(try check(path, "--requirements", file, "--junit", junit, "--force").code == 0)
      let text = try String(contentsOfFile: junit, encoding: .utf8)
      #expect(text.contains("failures=\"0\""))
      #expect(text.contains("too short to tell"))
    }
  }

  @Test func `a value that is the finger bit for bit follows it, to the place of the lift`() throws
  {
    for phase in ["ended", "cancelled"] {
      var text = "{\"kymograph\": 1}\n{\"t_ns\": 0, \"event\": \"start\"}\n"
      for report in 0...12 {
        let (time, y) = (report * 16_666_667, 3 * Double(report * report))
        let word = report == 0 ? "began" : report == 12 ? phase : "moved"
        text += "{\"t_ns\": \(time), \"touch\": {\"contact\": 0, \"phase\": \"\(word)\", "
        text += "\"x\": 0, \"y\": \(y)}}\n"
        text += "{\"t_ns\": \(time), \"key\": \"y\", \"unit\": \"pt\", \"value\": \(y)}\n"
      }
      let path = try place.record(lines: text, into: "finger.kymo")
      let found = try verdicts(path, #"{"follows": "y"}"#)
      #expect(found.allSatisfy { $0["finding"].text != "fail" }, "\(found)")
      #expect(found.first { $0["measure"].text == "lag_ms" }?["finding"].text == "pass")
      let gain = try #require(found.first { $0["measure"].text == "gain" }?["value"].number)
      #expect(abs(gain - 1) < 1e-9)
      let told = try #require(answers("show", path + "#1").first { $0["about"].text == "touch" })
      #expect(
        told["says"].text?.hasPrefix("contact 0 landed at 0 s on (0, 0) and moved by (0, 432) pt")
          == true, "\(told)")
    }
  }

  @Test func `what is missing fails, unless it is optional`() throws {
    let path = try place.record(RequiredRun(), into: "good.kymo")
    for rule in [
      #""settles_by": "nothing", "by_ms": 1"#, #""continuous": "item.none*.center""#,
      #""before": "event.none", "after": "release""#,
      #""before": "event.dim", "after": "event.none""#,
      #""monotone": "progress", "from": "event.none""#, #""follows": "blur", "source": "nothing""#,
      #""appears_by": "item.ghost", "by_ms": 5"#, #""apart": ["item.left", "item.ghost"]"#,
    ] {
      let row = try verdicts(path, "{\(rule)}")[0]
      #expect(row["finding"].text == "fail", "\(row)")
      #expect(row["value"] == .null, "\(row)")
      #expect(row["margin"] == .null, "\(row)")
      #expect(row["says"].text?.contains("there is no") == true, "\(row)")
      let optional = try verdicts(path, "{\(rule), \"optional\": true}")[0]
      #expect(optional["finding"].text == "pass", "\(optional)")
      #expect(optional["skipped"] == .bool(true), "\(optional)")
    }
  }

  @Test(arguments: [
    "",
    "{\"t_ns\": 0, \"key\": \"progress\", \"value\": 0.5}",
    "{\"t_ns\": 0, \"key\": \"blur\", \"value\": 0}\n{\"t_ns\": 5, \"key\": \"blur\", \"value\": 1}",
    "{\"t_ns\": 9, \"touch\": {\"contact\": 0, \"phase\": \"began\", \"x\": 0, \"y\": 0}}\n"
      + "{\"t_ns\": 9, \"touch\": {\"contact\": 0, \"phase\": \"moved\", \"x\": 0, \"y\": 9}}",
    "{\"t_ns\": 9, \"frame\": {\"items\": [{\"id\": \"card\", \"frame\": [0, 0, 9, 9]}]}}",
  ]) func `a session of next to nothing has an answer to every rule`(lines: String) throws {
    let path = try place.record(lines: "{\"kymograph\": 1}\n" + lines, into: "tiny.kymo")
    for (file, count) in [("any.json", 16), ("swipe.json", 12)] {
      let call = try check(path, "--requirements", fixture("requirements/\(file)"), "--json")
      #expect(call.code == 1, "\(call.errors)")
      #expect(call.errors == "", "\(call.errors)")
      #expect(Set(try rows(call.output).compactMap { $0["rule"].integer }).count == count)
    }
  }

  @Test func `of two frames at one instant the newest counts`() throws {
    var lines = "{\"kymograph\": 1, \"refreshRate\": 100}\n"
    for (time, value) in [(0, 0), (10, 90), (10, 1), (20, 2), (30, 3), (40, 4)] {
      lines += "{\"t_ns\": \(time * 1_000_000), \"frame\": {\"phase\": \"driving\", \"items\": "
      lines += "[{\"id\": \"a\", \"center\": [\(value), 0], \"size\": [2, 2]}]}}\n"
    }
    let path = try place.record(lines: lines, into: "odd.kymo")
    let rows = try verdicts(
      path, #"{"continuous": "item.a.center.x", "excess_pt": 0.1}, {"monotone": "item.a.center.x"}"#
    )
    #expect(rows.allSatisfy { $0["finding"].text == "pass" }, "\(rows)")
  }

  // MARK: - The file of rules

  @Test func `a requirement with a mistake is refused with its number and path`() throws {
    let path = try place.record(RequiredRun(), into: "good.kymo")
    for (rule, words) in [
      (
        #"{"setlesBy": "x", "by_ms": 1}"#,
        ["Unknown kind of requirement", "Did you mean settles_by?"]
      ),
      (#"{"target": 1}"#, ["A requirement is of one kind. Found none of"]),
      (#"{"follows": "x", "monotone": "y"}"#, ["Found follows and monotone"]),
      (
        #"{"settles_by": "x", "by_ms": 1, "tarqet": 2}"#,
        ["$.rules[1].tarqet", "Did you mean target?"]
      ),
      (#"{"settles_by": "x", "by": 1}"#, ["A number has its unit in its name: \"by_ms\""]),
      (#"{"continuous": "x", "excess": 1}"#, ["\"excess_pt\" or \"excess_share\""]),
      (#"{"settles_by": "x"}"#, ["Missing field 'by_ms'"]),
      (#"{"settles_by": "x", "by_ms": "1"}"#, ["Must be a number (got '1')"]),
      (#"{"settles_by": "x", "by_ms": -1}"#, ["Must be a number from 0"]),
      (#"{"settles_by": "x", "by_ms": 1e300}"#, ["Must be a number from 0"]),
      (#"{"settles_by": "item.card.center", "by_ms": 1}"#, ["is about one number"]),
      (#"{"settles_by": "item.", "by_ms": 1}"#, ["Unknown subject"]),
      (#"{"settles_by": 5, "by_ms": 1}"#, ["Must be a string"]),
      (#"{"hitch": "progress"}"#, ["is about frames"]),
      (#"{"stagger": ["x"], "step_ms": 1}"#, ["two things or more"]),
      (#"{"apart": []}"#, ["two things or more"]),
      (#"{"before": "event.a"}"#, ["Missing field 'after'"]),
      (#"{"before": "event.a", "after": "later"}"#, ["An instant must be start"]),
      (#"{"monotone": "x", "from": "start", "after": "release"}"#, ["Give one of them"]),
      (#"{"monotone": "x", "direction": "left"}"#, ["Unknown value 'left'. Known: up, down"]),
      (#"{"stays_in": "item.a", "rect": [0, 0, -1, 1]}"#, ["No extent is below 0"]),
      (#"{"stays_in": "item.a", "rect": [0, 0, 1]}"#, ["an array of 4 numbers"]),
      (#"{"follows": "x", "gain": 0}"#, ["a gain other than 0"]),
      (#"{"continuous": "x", "excess_pt": 1, "excess_share": 1}"#, ["not both"]),
      (#"{"hitch": "frames", "optional": 1}"#, ["Must be true or false"]),
      (#"{"hitch": "frames", "id": "a b"}"#, ["An id has 1 to 64 letters"]),
      (#"{"hitch": "frames", "id": "one"}"#, ["Another requirement has the id"]),
      (#"[]"#, ["Must be an object"]), ("7", ["Must be an object"]),
    ] {
      let file = try place.file(
        "rules.json",
        "{\"requirements\": 1, \"rules\": [{\"hitch\": \"frames\", \"id\": \"one\"}, \(rule)]}")
      let call = try check(path, "--requirements", file)
      #expect(call.code == 4, "\(rule): \(call.errors)")
      #expect(call.output == "", "\(rule): \(call.errors)")
      #expect(call.errors.hasPrefix("kymo check: \(file): $.rules[1]"), "\(rule): \(call.errors)")
      #expect(call.errors.contains("Requirement 2: "), "\(rule): \(call.errors)")
      #expect(call.errors.split(separator: "\n").count == 1, "\(rule): \(call.errors)")
      for word in words { #expect(call.errors.contains(word), "\(rule): \(call.errors)") }
    }
    for (text, words) in [
      ("", "nexpected end of text"), ("{}", "issing field 'requirements'"),
      (#"{"requirements": 2, "rules": []}"#, "ust be a whole number"),
      (#"{"requirements": 1, "rules": []}"#, "There is no requirement"),
      (#"{"requirements": 1, "rules": [{"hitch": "frames", "longest_ms": NaN}]}"#, "nexpected 'N'"),
    ] {
      let call = try check(path, "--requirements", try place.file("rules.json", text))
      #expect(call.code == 4, "\(call.errors)")
      #expect(call.errors.contains(words), "\(call.errors)")
    }
    #expect(try check(path, "--requirements", place.path("nowhere.json")).code == 4)
    #expect(try check(path, "--requirements", "-").code == 2)
  }

  // MARK: - Outputs

  @Test func `bad files are rows, and the code says the first that holds`() throws {
    let good = try place.record(RequiredRun(), into: "good.kymo")
    let bad = try place.record(RequiredRun(defect: "before"), into: "bad.kymo")
    let garbage = try place.file("garbage.kymo", "no recording")
    func code(_ files: String...) throws -> Int32 {
      try kymo(["check", "--requirements", rules] + files).code
    }
    #expect(try code(good, good) == 0)
    #expect(try code(good, garbage) == 3)
    #expect(try code(good, garbage, bad) == 1)
    #expect(try code(garbage) == 4)
    #expect(try code(place.path("nowhere.kymo"), garbage) == 4)
    let call = try check(good, garbage, bad, "--requirements", rules, "--json", "-j", "2")
    let rows = try rows(call.output)
    let errors = rows.filter { $0["finding"].text == "error" }
    #expect(errors.count == 1)
    #expect(errors[0]["file"].text == garbage)
    #expect(errors[0]["value"].integer == 4)
    let alone = try check(good, garbage, bad, "--requirements", rules, "--json", "-j", "1")
    #expect(alone.output == call.output)
  }

  @Test func `JUnit has a case for each rule, and the page marks where one fails`() throws {
    let bad = try place.record(RequiredRun(defect: "continuous"), into: "bad.kymo")
    let (xml, page) = (place.path("out.xml"), place.path("out.html"))
    let call = try check(bad, "--requirements", rules, "--junit", xml, "--page", page)
    #expect(call.code == 1)
    #expect(
      call.output.hasPrefix(
        "Failed: 1 of 1 session against 12 requirements. Worst: item.photo.center"))
    let document = try String(contentsOfFile: xml, encoding: .utf8)
    #expect(document.contains("tests=\"12\" failures=\"1\""))
    #expect(document.contains("classname=\"swipe.json\" name=\"swipe: continuous item.*.center\""))
    let text = try String(contentsOfFile: page, encoding: .utf8)
    #expect(
      text.contains(
        #""marks":[{"t":800000000,"text":"item.photo.center: excess_pt 21.9968 at 0.8 s is above 8"#
      ))
  }

  @Test func `golden session and requirements make one table, one JUnit file and one code`()
    throws
  {
    let golden = try place.record(RequiredRun(), into: "golden.kymo")
    let good = try place.record(RequiredRun(), into: "good.kymo")
    let bad = try place.record(RequiredRun(defect: "settles_by"), into: "bad.kymo")
    let garbage = try place.file("garbage.kymo", "no recording")
    let (xml, page, summary) = (
      place.path("out.xml"), place.path("out.html"), place.path("check.md")
    )
    func call(_ words: String...) throws -> ProgramRun {
      try kymo(["check", "--golden", golden, "--requirements", rules] + words)
    }
    let passed = try call(good)
    #expect(passed.code == 0)
    #expect(passed.output == "Passed: 1 session against \(golden) and 12 requirements.\n")
    let failed = try call(good, bad, "--junit", xml, "--page", page, "--markdown", summary)
    #expect(failed.code == 1, "\(failed.errors)")
    #expect(failed.errors == "", "\(failed.errors)")
    #expect(
      failed.output.hasPrefix(
        "Failed: 1 of 2 sessions against \(golden) and 12 requirements. Worst: \(bad) "))
    let found = try rows(try call(good, bad, "--json").output)
    #expect(Set(found.map { $0.names }).count == 1)
    let kinds = found.filter { $0["finding"].text == "fail" }.compactMap { $0["kind"].text }
    #expect(kinds.first == "requirement")
    #expect(Set(kinds) == ["requirement", "motion"])
    let measures = found.filter { $0["finding"].text == "fail" }.compactMap { $0["measure"].text }
    #expect(measures.contains("settled_ms"), "\(measures)")
    #expect(measures.contains("residual_percent"), "\(measures)")
    #expect(kinds == kinds.sorted(by: >))
    let document = try String(contentsOfFile: xml, encoding: .utf8)
    #expect(document.components(separatedBy: "<testsuite ").count == 2)
    #expect(document.contains("tests=\"26\" failures=\"2\" errors=\"0\""))
    #expect(document.contains("classname=\"golden.kymo\" name=\"swipe (2)\""))
    #expect(document.contains("classname=\"swipe.json\" name=\"swipe: settles_by blur (2)\""))
    // Both runs, and the mark is in the second.
    let text = try String(contentsOfFile: page, encoding: .utf8)
    #expect(text.contains("id=\"run-B\""))
    #expect(text.contains("\"text\":\"blur: settled_ms "))
    let markdown = try String(contentsOfFile: summary, encoding: .utf8)
    #expect(markdown.replacing("\\_", with: "_").contains("settled_ms"))
    #expect(try call(good, garbage).code == 3)
    #expect(try call(garbage, bad).code == 1)
    #expect(try call(garbage).code == 4)
    #expect(try call(good, bad, "--json", "-j", "2").output == call(good, bad, "--json").output)
  }

  @Test func `a run of no golden session is judged by the requirements alone`() throws {
    let golden = try place.record(
      lines:
        "{\"kymograph\": 1, \"name\": \"other\"}\n{\"t_ns\": 0, \"key\": \"x\", \"value\": 0}\n"
        + "{\"t_ns\": 9, \"event\": \"more\"}\n", into: "golden.kymo")
    _ = try place.record(
      lines:
        "{\"kymograph\": 1, \"name\": \"third\"}\n{\"t_ns\": 0, \"key\": \"x\", \"value\": 0}\n",
      into: "golden.kymo")
    let bad = try place.record(RequiredRun(defect: "settles_by"), into: "bad.kymo")
    let page = place.path("review.html")
    let call = try check(
      bad, "--golden", golden, "--requirements", rules, "--subset", "--review", page)
    #expect(call.code == 1, "\(call.errors)")
    #expect(call.output.hasPrefix("Failed: 1 of 1 session against"), "\(call.output)")
    let text = try String(contentsOfFile: page, encoding: .utf8)
    #expect(text.contains("[\"failed\",\"\(bad)\""))
    #expect(!text.contains("[\"missing\",\""))
  }

  @Test func `what is optional and not there is counted, and a table says why a number is missing`()
    throws
  {
    let path = try place.record(RequiredRun(), into: "good.kymo")
    let file = try place.file(
      "some.json",
      #"{"requirements": 1, "rules": [{"monotone": "none", "optional": true}, {"overshoot": "none"}]}"#
    )
    let call = try check(path, "--requirements", file)
    #expect(
      call.output.hasPrefix(
        "Failed: 1 of 1 session against 2 requirements, 1 not there and optional."))
    #expect(
      call.output.hasSuffix(
        "there is no key of this name that has a value (requirement 2 'overshoot').\n")
    )
  }

  @Test func `a file of before 0.2.0 has another key, which stays readable`() throws {
    let path = try place.record(RequiredRun(), into: "good.kymo")
    let file = try place.file(
      "old.json", #"{"expectations": 1, "rules": [{"settles_by": "blur", "by_ms": 900}]}"#)
    #expect(try check(path, "--requirements", file).code == 0)
  }

  @Test func `kymo rows says of each session what kymo check says`() throws {
    let bad = try place.record(RequiredRun(defect: "stays_in"), into: "bad.kymo")
    let call = try kymo("rows", "--requirements", rules, input: bad + "\n")
    #expect(call.code == 1)
    #expect(call.errors == "")
    let row = try parseJSON(Array(call.output.utf8))["expect"]
    #expect(row["pass"] == .bool(false))
    #expect(row["failures"].integer == 1)
    let alone = try rows(try check(bad, "--requirements", rules, "--json").output)
    let found = Set(row["verdicts"].array.compactMap { $0["says"].text })
    #expect(found == Set(alone.compactMap { $0["says"].text }))
    #expect(!found.isEmpty)
    let wrong = try place.file("wrong.json", "{}")
    #expect(try kymo("rows", "--requirements", wrong, input: bad + "\n").code == 4)
  }
}
