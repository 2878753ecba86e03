import Foundation
import JSONText
import TestSupport
import Testing

/// The sentences of `kymo check` and `kymo compare`, and what build servers show of them.
@Suite struct VerdictSentenceTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  /// Records a key that goes from 0 to 100 within a time, in milliseconds, after some milliseconds of rest.
  private func moving(
    _ file: String, seconds: Double = 0.3, after rest: Double = 0, to end: Double = 100,
    outcome: String = "finish", name: String = "run"
  ) throws -> String {
    var lines = [#"{"kymograph": 1, "name": "\#(name)", "refreshRate": 100}"#]
    func add(_ time: Double, _ text: String) {
      lines.append(#"{"t_ns": \#(Int(time * 1e9)), \#(text)}"#)
    }
    add(0, #""event": "start", "to": "open""#)
    for frame in 0...150 {
      let time = Double(frame) / 100
      let share = max(0, min(1, (time - rest) / seconds))
      add(time, #""key": "x", "unit": "pt", "value": \#(share * end)"#)
      if frame == 5 { add(time, #""event": "\#(outcome)""#) }
    }
    let text = lines.joined(separator: "\n") + "\n"
    return try place.record(lines: text, into: file)
  }

  /// What does not pass.
  private func found(_ words: [String]) throws -> [Row] {
    try rows(try kymo(words + ["--json"]).output).filter { $0["finding"].text != "pass" }
  }

  /// Rules that judge nothing but these metrics.
  private func rules(_ metrics: String) throws -> String {
    try place.file(
      "rules.json",
      #"{"version": 1, "rules": [{"key": "*", "hard": 1e6}, {"metric": "decision", "level": "off", "fail": 9}, \#(metrics)]}"#
    )
  }

  @Test func `a figure that is off is told as a difference, with its direction`() throws {
    let golden = try moving("golden.kymo")
    let slow = try moving("slow.kymo", seconds: 0.4, to: 90)
    let quick = try moving("quick.kymo", seconds: 0.2, to: 110)
    let file = try rules(
      #"{"metric": "settle_2_ms", "fail": 77}, {"metric": "final_value", "fail": 5}, {"metric": "rise_ms", "warn": 1}"#
    )
    let late = try found(["check", slow, "--golden", golden, "--tolerances", file])
    let early = try found(["check", quick, "--golden", golden, "--tolerances", file])
    for rows in [late, early] {
      #expect(
        rows.map { $0["measure"].text } == ["settle_2_ms", "final_value", "rise_ms"], "\(rows)")
      // 98 % and 80 % of 100 ms.
      for (row, value) in zip(rows, [98.0, 10, 80]) {
        #expect(abs((row["value"].number ?? .nan) - value) < 1e-6, "\(row)")
      }
      #expect(rows.map { $0["limit"].number } == [77, 5, 1])
      #expect(rows.map { $0["finding"].text } == ["fail", "fail", "warn"])
      #expect(rows.map { $0["rule"].integer } == [3, 4, 5])
    }
    #expect(
      late.map { $0["says"].text } == [
        "x ends at 90 instead of 100 pt and settles in 392 instead of 294 ms: "
          + "settles 98 ms later than golden (limit 3 'settle_2_ms': 77)",
        "x ends 10 below golden (limit 4 'final_value': 5)",
        "x rises for 80 ms longer than golden (limit 5 'rise_ms': 1)",
      ])
    #expect(
      early.map { $0["says"].text } == [
        "x ends at 110 instead of 100 pt and settles in 196 instead of 294 ms: "
          + "settles 98 ms earlier than golden (limit 3 'settle_2_ms': 77)",
        "x ends 10 above golden (limit 4 'final_value': 5)",
        "x rises for 80 ms less than golden (limit 5 'rise_ms': 1)",
      ])
    // Of several runs together the signs may differ.
    let both = try rules(#"{"metric": "settle_2_ms", "fail": 77, "aggregate": "median"}"#)
    let words = try found(["check", slow, quick, "--golden", golden, "--tolerances", both])
    #expect(
      words.map { $0["says"].text } == [
        "x ends at 90 instead of 100 pt and settles in 392 instead of 294 ms: "
          + "settles 98 ms later or earlier than golden (limit 3 'settle_2_ms': 77)"
      ])
  }

  @Test func `a printed number that fails is above its printed limit`() throws {
    let golden = try moving("golden.kymo")
    let slow = try moving("slow.kymo", seconds: 0.4)
    let file = try rules(#"{"metric": "settle_2_ms", "fail": 97.98}"#)
    let late = try found(["check", slow, "--golden", golden, "--tolerances", file])
    #expect(
      late.map { $0["says"].text } == [
        "x settles in 392 instead of 294 ms: settles 98 ms later than golden "
          + "(limit 3 'settle_2_ms': 97.98)"
      ])
  }

  @Test(arguments: [
    (0.03, "x comes 30 ms later (limit 2 'lag_ms': 17)"),
    (
      0.3,
      "x settles in 694 instead of 394 ms: has a lag beyond 50 ms, later than golden "
        + "(limit 2 'lag_ms': 17)"
    ),
  ])
  func `a lag at the end of its search is beyond it`(lag: Double, words: String) throws {
    let golden = try moving("golden.kymo", after: 0.1)
    let late = try moving("late.kymo", after: 0.1 + lag)
    let file = try place.file(
      "rules.json",
      #"{"version": 1, "align": {"mode": "none"}, "rules": [{"key": "*", "hard": 1e6}, {"metric": "lag_ms", "fail": 17}]}"#
    )
    let found = try found(["check", late, "--golden", golden, "--tolerances", file])
    #expect(found.map { $0["measure"].text } == ["lag_ms"])
    #expect(abs((found.first?["value"].number ?? 0) - min(50, lag * 1000)) < 1, "\(found)")
    #expect(found.map { $0["says"].text } == [words])
    let row = try #require(
      rows(kymo("compare", golden, late, "--align", "none", "--json").output).first {
        $0["row"].text == "key"
      })
    #expect(row["lag_at_limit"] == .bool(lag > 0.05))
    let lines = try kymo("compare", golden, late, "--align", "none").output.split(separator: "\n")
    let hint =
      "The lag of x is beyond 50 ms, the end of the search. Try a longer --lag-limit."
    #expect(lines.contains { $0 == hint } == (lag > 0.05))
  }

  @Test func `runs that all fail alike name golden learn, and others do not`() throws {
    let golden = try moving("golden.kymo")
    func first(_ files: [String]) throws -> String {
      String(try kymo(["check"] + files + ["--golden", golden]).output.prefix { $0 != "\n" })
    }
    let hint =
      "All sessions differ a little, and none in a decision. If good sessions do so, learn their limits with kymo golden learn."
    let off = try (1...3).map { try moving("off\($0).kymo", seconds: 0.3 + 0.02 * Double($0)) }
    let line = try first(off)
    #expect(line.hasPrefix("Failed: 3 of 3 sessions"), "\(line)")
    #expect(line.hasSuffix(hint), "\(line)")
    #expect(try !first(Array(off.prefix(2))).contains("golden learn"))
    #expect(try !first(off + [try moving("same.kymo")]).contains("golden learn"))
    let flipped = try moving("flipped.kymo", seconds: 0.35, outcome: "cancel")
    let rules = try place.file(
      "match.json", #"{"version": 1, "rules": [{"metric": "decision", "must": "match"}]}"#)
    let all = try kymo(
      ["check"] + off + [flipped, "--golden", golden, "--tolerances", rules]
    ).output
    #expect(!all.contains("golden learn"), "\(all)")
  }

  @Test func `warnings that good sessions have, too, are counted in a line`() throws {
    let golden = try moving("golden.kymo")
    let good = try moving("good.kymo", seconds: 0.31)
    let bad = try moving("bad.kymo", seconds: 0.31, to: 80)
    let file = try rules(
      #"{"metric": "rise_ms", "warn": 1}, {"metric": "final_value", "fail": 5}, {"metric": "settle_5_ms", "warn": 15}"#
    )
    let words = ["check", good, bad, "--golden", golden, "--tolerances", file]
    let junit = place.path("out.xml")
    let text = try kymo(words + ["--junit", junit, "--markdown", place.path("out.md")]).output
    #expect(
      text.contains("… 2 warnings that sessions without a failure have, too (--all)"), "\(text)")
    #expect(!text.contains("rise_ms"), "\(text)")
    #expect(try kymo(words + ["--all"]).output.contains("rise_ms"))
    // Rows have all of them, and so has a check in which nothing fails.
    #expect(
      try rows(try kymo(words + ["--json"]).output).count { $0["measure"].text == "rise_ms" } == 2)
    let passed = try kymo(["check", good, "--golden", golden, "--tolerances", file])
    #expect(passed.code == 0)
    #expect(passed.output.contains("rise_ms"))
    let xml = try String(contentsOfFile: junit, encoding: .utf8)
    #expect(xml.contains("1 warning that sessions without a failure have, too"), "\(xml)")
    let markdown = try String(contentsOfFile: place.path("out.md"), encoding: .utf8)
    #expect(
      markdown.contains("… 2 warnings that sessions without a failure have, too."), "\(markdown)")
  }

  @Test func `JUnit of a flipped decision has one failure with its consequences inside`() throws {
    func pinch(_ gesture: String, _ name: String) throws -> String {
      try place.record(Scenarios.pinch, gesture: gesture, into: name)
      return place.path(name)
    }
    let (a, b) = (
      try pinch("pinch-open.evemu", "a.kymo"), try pinch("pinch-back.evemu", "b.kymo")
    )
    let junit = place.path("out.xml")
    #expect(try kymo("compare", a, b, "--junit", junit).code == 1)
    let xml = try String(contentsOfFile: junit, encoding: .utf8)
    #expect(xml.contains("failures=\"1\""))
    #expect(xml.components(separatedBy: "<failure").count == 2)
    let failure = try #require(
      xml.components(separatedBy: "<failure ").last?.components(separatedBy: "</failure>").first)
    #expect(failure.hasPrefix("message=\"the decision changed from finish to cancel"), "\(failure)")
    #expect(
      failure.components(separatedBy: "&#10;").count > 3,
      "\(failure)")
    #expect(
      failure.contains("&#10;progress: "),
      "\(failure)")
    #expect(xml.contains("after the other decision: "))
    // Without another decision each key has its own.
    let moved = try moving("moved.kymo", seconds: 0.5)
    #expect(
      try kymo("compare", try moving("still.kymo"), moved, "--junit", junit, "--force").code == 1)
    #expect(
      try String(contentsOfFile: junit, encoding: .utf8).contains("name=\"x\">\n      <failure"))
  }

  @Test func `groups of equal names name the flag that pairs them`() throws {
    let sides = try ["base", "new"].map { side in
      try ["one", "two"].map { try moving("\(side)-\($0).kymo", name: $0) }
    }
    let words = ["compare"] + sides[0] + ["--"] + sides[1]
    let hint = "--paired compares each with its like."
    #expect(try kymo(words).output.contains(hint))
    #expect(try !kymo(words + ["--paired"]).output.contains(hint))
    let other = try moving("other.kymo", name: "three")
    #expect(
      try !kymo(["compare"] + sides[0] + ["--", sides[1][0], other]).output.contains(hint))
  }

  @Test func `an instant outside of the session is refused`() throws {
    let path = try moving("run.kymo")
    for (time, words) in [("1.6", ["--keys"]), ("-0.1", ["--keys"]), ("0.1,7", ["--key", "x"])] {
      let run = try kymo(["replay", path, "--at", time] + words)
      #expect(run.code == 2, "\(time)")
      #expect(run.output == "", "\(time)")
      #expect(run.errors.contains("--at is outside of #1 'run'"), "\(run.errors)")
    }
    #expect(try rows(try kymo("replay", path, "--at", "1.5", "--keys", "--json").output).count == 1)
  }
}
