import Foundation
import JSONText
import TestSupport
import Testing

/// What every command does with too few arguments, with files that are missing or malformed, and with folders.
@Suite struct NamedFileTests {
  let place: Workplace
  let (a, b, golden, none): (String, String, String, String)

  init() throws {
    place = try Workplace()
    a = try place.record(Scenarios.pinch, gesture: "pinch-open.evemu", into: "a.kymo")
    b = try place.record(Scenarios.pinch, gesture: "pinch-open.evemu", into: "b.kymo")
    golden = try place.record(Scenarios.pinch, gesture: "pinch-open.evemu", into: "golden.kymo")
    none = place.path("none.kymo")
  }

  private var tolerances: String {
    get throws {
      try place.file(
        "tolerances.json",
        #"{"version": 1, "rules": [{"metric": "decision", "must": "match"}]}"#)
    }
  }

  private var requirements: String {
    get throws {
      try place.file(
        "requirements.json",
        #"{"requirements": 1, "rules": [{"settles_by": "progress", "by_ms": 2000}]}"#)
    }
  }

  private func run(_ words: [String], input: String = "") throws -> ProgramRun {
    try kymo(words, input: Data(input.utf8))
  }

  @Test(arguments: [
    (["compare", "a.kymo"], "missing B. Usage: kymo compare A B"),
    (["sql", "a.kymo"], "missing QUERY. Usage: kymo sql FILE QUERY"),
    (["file delete", "a.kymo"], "missing session. Usage: kymo file delete a.kymo#SESSION"),
    (["file delete"], "missing FILE#SESSION. Usage: kymo file delete FILE#SESSION"),
    (["export", "csv"], "missing FILE. Usage: kymo export FORMAT FILE"),
    (["label", "a.kymo"], "missing LABEL. Usage: kymo label FILE LABEL"),
    (["label", "--import", "a.csv"], "missing FILE. Usage: kymo label FILE… --import CSV"),
    (["list labels"], "missing FILE. Usage: kymo list labels FILE…"),
    (["scenario check"], "missing FILE. Usage: kymo scenario check FILE"),
    (["compare", "a.kymo", "--"], "missing NEW"), (["compare", "--", "a.kymo"], "missing BASE"),
    (
      ["file merge", "--into", "m.kymo"],
      "missing FILE. Usage: kymo file merge FILE… --into OUT.kymo"
    ),
    (["golden accept", "--golden", "a.kymo"], "missing LIST. Usage: kymo golden accept LIST"),
    (["scenario layout", "--json"], "missing SCENARIO. Usage: kymo scenario layout SCENARIO"),
    (["check", "--golden", "a.kymo"], "missing FILE. Usage: kymo check FILE…"),
    (["check", "a.kymo"], "missing --golden FILE, --tolerances FILE or --requirements FILE"),
    (["file recover", "a.kymo"], "missing --out OUT.kymo"),
    (["rerun", "a.kymo"], "missing --into OUT.kymo"),
    (["record", "--scenario", "a.json"], "missing --into FILE.kymo"),
    (
      ["record", "--into", "b.kymo"], "missing --scenario FILE, --from-ndjson FILE or --video FILE"
    ),
    (["report", "a.kymo"], "missing --out OUT.html"),
    (["file trim", "a.kymo"], "missing --from TIME or --to TIME"),
    (["curve ease", "--json"], "missing NAME, --bezier or --steps"),
  ])
  func `one argument too few is named in one sentence`(words: [String], sentence: String) throws {
    let run = try self.run(words)
    #expect(run.code == 2)
    #expect(run.errors.hasPrefix("kymo \(words[0]): \(sentence)"), "\(run.errors)")
    #expect(run.errors.split(separator: "\n").count == 1)
    #expect(run.output == "")
  }

  @Test func `a missing recording that is the only one ends every command with 4`() throws {
    let (tolerances, requirements) = (try tolerances, try requirements)
    let out = place.path("out")
    let calls = [
      ["show"], ["list sessions"], ["list keys"], ["list events"], ["list touches"],
      ["list losses"],
      ["list transitions"], ["list decisions"], ["list estimates"], ["replay"],
      ["rerun", "--into", out], ["replay"], ["replay", "--cast", out], ["plot"],
      ["plot --film", "--out", out], ["velocity"], ["fit"], ["rule try"], ["rule tune"],
      ["golden learn"],
      ["check", "--tolerances", tolerances, "--golden", golden], ["check", "--golden", golden],
      ["check", "--golden", golden, "--review", out], ["list labels"],
      ["check", "--requirements", requirements], ["report", "--out", out], ["show"], ["file pack"],
      ["file unpack"], ["file pack"], ["file merge", "--into", out], ["file trim", "--to", "0.1"],
      ["file migrate"],
      ["file doctor"], ["file recover", "--out", out],
    ].map { [$0[0], none] + $0.dropFirst() }
    let others = [
      ["compare", none, a], ["compare", a, none], ["compare", none, "--", a],
      ["compare", a, "--", none], ["export", "csv", none], ["sql", none, "SELECT 1"],
      ["file delete", "\(none)#1"], ["label", none, "finish"], ["check", a, "--golden", none],
      ["check", a, "--golden", none, "--review", out], ["report", a, none, "--out", out],
    ]
    for words in calls + others {
      let run = try self.run(words)
      #expect(run.code == 4, "\(words): \(run.code) \(run.errors)")
      #expect(run.errors.contains(none), "\(words): \(run.errors)")
    }
    #expect(try self.run(["rows", "--metrics"], input: none + "\n").code == 4)
    #expect(try !place.names().contains("out"))
  }

  @Test func `one missing recording of three is named and left out, and 3 says so`() throws {
    let (tolerances, requirements) = (try tolerances, try requirements)
    let sheet = try place.file(
      "sheet.csv",
      "uuid,transition,label\n\(try answers("list sessions", a)[0]["uuid"].text ?? ""),0,finish\n")
    for words in [
      ["rule try"], ["golden learn"], ["check", "--tolerances", tolerances, "--golden", golden],
      ["check", "--golden", golden, "--review", place.path("review.html")], ["list labels"],
      ["label", "--import", sheet], ["file merge", "--into", place.path("merged.kymo")],
      ["file migrate"],
      ["file doctor"], ["check", "--requirements", requirements],
    ] {
      let run = try self.run([words[0], a, none, b] + words.dropFirst())
      #expect(run.code == 3, "\(words): \(run.code) \(run.errors)")
      #expect(run.errors.contains("left out: "), "\(words)")
      #expect(run.errors.contains(none), "\(words)")
    }
    for (one, other) in [([a, none], [b]), ([a], [none, b])] {
      #expect(try self.run(["compare"] + one + ["--"] + other).code == 3)
    }
    #expect(try answers("list sessions", place.path("merged.kymo")).count == 2)
    #expect(try answers("list labels", a)[0]["label"].text == "finish")
    #expect(try self.run(["rows", "--metrics"], input: "\(a)\n\(none)\n\(b)\n").code == 3)
  }

  @Test(arguments: [true, false])
  func `a file of rules, labels, lists or requirements that cannot be read ends with 4`(
    isThere: Bool
  ) throws {
    let file = isThere ? try place.file("bad", "garbage\n") : place.path("bad")
    let out = place.path("out")
    for words in [
      ["check", a, "--golden", golden, "--tolerances", file], ["check", a, "--tolerances", file],
      ["compare", a, b, "--tolerances", file],
      ["check", a, "--golden", golden, "--review", out, "--tolerances", file],
      ["check", a, "--requirements", file],
      ["check", a, "--golden", golden, "--requirements", file], ["rule try", a, "--labels", file],
      ["list labels", a, "--labels", file], ["label", a, "--import", file],
      ["golden accept", file, "--golden", golden], ["velocity", file],
      ["rows", "--check", golden, "--tolerances", file], ["rows", "--requirements", file],
      ["rows", "--labels", file],
    ] {
      let run = try self.run(words, input: a + "\n")
      #expect(run.code == 4, "\(words): \(run.code) \(run.errors)")
      #expect(run.errors.contains(file), "\(words): \(run.errors)")
      #expect(run.output == "", "\(words)")
    }
  }

  @Test func `check with a golden session alone judges as rows do`() throws {
    let back = try place.record(Scenarios.pinch, gesture: "pinch-back.evemu", into: "back.kymo")
    for (path, code) in [(a, Int32(0)), (back, 1)] {
      let checked = try self.run(["check", path, "--golden", golden])
      let reviewed = try self.run([
        "check", path, "--golden", golden, "--review", place.path("review.html"),
      ])
      #expect(checked.code == code, "\(checked.errors)")
      #expect(reviewed.code == code, "\(checked.errors)")
      #expect(reviewed.output == checked.output)
      let worked = try self.run(["rows", "--check", golden], input: path + "\n")
      #expect(worked.code == code, "\(worked.errors)")
    }
  }

  @Test func `a folder stands for the recordings below it, sorted, without links`() throws {
    let manager = FileManager.default
    let folder = place.path("runs")
    try manager.createDirectory(atPath: folder + "/B/inner", withIntermediateDirectories: true)
    let names = ["B/inner/x.kymo", "B/z.kymo", "a.kymo"]
    for name in names { try manager.copyItem(atPath: a, toPath: "\(folder)/\(name)") }
    for name in ["a.txt", ".hidden.kymo"] {
      try manager.copyItem(atPath: a, toPath: "\(folder)/\(name)")
    }
    try manager.createSymbolicLink(atPath: folder + "/link.kymo", withDestinationPath: a)
    try manager.createSymbolicLink(atPath: folder + "/loop", withDestinationPath: folder)
    let files = names.map { "\(folder)/\($0)" }
    let (tolerances, requirements) = (try tolerances, try requirements)
    for words in [
      ["check", "--tolerances", tolerances, "--golden", golden, "--all", "--json"],
      ["check", "--requirements", requirements, "--all", "--json"], ["rule try", "--json"],
      ["rule tune"], ["golden learn"], ["file doctor", "--json"], ["list labels", "--json"],
      ["file migrate", "--json"],
      ["check", "--golden", golden, "--force", "--review", place.path("r.html")],
    ] {
      let (one, many) = (
        try self.run([words[0], folder] + words.dropFirst()),
        try self.run([words[0]] + files + words.dropFirst())
      )
      #expect(one.code == many.code, "\(words): \(one.errors)")
      #expect(one.output == many.output, "\(words): \(one.errors)")
      #expect(one.errors == many.errors, "\(words)")
    }
    #expect(
      try self.run(["compare", folder, "--", folder, "--json"]).output
        == self.run(["compare"] + files + ["--"] + files + ["--json"]).output)
    let worked = try self.run(["rows", "--metrics"], input: folder + "\n").output
      .split(separator: "\n").map { try parseJSON(Array($0.utf8))["path"].text }
    #expect(worked == files)
    let merged = try self.run(["file merge", folder, "--into", place.path("all.kymo"), "--json"])
    #expect(try rows(merged.output).map { $0["file"].text } == files)

    let empty = place.path("empty")
    try manager.createDirectory(atPath: empty, withIntermediateDirectories: true)
    for words in [
      ["check", empty, "--golden", golden], ["rule try", empty], ["file doctor", empty],
      ["file migrate", empty],
      ["list labels", empty],
      ["file merge", empty, "--into", place.path("m.kymo")],
    ] {
      let run = try self.run(words)
      #expect(run.code == 4, "\(words)")
      let leftOut = words[0] == "check" ? "left out: " : ""
      #expect(
        run.errors
          == "kymo \(words[0]): \(leftOut)the folder \(empty) contains no recording (*.kymo)\n")
    }
    #expect(try self.run(["compare", a, "--", empty]).code == 4)
    #expect(try self.run(["rows", "--metrics"], input: empty + "\n").code == 4)
    // Beside other names it is left out as any file that cannot be read.
    let beside = try self.run(["rule try", "--rule", "velocity", a, empty])
    #expect(beside.code == 3)
    #expect(beside.errors.contains(empty))
  }

  /// A text as other systems write it.
  private static let manners: [@Sendable (String) -> String] = [
    { $0.replacing("\n", with: "\r\n") }, { "\u{FEFF}" + $0.replacing("\n", with: "\r\n") },
  ]

  @Test func `every text that is read may end its lines with CR LF and begin with a mark`() throws {
    let uuid = try answers("list sessions", a)[0]["uuid"].text ?? ""
    let old = try answers("list sessions", golden)[0]["uuid"].text ?? ""
    let scenario = try String(
      contentsOfFile: fixture("scenarios/\(Scenarios.drag)"), encoding: .utf8)
    let gesture = try String(contentsOfFile: fixture("gestures/drag-short.csv"), encoding: .utf8)
    let lines = """
      {"kymograph": 1}
      {"t_ns": 0, "key": "progress", "value": 0}
      {"t_ns": 16000000, "key": "progress", "value": 1, "phase": "settling"}

      """
    for (text, words) in [
      (
        try String(contentsOfFile: tolerances, encoding: .utf8).replacing(",", with: ",\n"),
        ["check", a, "--golden", golden, "--tolerances", "FILE"]
      ),
      (
        try String(contentsOfFile: requirements, encoding: .utf8).replacing(",", with: ",\n"),
        ["check", a, "--requirements", "FILE"]
      ),
      ("uuid,transition,label\n\(uuid),0,finish\n", ["list labels", a, "--labels", "FILE"]),
      ("\(old) \(a)#\(uuid)\n\n", ["golden accept", "FILE", "--golden", golden, "--dry-run"]),
      (scenario, ["scenario", "check", "FILE"]),
      ("t_ns,value\n0,0\n8000000,1\n16000000,2\n", ["velocity", "FILE"]),
      (gesture, ["list touches", "FILE"]), (lines, ["plot", "FILE"]),
      ("\(a)\n\(b)\n", ["rows", "--metrics"]),
    ] {
      func answer(_ text: String) throws -> ProgramRun {
        let file = try place.file("text", text)
        return try self.run(words.map { $0 == "FILE" ? file : $0 }, input: text)
      }
      let plain = try answer(text)
      #expect(plain.code == 0, "\(words): \(plain.errors)")
      for manner in Self.manners {
        let run = try answer(manner(text))
        #expect(run.code == 0, "\(words): \(run.errors)")
        #expect(run.output == plain.output, "\(words): \(run.errors)")
      }
    }
  }
}
