import Foundation
import JSONText
import TestSupport
import Testing

@Suite struct RecordTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  private func words(_ name: String, _ more: String...) -> [String] {
    ["record", "--into", place.path(name)] + more
  }

  @Test(arguments: [
    "drag-rest.evemu", "drag-flick.getevent.txt", "two-fingers.getevent-lt.txt",
    "two-fingers.getevent-t.txt", "drag-short.csv", "swipe.pointer.ndjson",
    "two-fingers.pointer.ndjson", "two-fingers.evemu",
  ])
  func `a gesture of every format drives the transition`(gesture: String) throws {
    let path = try place.record(Scenarios.drag, gesture: gesture, into: "a.kymo")
    let events = try answers("list events", path).compactMap { $0["event"].text }
    #expect(
      events == [
        "gestureBegan", "start", "gestureEnded", events[3], "decision", "settle", "install",
        "completion",
      ])
    #expect(["finish", "cancel"].contains(events[3]))
    let session = try #require(try answers("list sessions", path).first)
    #expect(session["gesture_source"].text?.hasPrefix(gesture + " (") == true)
    #expect(session["clean"] == .bool(true))
    let driven = try answers("replay", path).filter { $0["phase"].text == "driving" }
    #expect(driven.count > 10)
    #expect(Set(driven.map { $0["progress"] }).count > 5)
  }

  @Test func `what the demo and the first tutorial record has no warning`() throws {
    let demo = try String(
      contentsOf: packageFolder.appendingPathComponent("Tools/demo"), encoding: .utf8)
    let recorded = demo.matches(
      of: /--scenario \$scenarios\/(\S+) \\\s+--gesture \$gestures\/(\S+)/)
    #expect(recorded.count == 2)
    for (number, match) in recorded.enumerated() {
      let (_, scenario, gesture) = match.output
      let path = try place.record(
        String(scenario), gesture: String(gesture), into: "\(number).kymo")
      let info = try kymo("show", path).output
      #expect(!info.contains("warning"), "\(scenario): \(info)")
    }
    let tutorial = try #require(manualPages.first { $0.name == "GettingStarted.md" }).text
    #expect(!tutorial.contains("error or warning"))
  }

  @Test func `one gesture in several formats gives the same numbers`() throws {
    var progress: [[Double?]] = []
    for format in ["evemu", "getevent-lt.txt", "getevent-t.txt"] {
      let path = try place.record(
        Scenarios.drag, gesture: "two-fingers.\(format)", into: "\(format).kymo")
      progress.append(try answers("replay", path).map { $0["progress"].number })
    }
    #expect(progress[0] == progress[1])
    #expect(progress[0] == progress[2])
  }

  @Test func `the format can be named, and a wrong name is refused`() throws {
    let scenario = fixture("scenarios/\(Scenarios.drag)")
    let gesture = fixture("gestures/drag-short.csv")
    let good = try kymo(
      words("a.kymo", "--scenario", scenario, "--gesture", gesture, "--gesture-format", "table"))
    #expect(good.code == 0)
    let wrong = try kymo(
      words("b.kymo", "--scenario", scenario, "--gesture", gesture, "--gesture-format", "xls"))
    #expect(wrong.code == 2)
    #expect(wrong.errors.contains("unknown value 'xls'"))
    let mistaken = try kymo(
      words("b.kymo", "--scenario", scenario, "--gesture", gesture, "--gesture-format", "evemu"))
    #expect(mistaken.code == 4)
    #expect(try place.names() == ["a.kymo"])
  }

  @Test func `scenario and gesture may come from standard input, but not both`() throws {
    let scenario = fixture("scenarios/\(Scenarios.drag)")
    let gesture = fixture("gestures/drag-short.csv")
    let text = try String(contentsOfFile: gesture, encoding: .utf8)
    let run = try kymo(
      words("a.kymo", "--scenario", scenario, "--gesture", "-"), input: Data(text.utf8))
    #expect(run.code == 0, "\(run.errors)")
    try place.record(Scenarios.drag, gesture: "drag-short.csv", into: "b.kymo")
    #expect(
      try answers("replay", place.path("a.kymo")) == answers("replay", place.path("b.kymo")))
    let both = try kymo(words("c.kymo", "--scenario", "-", "--gesture", "-"))
    #expect(both.code == 2)
    #expect(!FileManager.default.fileExists(atPath: place.path("c.kymo")))
  }

  @Test func `a recording that is there gets one more session`() throws {
    try place.record(Scenarios.drag, gesture: "drag-rest.evemu", into: "a.kymo")
    try place.record(Scenarios.script, into: "a.kymo", "--name", "second, by hand")
    let sessions = try answers("list sessions", place.path("a.kymo"))
    #expect(sessions.map { $0["session"].integer } == [1, 2])
    #expect(
      sessions.map { $0["name"].text } == ["grid to detail, dragged", "second, by hand"])
    #expect(sessions.map { $0["outcome"].text } == ["cancelled", "finished"])
    #expect(sessions.map { $0["clock"].text } == ["virtual", "virtual"])
    #expect(try place.names() == ["a.kymo"])
  }

  @Test func `what was recorded is printed as one row`() throws {
    let run = try kymo(
      words("a.kymo", "--json", "--name", "n", "--scenario")
        + [fixture("scenarios/\(Scenarios.script)")])
    let row = try #require(try rows(run.output).first)
    #expect(row["file"].text == place.path("a.kymo"))
    #expect(row["session"].integer == 1)
    #expect(row["name"].text == "n")
    #expect(row["outcome"].text == "finished")
    #expect(row["uuid"].text?.count == 36)
    #expect(row["lost"].integer == 0)
    #expect(
      Double(row["frames"].integer ?? 0)
        == Double(try answers("replay", place.path("a.kymo")).count))
  }

  @Test func `scenarios that would do nothing, and gestures with nothing to drive, are refused`()
    throws
  {
    let gesture = fixture("gestures/drag-short.csv")
    for (scenario, gesture) in [
      (Scenarios.small(), nil), (Scenarios.small(), gesture),
      (Scenarios.small("\"gesture\": {\"recognizer\": \"pan\"}"), nil),
    ] {
      let run = try kymo(
        words("a.kymo", "--scenario", "-") + (gesture.map { ["--gesture", $0] } ?? []),
        input: Data(scenario.utf8))
      #expect(run.code == 2)
      #expect(run.errors.hasPrefix("kymo "))
      #expect(run.errors.split(separator: "\n").count == 1)
    }
    #expect(try kymo(words("a.kymo")).code == 2)
    #expect(try kymo("record", "--scenario", "x").code == 2)
    #expect(try kymo(words("a.kymo", "--scenario", "a", "--from-ndjson", "b")).code == 2)
    #expect(try kymo("record", "--scenario", "x", "--into", "-").code == 2)
    #expect(try place.names() == [])
  }
}

@Suite struct SameRecordingTests {
  let place: Workplace
  static let identity = [
    "--uuid", "123E4567-e89b-42d3-a456-426614174000", "--wall-clock", "2026-01-31T12:00:00.25Z",
  ]

  init() throws { place = try Workplace() }

  private func record(
    _ name: String, _ more: [String], environment: [String: String] = [:]
  ) throws {
    let run = try kymo(
      [
        "record", "--scenario", fixture("scenarios/\(Scenarios.pinch)"), "--gesture",
        fixture("gestures/pinch-open.evemu"), "--into", place.path(name),
      ] + more, environment: environment)
    #expect(run.code == 0, "\(run.errors)")
  }

  @Test func `with identity and wall clock given, the same input makes the same file`() throws {
    try record("a.kymo", SameRecordingTests.identity)
    try record("b.kymo", SameRecordingTests.identity)
    #expect(try place.bytes("a.kymo") == place.bytes("b.kymo"))
    let session = try #require(try answers("list sessions", place.path("a.kymo")).first)
    #expect(session["uuid"].text == "123e4567-e89b-42d3-a456-426614174000")
    #expect(session["start"].text == "2026-01-31T12:00:00.250000000Z")
  }

  @Test func `the environment may give them, and flags come before it`() throws {
    let environment = [
      "KYMO_UUID": "00000000-0000-4000-8000-00000000000a", "SOURCE_DATE_EPOCH": "1700000000",
    ]
    try record("a.kymo", [], environment: environment)
    try record("b.kymo", [], environment: environment)
    #expect(try place.bytes("a.kymo") == place.bytes("b.kymo"))
    let session = try #require(try answers("list sessions", place.path("a.kymo")).first)
    #expect(session["uuid"].text == "00000000-0000-4000-8000-00000000000a")
    #expect(session["start"].text == "2023-11-14T22:13:20.000000000Z")
    try record("c.kymo", SameRecordingTests.identity, environment: environment)
    try record("d.kymo", SameRecordingTests.identity)
    #expect(try place.bytes("c.kymo") == place.bytes("d.kymo"))
  }

  @Test func `without them the rows are the same, and the identities are not`() throws {
    try record("a.kymo", [])
    try record("b.kymo", [])
    for view in [
      "layouts", "keys", "samples", "items", "frames", "attributes", "touches", "events",
      "decisions", "estimates", "losses",
    ] {
      let query = "SELECT * FROM \(view)"
      let rows = try answers("sql", place.path("a.kymo"), query)
      #expect(rows == (try answers("sql", place.path("b.kymo"), query)), "\(view)")
      #expect(view == "losses" || !rows.isEmpty, "\(view)")
    }
    let identities = try answers(
      "sql", place.path("a.kymo"), "SELECT uuid FROM sessions")
    #expect(identities != (try answers("sql", place.path("b.kymo"), "SELECT uuid FROM sessions")))
  }

  @Test func `an identity or a wall clock that is none is refused`() throws {
    for more in [["--uuid", "x"], ["--wall-clock", "yesterday"], ["--wall-clock", "nan"]] {
      let run = try kymo(
        [
          "record", "--scenario", fixture("scenarios/\(Scenarios.script)"), "--into",
          place.path("a.kymo"),
        ] + more)
      #expect(run.code == 2, "\(more)")
      #expect(run.errors.contains("'\(more[1])'"))
    }
    #expect(try place.names() == [])
  }

  @Test func `an identity that the file has already is refused, and its session stays`() throws {
    try record("a.kymo", SameRecordingTests.identity)
    let before = try answers("sql", place.path("a.kymo"), "SELECT * FROM samples")
    let run = try kymo(
      [
        "record", "--scenario", fixture("scenarios/\(Scenarios.script)"), "--into",
        place.path("a.kymo"),
      ] + SameRecordingTests.identity)
    #expect(run.code != 0)
    #expect(run.errors.contains("123e4567-e89b-42d3-a456-426614174000"))
    #expect(try answers("sql", place.path("a.kymo"), "SELECT * FROM samples") == before)
    #expect(try answers("list sessions", place.path("a.kymo")).count == 1)
  }
}
