import Foundation
import JSONText
import TestSupport
import Testing

@Suite struct RunGroupTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  /// Records runs of a key that goes from 0 to 1 and settles after so many milliseconds.
  @discardableResult
  private func record(
    _ settles: [Int], into name: String, rate: Int = 100, key: String = "x"
  ) throws -> String {
    for (number, settle) in settles.enumerated() {
      var lines = "{\"kymograph\": 1, \"name\": \"g\(number)\", \"refreshRate\": \(rate)}\n"
      for step in 0...60 {
        let time = step * 10
        let value = min(1, Double(time) / Double(settle))
        lines +=
          "{\"t_ns\": \(time * 1_000_000), \"key\": \"\(key)\", \"value\": \(value), \"unit\": \"pt\"}\n"
      }
      let run = try kymo("record", "--from-ndjson", "-", "--into", place.path(name), input: lines)
      #expect(run.code == 0, "\(run.errors)")
    }
    return place.path(name)
  }

  private func base() throws -> String {
    try record([300, 310, 320, 330, 340, 350], into: "base.kymo")
  }
  private func new() throws -> String {
    try record([400, 410, 420, 430, 440, 450], into: "new.kymo")
  }

  /// The one object that `--format json` prints.
  private func object(_ words: String...) throws -> (code: Int32, JSONValue) {
    let run = try kymo(["compare"] + words + ["--format", "json"])
    return (run.code, try parseJSON(Array(run.output.utf8)))
  }

  @Test func `a slower side is a change, told in the table`() throws {
    let run = try kymo(
      "compare", try base(), "--", try new(), "--metric", "settle_2_ms,overshoot_percent")
    #expect(run.code == 1)
    #expect(run.errors == "")
    let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    #expect(lines[0].hasPrefix("Changed: x settle 2% ms +"))
    #expect(lines[2].contains("│ base (n=6) │ new (n=6)"))
    #expect(lines[3].hasPrefix("x "))
    #expect(lines[3].contains("median"))
    #expect(lines[3].hasSuffix("vs base"))
    #expect(lines[4].hasPrefix("settle 2% ms"))
    let settle = try #require(
      object(
        place.path("base.kymo"), "--", place.path("new.kymo"), "--metric",
        "settle_2_ms,overshoot_percent"
      ).1["rows"].array.first { $0["metric"].text == "settle_2_ms" })
    #expect(abs((settle["p"].number ?? 1) - 2.0 / 924) < 1e-12)
    #expect(lines[4].hasSuffix("p=0.002"))
    #expect(lines[5].hasPrefix("overshoot %"))
    #expect(lines[5].hasSuffix("~"))
    #expect(
      run.output.contains(
        "Mann-Whitney U, two-sided, exact, p adjusted with Holm's procedure for 1 test."))
    #expect(run.output.contains("Warning: These have the same number in all sessions"))
  }

  @Test func `a long table keeps the rows that changed, and prints all of them if it is asked to`()
    throws
  {
    /// Sessions of 70 keys that are alike in all of them, but for the last one.
    func record(_ settles: [Int], into name: String) throws -> String {
      for settle in settles {
        var lines = "{\"kymograph\": 1, \"refreshRate\": 100}\n"
        for step in 0...60 {
          for key in 0..<70 {
            let value = min(1, Double(step * 10) / Double(key == 69 ? settle : 300))
            lines += "{\"t_ns\": \(step * 10_000_000), \"key\": \"k\(key)\", \"value\": \(value)}\n"
          }
        }
        let run = try kymo("record", "--from-ndjson", "-", "--into", place.path(name), input: lines)
        #expect(run.code == 0, "\(run.errors)")
      }
      return place.path(name)
    }
    let base = try record([300, 310, 320, 330, 340, 350], into: "wide.kymo")
    let new = try record([400, 410, 420, 430, 440, 450], into: "wide-new.kymo")
    func rows(_ more: [String]) throws -> [String] {
      let run = try kymo(["compare", base, "--", new] + more)
      #expect(run.code == 1)
      #expect(run.errors == "")
      return run.output.split(separator: "\n").map(String.init)
    }
    let (short, long) = (try rows([]), try rows(["--all"]))
    let rest = try #require(short.first { $0.hasPrefix("… ") })
    let left = try #require(Int(rest.dropFirst(2).prefix { $0.isNumber }))
    #expect(rest == "… \(left) more (--all)")
    #expect(left > 0)
    #expect(short.count { $0.hasPrefix("settle 2%") || $0.hasPrefix("peak velocity") } < 200)
    #expect(short.contains { $0.hasPrefix("k69 ") })
    #expect(!short.contains { $0.hasPrefix("k68 ") })
    #expect(long.contains { $0.hasPrefix("k68 ") })
    #expect(!long.contains { $0.hasPrefix("… ") })
    #expect(short[0] == long[0])
    #expect(short[0].hasPrefix("Changed: k69 "))
    let markdown = try rows(["--format", "markdown"])
    #expect(markdown.contains(rest))
    #expect(markdown.count { $0.hasPrefix("| ") } < 210)
  }

  @Test func `a side against its like is no change`() throws {
    let other = try record([305, 315, 325, 335, 345, 355], into: "other.kymo")
    let run = try kymo("compare", try base(), "--", other)
    #expect(run.code == 0)
    #expect(run.output.hasPrefix("No evidence of a change"))
    #expect(run.output.contains("would be seen with about N more sessions on each side"))
  }

  @Test func `every number stands in the JSON`() throws {
    let (code, answer) = try object(try base(), "--", try new(), "--seed", "7", "--key", "x")
    #expect(code == 1)
    #expect(answer["seed"].integer == 7)
    #expect(answer["adjustment"].text == "holm")
    guard case .array(let runs) = answer["base"], case .array(let rows) = answer["rows"] else {
      Issue.record("no lists in \(answer)")
      return
    }
    #expect(runs.count == 6)
    #expect(runs[1]["name"].text == "g1")
    #expect(runs[1]["session"].integer == 2)
    let settle = try #require(rows.first { $0["metric"].text == "settle_2_ms" })
    #expect(settle["base"]["values"].numbers?.count == 6)
    #expect(settle["new"]["n"].integer == 6)
    #expect(settle["p"].number.map { abs($0 - 2.0 / 924) < 1e-12 } == true)
    #expect(settle["significant"] == .bool(true))
    #expect(settle["exact"] == .bool(true))
    #expect(rows.allSatisfy { $0["key"].text == "x" })
    #expect(answer["tests"].integer.map { $0 >= 2 } == true)
  }

  @Test func `pairs go by the sessions' names`() throws {
    let (code, answer) = try object(
      try base(), "--", try new(), "--paired", "--metric", "settle_2_ms")
    #expect(code == 1)
    #expect(answer["paired_by"].text == "name")
    guard case .array(let rows) = answer["rows"] else { return }
    #expect(rows[0]["test"].text == "wilcoxon")
    #expect(rows[0]["p"].number == 0.03125)
    #expect(rows[0]["pairs"].integer == 6)
    let table = try kymo(
      "compare", place.path("base.kymo"), "--", place.path("new.kymo"), "--paired")
    #expect(table.output.contains("vs base, pairs"))
    #expect(table.output.contains("paired by name"))
  }

  @Test func `releases are counted, and flips of pairs`() throws {
    for name in ["base", "new"] {
      for round in 0..<6 {
        let flipped = name == "new" && round < 2
        try place.record(
          Scenarios.pinch, gesture: flipped ? "pinch-back.evemu" : "pinch-open.evemu",
          into: "\(name).kymo")
      }
    }
    let words = [place.path("base.kymo"), "--", place.path("new.kymo"), "--metric", "decision"]
    let table = try kymo(["compare"] + words)
    #expect(table.output.contains("│   6 finish │ 4 finish, 2 cancel"))
    let paired = try kymo(["compare"] + words + ["--paired"])
    #expect(paired.code == 0)
    #expect(paired.output.contains("flips 2 of 6 pairs  p=0.500"))
  }

  @Test func `few runs are told what they cannot tell`() throws {
    let path = try base()
    _ = try new()
    let run = try kymo(
      "compare", "\(path)#1", "\(path)#2", "\(path)#2", "--", place.path("new.kymo#1"),
      place.path("new.kymo#2"), "--metric", "settle_2_ms")
    #expect(run.code == 0)
    for words in [
      "1 base session was given twice", "2 base sessions are too few for a 95 % interval",
      "With 2 and 2 sessions no result can be significant", "± –",
    ] {
      #expect(run.output.contains(words), "\(words)")
    }
  }

  @Test func `a key that one side has not is named, and a key without a unit has a velocity`()
    throws
  {
    let text =
      "{\"kymograph\": 1}\n{\"t_ns\": 0, \"key\": \"y\", \"value\": 0}\n"
      + "{\"t_ns\": 10000000, \"key\": \"y\", \"value\": 0.5}\n"
    let other = try kymo(
      "record", "--from-ndjson", "-", "--into", place.path("other.kymo"), input: text)
    #expect(other.code == 0)
    let run = try kymo("compare", try base(), "--", place.path("other.kymo"))
    #expect(run.output.contains("Only base sessions have x, so that is not tested."))
    #expect(run.output.contains("Only new sessions have y, so that is not tested."))
    #expect(run.output.contains("1 new session is too few for a 95 % interval"))
    #expect(run.output.contains("peak velocity /s"))
  }

  @Test func `the name of a key makes no line and no mark of its own`() throws {
    let name = #"x\n| y |\n<b>z</b>"#
    let base = try record([300, 310, 320, 330, 340, 350], into: "wild.kymo", key: name)
    let new = try record([400, 410, 420, 430, 440, 450], into: "wild-new.kymo", key: name)
    for format in ["table", "markdown"] {
      let run = try kymo("compare", base, "--", new, "--format", format)
      #expect(run.code == 1)
      let lines = run.output.split(separator: "\n")
      #expect(lines[0].hasPrefix("Changed: x"), "\(lines[0])")
      #expect(lines[0].hasSuffix("."), "\(lines[0])")
      #expect(!lines.contains { $0.hasPrefix("| y") || $0.hasPrefix("<b>") })
      #expect(format == "table" || !run.output.replacing(#"\<"#, with: "").contains("<"))
    }
  }

  @Test func `other forms are for pull requests and for sheets`() throws {
    let words = [try base(), "--", try new(), "--metric", "settle_2_ms"]
    let markdown = try kymo(["compare"] + words + ["--format", "markdown"])
    #expect(markdown.output.contains("\n|---|---:|---:|---:|---|---|\n| x settle 2% ms | "))
    let table = try kymo(["compare"] + words + ["--format", "csv"])
    let lines = table.output.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines[0].hasPrefix("metric,key,role,transition,outcome,unit,base.n,base.median"))
    #expect(table.errors == "")
  }

  @Test func `a call that cannot be understood ends with 2`() throws {
    let (a, b) = (try base(), try new())
    for (words, says) in [
      ([a, b, "--paired"], "--paired belongs to another form. Usage: kymo compare BASE… -- NEW…"),
      ([a, b, "--"], "missing NEW after --"),
      (["--", a, b], "missing BASE before --"),
      ([a, "--", b, "--key", "y"], "unknown key 'y'. Did you mean x?"),
      (
        [a, "--", b, "--metric", "settle"], "unknown metric 'settle'. Did you mean settle_2_ms?"
      ),
      (
        [a, "--", b, "--metric", "jank_percent", "--all-metrics"],
        "--metric and --all-metrics exclude each other"
      ),
      ([a, "--", b, "--alpha", "1"], "--alpha must be a number above 0 and below 1"),
      ([a, "--", b, "--alpha", "nan"], "--alpha must be a number"),
      ([a, "--", b, "--seed", "-1"], "--seed must be a whole number of 0 or more"),
      ([a, "--", b, "--format", "ndjson"], "--format: unknown value 'ndjson'"),
      (
        ["\(a)#1", "--", b, "--paired", "--metric", "frames", "--key", "x"], "None of the sessions"
      ),
    ] as [([String], String)] {
      let run = try kymo(["compare"] + words)
      #expect(run.code == 2, "\(words)")
      #expect(run.errors.contains(says), "\(run.errors)")
      #expect(run.output == "")
    }
  }

  @Test func `a file that is no recording ends with 4`() throws {
    let junk = try place.file("junk.kymo", "no database")
    let run = try kymo("compare", try base(), "--", junk)
    #expect(run.code == 4)
    #expect(run.output == "")
    #expect(run.errors.contains("junk.kymo"))
  }
}
