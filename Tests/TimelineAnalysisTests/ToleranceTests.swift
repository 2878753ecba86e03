import JSONText
import MotionMeasures
import Testing
import TimelineModel
import TimelineRecorder
import TimelineSession
import TimelineStore

@testable import MotionJudgement

@Suite struct ToleranceTests {
  let made: HandMade

  init() throws { made = try HandMade() }

  @Test func `limits of a measure that has another meaning now are named`() throws {
    let rules =
      "\"rules\": [{\"metric\": \"settle_2_ms\", \"fail\": 5}, {\"metric\": \"rise_ms\", \"fail\": 5}]}"
    #expect(try tolerances("{\"version\": 1, \(rules)").outdatedMeasures == [.settle2])
    #expect(
      try tolerances("{\"version\": 1, \"measures\": 1, \(rules)").outdatedMeasures == [.settle2])
    let current = try tolerances("{\"version\": 1, \"measures\": 2, \(rules)")
    #expect(current.outdatedMeasures.isEmpty)
    #expect(try tolerances(current.json) == current)
    #expect(current.json.hasPrefix("{\"version\": 1, \"measures\": 2,"))
    #expect(throws: JSONError.self) { try tolerances("{\"version\": 1, \"measures\": 3, \(rules)") }
  }

  private func tolerances(_ text: String) throws -> Tolerances {
    try Tolerances(json: Array(text.utf8))
  }

  private func rules(_ text: String) throws -> Tolerances {
    try tolerances("{\"version\": 1, \"rules\": [\(text)]}")
  }

  @Test func `the first rule counts, whether it names a key or a pattern`() throws {
    let found = try rules(
      """
      {"key": "a", "hard": 1}, {"key": "?", "hard": 2}, {"key": "b", "hard": 3},
      {"metric": "lag_ms", "key": "b", "fail": 4}, {"metric": "lag_ms", "key": "*", "fail": 5},
      {"metric": "lag_ms", "key": "a", "fail": 6}, {"item": "card", "hard": 7},
      {"metric": "rise_ms", "fail": 8}
      """)
    #expect(found.ladder(for: "a")?.number.index == 0)
    #expect(found.ladder(for: "b")?.number.index == 1)
    #expect(found.ladder(for: "long") == nil)
    #expect(found.ladder(for: "item.card.alpha", item: "card")?.number.index == 6)
    #expect(found.ladder(for: "b", item: "card")?.number.index == 1)
    #expect(found.bound(for: .lag, of: "a")?.number.index == 4)
    #expect(found.bound(for: .lag, of: "b")?.bound.fail == 4)
    #expect(found.bound(for: .lag)?.number.index == 3)
    #expect(found.bound(for: .rise, of: "a")?.number.index == 7)
    #expect(found.bound(for: .settle2, of: "a") == nil)
    var changed = found
    changed.rules.removeFirst()
    #expect(changed.ladder(for: "a")?.number.index == 0)
    #expect(changed.ladder(for: "a")?.ladder.hard == 2)
  }

  @Test func `the file of the manual is read, and written as it was`() throws {
    let text = """
      {"version": 1, "measures": 2,
       "align": {"mode":"xcorr","limit_ms":50},
       "rules": [
        {"key":"progress","max_abs":{"warn":0.005,"fail":0.02},"over_percent":{"warn":1,"fail":1},"hard":0.1},
        {"key":"item.*.frame.*","max_abs":{"fail":0.5},"ignore_ms":[[0,16]]},
        {"metric":"lag_ms","fail":17},
        {"metric":"hitch_ms_per_s","warn":5,"fail":10,"aggregate":"median"},
        {"metric":"decision","must":"match"},
        {"key":"debug.*","level":"off"}
      ]}

      """
    let found = try tolerances(text)
    #expect(found.alignment == .xcorr)
    #expect(found.lagLimitSeconds == 0.05)
    #expect(found.rules.count == 6)
    #expect(found.rules[3].aggregate == .median)
    #expect(found.json == text)
    #expect(try tolerances(found.json) == found)
  }

  @Test func `mistakes are told with their place and what was meant`() throws {
    for (rule, path, words) in [
      ("{\"key\": \"a\", \"max_abz\": 1}", "$.rules[0].max_abz", "Did you mean max_abs?"),
      (
        "{\"metric\": \"peak_velocity\", \"fail\": 1}", "$.rules[0].metric",
        "Did you mean peak_velocity_per_s?"
      ),
      ("{\"key\": \"a\"}", "$.rules[0]", "is empty"),
      ("{\"key\": \"a\", \"item\": \"b\", \"hard\": 1}", "$.rules[0]", "one thing"),
      ("{\"hard\": 1}", "$.rules[0]", "one thing"),
      ("{\"metric\": \"lag\", \"fail\": 1}", "$.rules[0].metric", "Did you mean lag_ms?"),
      ("{\"metric\": \"lag_ms\", \"max_abs\": 1}", "$.rules[0].max_abs", "no \"max_abs\""),
      ("{\"metric\": \"decision\", \"must\": \"be\"}", "$.rules[0].must", "match"),
      (
        "{\"metric\": \"jank_percent\", \"key\": \"x\", \"fail\": 1}", "$.rules[0].key",
        "single key"
      ),
      ("{\"key\": \"a\", \"over_percent\": 1, \"hard\": 2}", "$.rules[0].over_percent", "max_abs"),
      ("{\"key\": \"a\", \"hard\": -1}", "$.rules[0].hard", "from 0"),
      (
        "{\"key\": \"a\", \"hard\": 1, \"ignore_ms\": [[5, 1]]}", "$.rules[0].ignore_ms[0]",
        "before"
      ),
      ("{\"key\": \"a\", \"hard\": 1, \"level\": \"loud\"}", "$.rules[0].level", "error"),
      ("{\"key\": \"a\", \"max_abs\": {}}", "$.rules[0].max_abs", "Neither"),
      (
        "{\"key\": \"a\", \"rms\": {\"warn\": 2, \"fail\": 1}}", "$.rules[0].rms",
        "never be reported"
      ),
      ("{\"metric\": \"turns\", \"warn\": 2, \"fail\": 1}", "$.rules[0]", "never be reported"),
      ("{\"metric\": \"turns\", \"must\": \"match\", \"fail\": 1}", "$.rules[0]", "has no number"),
      (
        "{\"key\": \"a\", \"max_abs\": 1, \"over_percent\": 101}", "$.rules[0].over_percent",
        "0 to 100"
      ),
    ] {
      let error = #expect(throws: JSONError.self) { try rules(rule) }
      #expect(
        error?.path == path,
        "\(rule) \(String(describing: error))")
      #expect(
        error?.message.contains(words) == true,
        "\(rule) \(String(describing: error))")
    }
    for text in [
      "", "[]", "{\"version\": 2, \"rules\": []}", "{\"version\": 1}", "{\"rules\": []}",
      "{\"version\": 1, \"rules\": [], \"align\": {\"mode\": \"middle\"}}",
    ] {
      #expect(throws: JSONError.self) { try tolerances(text) }
    }
  }

  @Test func `patterns match as a shell's do`() {
    for (pattern, text) in [
      ("*", ""), ("*", "abc"), ("a*c", "abc"), ("a*c", "ac"), ("?", "x"),
      ("item.*.frame.*", "item.a.b.frame.center"),
      ("*a*b*", "xxaxxbxx"), ("größe", "größe"), ("a**b", "ab"),
    ] {
      #expect(matches(pattern, text), "\(pattern) \(text)")
    }
    for (pattern, text) in [
      ("", "a"), ("?", ""), ("a", "b"), ("a*c", "acb"), ("item.*.frame.*", "item.a.alpha"),
      ("A", "a"),
    ] {
      #expect(!matches(pattern, text), "\(pattern) \(text)")
    }
    // Many stars take no longer than the product of both lengths.
    #expect(!matches(String(repeating: "*a", count: 40) + "b", String(repeating: "a", count: 5000)))
  }

  /// Two runs of one key: B lies above A by a tenth for 100 of 1000 ms.
  private func compare(_ text: String, keyOfB: String = "x") throws -> RunComparison {
    let a = try made.session(into: "a\(keyOfB).kymo") { $0.values(of: "x", [(0, 0), (1000, 1)]) }
    let b = try made.session(into: "b\(keyOfB).kymo") {
      $0.values(
        of: keyOfB,
        [(0, 0), (400, 0.4), (401, 0.501), (500, 0.6), (501, 0.501), (1000, 1)])
    }
    var options = RunComparison.Options()
    options.tolerances = try rules(text)
    return try RunComparison.compare(
      a.session(selectedBy: "last"), in: a, with: b.session(selectedBy: "last"), in: b,
      options: options)
  }

  private func grade(_ text: String) throws -> Verdict.Grade? {
    try compare(text).keys[0].verdicts.map(\.grade).max()
  }

  @Test func `the ladder goes from pass over warn to fail`() throws {
    #expect(try grade("{\"key\": \"x\", \"max_abs\": 0.2}") == .pass)
    #expect(try grade("{\"key\": \"x\", \"max_abs\": {\"warn\": 0.05, \"fail\": 0.2}}") == .warn)
    #expect(try grade("{\"key\": \"x\", \"max_abs\": 0.05}") == .fail)
    #expect(try grade("{\"key\": \"x\", \"max_abs\": 0.05, \"level\": \"warn\"}") == .warn)
    // Ten percent of the time may be above, and are.
    #expect(try grade("{\"key\": \"x\", \"max_abs\": 0.05, \"over_percent\": 11}") == .pass)
    #expect(try grade("{\"key\": \"x\", \"max_abs\": 0.05, \"over_percent\": 9}") == .fail)
    #expect(
      try grade("{\"key\": \"x\", \"max_abs\": 0.05, \"over_percent\": 11, \"hard\": 0.09}")
        == .fail)
    #expect(try grade("{\"key\": \"x\", \"rms\": 0.04}") == .pass)
    #expect(try grade("{\"key\": \"x\", \"rms\": 0.02}") == .fail)
    #expect(
      try grade("{\"key\": \"x\", \"max_abs\": 0.05, \"ignore_ms\": [[390, 510]]}") == .pass)
    #expect(
      try grade("{\"key\": \"x\", \"max_abs\": 0.05, \"ignore_ms\": [[390, 450]]}") == .fail)
  }

  /// The numbers of a rule for a key that is `a` in one run and `b` in the other.
  private func numbers(_ rule: String, _ a: Track, _ b: Track) throws -> (
    [String: Double], RunComparison.Key
  ) {
    let one = try made.session(into: "one.kymo") { $0.values(of: "x", a) }
    let other = try made.session(into: "other.kymo") { $0.values(of: "x", b) }
    var options = RunComparison.Options()
    options.tolerances = try rules(rule)
    let key = try RunComparison.compare(
      one.session(selectedBy: "last"), in: one, with: other.session(selectedBy: "last"), in: other,
      options: options
    ).keys[0]
    var found: [String: Double] = [:]
    for verdict in key.verdicts { found[verdict.measure] = verdict.value }
    return (found, key)
  }

  @Test func `a triangle is above half its height for half of its time`() throws {
    let flat: Track = [(0, 0), (450, 0), (550, 0), (1000, 0)]
    let peak: Track = [(0, 0), (450, 0), (500, 10), (550, 0), (1000, 0)]
    for (limit, percent) in [("5", 5.0), ("2.5", 7.5), ("9", 1.0), ("10", 0.0)] {
      let rule = #"{"key": "x", "max_abs": {"warn": 1, "fail": \#(limit)}, "over_percent": 6}"#
      let found = try numbers(rule, flat, peak).0
      #expect(abs((found["over_percent"] ?? -1) - percent) < 1e-9, "\(limit)")
      #expect(abs((found["over_percent.warn"] ?? -1) - 9) < 1e-9)
    }
    // A peak that no stretch's middle reaches is above the limit all the same.
    #expect(
      try numbers(#"{"key": "x", "max_abs": 5, "over_percent": 0}"#, flat, peak).1.verdicts
        .contains { $0.grade == .fail })
    #expect(
      try numbers(#"{"key": "x", "max_abs": 10, "over_percent": 0}"#, flat, peak).1.verdicts
        .allSatisfy { $0.grade == .pass })
  }

  @Test func `the root mean square of a rule is the one of the column`() throws {
    // B minus A goes from -1 to 1, and from 1 to -1: between two instants it changes its sign.
    let a: Track = [(0, 0), (500, 0), (1000, 0)]
    let b: Track = [(0, -1), (500, 1), (1000, -1)]
    let (found, key) = try numbers(#"{"key": "x", "rms": 0.9}"#, a, b)
    #expect(abs((found["rms"] ?? -1) - 1 / 3.0.squareRoot()) < 1e-12)
    #expect(found["rms"] == key.comparison?.aligned?.rootMeanSquare)
    #expect(key.verdicts.allSatisfy { $0.grade == .pass })
    // A stretch that is left out takes its part of the pieces with it: what is left goes from -1 to -0.2.
    let rest = try numbers(
      #"{"key": "x", "rms": 0.9, "max_abs": 0.6, "over_percent": 60, "ignore_ms": [[200, 1000]]}"#,
      a, b
    ).0
    #expect(abs((rest["rms"] ?? -1) - (1.24 / 3).squareRoot()) < 1e-9)
    #expect(abs((rest["over_percent"] ?? -1) - 50) < 1e-9)
  }

  @Test func `the first rule that matches counts, and none leaves the usual verdict`() throws {
    #expect(
      try grade("{\"key\": \"*\", \"hard\": 1}, {\"key\": \"x\", \"hard\": 0.01}") == .pass)
    let usual = try compare("{\"key\": \"y\", \"hard\": 1}").keys[0]
    #expect(usual.verdicts.map(\.rule) == [nil, nil, nil])
    #expect(!usual.isSame)
    let off = try compare("{\"key\": \"x\", \"level\": \"off\"}")
    #expect(off.keys[0].verdicts.isEmpty)
    #expect(off.isSame)
  }

  @Test func `metrics are judged by key and by run`() throws {
    let text = "{\"key\": \"x\", \"hard\": 1}"
    #expect(try grade("\(text), {\"metric\": \"turns\", \"fail\": 1}") == .fail)
    #expect(try grade("\(text), {\"metric\": \"turns\", \"fail\": 1, \"key\": \"y\"}") == .pass)
    #expect(
      try grade("\(text), {\"metric\": \"residual_percent\", \"warn\": 1, \"fail\": 50}") == .warn
    )
    let runs = try compare("\(text), {\"metric\": \"interval_p95_ms\", \"fail\": 1}")
    #expect(!runs.isSame)
    #expect(runs.verdicts.map(\.measure) == ["interval_p95_ms"])
  }

  @Test func `a rule judges how far a value goes the wrong way first`() throws {
    let a = try made.session(into: "straight.kymo") { $0.values(of: "x", [(0, 0), (1000, 1)]) }
    let b = try made.session(into: "dips.kymo") {
      $0.values(of: "x", [(0, 0), (100, -0.2), (1000, 1)])
    }
    for (limit, grade) in [(19, Verdict.Grade.fail), (21, .pass)] {
      var options = RunComparison.Options()
      options.tolerances = try rules(
        "{\"key\": \"x\", \"hard\": 1}, {\"metric\": \"undershoot_percent\", \"fail\": \(limit)}")
      let key = try RunComparison.compare(
        a.session(selectedBy: "last"), in: a, with: b.session(selectedBy: "last"), in: b,
        options: options
      ).keys[0]
      let verdict = try #require(key.verdicts.first { $0.measure == "undershoot_percent" })
      #expect(verdict.grade == grade)
      #expect(abs((verdict.value ?? 0) - 20) < 1e-9)
    }
  }

  @Test func `a key that only one run has fails, unless it is left alone`() throws {
    #expect(try !compare("{\"key\": \"*\", \"hard\": 1}", keyOfB: "y").isSame)
    #expect(try compare("{\"key\": \"*\", \"hard\": 1, \"level\": \"warn\"}", keyOfB: "y").isSame)
    #expect(try compare("{\"key\": \"*\", \"level\": \"off\"}", keyOfB: "y").isSame)
  }

  @Test func `a decision that must match fails when it does not, and may be left alone`() throws {
    let readers = try [ReleaseOutcome.finish, .cancel].map { outcome in
      try made.session(into: "\(outcome).kymo") { recorder in
        recorder.values(of: "x", [(0, 0), (100, 1)])
        recorder.decision(outcome, at: 50, progress: 0.6)
      }
    }
    func isSame(_ text: String) throws -> Bool {
      var options = RunComparison.Options()
      options.tolerances = try rules(text)
      return try RunComparison.compare(
        readers[0].session(selectedBy: "last"), in: readers[0],
        with: readers[1].session(selectedBy: "last"), in: readers[1], options: options
      ).isSame
    }
    #expect(try !isSame(""))
    #expect(try !isSame("{\"metric\": \"decision\", \"must\": \"match\"}"))
    #expect(try !isSame("{\"metric\": \"decision\", \"must\": \"match\", \"level\": \"warn\"}"))
    #expect(try isSame("{\"metric\": \"decision\", \"level\": \"off\"}"))
  }
}
