import Foundation
import JSONText
import TestSupport
import Testing
import TimelineStore

/// Texts in the place of recordings: every command that reads sessions reads a gesture file of any format, a table of
/// values, the lines of an app and standard input through one door.
@Suite struct InputTextTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  /// A finger that moves by -18 units along y each 12 ms, 12 positions, with a lift 12 ms after the last one.
  private static let touches =
    "t_ns,id,phase,x,y\n"
    + (0..<12).map {
      "\($0 * 12_000_000),7,\($0 == 0 ? "began" : "moved"),\(400 - $0),\(900 - 18 * $0)\n"
    }
    .joined() + "144000000,7,ended,389,702\n"

  /// A critically damped spring from 0 to 1 with the response 0.5 s.
  private static let values =
    "t_ns,value\n"
    + (0..<60).map { index -> String in
      let seconds = Double(index) * 0.016
      let rate = 2 * Double.pi / 0.5
      return "\(index * 16_000_000),\(1 - exp(-rate * seconds) * (1 + rate * seconds))\n"
    }.joined()

  private static let dump =
    (0..<12).map { index in
      """
      {"type": "\(index == 0 ? "pointerdown" : index == 11 ? "pointerup" : "pointermove")", "timeStamp": \(index * 12), \
      "pointerId": 1, "pointerType": "touch", "clientX": 200, "clientY": \(900 - 18 * index)}
      """
    }.joined(separator: "\n") + "\n"

  /// The touches as evtest prints them, of which a mail broke no line.
  private static let pasted =
    "Event: time 100.000000, type 3 (EV_ABS), code 57 (ABS_MT_TRACKING_ID), value 3\n"
    + (0..<12).map { index in
      let time = "100.\(String(1_000_000 + index * 12_000).dropFirst())"
      return "Event: time \(time), type 3 (EV_ABS), code 53 (ABS_MT_POSITION_X), value 400\n"
        + "Event: time \(time), type 3 (EV_ABS), code 54 (ABS_MT_POSITION_Y), value \(900 - 18 * index)\n"
        + "Event: time \(time), -------------- SYN_REPORT ------------\n"
    }.joined()
    + "Event: time 100.144000, type 3 (EV_ABS), code 57 (ABS_MT_TRACKING_ID), value -1\n"
    + "Event: time 100.144000, -------------- SYN_REPORT ------------\n"

  private static let lines =
    #"{"kymograph": 1}"# + "\n" + #"{"t_ns": 0, "key": "a", "value": 1}"# + "\n"
    + #"{"t_ns": 16000000, "key": "a", "value": 2}"# + "\n"

  /// The commands that read a text, with what stands behind FILE.
  private static let commands: [(words: [String], more: [String])] = [
    (["show"], []), (["list", "keys"], []), (["plot"], []), (["velocity"], []),
    (["export", "ndjson"], []), (["report"], ["-o", "page.html", "--force"]),
    (["replay"], ["--keys"]),
  ]

  private func run(
    _ words: [String], _ path: String, _ more: [String] = [], input: String = ""
  ) throws -> ProgramRun {
    try kymo(words + [path] + more, input: Data(input.utf8), in: place.folder.url.path)
  }

  @Test(arguments: [
    ("touches.csv", touches), ("values.csv", values), ("dump.json", dump), ("pasted.txt", pasted),
    ("lines.ndjson", lines),
  ])
  func `every command reads every text, from a file and from standard input`(
    name: String, text: String
  ) throws {
    let path = try place.file(name, text)
    for (words, more) in Self.commands {
      let ofFile = try run(words, path, more)
      #expect(ofFile.code == 0, "\(words): \(ofFile.errors)")
      let ofInput = try run(words, "-", more, input: text)
      #expect(ofInput.code == 0, "\(words): \(ofInput.errors)")
      #expect(!(ofFile.output + ofFile.errors).contains("/kymo-"), "\(words): \(ofFile.output)")
    }
    let compared = try run(["compare"], path, [path])
    #expect(compared.code == 0, "\(compared.errors)")
    #expect(compared.output.hasPrefix("The same"), "\(compared.output)")
  }

  @Test func `no command leaves the recording of a text behind, nor changes the text`() throws {
    let path = try place.file("touches.csv", Self.touches)
    for (words, more) in Self.commands {
      _ = try shell(
        "cd \"$1\" && TMPDIR=\"$1\" $program \(words.joined(separator: " ")) \"$2\" \(more.joined(separator: " "))",
        [place.path(""), path])
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: place.folder.url.path)
    #expect(names.filter { $0.hasPrefix("kymo-") } == [])
    #expect(try String(contentsOfFile: path, encoding: .utf8) == Self.touches)
  }

  @Test func `a signal and an output that nobody takes leave nothing behind either`() throws {
    let path = try place.file("touches.csv", Self.touches)
    let script = """
      export TMPDIR="$1"
      mkfifo "$1/out"
      "$program" export ndjson "$2" -o "$1/out" &
      child=$!
      tries=0
      until ls "$1"/kymo-*/text.kymo >/dev/null 2>&1 || [ $((tries += 1)) -gt 10000 ]; do :; done
      kill -TERM $child
      wait $child
      echo "code $?"
      "$program" export ndjson "$2" | :
      ls -a "$1" | grep '^kymo-'
      """
    let run = try shell(script, [place.path(""), path])
    #expect(run.output == "code 143\n", "\(run.errors)")
  }

  @Test func `the values of a table are a key that is fitted, plotted and compared`() throws {
    let path = try place.file("values.csv", Self.values)
    let fit = try parseJSON(Array(try run(["fit"], path, ["--json"]).output.utf8))
    #expect(fit["file"].text == path)
    #expect(fit["read_as"].text == "a table, 1 key, ns")
    let response = fit["fits"].array.first?["parameters"]["response"]["value"].number
    #expect(abs((response ?? 0) - 0.5) < 0.001)
    let other = try place.file(
      "other.csv",
      Self.values.replacing("t_ns,value", with: "t_ns,value").replacing(",0.9", with: ",0.7"))
    #expect(try run(["compare"], path, [other]).code == 1)
    let plot = try run(["plot"], path, [other])
    #expect(plot.code == 0, "\(plot.errors)")
    #expect(plot.output.hasPrefix("value\n"), "\(plot.output)")
    for words in [["list", "touches"], ["export", "cdp"]] {
      let refused = try run(words, path)
      #expect(refused.code == 4, "\(words): \(refused.errors)")
      #expect(refused.errors.contains("has no touches. kymo plot"), "\(words): \(refused.errors)")
    }
  }

  @Test func `contacts of two files are compared by their positions`() throws {
    let path = try place.file("touches.csv", Self.touches)
    let slower = try place.file(
      "slower.csv", Self.touches.replacing(",7,moved,39", with: ",7,moved,38"))
    let rows = try rows(run(["compare"], path, [slower, "--json"]).output)
    let keys = rows.filter { $0["row"].text == "key" }
    #expect(keys.map { $0["key"].text } == ["finger.0.x", "finger.0.y"])
    #expect(keys.map { $0["same"] } == [.bool(false), .bool(true)])
  }

  @Test func `a rule decides each swipe of a gesture file as kymo velocity does`() throws {
    let path = try place.file("touches.csv", Self.touches)
    let rule = ["--rule", "niri", "--json"]
    let found = try rows(run(["rule", "try"], path, rule).output)
    let velocities = try rows(run(["velocity"], path, rule).output)
    let decided = try #require(velocities.first { $0["decision"] != .null })
    #expect(found.count == 1)
    let row = try #require(found.first)
    #expect(row["file"].text == path)
    #expect(row["t_ns"].integer == 144_000_000)
    #expect(row["recorded_decision"] == .null)
    #expect(row["flips"] == .null)
    for name in ["decision", "margin_progress", "margin_velocity", "estimator"] {
      #expect(
        row[name] == decided[name == "margin_progress" ? "margin" : name]
          || decided[name] == row[name], "\(name)")
    }
    let refused = try run(["rule", "try"], path)
    #expect(refused.code == 2, "\(refused.errors)")
    #expect(refused.errors.contains("--rule"), "\(refused.errors)")
  }

  @Test func `a rule decides about progresses of a table, and not about pixels`() throws {
    let values = (0..<12).map { "\(Double($0) * 0.016),\(Double($0) / 20),\(300 - 25 * $0)\n" }
    let path = try place.file("both.csv", "t_s,open,y\n" + values.joined())
    let run = try kymo("velocity", path, "--rule", "progress", "--json")
    let found = try rows(run.output)
    #expect(found.map { $0["axis"].text } == ["open", "y"])
    #expect(found.map { $0["decision"].text } == ["finish", nil])
    #expect(found.allSatisfy { $0["velocity"].number != nil })
    #expect(run.errors.contains("no decision about y, because a rule needs a progress"))
    #expect(!run.errors.contains("about open"))
  }

  @Test func `a rule counts the swipes of several files, one of them from standard input`() throws {
    let path = try place.file("touches.csv", Self.touches)
    let run = try run(
      ["rule", "try"], path, ["-", "--rule", "niri", "--json"],
      input: Self.pasted.replacing("+", with: "+"))
    // The positions of a device need a resolution.
    #expect(run.errors.contains("standard input: no decision"), "\(run.errors)")
    #expect(try rows(run.output).count == 1)
  }

  @Test func `a note says how a text was read, unless it says that itself`() throws {
    let dump = try place.file("dump.json", Self.dump)
    #expect(try run(["velocity"], dump).errors.contains("dump.json: read as JSON, 1 finger"))
    let shown = try rows(run(["show"], dump, ["--json"]).output)
    #expect(shown.first?["read_as"].text?.hasPrefix("JSON, 1 finger") == true)
    for more in [[], ["--explain"]] {
      let velocities = try rows(run(["velocity"], dump, more + ["--json"]).output)
      #expect(velocities.count > 1)
      #expect(velocities.allSatisfy { $0["read_as"] == shown.first?["read_as"] })
    }
    for command in [["list", "touches"], ["rule", "try", "--rule", "velocity"]] {
      let found = try rows(run(command, dump, ["--json"]).output)
      #expect(found.count > 0)
      #expect(found.allSatisfy { $0["read_as"] == shown.first?["read_as"] }, "\(command)")
    }
    let verdict = try rows(run(["compare"], dump, [dump, "--json"]).output).last
    #expect(verdict?["read_as_a"] == shown.first?["read_as"])
    #expect(verdict?["read_as_b"] == shown.first?["read_as"])
    for (name, text) in [
      ("touches.csv", Self.touches), ("values.csv", Self.values), ("pasted.txt", Self.pasted),
      ("lines.ndjson", Self.lines),
    ] {
      let run = try run(["velocity"], try place.file(name, text))
      #expect(run.errors == "", "\(name): \(run.errors)")
    }
  }

  @Test func `a loss of a text is the exit code of every command`() throws {
    let cut = try place.file("cut.csv", String(Self.touches.dropLast(20)))
    for (words, more) in Self.commands + [(["list", "touches"], []), (["export", "cdp"], [])] {
      let run = try run(words, cut, more)
      #expect(run.code == 3, "\(words): \(run.errors)")
      #expect(run.errors.contains("cut.csv:"), "\(words): \(run.errors)")
    }
  }

  @Test func `an unreadable text is refused by every command with one sentence`() throws {
    for (name, text) in [("letter.txt", "Dear reader\n"), ("empty.txt", "")] {
      let path = try place.file(name, text)
      for (words, more) in Self.commands {
        let run = try run(words, path, more)
        #expect(run.code == 4, "\(words): \(run.errors)")
        #expect(run.output == "", "\(words)")
        #expect(run.errors.split(separator: "\n").count == 1, "\(words): \(run.errors)")
        #expect(!run.errors.contains("SQLite"), "\(words): \(run.errors)")
      }
    }
    let missing = try run(["show"], "missing.csv")
    #expect(missing.code == 4, "\(missing.errors)")
  }

  @Test func `a flag of gesture files is refused for a recording`() throws {
    try place.record(Scenarios.script, into: "run.kymo")
    for words in [
      ["show"], ["fit"], ["compare", "run.kymo"], ["export", "csv"], ["list", "touches"],
    ] {
      let run = try run(words, "run.kymo", ["--time-unit", "ms"])
      #expect(run.code == 2, "\(words): \(run.errors)")
      #expect(
        run.errors.contains("--time-unit can only be used with a gesture file"), "\(run.errors)")
    }
  }

  @Test func `commands that change a recording tell how to make one of a text`() throws {
    let path = try place.file("values.csv", Self.values)
    for words in [["file", "pack"], ["list", "decisions"], ["sql"]] {
      let run = try run(words, path, words == ["sql"] ? ["SELECT 1"] : [])
      #expect(run.code == 4, "\(words): \(run.errors)")
      #expect(
        run.errors.contains("kymo export ndjson \(path) | kymo record --from-ndjson -"),
        "\(run.errors)")
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == Self.values)
  }

  @Test func `a text that cannot drive a scenario leaves a recording as it is`() throws {
    try place.record(Scenarios.pinch, gesture: "pinch-open.evemu", into: "run.kymo")
    let before = try Data(contentsOf: URL(fileURLWithPath: place.path("run.kymo")))
    let values = try place.file("values.csv", Self.values)
    for gesture in [values, place.path("run.kymo"), try place.file("letter.txt", "Dear reader\n")] {
      let run = try kymo(
        "record", "--scenario", fixture("scenarios/\(Scenarios.pinch)"), "--gesture", gesture,
        "--into", place.path("run.kymo"))
      #expect(run.code == 4, "\(gesture): \(run.errors)")
      #expect(
        try Data(contentsOf: URL(fileURLWithPath: place.path("run.kymo"))) == before, "\(gesture)")
    }
  }
}
