import Foundation
import TestSupport
import Testing

/// What a build server gets of `kymo check`: a summary, marks, JUnit's XML that joins from build to build, and the steps
/// of the action, each run as its runner would.
@Suite struct GateTests {
  let place: Workplace
  private let hostile = "::error::<script>|`x`@a ##[error]y%0A\n::warning::z"

  init() throws { place = try Workplace() }

  /// Records a session of one key.
  private func record(_ file: String, name: String, value: Double = 1) throws -> String {
    let header = String(decoding: try JSONEncoder().encode(["name": name]), as: UTF8.self)
    let run = try kymo(
      "record", "--from-ndjson", "-", "--into", place.path(file),
      input: "{\"kymograph\": 1, \(header.dropFirst())\n"
        + "{\"t_ns\": 0, \"key\": \"x\", \"value\": 0}\n"
        + "{\"t_ns\": 100000000, \"key\": \"x\", \"value\": \(value)}\n")
    #expect(run.code == 0, "\(run.errors)")
    return place.path(file)
  }

  private func rules(_ more: String = "") throws -> String {
    try place.file(
      "rules.json",
      #"{"version": 1, "rules": [{"id": "x-stays", "key": "x", "max_abs": {"fail": 0.01}}\#(more)]}"#
    )
  }

  @Test func `a limit is named by its id, which no other limit has`() throws {
    let golden = try record("golden.kymo", name: "open")
    let run = try record("run.kymo", name: "open", value: 2)
    let check = try kymo(
      "check", run, "--golden", golden, "--tolerances", try rules(), "--format", "json")
    let found = try rows(check.output)
    #expect(found[0]["rule_id"].text == "x-stays")
    #expect(found[0]["rule"].integer == 1)
    #expect(found[0]["says"].text?.hasSuffix("(limit 'x-stays')") == true)
    let twice = try rules(#", {"id": "x-stays", "key": "y", "max_abs": 1}"#)
    let refused = try kymo("check", run, "--golden", golden, "--tolerances", twice)
    #expect(refused.code == 4)
    #expect(refused.errors.contains("Another limit has the id \"x-stays\""))
    for id in ["", "a b", String(repeating: "a", count: 65), "ä"] {
      let wrong = try rules(#", {"id": "\#(id)", "key": "y", "max_abs": 1}"#)
      #expect(try kymo("check", run, "--golden", golden, "--tolerances", wrong).code == 4)
    }
  }

  @Test func `a case of JUnit has the same class and name wherever and however often it ran`()
    throws
  {
    let golden = try record("golden.kymo", name: "open")
    func cases(_ files: String...) throws -> [Substring] {
      let junit = place.path("out.xml")
      let run = try kymo(
        ["check", "--golden", golden, "--tolerances", try rules(), "--junit", junit, "--force"]
          + files)
      #expect(run.code == 0 || run.code == 3, "\(run.errors)")
      return try String(contentsOfFile: junit, encoding: .utf8)
        .matches(of: #/classname="[^"]*" name="[^"]*"/#).map(\.output)
    }
    let first = try record("a.kymo", name: "open")
    #expect(try cases(first) == [#"classname="golden.kymo" name="open""#])
    let second = try record("b.kymo", name: "open")
    #expect(
      try cases(second, first) == [
        #"classname="golden.kymo" name="open""#, #"classname="golden.kymo" name="open (2)""#,
      ])
    let garbage = try place.file("garbage.kymo", "no recording")
    #expect(
      try cases(first, garbage).last == "classname=\"golden.kymo\" name=\"reading garbage.kymo\"")
  }

  @Test func `no name speaks to the runner, and Markdown shows it as it is`() throws {
    let golden = try record("golden.kymo", name: hostile)
    let run = try record("run.kymo", name: hostile, value: 2)
    let summary = place.path("check.md")
    let check = try kymo(
      "check", run, "--golden", golden, "--tolerances", try rules(), "--markdown", summary,
      "--annotations", "github")
    #expect(check.code == 1)
    // The runner's own rules: white space, then `::`; or `##[` anywhere.
    let commands = (check.output + check.errors).split(separator: "\n").filter { line in
      line.drop { $0.isWhitespace }.hasPrefix("::")
    }
    #expect(commands.count == 1, "\(check.output)")
    #expect(commands.allSatisfy { $0.hasPrefix("::error title=kymo check%3A #1 '%3A%3Aerror") })
    #expect(commands[0].hasSuffix("(limit 'x-stays')"))
    #expect(!check.output.contains("##["))
    let text = try String(contentsOfFile: summary, encoding: .utf8)
    #expect(text.contains("### kymo check: failed"))
    #expect(text.contains("\\<script>\\|\\`x\\`"), "\(text)")
    #expect(!text.contains(" <script>"))
    let json = try kymo(
      "check", run, "--golden", golden, "--tolerances", try rules(), "--annotations", "github",
      "--json")
    #expect(json.code == 2)
  }

  @Test
  func
    `a summary of thousands of failures stays below what is shown, and says how many more there are`()
    throws
  {
    func record(_ file: String, _ value: Int) throws -> String {
      let keys = (0..<400).map { key in
        let name = String(repeating: "a long name ", count: 12) + "\(key)"
        return "{\"t_ns\": 0, \"key\": \"\(name)\", \"value\": \(value)}\n"
      }
      let run = try kymo(
        "record", "--from-ndjson", "-", "--into", place.path(file),
        input: "{\"kymograph\": 1, \"name\": \"open\"}\n" + keys.joined())
      #expect(run.code == 0, "\(run.errors)")
      return place.path(file)
    }
    let rules = try place.file(
      "all.json", #"{"version": 1, "rules": [{"key": "*", "max_abs": 0.1}]}"#)
    let summary = place.path("check.md")
    let check = try kymo(
      [
        "check", "--golden", try record("golden.kymo", 1), "--tolerances", rules, "--markdown",
        summary,
      ] + Array(repeating: try record("run.kymo", 2), count: 10))
    #expect(check.code == 1, "\(check.output.prefix(500))")
    #expect(check.output.contains("; 3999 more."), "\(check.output.prefix(500))")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: summary))
    #expect(bytes.count > 500_000, "\(bytes.count)")
    #expect(bytes.count <= 900_000, "\(bytes.count)")
    #expect(String(decoding: bytes, as: UTF8.self).contains("more.\n"))
  }

  // MARK: The action

  /// Runs a step with nothing of a build server's around it but what is given.
  private func gate(_ step: String, _ environment: [String: String]) throws -> ProgramRun {
    let none = [
      "GITHUB_ACTIONS", "GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY", "PROGRAM_URL", "PROGRAM_SHA256",
    ].map { ($0, "") }
    return try shell(
      "export KYMO=\"$kymo\"; exec \"$1\" \"$2\"",
      [packageFolder.appendingPathComponent("Tools/gate").path, step],
      environment: Dictionary(uniqueKeysWithValues: none).merging(environment) { $1 })
  }

  @Test func `the action has no step that the gate does not run, and puts no input into a script`()
    throws
  {
    let text = try String(
      contentsOf: packageFolder.appendingPathComponent("action.yml"), encoding: .utf8)
    let scripts = text.split(separator: "\n").filter { $0.contains(" run: ") }
    #expect(
      scripts.map { $0.drop { $0 == " " } } == [
        #"run: '"$GITHUB_ACTION_PATH/Tools/gate" program'"#,
        #"run: '"$GITHUB_ACTION_PATH/Tools/gate" watch'"#,
        #"run: '"$GITHUB_ACTION_PATH/Tools/gate" check'"#,
        #"run: '[ "${WATCH_CODE:-0}" = 0 ] || exit "$WATCH_CODE"; exit "${CODE:-0}"'"#,
      ])
  }

  @Test func `the release job names scripts that are there, and puts no expression into a script`()
    throws
  {
    let file = packageFolder.appendingPathComponent(".github/workflows/release.yml")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    var scripts: Set<String> = []
    var isScript = false
    for line in lines {
      let words = line.split(separator: " ")
      isScript = line.contains("run: ") || isScript && line.hasPrefix("          ")
      guard isScript else { continue }
      #expect(!line.contains("${{"), "\(line)")
      scripts.formUnion(
        words.map(String.init).filter { $0.hasPrefix("Tools/") || $0.hasPrefix("Tests/") })
    }
    #expect(scripts == ["Tools/package", "Tests/Oracles/package.py"])
    for script in scripts {
      let path = packageFolder.appendingPathComponent(script).path
      #expect(FileManager.default.fileExists(atPath: path), "\(script)")
    }
  }

  @Test func `a program is fetched where its sum is right, and else is not run`() throws {
    let program = try place.file("program", "#!/bin/sh\necho fetched\n")
    let sum = try String(
      ProgramRun.shell("sha256sum \"$1\" || shasum -a 256 \"$1\"", [program]).output.prefix(64))
    let output = try place.file("output", "")
    let url = URL(fileURLWithPath: program).absoluteString
    let fetched = try gate(
      "program", ["PROGRAM_URL": url, "PROGRAM_SHA256": sum, "GITHUB_OUTPUT": output])
    #expect(fetched.code == 0, "\(fetched.errors)")
    let line = try String(contentsOfFile: output, encoding: .utf8)
    #expect(line == "path=\(fetched.output)")
    #expect(fetched.output.hasSuffix("/kymo\n"))
    #expect(
      try ProgramRun.shell("exec \"$1\"", [String(fetched.output.dropLast())]).output == "fetched\n"
    )
    let wrong = try gate(
      "program", ["PROGRAM_URL": url, "PROGRAM_SHA256": String(repeating: "0", count: 64)])
    #expect(wrong.code == 2)
    #expect(wrong.errors.contains("so it is not run"))
    #expect(try gate("program", ["PROGRAM_URL": url]).code == 2)
    #expect(
      try gate("program", ["PROGRAM_URL": url + "-gone", "PROGRAM_SHA256": sum]).code == 2)
  }

  @Test
  func `the step that checks keeps its code, its summary and its files, whatever the names are`()
    throws
  {
    let golden = try record("golden.kymo", name: "open")
    _ = try record("-a run.kymo", name: "open", value: 2)
    _ = try record("b run.kymo", name: "open")
    let (output, summary) = (try place.file("output", ""), try place.file("summary", "before\n"))
    var environment = [
      "FILES": "\(place.path("*run.kymo"))\n\n",
      "GOLDEN": golden,
      "TOLERANCES": try rules(), "OUT": place.path("out"), "GITHUB_OUTPUT": output,
      "GITHUB_STEP_SUMMARY": summary, "GITHUB_ACTIONS": "true",
    ]
    let run = try gate("check", environment)
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.output.contains("Failed: 1 of 2 sessions"), "\(run.errors)")
    #expect(run.output.contains("\n::error title="))
    #expect(try String(contentsOfFile: output, encoding: .utf8) == "code=1\n")
    #expect(
      try String(contentsOfFile: summary, encoding: .utf8).hasPrefix(
        "before\n<!-- Made by kymo -->"))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: place.path("out")).sorted()
        == ["check.md", "check.xml", "review-pages", "review.html"])
    // Elsewhere the code is the step's own.
    environment["GITHUB_OUTPUT"] = nil
    environment["GITHUB_ACTIONS"] = nil
    let plain = try gate("check", environment)
    #expect(plain.code == 1)
    #expect(!plain.output.contains("::error"))
    // Requirements need no golden recording.
    (environment["GOLDEN"], environment["TOLERANCES"]) = (nil, nil)
    #expect(try gate("check", environment).code == 2)
    environment["REQUIREMENTS"] = try place.file(
      "motion.json", #"{"requirements": 1, "rules": [{"overshoot": "x", "target": 1}]}"#)
    let required = try gate("check", environment)
    #expect(
      required.code == 1,
      "\(required.errors)")
    #expect(
      required.output.hasPrefix("Failed: 1 of 2 sessions against 1 requirement."),
      "\(required.errors)")
    environment["FILES"] = "\n"
    #expect(try gate("check", environment).code == 2)
  }

  @Test func `the step that watches takes its actions as a shell would, and runs none of them`()
    throws
  {
    // It prints what it was given, a hostile name and a fault.
    let program = try place.file(
      "program",
      "#!/bin/bash\nprintf '%s|' \"$@\"\nprintf '\\n  ::error::x ##[error]y\\n'\nexit 1\n")
    #expect(try ProgramRun.shell("chmod +x \"$1\"", [program]).code == 0)
    let (output, summary) = (try place.file("output", ""), try place.file("summary", ""))
    let out = place.path("out")
    var environment = [
      "KYMO": program, "WATCH": "http://localhost:3000/?a=1&b=2", "OUT": out,
      "ACTIONS": "--swipe '#a .b' up\n--hold 50 \"$(exit 9)\" *\n", "GITHUB_OUTPUT": output,
      "GITHUB_STEP_SUMMARY": summary,
    ]
    func watch() throws -> ProgramRun {
      try ProgramRun.shell(
        "exec \"$1\" watch", [packageFolder.appendingPathComponent("Tools/gate").path],
        environment: environment)
    }
    let run = try watch()
    #expect(run.code == 0, "\(run.errors)")
    #expect(
      run.output.hasPrefix(
        "| watch|http://localhost:3000/?a=1&b=2|--swipe|#a .b|up|--hold|50|$(exit 9)|*|--into="))
    #expect(run.output.hasSuffix("\n|   ::error::x ## [error]y\n"))
    #expect(try String(contentsOfFile: output, encoding: .utf8) == "code=1\n")
    #expect(
      try String(contentsOfFile: summary, encoding: .utf8).hasPrefix(
        "\n### kymo watch\n\n    watch|"))
    environment["GITHUB_OUTPUT"] = ""
    #expect(try watch().code == 1)
    environment["ACTIONS"] = "--swipe '#a"
    #expect(try watch().code == 2)
    environment["ACTIONS"] = " \n"
    #expect(try watch().output.hasPrefix("| watch|http://localhost:3000/?a=1&b=2|--into="))
    for address in ["", "--browser=x"] {
      environment["WATCH"] = address
      #expect(try watch().code == 2, "\(address)")
    }
  }

  // MARK: Accepting

  private func uuids(_ path: String) throws -> [String] {
    try answers("list sessions", path).compactMap { $0["uuid"].text }
  }

  @Test func `what is accepted is golden from then on, in its place`() throws {
    let golden = try record("golden.kymo", name: "open")
    _ = try record("golden.kymo", name: "close")
    let run = try record("a run#1.kymo", name: "open", value: 2)
    let new = try record("new.kymo", name: "turn")
    let rules = try rules()
    #expect(try kymo("check", run, "--golden", golden, "--tolerances", rules, "--subset").code == 1)
    let (old, next, more) = (try uuids(golden), try uuids(run)[0], try uuids(new)[0])
    let list = try place.file(
      "accept.txt", "# looked at\n\n\(old[0]) \(run)#\(next)\r\n- \(new)#\(more)\n")
    let before = try place.bytes("golden.kymo")
    let plan = try answers("golden accept", list, "--golden", golden, "--dry-run")
    #expect(plan.map { $0["uuid"].text } == [next, more])
    #expect(try place.bytes("golden.kymo") == before)
    #expect(try answers("golden accept", list, "--golden", golden) == plan)
    #expect(try uuids(golden) == [next, old[1], more])
    #expect(try kymo("check", run, "--golden", golden, "--tolerances", rules, "--subset").code == 0)
    #expect(try kymo("file doctor", golden, "--deep").code == 0)
    #expect(try place.names().filter { $0.contains("part") } == [])
    // The golden session of the list is gone.
    let stale = try kymo("golden accept", list, "--golden", golden)
    #expect(stale.code == 1)
    #expect(stale.errors.contains("the golden recording has no session '\(old[0])'"))
    #expect(try uuids(golden) == [next, old[1], more])
  }

  @Test func `a list that is not as it says changes nothing`() throws {
    let golden = try record("golden.kymo", name: "open")
    let run = try record("run.kymo", name: "open", value: 2)
    let (old, new) = (try uuids(golden)[0], try uuids(run)[0])
    let before = try place.bytes("golden.kymo")
    for (list, code, words) in [
      ("\(old) \(run)#nothing", 1, "has no session 'nothing'"),
      (
        "\(old) \(run)#\(new)\n\(old) \(run)#\(new)", 1,
        "an earlier line replaces the golden session"
      ),
      ("- \(golden)#\(old)", 1, "twice"),
      ("\(old) \(place.path("gone.kymo"))#\(new)", 1, "there is no file"),
      ("\(old) \(run)", 4, "standard input:1: a line must be"),
      ("", 4, "standard input names no session"),
      ("nonsense", 4, "standard input:1: a line must be"),
    ] {
      let answer = try kymo("golden accept", "-", "--golden", golden, input: list)
      #expect(Int(answer.code) == code, "\(list): \(answer.errors)")
      #expect(answer.errors.contains(words), "\(list): \(answer.errors)")
      #expect(try place.bytes("golden.kymo") == before)
    }
  }
}
