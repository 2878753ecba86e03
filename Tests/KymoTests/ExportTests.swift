import Foundation
import JSONText
import TestSupport
import Testing

@Suite struct ExportTests {
  let place: Workplace
  let recording: String

  init() throws {
    place = try Workplace()
    recording = try place.record(
      Scenarios.pinch, gesture: "pinch-open.evemu", into: "pinch.kymo")
  }

  @Test(arguments: ["csv", "ndjson", "chrome", "lottie", "waapi", "svg"])
  func `a file and standard output hold the same bytes, each time`(format: String) throws {
    let plain = try kymo("export", format, recording)
    #expect(plain.code == 0, "\(plain.errors)")
    #expect(!plain.output.isEmpty)
    #expect(try kymo("export", format, recording, "-o", "-").output == plain.output)
    let out = place.path("out")
    #expect(try kymo("export", format, recording + "#last", "-o", out).code == 0)
    #expect(try place.bytes("out") == Data(plain.output.utf8))
    #expect(try place.names() == ["out", "pinch.kymo"])
  }

  @Test func `a file that is there stays unless --force is given`() throws {
    let out = try place.file("out.csv", "mine")
    let run = try kymo("export", "csv", recording, "-o", out)
    #expect(run.code == 2)
    #expect(run.errors == "kymo export: \(out) is there already. Use --force to replace it\n")
    #expect(try place.bytes("out.csv") == Data("mine".utf8))
    #expect(try kymo("export", "csv", recording, "-o", out, "--force").code == 0)
    #expect(try place.bytes("out.csv").count > 1000)
    let itself = try kymo("export", "csv", recording, "-o", recording, "--force")
    #expect(itself.code == 2)
    #expect(itself.errors.contains("is the recording itself"))
    #expect(try kymo("export", "csv", recording, "-o", place.path("no/where")).code == 4)
    #expect(try kymo("export", "csv", recording, "-o", "/dev/null").code == 0)
    #expect(try place.names() == ["out.csv", "pinch.kymo"])
  }

  @Test func `a moving picture shows the viewport, and what was decided when it was`() throws {
    let svg = try kymo("export", "svg", recording).output
    #expect(svg.hasPrefix("<!-- Made by kymo -->\n<svg "))
    #expect(svg.contains("<rect class=\"viewport\" "))
    let release = try #require(
      svg.firstMatch(of: /<g class="release (\w+)" display="none">.*keyTimes="0;([0-9.]+);/))
    let decision = try #require(
      try rows(kymo("velocity", recording, "--key", "progress", "--json").output).first)
    #expect(String(release.1) == decision["decision"].text)
    #expect(Double(release.2).map { 0 < $0 && $0 < 1 } == true)
  }

  @Test func `flags that a format has no use for are refused`() throws {
    for words in [
      ["xml"], ["lottie", "--table", "frames"], ["csv", "--simplify", "1"],
      ["csv", "--table", "frames", "--key", "progress"], ["csv", "--items", "apple"],
      ["csv", "--table", "frames", "--wide"], ["svg", "--key", "progress"],
      ["csv", "--key", "nothing"], ["svg", "--items", "nothing"], ["svg", "--simplify", "-1"],
      ["csv", "--from", "2", "--to", "1"], ["csv", "--table", "nothing"],
    ] {
      let run = try kymo(["export", words[0], recording] + words.dropFirst())
      #expect(run.code == 2, "\(words)")
      #expect(run.output == "", "\(words)")
      #expect(run.errors.hasPrefix("kymo export: "), "\(words)")
      #expect(!run.errors.contains("unknown flag"), "\(run.errors)")
    }
  }

  @Test func `keys, items and time choose a part, keys and items as often as asked`() throws {
    let run = try kymo(
      "export", "csv", recording, "--key", "progress", "--key", "PositionX", "--from", "0.1",
      "--to",
      "200ms")
    let rows = run.output.components(separatedBy: "\r\n").dropFirst().dropLast()
      .map { $0.split(separator: ",") }
    #expect(rows.count > 10)
    #expect(Set(rows.map { $0[2] }) == ["progress", "PositionX"])
    for row in rows {
      let time = try #require(Int64(row[1]))
      #expect((100_000_000...200_000_000).contains(time))
    }
    let items = try kymo(
      "export", "waapi", recording, "--items", "apple,pear")
    let root = try parseJSON(Array(items.output.utf8))
    guard case .array(let list) = root["items"] else {
      Issue.record("no items")
      return
    }
    #expect(list.map { $0["id"].text } == ["apple", "pear"])
  }

  @Test func `what cannot be carried is told, and ends with 3`() throws {
    let lines = """
      {"kymograph": 1, "viewport": [100, 100], "refreshRate": 100}
      {"t_ns": 0, "frame": {"items": [{"id": "a", "center": [50, 50], "size": [20, 20], "transform": [1, 0, 0.5, 1, 0, 0]}]}}
      {"t_ns": 0, "frame": {"items": []}}
      """
    let path = place.path("bad.kymo")
    _ = try kymo(
      ["record", "--from-ndjson", "-", "--into", path], input: Data(lines.utf8))
    let twice = try kymo("export", "lottie", path)
    #expect(twice.code == 3)
    #expect(twice.errors.contains("1 frame is not later than the frame before"))
    #expect(twice.errors.split(separator: "\n").count == 2)
    #expect(try parseJSON(Array(twice.output.utf8))["layers"] == .array([]))
  }

  @Test func `exported lines are recorded again with the same answers`() throws {
    let lines = try kymo("export", "ndjson", recording)
    let again = place.path("again.kymo")
    let run = try kymo("record", "--from-ndjson", "-", "--into", again, input: lines.output)
    #expect(run.code == 0)
    #expect(run.errors == "")
    #expect(try kymo("compare", recording, again).code == 0)
    for words in [
      ["list keys"], ["replay", "--keys"], ["replay", "--items"], ["replay"], ["list touches"],
      ["velocity"],
    ] {
      let flags: [String] = words.dropFirst() + ["--json"]
      let before = try kymo([words[0], recording] + flags)
      let after = try kymo([words[0], again] + flags)
      #expect(before.code == 0)
      #expect(before.output == after.output, "\(words)")
    }
    // Once more: but for the names of the recordings the lines are the same.
    func values(_ text: String) -> [Substring] {
      text.split(separator: "\n").dropFirst().filter { !$0.contains("\"event\"") }
    }
    #expect(values(try kymo("export", "ndjson", again).output) == values(lines.output))
  }

  @Test func `an export is taken in its own order, also where times run backwards`() throws {
    let lines = """
      {"kymograph": 1}
      {"t_ns": 5000000000, "event": "mark", "text": "late", "a": 1.50, "Z": 1e16}
      {"t_ns": 1000000000, "event": "mark", "text": "early"}
      {"t_ns": 900000000, "event": "mark", "text": "a little earlier"}
      """
    let path = place.path("back.kymo")
    #expect(try kymo("record", "--from-ndjson", "-", "--into", path, input: lines).code == 3)
    let first = try kymo("export", "ndjson", path).output
    let again = place.path("again.kymo")
    let run = try kymo("record", "--from-ndjson", "-", "--into", again, input: first)
    #expect(run.code == 0)
    #expect(run.errors.isEmpty)
    let second = try kymo("export", "ndjson", again).output
    #expect(second.split(separator: "\n").dropFirst() == first.split(separator: "\n").dropFirst())
    #expect(second.contains("\"text\":\"late\",\"a\":1.5,\"Z\":1e+16}"))
  }

  @Test func `lines that say what changed are held against the frame before`() throws {
    let head =
      "{\"kymograph\": 1}\n{\"declare\": \"key\", \"name\": \"k\", \"role\": \"animated\", \"unit\": \"pt\"}\n"
    let first = """
      {"t_ns": 0, "frame": {"items": [{"id": "a", "frame": [0, 0, 1, 1]}, {"id": "b", "frame": [0, 0, 2, 2]}]}}
      {"t_ns": 1, "frame": {"changed": [{"id": "b", "frame": [0, 0, 3, 3]}], "gone": [{"id": "a"}]}}
      {"t_ns": 1, "key": "k", "value": 1}

      """
    let path = place.path("changes.kymo")
    let good = try kymo("record", "--from-ndjson", "-", "--into", path, input: head + first)
    #expect(good.code == 0, "\(good.errors)")
    let rows = try answers("replay", path, "--items")
    #expect(rows.map { $0["id"].text } == ["a", "b", "b"])
    #expect(rows[2]["frame"].numbers == [0, 0, 3, 3])
    #expect(try answers("list keys", path)[0]["role"].text == "animated")
    for (line, words) in [
      ("{\"t_ns\": 0, \"frame\": {\"changed\": []}}", "the first frame must have items"),
      ("{\"loss\": {\"what\": \"sample\"}}", "not recorded again"),
      ("{\"declare\": \"colour\"}", "unknown declaration 'colour'. Known: key, item"),
      ("{\"t_ns\": 0, \"decision\": {\"rule\": \"r\"}}", "missing field 'outcome'"),
      ("{\"t_ns\": 0, \"estimate\": {\"key\": \"k\"}}", "missing field 'estimator'"),
    ] {
      let bad = try kymo(
        "record", "--from-ndjson", "-", "--into", place.path("bad.kymo"), input: head + line + "\n")
      #expect(bad.code == 3, "\(line)")
      #expect(bad.errors.contains(words), "\(bad.errors)")
    }
    let unknown = try kymo(
      "record", "--from-ndjson", "-", "--into", place.path("bad.kymo"),
      input: head + first + "{\"t_ns\": 2, \"frame\": {\"gone\": [{\"id\": \"a\"}]}}\n")
    #expect(unknown.code == 3)
    #expect(unknown.errors.contains("is not in the frame before"))
  }

  @Test
  func `touches of a gesture file, a session and an app's lines become calls that drive a page`()
    throws
  {
    let gesture = fixture("gestures/pinch-open.evemu")
    let out = place.path("pinch.cdp.ndjson")
    let run = try kymo(
      "export", "cdp", gesture, "--scale", "1/3", "--translate", "10,-2", "-o", out)
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.errors == "", "\(run.errors)")
    #expect(run.output.hasPrefix("Wrote \(out) ("))
    let lines = try String(contentsOfFile: out, encoding: .utf8).split(separator: "\n")
      .map { try parseJSON(Array($0.utf8)) }
    #expect(lines.allSatisfy { $0["method"].text == "Input.dispatchTouchEvent" })
    #expect(lines[0]["t_ns"].integer == 0)
    let touches = try answers("list touches", gesture)
    let first = try #require(lines[0]["params"]["touchPoints"].array.first)
    #expect(first["x"].number == (touches[0]["x"].number ?? 0) * (1.0 / 3) + 10)
    #expect(first["y"].number == (touches[0]["y"].number ?? 0) * (1.0 / 3) - 2)
    let kinds = lines.compactMap { $0["params"]["type"].text }
    #expect(Set(kinds) == ["touchStart", "touchMove", "touchEnd"])
    #expect(lines.last?["t_ns"] == touches.last?["t_ns"])
    // A recording of these touches says the same, and so do lines that it is exported as.
    let session = try kymo("export", "cdp", recording, "--scale", "1/3", "--translate", "10,-2")
    #expect(session.code == 0)
    #expect(session.errors == "")
    #expect(try place.bytes("pinch.cdp.ndjson") == Data(session.output.utf8))
    let text = place.path("pinch.ndjson")
    #expect(try kymo("export", "ndjson", recording, "-o", text).code == 0)
    #expect(
      try kymo("export", "cdp", text, "--scale", "1/3", "--translate", "10,-2").output
        == session.output)
  }

  @Test
  func `touches of a file, a session and an app's lines become a recording of a touch screen`()
    throws
  {
    let gesture = fixture("gestures/pinch-open.evemu")
    let out = place.path("pinch.evemu")
    let run = try kymo("export", "evemu", gesture, "-o", out)
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.errors == "", "\(run.errors)")
    #expect(run.output.hasPrefix("Wrote \(out) ("))
    #expect(try answers("list touches", out) == answers("list touches", gesture))
    // A recording of these touches says the same, and so do lines that it is exported as.
    let text = place.path("pinch.ndjson")
    #expect(try kymo("export", "ndjson", recording, "-o", text).code == 0)
    for source in [recording, text] {
      let session = try kymo("export", "evemu", source)
      #expect(session.code == 0, "\(session.errors)")
      #expect(session.errors == "", "\(session.errors)")
      #expect(try place.bytes("pinch.evemu") == Data(session.output.utf8))
    }
    let part = try kymo("export", "evemu", gesture, "--from", "0.1", "--to", "0.2")
    #expect(part.code == 3)
    #expect(
      part.errors == "kymo export: 2 contacts stay down at the end, pressed\n")
  }

  @Test func `what evemu's whole numbers lose is said, with how much, and what a panel is`() throws
  {
    let gesture = fixture("gestures/swipe.pointer.ndjson")
    let rounded = try kymo("export", "evemu", gesture)
    #expect(rounded.code == 3)
    #expect(
      rounded.errors
        == "kymo export: 24 positions of 26 were rounded to whole units, by up to 0.3331. A larger scale loses less\n"
    )
    let whole = try kymo("export", "evemu", gesture, "--scale", "1000", "--translate", "-5,5")
    #expect(whole.code == 0, "\(whole.errors)")
    #expect(whole.errors == "", "\(whole.errors)")
    let panel = try kymo("export", "evemu", gesture, "--scale", "3", "--panel", "1080x2400")
    #expect(panel.output.contains("\nA: 35 0 1079 0 0 0\nA: 36 0 2399 0 0 0\n"))
    #expect(
      try kymo("export", "evemu", gesture, "--scale", "1000", "--panel", "1080x2400").errors
        == "kymo export: 26 positions are outside the panel, and a player may refuse them\n")
    for size in ["1080", "0x5", "-1x5", "1.5x2", "ax2", "1x2x3", "99999999999x1"] {
      let run = try kymo("export", "evemu", gesture, "--panel", size)
      #expect(run.code == 2, "\(size): \(run.errors)")
      #expect(run.errors.split(separator: "\n").count == 1, "\(size): \(run.errors)")
    }
    #expect(try kymo("export", "cdp", gesture, "--panel", "5x5").code == 2)
    #expect(try kymo("export", "csv", recording, "--panel", "5x5").code == 2)
  }

  @Test func `a part of the touches begins with a landing, and says who does not lift`() throws {
    let gesture = fixture("gestures/drag-flick.getevent.txt")
    let run = try kymo("export", "cdp", gesture, "--from", "0.1", "--to", "0.2")
    #expect(run.code == 3)
    #expect(run.errors.hasPrefix("kymo export: 1 contact stays down at the end"))
    let lines = run.output.split(separator: "\n")
    #expect(lines[0].hasPrefix("{\"t_ns\":0,"))
    #expect(lines[0].contains("touchStart"))
    #expect(lines.dropFirst().allSatisfy { $0.contains("touchMove") })
    let none = try kymo("export", "cdp", gesture, "--from", "9")
    #expect(none.code == 2)
    #expect(none.errors == "kymo export: \(gesture) has no touches in that time\n")
  }

  @Test func `what touches have no use for is refused`() throws {
    let gesture = fixture("gestures/drag-flick.getevent.txt")
    for words in [
      ["--key", "progress"], ["--table", "touches"], ["--simplify", "1"], ["--scale", "0"],
      ["--scale", "1/0"], ["--scale", "1/2/3"], ["--scale", "wide"], ["--translate", "1"],
      ["--translate", "1,nan"], ["last"],
    ] {
      let run = try kymo(["export", "cdp", gesture] + words)
      #expect(run.code == 2, "\(words)")
      #expect(run.output == "", "\(words)")
      #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
      #expect(!run.errors.contains("unknown flag"), "\(run.errors)")
    }
    let other = try kymo("export", "csv", recording, "--scale", "2")
    #expect(other.code == 2)
    #expect(other.errors == "kymo export: --scale needs the format cdp or evemu (got 'csv')\n")
    #expect(try kymo("export", "xml", recording).errors.contains("svg, cdp, evemu"))
    #expect(try kymo("export", "pdf", recording).errors.contains("Did you mean cdp?"))
    let script = place.path("script.kymo")
    try place.record(Scenarios.script, into: "script.kymo")
    #expect(try kymo("export", "cdp", script).errors.contains("has no touches"))
  }

  @Test func `a picture of nothing is told as a loss`() throws {
    let lines = "{\"kymograph\": 1}\n{\"t_ns\": 0, \"key\": \"x\", \"value\": 1}\n"
    let path = place.path("values.kymo")
    #expect(try kymo("record", "--from-ndjson", "-", "--into", path, input: lines).code == 0)
    for format in ["lottie", "waapi", "svg"] {
      let run = try kymo("export", format, path)
      #expect(run.code == 3, "\(format)")
      #expect(!run.output.isEmpty, "\(format)")
      #expect(run.errors.contains("shows nothing"))
    }
    #expect(try kymo("export", "csv", path).code == 0)
  }
}
