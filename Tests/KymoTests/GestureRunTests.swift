import Foundation
import JSONText
import TestSupport
import Testing

/// What touches do to a transition, seen in the recording.
@Suite struct GestureRunTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  /// Milliseconds, contact, phase and y.
  private typealias Touch = (Int, String, String, Int)

  /// A pan whose progress is its vertical way over 100 points.
  private static let pan =
    "\"gesture\": {\"recognizer\": \"pan\", \"progress\": {\"of\": \"translation.y\", \"from\": 0, \"to\": 100}}"

  /// Records touches given as CSV rows of milliseconds, contact, phase and y.
  private func record(
    _ touches: [Touch], _ scenario: String = Scenarios.small(pan),
    code: Int32 = 0, _ more: String...
  ) throws -> (path: String, run: ProgramRun) {
    let rows = touches.map { "\($0.0)000000,\($0.1),\($0.2),5,\($0.3)\n" }.joined()
    let gesture = try place.file("touches.csv", "t_ns,id,phase,x,y\n" + rows)
    let run = try kymo(
      [
        "record", "--scenario", try place.file("scenario.json", scenario), "--gesture", gesture,
        "--into", place.path("run.kymo"), "--json",
      ] + more)
    #expect(run.code == code, "\(run.errors)")
    return (place.path("run.kymo"), run)
  }

  private func events(_ path: String) throws -> [String] {
    try answers("list events", path).compactMap { $0["event"].text }
  }

  /// A drag over `distance` points, from a millisecond on, a report every 10 ms.
  private func drag(_ distance: Int, from start: Int = 0, contact: String = "0") -> [Touch] {
    var touches: [Touch] = [(start, contact, "began", 0)]
    for step in 1...8 {
      touches.append((start + step * 10, contact, "moved", distance * step / 8))
    }
    touches.append((start + 80, contact, "ended", distance))
    return touches
  }

  @Test func `a drag that is cancelled goes back without velocity, live and told again`() throws {
    var touches = drag(60)
    touches[touches.count - 1].2 = "cancelled"
    let (path, _) = try record(touches)
    let rows = try answers("velocity", path, "--preset", "android")
    #expect(rows.map { $0["velocity"] } == Array(repeating: .null, count: 3))
    #expect(rows[0]["decision"].text == "cancel")
    #expect(rows[0]["decided_by"].text == "touch")
    let decision = try #require(try answers("list events", path, "--event", "decision").first)
    #expect(decision["progressVelocity"] == .null)
    #expect(decision["outcome"].text == "cancel")
    #expect(try kymo("velocity", path).output.contains("A contact was cancelled then."))
  }

  @Test func `a drag past half way finishes, one before it cancels`() throws {
    let (finished, _) = try record(drag(60))
    #expect(try answers("list sessions", finished)[0]["outcome"].text == "finished")
    try FileManager.default.removeItem(atPath: finished)
    let (cancelled, _) = try record(drag(50))
    #expect(try answers("list sessions", cancelled)[0]["outcome"].text == "cancelled")
    let decision = try #require(try answers("list events", cancelled, "--event", "decision").first)
    #expect(decision["progress"].number == 0.5)
    #expect(decision["decidedBy"].text == "rule")
    #expect(decision["marginProgress"].number == 0)
  }

  @Test func `a recording that ends without a lift is open and decides nothing`() throws {
    let (path, run) = try record(drag(60).dropLast(), code: 3)
    #expect(try rows(run.output)[0]["outcome"].text == "open")
    #expect(run.errors.contains("the recording ends while a contact is down"))
    #expect(try events(path) == ["warning", "gestureBegan", "start"])
    #expect(try answers("sql", path, "SELECT * FROM decisions") == [])
    for row in try answers("velocity", path) { #expect(row["decision"] == .null) }
  }

  @Test func `a cancelled touch cancels, however far it went`() throws {
    let (path, _) = try record(drag(90).dropLast() + [(80, "0", "cancelled", 90)])
    #expect(
      try events(path) == [
        "gestureBegan", "start", "gestureCancelled", "cancel", "decision", "settle", "install",
        "completion",
      ])
    let decision = try #require(try answers("list events", path, "--event", "decision").first)
    #expect(decision["decidedBy"].text == "touch")
    #expect(decision["ruleOutcome"].text == "finish")
    #expect((decision["marginProgress"].number ?? 0) < 0)
  }

  @Test func `a gesture that begins while a settle runs is refused, with an event`() throws {
    let touches = drag(60) + drag(60, from: 100, contact: "1")
    let (path, run) = try record(touches)
    #expect(run.errors.contains("refused"))
    let errors = try answers("list events", path, "--event", "error")
    #expect(errors.map { $0["code"].text } == ["alreadyInTransition"])
    #expect(errors[0]["t_ns"].integer == 100_000_000)
    #expect(try answers("list events", path, "--event", "start").count == 1)
    #expect(try answers("list sessions", path)[0]["outcome"].text == "finished")
    let strict = try record(touches, code: 1, "--strict")
    #expect(strict.run.errors.contains("refused"))
    #expect(try answers("list sessions", path).count == 2)
  }

  @Test func `after a finish the next gesture goes back to the other layout`() throws {
    let (path, _) = try record(
      drag(60) + drag(70, from: 3000, contact: "1") + drag(20, from: 6000, contact: "2"))
    let starts = try answers("list events", path, "--event", "start")
    #expect(starts.map { $0["to"].text } == ["large", "small", "large"])
    #expect(starts.map { $0["transition"].integer } == [0, 1, 2])
    #expect(
      try answers("list events", path, "--event", "install").map { $0["layout"].text } == [
        "large", "small", "small",
      ])
    #expect(try answers("list sessions", path)[0]["outcome"].text == "cancelled")
  }

  @Test func `at equal times the script comes before the touches`() throws {
    let scenario = Scenarios.small(
      Self.pan + ", \"script\": [{\"at\": 0, \"do\": \"mark\", \"text\": \"first\"},"
        + " {\"at\": 0.08, \"do\": \"mark\", \"text\": \"second\"}]")
    let (path, _) = try record(drag(60), scenario)
    #expect(
      try events(path) == [
        "mark", "gestureBegan", "start", "mark", "gestureEnded", "finish", "decision", "settle",
        "install", "completion",
      ])
  }

  @Test func `touches are kept in the device's units, and the map makes points of them`() throws {
    let scenario = Scenarios.small(
      "\"gesture\": {\"recognizer\": \"pan\", \"map\": {\"scale\": [2, 0.5], \"offset\": [1, 7]},"
        + " \"keys\": {\"fingerX\": \"centroid.x\", \"fingerY\": \"centroid.y\"}}")
    let (path, _) = try record([(0, "0", "began", 10), (10, "0", "moved", 20)], scenario, code: 3)
    #expect(try answers("list touches", path).map { $0["y"].number } == [10, 20])
    #expect(
      try answers("replay", path, "--key", "fingerY").map { $0["value"].number } == [
        12, 17,
      ])
    #expect(
      try answers("replay", path, "--key", "fingerX").map { $0["value"].number } == [
        11, 11,
      ])
  }

  @Test func `a key given as text freezes, one with targets settles to them`() throws {
    let scenario = Scenarios.small(
      "\"gesture\": {\"recognizer\": \"pan\","
        + " \"progress\": {\"of\": \"translation.y\", \"from\": 0, \"to\": 100},"
        + " \"keys\": {\"stays\": \"translation.y\","
        + " \"goes\": {\"of\": \"translation.y\", \"finishTarget\": 7, \"cancelTarget\": -3}}}")
    let (finished, _) = try record(drag(60), scenario)
    let keys = try answers("list keys", finished)
    #expect(keys.first { $0["key"].text == "stays" }?["last"].number == 60)
    #expect(keys.first { $0["key"].text == "goes" }?["last"].number == 7)
    try FileManager.default.removeItem(atPath: finished)
    let (cancelled, _) = try record(drag(40), scenario)
    #expect(
      try answers("list keys", cancelled).first { $0["key"].text == "goes" }?["last"].number == -3)
  }

  @Test func `touches that are absurdly far apart are refused before a file is made`() throws {
    let gesture = try place.file(
      "far.csv", "t_ns,id,phase,x,y\n0,0,began,1,1\n9000000000000000000,0,ended,1,1\n")
    let run = try kymo(
      "record", "--scenario", fixture("scenarios/\(Scenarios.drag)"), "--gesture", gesture,
      "--into", place.path("run.kymo"))
    #expect(run.code == 4)
    #expect(run.errors.contains("frames"))
    #expect(try place.names() == ["far.csv"])
  }
}

/// Gesture files and scenarios that are broken.
@Suite struct DamagedInputTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  @Test func `a gesture file that is cut off is used as far as it goes, with the code for a loss`()
    throws
  {
    let whole = try String(contentsOfFile: fixture("gestures/drag-rest.evemu"), encoding: .utf8)
    let cut = try place.file("cut.evemu", String(whole.prefix(whole.count * 2 / 3)))
    let run = try kymo(
      "record", "--scenario", fixture("scenarios/\(Scenarios.drag)"), "--gesture", cut, "--into",
      place.path("run.kymo"))
    #expect(run.code == 3)
    #expect(run.errors.contains("cut.evemu:\(try lineCount(cut)): "), "\(run.errors)")
    #expect(try answers("list sessions", place.path("run.kymo"))[0]["outcome"].text == "open")
    let warnings = try answers("list events", place.path("run.kymo"), "--event", "warning")
    #expect(Set(warnings.map { $0["code"].text }) == ["gestureLoss"])
    let touches = try kymo("list touches", cut, "--json")
    #expect(touches.code == 3)
    #expect(try rows(touches.output) == answers("list touches", place.path("run.kymo")))
  }

  private func lineCount(_ path: String) throws -> Int {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").count
  }

  /// Content that is no gesture, no scenario and no app's lines.
  static let rubbish: [(name: String, bytes: Data)] = [
    ("empty", Data()), ("blank", Data("\n\n  \n".utf8)), ("text", Data("hello\nworld\n".utf8)),
    ("binary", Data((0..<4000).map { UInt8(truncatingIfNeeded: $0 &* 7919 >> 3) })),
    ("zeros", Data(count: 5000)), ("brackets", Data(String(repeating: "[", count: 100_000).utf8)),
    ("number", Data("1e999".utf8)),
    ("absurd", Data("t_ns,id,phase,x,y\n99999999999999999999,0,began,1e999,nan\n".utf8)),
  ]

  @Test func `rubbish makes no recording, and leaves one that is there as it is`() throws {
    try place.record(Scenarios.script, into: "there.kymo")
    let before = try place.bytes("there.kymo")
    for (name, bytes) in DamagedInputTests.rubbish {
      try bytes.write(to: URL(fileURLWithPath: place.path(name)))
      let scenario = fixture("scenarios/\(Scenarios.drag)")
      for (input, code) in [
        (["--scenario", scenario, "--gesture", place.path(name)], 4),
        (["--scenario", place.path(name)], 2), (["--from-ndjson", place.path(name)], 4),
      ] as [([String], Int32)] {
        for target in ["there.kymo", "new.kymo"] {
          let run = try kymo(["record", "--into", place.path(target)] + input)
          #expect(run.code == code, "\(name) \(input[0]): \(run.errors)")
          #expect(run.errors.hasPrefix("kymo "), "\(name)")
          #expect(run.errors.split(separator: "\n").count == 1, "\(name): \(run.errors)")
          #expect(run.output == "")
        }
      }
    }
    #expect(try place.bytes("there.kymo") == before)
    #expect(
      try place.names() == (DamagedInputTests.rubbish.map(\.name) + ["there.kymo"]).sorted())
  }

  @Test func `files that are not there, and folders, are unreadable`() throws {
    let scenario = fixture("scenarios/\(Scenarios.drag)")
    for path in [place.path("none"), place.folder.url.path] {
      for input in [
        ["--scenario", scenario, "--gesture", path], ["--scenario", path],
        ["--from-ndjson", path],
      ] {
        let run = try kymo(["record", "--into", place.path("run.kymo")] + input)
        #expect(run.code == 4, "\(input)")
        #expect(run.errors.contains(path))
      }
    }
    let nowhere = try kymo(
      "record", "--scenario", fixture("scenarios/\(Scenarios.script)"), "--into",
      place.path("no/such/folder.kymo"))
    #expect(nowhere.code == 4)
    #expect(try place.names() == [])
  }

  @Test func `a target that is something else is not written over`() throws {
    let text = try place.file("notes.txt", "my notes, not to be lost\n")
    let run = try kymo(
      "record", "--scenario", fixture("scenarios/\(Scenarios.script)"), "--into", text)
    #expect(run.code == 4)
    #expect(try String(decoding: place.bytes("notes.txt"), as: UTF8.self).hasPrefix("my notes"))
    #expect(try place.names() == ["notes.txt"])
  }

  @Test func `a script that would run for ages is refused before a file is made`() throws {
    for scenario in [
      Scenarios.scripted("{\"at\": 31000000, \"do\": \"mark\", \"text\": \"late\"}"),
      Scenarios.scripted("{\"at\": 3600, \"do\": \"mark\", \"text\": \"late\"}")
        .replacingOccurrences(of: "\"refreshRate\": 100", with: "\"refreshRate\": 9000"),
    ] {
      let path = try place.file("scenario.json", scenario)
      let run = try kymo("record", "--scenario", path, "--into", place.path("run.kymo"))
      #expect(run.code == 2)
      #expect(run.errors.contains("$.script[0]"))
      #expect(run.errors.contains("frames"))
    }
    #expect(try place.names() == ["scenario.json"])
  }
}
