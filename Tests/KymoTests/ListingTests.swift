import Foundation
import JSONText
import TestSupport
import Testing

/// `show` and `list`.
@Suite struct ListingTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  /// An app's run of ten frames at 100 Hz, in which one is missing, with a key at every frame.
  private func appRun() throws -> String {
    var lines = "{\"kymograph\": 1, \"name\": \"app\", \"refreshRate\": 100}\n"
    for number in 0..<10 where number != 5 {
      let time = number * 10_000_000
      lines += "{\"t_ns\": \(time), \"key\": \"x\", \"value\": \(number), \"unit\": \"pt\"}\n"
      lines +=
        "{\"t_ns\": \(time), \"frame\": {\"items\": [{\"id\": \"a\", \"frame\": [0, 0, 1, 1]}]}}\n"
    }
    let run = try kymo(
      "record", "--from-ndjson", "-", "--into", place.path("app.kymo"), input: lines)
    #expect(run.code == 0)
    return place.path("app.kymo")
  }

  @Test func `info tells sizes, keys, gaps and whether a session was closed`() throws {
    let path = try appRun()
    let session = try #require(try answers("show", path).first)
    #expect(session["bytes"].integer == Int64(try place.bytes("app.kymo").count))
    #expect(session["log_bytes"].integer == 0)
    #expect(session["schema"].integer == 6)
    #expect(session["clean"] == .bool(true))
    #expect(session["gaps"].integer == 1)
    #expect(session["items"].integer == 1)
    #expect(session["frames"].integer == 9)
    #expect(session["outcome"].text == "none")
    guard case .array(let keys) = session["keys"] else {
      Issue.record("The keys are missing.")
      return
    }
    #expect(keys == (try answers("list keys", path)))
    let text = try kymo("show", path).output
    #expect(text.contains("! 1 gap between frames, from 0.04 s to 0.06 s"))
  }

  @Test func `list sessions has the columns that matter on a terminal, and names the others`()
    throws
  {
    let path = try appRun()
    let whole = try kymo("list sessions", path).output.split(separator: "\n")
    let columns = whole[0].split(separator: " ").map(String.init)
    #expect(whole.count == 3)
    #expect(columns.count == 22)
    let terminal = try PseudoTerminal(["list", "sessions", path], columns: 100)
    #expect(terminal.ended() == 0)
    let lines = terminal.received.components(separatedBy: "\r\n")
    let shown = [
      "session", "name", "outcome", "duration_s", "clean", "samples", "touches", "releases",
      "frames",
    ]
    #expect(lines[0].split(separator: " ").map(String.init) == shown)
    #expect(lines[3] == "")
    #expect(lines[4].hasPrefix("clean: the recorder closed it. samples: "))
    let rest = lines[5...].joined(separator: " ")
    let others = columns.filter { !shown.contains($0) }.joined(separator: ", ")
    #expect(rest == "13 more columns: \(others) (--format csv, --json) ")
    for line in lines { #expect(line.count <= 100, "\(line)") }
    let narrow = try PseudoTerminal(["list", "sessions", path], columns: 40)
    #expect(narrow.ended() == 0)
    #expect(narrow.received.hasPrefix("session  name  outcome  duration_s\r\n"))
    #expect(narrow.received.contains("18 more columns: "))
  }

  @Test func `a terminal that is wide enough has every column of list sessions`() throws {
    let path = try appRun()
    let terminal = try PseudoTerminal(["list", "sessions", path], columns: 400)
    #expect(terminal.ended() == 0)
    let text = terminal.received.replacing("\r\n", with: "\n")
    #expect(text.hasPrefix(try kymo("list sessions", path).output))
    #expect(!text.contains("more column"))
    #expect(text.contains("lost: records not kept.\n"))
    let csv = try PseudoTerminal(["list", "sessions", path, "--format", "csv"], columns: 100)
    #expect(csv.ended() == 0)
    #expect(
      csv.received.replacing("\r\n", with: "\n")
        == (try kymo("list sessions", path, "--format", "csv")).output)
  }

  @Test func `keys tell counts, rates, ranges and the last value`() throws {
    let key = try #require(try answers("list keys", try appRun()).first)
    #expect(key["key"].text == "x")
    #expect(key["unit"].text == "pt")
    #expect(key["role"].text == "custom")
    #expect(key["samples"].integer == 9)
    #expect(key["first_ns"].integer == 0)
    #expect(key["last_ns"].integer == 90_000_000)
    // Eight intervals in 90 ms; the shortest is 10 ms, the longest 20.
    #expect(key["rate_hz"].number.map { abs($0 - 8 / 0.09) < 1e-9 } == true)
    #expect(key["max_rate_hz"].number == 100)
    #expect(key["min_rate_hz"].number == 50)
    #expect(key["min"].number == 0)
    #expect(key["max"].number == 9)
    #expect(key["last"].number == 9)
    let unknown = try kymo("list keys", place.path("app.kymo"), "--key", "y")
    #expect(unknown.code == 2)
    #expect(unknown.errors.contains("key 'y'"))
  }

  @Test func `events are chosen by name and by time`() throws {
    let path = try place.record(Scenarios.script, into: "script.kymo")
    #expect(
      try answers("list events", path).compactMap { $0["event"].text } == [
        "mark", "start", "finish", "decision", "settle", "install", "completion",
      ])
    let decision = try #require(try answers("list events", path, "--event", "decision").first)
    #expect(decision["t_ns"].integer == 66_000_000)
    #expect(decision["outcome"].text == "finish")
    #expect(
      try answers("list events", path, "--from", "1ms", "--to", "66ms").compactMap {
        $0["event"].text
      } == ["finish", "decision", "settle"])
    let none = try kymo("list events", path, "--event", "nothing", "--json")
    #expect(none.code == 0)
    #expect(none.output == "[]\n")
    #expect(none.errors.contains("no event 'nothing'. Known: completion, decision"))
  }

  @Test func `an event's late field has a column in csv`() throws {
    var lines = "{\"kymograph\": 1}\n"
    for number in 0..<500 { lines += "{\"t_ns\": \(number), \"event\": \"tick\", \"n\": 1}\n" }
    lines += "{\"t_ns\": 500, \"event\": \"end\", \"reason\": \"late\"}\n"
    let run = try kymo(
      "record", "--from-ndjson", "-", "--into", place.path("late.kymo"), input: lines)
    #expect(run.code == 0)
    let csv = try kymo("list events", place.path("late.kymo"), "--format", "csv").output
      .split(separator: "\n")
    #expect(csv.first == "t_ns,event,n,reason")
    #expect(csv.last == "500,end,,late")
  }

  @Test func `touches of a recording and of its gesture file are the same`() throws {
    let path = try place.record(
      Scenarios.pinch, gesture: "pinch-open.evemu", into: "pinch.kymo")
    let gesture = fixture("gestures/pinch-open.evemu")
    let touches = try answers("list touches", path)
    #expect(touches == (try answers("list touches", gesture)))
    #expect(Set(touches.map { $0["contact"].integer }) == [0, 1])
    #expect(touches[0]["t_ns"].integer == 0)
    #expect(touches.filter { $0["phase"].text == "began" }.count == 2)
    #expect(touches.filter { $0["phase"].text == "ended" }.count == 2)
    let late = try answers("list touches", path, "--from", "0.3")
    #expect(late == touches.filter { ($0["t_ns"].integer ?? 0) >= 300_000_000 })
    let thin = try answers("list touches", path, "--every", "1s")
    #expect(thin.map { $0["contact"].integer } == [0, 1])
    // What is printed as CSV is a gesture file again.
    let csv = try place.file(
      "again.csv", try kymo("list touches", path, "--format", "csv").output)
    let again = try place.record(Scenarios.pinch, gesture: "pinch-open.evemu", into: "b.kymo")
    let run = try kymo(
      "record", "--scenario", fixture("scenarios/\(Scenarios.pinch)"), "--gesture", csv, "--into",
      place.path("c.kymo"))
    #expect(run.code == 0, "\(run.errors)")
    #expect(try answers("replay", place.path("c.kymo")) == answers("replay", again))
    let selected = try kymo("list touches", gesture, "last")
    #expect(selected.code == 2)
  }

  /// Two sessions with a release, of which the second is cancelled and the first has an estimate of a key alone.
  private func released() throws -> String {
    try place.record(
      Scenarios.pinch, gesture: "pinch-open.evemu", into: "two.kymo", "--name", "open")
    return try place.record(
      Scenarios.pinch, gesture: "pinch-back.evemu", into: "two.kymo", "--name", "back")
  }

  @Test(arguments: ["transitions", "decisions", "estimates"])
  func `list prints the view of its name, of the last session or the one that is named`(
    view: String
  ) throws {
    let path = try released()
    for (name, session) in [(path, 2), ("\(path)#1", 1), ("\(path)#back", 2)] {
      let rows = try answers("list \(view)", name)
      #expect(!rows.isEmpty, "\(name)")
      #expect(
        try rows == answers("sql", path, "SELECT * FROM \(view) WHERE session = \(session)"))
    }
    let csv = try kymo("list \(view)", path, "--format", "csv").output
    let header = try kymo("sql", path, "SELECT * FROM \(view) LIMIT 0", "--format", "csv").output
    #expect(csv.hasPrefix(header))
    #expect(header.contains(","))
    #expect(try kymo("list \(view)", "\(path)#3").code == 2)
    // One in which nothing was released has the columns and no row.
    let still = try place.record(
      text: Scenarios.scripted(#"{"at": 0, "do": "mark", "text": "here"}"#), into: "still.kymo")
    #expect(try answers("list \(view)", still).isEmpty)
    #expect(try kymo("list \(view)", still, "--format", "csv").output == header)
  }

  @Test func `list losses has all sessions, deleted ones too, or the one that is named`() throws {
    let path = try released()
    #expect(try answers("list losses", path).isEmpty)
    #expect(try kymo("file trim", path, "--from", "0.1").code == 0)
    #expect(try kymo("file delete", "\(path)#1").code == 0)
    let losses = try answers("list losses", path)
    #expect(Set(losses.map { $0["what"].text }) == ["session", "trimmed"])
    #expect(try losses == answers("sql", path, "SELECT * FROM losses"))
    #expect(try answers("list losses", "\(path)#2").map { $0["what"].text } == ["trimmed"])
  }

  @Test func `list labels has the releases of several files, and which were decided otherwise`()
    throws
  {
    let path = try released()
    let other = try place.record(Scenarios.pinch, gesture: "pinch-open.evemu", into: "one.kymo")
    #expect(try answers("list labels", path, other).map { $0["label"] } == [.null, .null, .null])
    #expect(try kymo("label", "\(path)#1", "cancel").code == 0)
    #expect(try kymo("label", other, "finish").code == 0)
    let rows = try answers("list labels", path, other)
    #expect(rows.map { $0["file"].text } == [path, path, other])
    #expect(rows.map { $0["label"].text } == ["cancel", nil, "finish"])
    #expect(rows.map { $0["wrong"] } == [.bool(true), .null, .bool(false)])
    #expect(try answers("list labels", "\(path)#back").map { $0["label"] } == [.null])
    #expect(try kymo("list labels", path).output.contains("1 decided otherwise than meant"))
  }

  @Test func `list touches reads a gesture file as it reads a recording`() throws {
    let path = try released()
    #expect(
      try answers("list touches", "\(path)#open")
        == answers("list touches", fixture("gestures/pinch-open.evemu")))
  }

  @Test func `show describes the only session of a file, and of several the one that is named`()
    throws
  {
    let one = try place.record(Scenarios.pinch, gesture: "pinch-open.evemu", into: "one.kymo")
    let described = try kymo("show", "\(one)#1")
    #expect(described.code == 0)
    #expect(described.output.utf8.count <= 2000)
    let whole = try kymo("show", one).output
    #expect(whole.hasPrefix("\(one): "))
    #expect(whole.contains("progress"))
    #expect(whole.hasSuffix("\n" + described.output))
    let two = try released()
    let both = try kymo("show", two).output
    #expect(both.contains("2 sessions"))
    #expect(both.contains("open"))
    #expect(both.contains("back"))
    #expect(!both.contains(try kymo("show", "\(two)#2").output))
    // JSON of a file has sessions with their keys; of a session it has sentences.
    #expect(try answers("show", two).map { $0["keys"].array.isEmpty } == [false, false])
    let sentences = try answers("show", "\(two)#1")
    #expect(sentences.count > 2)
    #expect(sentences.allSatisfy { $0["about"].text != nil && $0["says"].text != nil })
    let list = try kymo("show", "\(two)#1", "--format", "markdown").output
    // Elements that move alike share a line, and numbers for programs have none.
    #expect((3...sentences.count).contains(list.split(separator: "\n").count))
    #expect(list.split(separator: "\n").allSatisfy { $0.hasPrefix("- **") })
    #expect(try kymo("show", two, "\(two)#1", "--json").code == 2)
  }

  @Test func `a file alone is shown, and a misspelt command is no file`() throws {
    let (one, two) = (
      try place.record(Scenarios.pinch, gesture: "pinch-open.evemu", into: "one.kymo"),
      try released()
    )
    #expect(try kymo(one).output == kymo("show", one).output)
    #expect(try kymo(two, one).output == kymo("show", two, one).output)
    #expect(try kymo("\(two)#1").output == kymo("show", "\(two)#1").output)
    #expect(try kymo(two, "--json").output == kymo("show", two, "--json").output)
    let missing = try kymo(place.path("none.kymo"))
    #expect(missing.code == 4)
    #expect(missing.errors.contains("none.kymo"))
    let misspelt = try kymo("replya", one)
    #expect(misspelt.code == 2)
    #expect(misspelt.errors.contains("Did you mean replay?"))
    // A command goes before a file of its name.
    let run = try kymo(["sql"], in: place.folder.url.path)
    _ = try place.file("sql", "no recording")
    #expect(try kymo(["sql"], in: place.folder.url.path).errors == run.errors)
    try FileManager.default.copyItem(atPath: one, toPath: place.path("run"))
    #expect(try kymo(["run"], in: place.folder.url.path).code == 0)
  }
}
