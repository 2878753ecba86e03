import Foundation
import JSONText
import TestSupport
import Testing

/// `kymo rows`: what stands in its rows.
@Suite struct WorkTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  private func pinch(_ name: String, _ gesture: String = "pinch-open.evemu") throws -> String {
    try place.record(Scenarios.pinch, gesture: gesture, into: name)
  }

  /// The rows of a run over a list.
  private func work(
    _ names: [String], _ words: String..., code: Int32 = 0
  ) throws -> [Row] {
    let list = names.map { $0 + "\0" }.joined()
    let run = try kymo(["rows", "-0"] + words, input: Data(list.utf8))
    #expect(run.code == code, "\(run.code): \(run.errors)")
    return try lines(run.output)
  }

  @Test func `each row has what the single commands say of that session, bit for bit`() throws {
    let path = try pinch("two.kymo")
    _ = try place.record(Scenarios.pinch, gesture: "pinch-back.evemu", into: "two.kymo")
    let golden = try pinch("golden.kymo", "pinch-back.evemu")
    let rules = try place.file(
      "rules.json", #"{"version": 1, "rules": [{"key": "progress", "max_abs": {"fail": 0.02}}]}"#)
    let rows = try work(
      [path], "--metrics", "--releases", "--try", "--rule velocity", "--try",
      "--set release.threshold=0.05", "--check", golden, "--tolerances", rules, "--values",
      "progress,PositionX,nope", "--export", "csv", "--export-dir", place.path("out"), code: 1)
    #expect(rows.count == 2)
    for (number, row) in rows.enumerated() {
      let name = "\(path)#\(number + 1)"
      #expect(row["work"].integer == 1)
      #expect(row["exit"].integer == 0)
      #expect(row["session"].integer == Int64(number + 1))
      #expect(row["sessions"].integer == 2)
      let session = try answers("list sessions", path)[number]
      for field in ["uuid", "name", "software", "device", "start", "clean"] {
        #expect(row[field] == session[field], "\(field)")
      }
      #expect(row["releases"].array == (try answers("velocity", name)))
      // Two questions, one after the other.
      let asked = try [["--rule", "velocity"], ["--set", "release.threshold=0.05"]].flatMap {
        flags in
        let run = try kymo(["rule try", name, "--json"] + flags)
        return try kymoRows(run.output).filter { $0["kind"].text == "gesture" }
      }
      #expect(
        row["whatif"].array.map { without($0, ["flags"]) }
          == asked.map { without($0, ["kind", "file", "session", "name"]) })
      let checked = try kymo([
        "check", name, "--golden", golden, "--tolerances", rules, "--json",
      ])
      let verdicts = try kymoRows(checked.output).filter { $0["finding"].text != "pass" }
      #expect(
        row["check"]["verdicts"].array == verdicts.map { without($0, ["file", "session", "name"]) })
      #expect(row["check"]["grade"].text == (checked.code == 1 ? "fail" : "pass"))
      let bench = try kymo([
        "compare", name, "--", golden, "--metric", "peak_velocity_per_s", "--key", "progress",
        "--json",
      ])
      let peak = try parseJSON(Array(bench.output.utf8))["rows"].array[0]["base"]["values"]
      #expect(
        row["metrics"].array.first {
          $0["name"].text == "peak_velocity_per_s" && $0["key"].text == "progress"
        }?["value"] == peak.array[0])
      #expect(row["samples"].array.map { $0["key"].text } == ["progress", "PositionX"])
      let values = try answers("replay", name, "--key", "progress")
      #expect(row["samples"].array[0]["value"].array.count == values.count)
      let file = try #require(row["export"]["file"].text)
      let exported = try kymo(["export", "csv", name]).output
      #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == Data(exported.utf8))
    }
  }

  @Test func `list-columns has every column of a row with its type, and no help names it`() throws {
    let columns = try lines(kymo("list-columns").output)
    let path = try pinch("one.kymo")
    let rules = try place.file(
      "rules.json", #"{"expectations": 1, "rules": [{"settles_by": "progress", "by_ms": 1}]}"#)
    let said = try place.file("said.csv", "uuid,transition,label\n")
    let rows = try work(
      [path, "gone.kymo"], "--metrics", "--releases", "--try", "--rule velocity", "--check",
      path, "--labels", said, "--requirements", rules, "--values", "progress", "--export", "csv",
      "--export-dir", place.path("out"), code: 1)
    for row in rows { #expect(misfit(of: row, to: columns) == nil) }
    let known = Set(columns.compactMap { $0["name"].text })
    #expect(known.subtracting(rows.flatMap(\.names)) == ["path_b64"])
    #expect(!columns.contains { "\($0)".contains("\"any\"") })
    #expect(try !kymo("help").output.contains("list-columns"))
  }

  /// Which field of an object has no column, or another type than its column has; nil: none.
  private func misfit(of row: Row, to columns: [JSONValue]) -> String? {
    row.names.first { name in
      let column = columns.first { $0["name"].text == name }
      return column.map { !fits(row[name], $0["type"]) } ?? true
    }
  }

  private func fits(_ value: JSONValue, _ type: JSONValue) -> Bool {
    switch value {
    case .null: true
    case .array(let values): values.allSatisfy { fits($0, type["list"]) }
    case .object: misfit(of: value, to: type["object"].array) == nil
    case .string: type.text == "text"
    case .bool: type.text == "flag"
    case .integer: type.text == "integer" || type.text == "number"
    case .number: type.text == "number"
    }
  }

  @Test
  func `names may be blank, have any byte, and name files that are no recordings: a row each`()
    throws
  {
    let good = try pinch("good.kymo")
    for name in [" ", "a\nb.kymo", "c#1.kymo", "--metrics", "::error::x.kymo"] {
      try FileManager.default.copyItem(atPath: good, toPath: place.path(name))
    }
    // A name that is not UTF-8, which no string is.
    let strange = Array(place.path("caf").utf8) + [0xe9]
    let link = strange.map { CChar(bitPattern: $0) } + [0]
    #expect(symlink(good, link) == 0)
    _ = try place.file("empty.kymo", "")
    _ = try place.file("junk.kymo", "junk")
    try place.bytes("good.kymo").prefix(20_000).write(
      to: URL(fileURLWithPath: place.path("cut.kymo")))
    try FileManager.default.createDirectory(
      atPath: place.path("folder.kymo"), withIntermediateDirectories: true)
    let names = [
      " ", "a\nb.kymo", "c#1.kymo", "c#1.kymo#1", "--metrics", "::error::x.kymo", "good.kymo#nope",
      "empty.kymo", "junk.kymo", "cut.kymo", "folder.kymo", "gone.kymo",
    ]
    var list = Data()
    for name in names { list += Data(place.path(name).utf8) + [0] }
    list += Data(strange) + [0] + [0]
    let run = try kymo(["rows", "-0", "--metrics", "-j", "2"], input: list)
    #expect(run.code == 3, "\(run.errors)")
    let rows = try lines(run.output)
    #expect(
      rows.map { $0["exit"].integer } == [0, 0, 0, 0, 0, 0, 4, 4, 4, 4, 4, 4, 0, 4])
    #expect(
      rows.prefix(6).map { $0["path"].text }
        == [" ", "a\nb.kymo", "c#1.kymo", "c#1.kymo", "--metrics", "::error::x.kymo"]
        .map(place.path))
    for row in rows where row["exit"].integer != 0 {
      let sentence = try #require(row["error"].text)
      #expect(row["session"] == .null)
      #expect(!sentence.isEmpty)
      #expect(row["metrics"] == .null)
    }
    #expect(rows[12]["path_b64"].text == Data(strange).base64EncodedString())
    #expect(rows[12]["metrics"] == rows[0]["metrics"])
    #expect(rows[0]["path_b64"] == .null)
    #expect(rows[13]["path"].text == "")
  }

  @Test func `lines end names unless zero bytes do, and the last needs no end`() throws {
    let path = try pinch("a.kymo")
    for list in ["\(path)\n\(path)\n", "\(path)\n\(path)"] {
      let run = try kymo("rows", "--metrics", input: list)
      let rows = try lines(run.output)
      #expect(run.code == 0)
      #expect(rows.count == 2)
    }
    let blank = try kymo("rows", "--metrics", input: "\(path)\n\n\(path)\n")
    #expect(blank.code == 3)
    #expect(try lines(blank.output).map { $0["exit"].integer } == [0, 4, 0])
  }

  @Test func `the exit code is the first that holds`() throws {
    let (good, other) = (try pinch("a.kymo"), try pinch("b.kymo", "pinch-back.evemu"))
    let junk = try place.file("junk.kymo", "junk")
    let rules = try place.file(
      "rules.json",
      #"{"version": 1, "rules": [{"metric": "decision", "must": "match"}]}"# + "\n")
    let check = ["--check", good, "--tolerances", rules]
    for (words, list, code) in [
      (["--metrics"], [good], 0), (["--metrics"], [good, junk], 3), (["--metrics"], [junk], 4),
      (check, [good], 0), (check, [good, junk], 3), (check, [other, junk], 1),
      (["--metrics"], [], 4), (["--check", junk, "--tolerances", rules], [good], 4),
      (["--check", good, "--tolerances", junk], [good], 4), (["--check", good], [good], 0),
      (["--metrics", "-j", "0"], [good], 2), (["--metrics", "--time-limit", "0"], [good], 2),
      ([], [good], 2), (["--tolerances", rules, "--metrics"], [good], 2),
      (["--try", "--rule nope"], [good], 2), (["--try", "a.kymo"], [good], 2),
      (["--try", "--set release.threshold=0.1:0.3:0.1"], [good], 2),
      (["--values", "a,,b"], [good], 2),
      (["--export", "csv"], [good], 2), (["--export", "pdf", "--export-dir", "x"], [good], 2),
      (["--export", "csv", "--export-dir", junk], [good], 4),
      (["--metrics", "--skip", rules], [good], 4),
      (["--metrics", "--skip", place.path("none")], [good], 4),
    ] as [([String], [String], Int32)] {
      let run = try kymo(
        ["rows"] + words + ["-0"], input: Data(list.map { $0 + "\0" }.joined().utf8))
      #expect(run.code == code, "\(words) \(list): \(run.code) \(run.errors)")
      if code == 2 || list.isEmpty {
        #expect(run.output == "")
        #expect(run.errors.hasPrefix("kymo"))
      }
    }
    #expect(
      try ProgramRun.shell("printf '%s\\n' \"$1\" | $kymo rows --metrics > /dev/full", [good]).code
        == 4)
    #expect(try ProgramRun.shell("$kymo rows --metrics < /", []).code == 4)
    #expect(try ProgramRun.shell("$kymo rows --metrics <&-", []).code == 4)
  }

  @Test
  func `a session that has a good row is not read again unless its file or the question changed`()
    throws
  {
    let path = try pinch("two.kymo")
    _ = try place.record(Scenarios.pinch, gesture: "pinch-back.evemu", into: "two.kymo")
    let other = try pinch("other.kymo")
    let junk = try place.file("junk.kymo", "junk")
    let names = [path, junk, other]
    let list = Data(names.map { $0 + "\n" }.joined().utf8)
    let first = try kymo(["rows", "--metrics"], input: list)
    #expect(first.code == 3)
    let rows = first.output.split(separator: "\n").map { String($0) + "\n" }
    #expect(rows.count == 4)
    func again(_ old: String, _ words: String...) throws -> (rows: [String], code: Int32) {
      let file = try place.file("old.ndjson", old)
      let run = try kymo(
        ["rows", "--skip", file] + (words.isEmpty ? ["--metrics"] : words), input: list)
      return (
        try lines(run.output).map {
          "\(($0["path"].text ?? "").split(separator: "/").last ?? "") \($0["session"].integer ?? 0)"
        }, run.code
      )
    }
    // What could not be read is tried again, which is all there is to read.
    #expect(try again(first.output) == (["junk.kymo 0"], 3))
    // One session of two, and a last line that was cut.
    #expect(
      try again(rows[0] + String(rows[3].prefix(40)))
        == (["two.kymo 2", "junk.kymo 0", "other.kymo 1"], 3))
    #expect(try again(rows[3] + "nonsense\n" + rows[0] + rows[1]) == (["junk.kymo 0"], 3))
    // Another question.
    #expect(try again(first.output, "--releases").rows.count == 4)
    // Another file.
    let later = [
      timeval(tv_sec: 1_700_000_000, tv_usec: 0), timeval(tv_sec: 1_700_000_000, tv_usec: 0),
    ]
    #expect(utimes(other, later) == 0)
    #expect(try again(first.output).rows == ["junk.kymo 0", "other.kymo 1"])
  }

  @Test
  func `a session is read again when what is beside its file, or the golden recording, changed`()
    throws
  {
    let path = try pinch("run.kymo")
    let golden = try pinch("golden.kymo")
    let rules = try place.file(
      "rules.json", #"{"version": 1, "rules": [{"key": "progress", "max_abs": {"fail": 1}}]}"#)
    let words = [
      "rows", "--labels", try place.file("said.csv", "uuid,transition,label\n"), "--check", golden,
      "--tolerances", rules,
    ]
    func rows(skipping old: String?) throws -> String {
      let skip = try old.map { ["--skip", try place.file("old.ndjson", $0)] } ?? []
      return try kymo(words + skip, input: Data((path + "\n").utf8)).output
    }
    let first = try rows(skipping: nil)
    #expect(first.contains(#""beside":"""#))
    #expect(try rows(skipping: first) == "")
    for (name, text) in [
      ("run.kymo.labels.csv", "uuid,transition,label\n"), ("run.kymo-crash7", "x"),
      ("run.kymo-journal", "x"),
    ] {
      let file = try place.file(name, text)
      #expect(try rows(skipping: first) != "", "\(name)")
      try FileManager.default.removeItem(atPath: file)
    }
    // The same sessions with another content.
    try LooseRecording.execute(
      "UPDATE plain_sample SET value = value * 0.5 WHERE slot < 8", on: golden)
    let again = try rows(skipping: first)
    #expect(again != "")
    #expect(try rows(skipping: again) == "")
    // It was not closed.
    try LooseRecording.execute("UPDATE session SET end_ns = NULL", on: path)
    let open = try rows(skipping: nil)
    #expect(try rows(skipping: open) != "")
  }

  @Test func `exports keep the list's folders, and no file is replaced unless it is asked for`()
    throws
  {
    let path = try pinch("a%.kymo")
    let out = place.path("out")
    let words = ["rows", "--export", "ndjson", "--export-dir", out]
    let list = Data("\(path)\n".utf8)
    #expect(try kymo(words, input: list).code == 0)
    let file = out + "/%2F" + place.path("a%25.kymo.1.ndjson")
    let first = try Data(contentsOf: URL(fileURLWithPath: file))
    try Data("mine".utf8).write(to: URL(fileURLWithPath: file))
    let second = try kymo(words, input: list)
    #expect(second.code == 4)
    #expect(second.output.contains("--force"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == Data("mine".utf8))
    #expect(try kymo(words + ["--force"], input: list).code == 0)
    #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == first)
  }
}

/// Many recordings, eight of them bad, by every command of many files.
@Suite struct CorpusTests {
  @Test
  func `however many children there are, the bytes are the same and each listed name has its rows`()
    throws
  {
    let place = try Workplace()
    let script = packageFolder.appendingPathComponent("Tools/many-files").path
    let corpus = place.path("corpus")
    let count = TestRounds.isLong ? 200 : 60
    let made = try shell("\"$1\" corpus \"$2\" \(count) 8", [script, corpus])
    try #require(made.code == 0, "\(made.errors)")
    let list = try String(contentsOfFile: corpus + "/list.txt", encoding: .utf8)
    let names = list.split(separator: "\n").map(String.init)
    #expect(names.count == count)
    let rules = try place.file(
      "rules.json", #"{"version": 1, "rules": [{"metric": "decision", "must": "match"}]}"#)
    func same(_ words: [String], _ code: Int32) throws -> String {
      // Without children, with one and with two.
      var runs = [try kymo(words, input: Data(list.utf8))]
      runs += try ["1", "2"].map {
        try program(words + ["-j", $0], input: Data(list.utf8))
      }
      #expect(runs.map(\.code) == [code, code, code], "\(words[0]): \(runs.map(\.errors))")
      for run in runs.dropFirst() {
        #expect(run.output == runs[0].output, "\(words[0])")
        #expect(run.errors == runs[0].errors, "\(words[0])")
      }
      return runs[0].output
    }
    let rows = try lines(
      same(
        [
          "rows", "--releases", "--try", "--rule velocity",
        ], 3))
    #expect(rows.count { $0["exit"].integer != 0 } == 8)
    var order = names[...]
    for row in rows {
      let path = try #require(row["path"].text)
      if order.first != path { order = order.drop { $0 != path } }
      #expect(order.first == path, "\(path) is out of order")
    }
    #expect(Set(rows.compactMap { $0["path"].text }) == Set(names))
    let whatIf = try kymoRows(same(["rule try", "--rule", "velocity", "--json"] + names, 3))
    #expect(whatIf.count { $0["kind"].text == "error" } == 8)
    let gestures = whatIf.filter { $0["kind"].text == "gesture" }
    let ofRows = rows.flatMap(\.["whatif"].array)
    #expect(
      gestures.map { without($0, ["kind", "file", "session", "name"]) }
        == ofRows.map { without($0, ["flags"]) })
    let checked = try kymoRows(
      same(["check", "--golden", names[1], "--tolerances", rules, "--json"] + names, 1))
    #expect(checked.count { $0["finding"].text == "error" } == 8)
    let half = names.count / 2
    let bench = try parseJSON(
      Array(
        same(
          ["compare", "--json"] + names[..<half] + ["--"] + names[half...], 3
        ).utf8))
    #expect(bench["errors"].array.count == 8)
    #expect(bench["base"].array.count + bench["new"].array.count == rows.count - 8)
    _ = try same(["golden learn", "--allow-wide"] + names[1..<6], 0)
  }
}

/// The objects of NDJSON, each on its line.
func lines(_ text: String) throws -> [Row] {
  try text.split(separator: "\n").map { try parseJSON(Array($0.utf8)) }
}

/// The objects of one JSON array.
private func kymoRows(_ text: String) throws -> [Row] { try rows(text) }

/// A row without some of its fields.
private func without(_ row: Row, _ names: Set<String>) -> Row {
  guard case .object(let fields) = row else { return row }
  return .object(fields.filter { !names.contains($0.key) })
}
