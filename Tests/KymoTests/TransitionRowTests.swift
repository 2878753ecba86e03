import Foundation
import JSONText
import KymographCSQLite
import TestSupport
import Testing

/// The view `transitions`, of what the engine ran and of an app's lines.
@Suite struct TransitionRowTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  private static let question = """
    SELECT transition || ' ' || ifnull(from_layout, '-') || ' to ' || ifnull(to_layout, '-') || ': '
      || ifnull(began, '-') || ' ' || ifnull(start_ns / 1000000, '-') || ' ' || ifnull(release_ns / 1000000, '-')
      || ' ' || ifnull(settle_ns / 1000000, '-') || ' ' || ifnull(completion_ns / 1000000, '-') || ' '
      || ifnull(outcome, '-') || ' ' || ifnull(decided_by, '-') || ' ' || ifnull(retargeted_from, '-') AS row
    FROM transitions ORDER BY session, sequence
    """

  /// Number, layouts, how it began, start, release, settle and completion in milliseconds, outcome, who
  /// decided, and what it took over from.
  private func transitions(_ path: String) throws -> [String] {
    try answers("sql", path, Self.question).compactMap { $0["row"].text }
  }

  @Test(arguments: [
    (
      "pinch",
      [
        "0 small to large: interactive 0 350 350 1350 cancel rule -",
        "1 small to large: interactive 2000 2350 2350 3350 finish rule -",
      ]
    ),
    (
      "queue",
      [
        "0 grid to detail: animated 0 400 400 400 finish time -",
        "1 detail to strip: animated 400 800 800 800 finish time -",
      ]
    ),
    (
      "retarget",
      [
        "0 grid to detail: interactive 0 150 150 250 finish app -",
        "1 detail to strip: interactive 250 350 350 1450 cancel app 0",
      ]
    ),
    (
      "push-pop",
      [
        "0 grid to detail: push 100 - 100 500 finish - -",
        "1 detail to grid: pop 700 - 700 1100 finish - -",
      ]
    ),
    (
      "cancel-in-place",
      [
        "0 grid to detail: interactive 0 - - 200 cancel - -",
        "1 grid to detail, frozen to grid: interactive 400 500 500 1500 finish app -",
      ]
    ),
    ("resize.off", ["0 small to large: animated 0 - 0 750 finish - -"]),
    ("circle", []),
  ])
  func `an example of the gallery has the transitions that its script names`(
    example: String, rows: [String]
  ) throws {
    let exhibit = try Exhibit(example)
    let found = try transitions(exhibit.path)
    #expect(found == rows, "\(exhibit.path)")
  }

  @Test(arguments: Gallery.examples)
  func `what is recorded live is what the events say, and a copy has it too`(example: String) throws
  {
    let exhibit = try Exhibit(example)
    let rows = try transitions(exhibit.path)
    let doctor = try kymo("file doctor", exhibit.path)
    #expect(!doctor.output.contains("transitions"))
    let copy = place.path("copy.kymo")
    #expect(try kymo("file merge", exhibit.path, "--into", copy).code == 0)
    #expect(try transitions(copy) == rows)
    let lines = try kymo("export", "ndjson", exhibit.path).output
    let again = place.path("again.kymo")
    #expect(try kymo("record", "--from-ndjson", "-", "--into", again, input: lines).code == 0)
    #expect(try transitions(again) == rows)
  }

  @Test func `layouts that are set at once are no transitions`() throws {
    let path = try place.record(
      text: Scenarios.scripted(
        #"{"at": 0.1, "do": "setLayout", "to": "large"}"#), into: "set.kymo")
    #expect(try answers("sql", path, "SELECT * FROM transitions").isEmpty)
  }

  @Test func `an app's lines without a decision have rows whose release is not known`() throws {
    let path = place.path("app.kymo")
    let lines = """
      {"kymograph": 1, "name": "app"}
      {"t_ns": 0, "event": "start", "from": "closed", "to": "open"}
      {"t_ns": 100000000, "event": "finish"}
      {"t_ns": 400000000, "event": "completion", "finished": true}
      {"t_ns": 500000000, "event": "start", "interactive": true}
      """
    #expect(try kymo("record", "--from-ndjson", "-", "--into", path, input: lines).code == 0)
    #expect(
      try transitions(path) == [
        "0 closed to open: - 0 - - 400 finish - -", "1 - to -: interactive 500 - - - - - -",
      ])
  }

  @Test func `a part that is cut out, or hashed, has the rows of the events that are left`() throws
  {
    let exhibit = try Exhibit("pinch")
    let hashed = place.path("hashed.kymo")
    #expect(try kymo("file merge", exhibit.path, "--into", hashed, "--hash-items").code == 0)
    let names = try answers("sql", hashed, "SELECT name FROM layouts").compactMap {
      $0["name"].text
    }
    let rows = try answers("sql", hashed, "SELECT * FROM transitions")
    #expect(rows.count == 2)
    #expect(
      rows.allSatisfy { names.contains($0["from_layout"].text ?? "") && $0["began"].text != nil })
    #expect(try kymo("file trim", hashed, "--from", "0.2").code == 0)
    #expect(
      try answers("sql", hashed, "SELECT transition, start_ns, release_ns FROM transitions").map {
        [$0["transition"].integer, $0["start_ns"].integer, $0["release_ns"].integer]
      } == [[0, nil, 350_000_000], [1, 2_000_000_000, 2_350_000_000]])
    #expect(try !kymo("file doctor", hashed).output.contains("transitions"))
  }

  @Test func `doctor finds rows that contradict the events, and recover makes them anew`() throws {
    let path = try place.record(Scenarios.script, into: "a.kymo")
    let rows = try transitions(path)
    #expect(!rows.isEmpty)
    var database: OpaquePointer?
    #expect(sqlite3_open(path, &database) == SQLITE_OK)
    #expect(
      sqlite3_exec(database, "UPDATE transition SET settle_ns = 5", nil, nil, nil) == SQLITE_OK)
    sqlite3_close(database)
    let doctor = try kymo("file doctor", path)
    #expect(doctor.code == 1)
    #expect(doctor.output.contains("contradict"))
    let saved = place.path("saved.kymo")
    _ = try kymo("file recover", path, "-o", saved)
    #expect(try transitions(saved) == rows)
  }
}
