import Foundation
import JSONText
import TestSupport
import Testing

/// Recordings that are cut, brought together, redacted and migrated from the command line.
@Suite struct MaintenanceTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  @Test func `sessions are merged once, deleted and trimmed, and losses tell of it`() throws {
    try place.record(Scenarios.script, into: "a.kymo")
    try place.record(Scenarios.script, into: "b.kymo")
    let merge = [
      "file merge", place.path("a.kymo"), place.path("b.kymo"), "--into", place.path("all.kymo"),
    ]
    let first = try kymo(merge + ["--json"])
    #expect(first.code == 0)
    let second = try kymo(merge)
    #expect(second.code == 0)
    #expect(second.errors.contains("already"))
    #expect(try answers("list sessions", place.path("all.kymo")).count == 2)
    #expect(try kymo("file delete", place.path("all.kymo#1")).code == 0)
    #expect(try kymo("file trim", place.path("all.kymo"), "--from", "0.2").code == 0)
    let losses = try answers(
      "sql", place.path("all.kymo"), "SELECT session, what FROM losses ORDER BY session")
    #expect(losses.map { $0["what"].text } == ["session", "trimmed"])
    #expect(try kymo("replay", place.path("all.kymo")).code == 0)
    #expect(try kymo("file delete", place.path("all.kymo#1")).code == 2)
  }

  @Test func `a redacted recording has neither touches nor names`() throws {
    let output = place.path("private.kymo")
    let run = try kymo(
      "record", "--scenario", fixture("scenarios/grid-to-detail.drag.json"), "--gesture",
      fixture("gestures/drag-flick.getevent.txt"), "--into", output, "--no-touches", "--hash-items",
      "--salt", "pepper")
    #expect(run.code == 0)
    #expect(try answers("list touches", output).isEmpty)
    let ids = try answers("sql", output, "SELECT id FROM items")
    #expect(!ids.isEmpty)
    #expect(ids.allSatisfy { $0["id"].text?.count == 16 })
    let session = try answers("sql", output, "SELECT scenario, redaction FROM sessions")
    #expect(session.map { $0["scenario"] } == [.null])
    #expect(session.map { $0["redaction"].text } == [#"["touches","item ids"]"#])
    #expect(try kymo("velocity", output).code == 0)
  }

  /// An app's lines that have a name, alice, wherever one may stand, and places of touches at .5 of a point.
  private static let telling = """
    {"kymograph": 1, "name": "alice's run", "device": "alice's phone", "clock": "alice", "software": "alice's app", "origin": {"uuid": "u", "changes": [], "engineVersion": "alice 7"}}
    {"t_ns": 0, "event": "tap on alice", "x": 123.5, "who": "alice at 77.5", "alice": 1, "a": {"alice": [1.5, "alice", {"id": "alice"}]}}
    {"t_ns": 0, "event": "mark", "text": "here is alice"}
    {"t_ns": 0, "event": "gestureBegan", "recognizer": "alice", "contacts": 1, "to": "alice", "location": [55.5, 2]}
    {"t_ns": 0, "key": "item.alice.alpha", "value": 0.25, "unit": "alices"}
    {"t_ns": 0, "key": "alice", "value": 0.25}
    {"t_ns": 0, "frame": {"progress": 0.25, "items": [{"id": "alice", "kind": "supplementary", "elementKind": "alices", "frame": [0, 0, 50, 50]}]}}
    {"t_ns": 8333333, "touch": {"contact": 0, "phase": "began", "x": 99.5, "y": 20}}
    {"t_ns": 9000000, "decision": {"transition": 0, "outcome": "finish", "decidedBy": "alice", "rule": "alice", "ruleOutcome": "finish", "threshold": 1, "progress": 1}}
    """

  /// Every row of every table, as text.
  private func content(_ path: String) throws -> String {
    let tables = try answers("sql", path, "SELECT name FROM sqlite_schema WHERE type = 'table'")
    return try tables.compactMap { $0["name"].text }.filter { $0 != "migration" }.map {
      try kymo("sql", path, "SELECT * FROM \($0) ORDER BY 1, 2", "--json").output
    }.joined()
  }

  @Test func `a redaction lets through what is kymo's own alone, in copies and while recording`()
    throws
  {
    let words = [
      "record", "--from-ndjson", "-", "--uuid", "00000000-0000-4000-8000-000000000001",
      "--wall-clock", "0", "--into",
    ]
    let input = Data(Self.telling.utf8)
    let plain = place.path("plain.kymo")
    let run = try kymo(words + [plain], input: input)
    #expect(run.code == 0, "\(run.errors)")
    #expect(try content(plain).contains("alice"))
    let flags = ["--no-touches", "--hash-items"]
    for flags in [flags, ["--no-touches"], ["--hash-items"], flags + ["--salt", "s"]] {
      let (live, merged) = (place.path("live.kymo"), place.path("merged.kymo"))
      #expect(try kymo(words + [live] + flags, input: input).code == 0)
      #expect(try kymo(["file merge", plain, "--into", merged] + flags).code == 0)
      let found = try content(live)
      #expect(try content(merged) == found)
      #expect(found.contains("alice") == !flags.contains("--hash-items"))
      #expect(found.contains(".5") == !flags.contains("--no-touches"))
      #expect(found.contains("0.25"))
      #expect(found.contains("gestureBegan"))
      if flags.contains("--hash-items") {
        for file in ["live.kymo", "merged.kymo"] {
          #expect(try place.bytes(file).range(of: Data("alice".utf8)) == nil)
        }
        let id = try #require(try answers("sql", live, "SELECT id FROM items")[0]["id"].text)
        let keys = try answers("list keys", live).compactMap { $0["key"].text }
        #expect(keys == ["item.\(id).alpha", id])
      }
      for path in [live, merged] { try FileManager.default.removeItem(atPath: path) }
    }
  }

  @Test(arguments: Gallery.examples)
  func `of what the engine says by itself nothing is hashed`(_ example: String) throws {
    let exhibit = try Exhibit(example)
    let output = place.path("shared.kymo")
    #expect(
      try kymo("file merge", exhibit.path, "--into", output, "--no-touches", "--hash-items").code
        == 0)
    let texts = "('id', 'layout', 'from', 'to', 'text', 'message', 'key')"
    for question in [
      "SELECT sequence, t_ns, kind FROM event", "SELECT type FROM layout",
      """
      SELECT e.sequence, f.fullkey, f.atom FROM event AS e, json_tree(e.fields) AS f
      WHERE f.type <> 'text'
      """,
      """
      SELECT e.sequence, f.key, f.atom FROM event AS e, json_tree(e.fields) AS f
      WHERE f.type = 'text' AND f.key NOT IN \(texts)
      """,
      "SELECT json_remove(transition, '$.keys'), settle, release FROM sessions",
      "SELECT name, role, unit FROM key WHERE role = 'progress'",
      "SELECT category, element_kind FROM item", "SELECT * FROM decision",
      "SELECT * FROM estimate", "SELECT * FROM plain_sample", "SELECT * FROM frame",
    ] {
      let before = try kymo("sql", exhibit.path, question, "--json").output
      #expect(try kymo("sql", output, question, "--json").output == before, "\(question)")
      #expect(before.hasPrefix("["))
    }
    // What there was before the first million rows is plain.
    #expect(try answers("sql", exhibit.path, "SELECT * FROM segment").isEmpty)
  }

  @Test func `older recordings are migrated once, and stay as they are when they are new`() throws {
    for name in ["v1", "v2", "v3", "v3-sealed", "v4", "v4-sealed", "v5", "v5-sealed"] {
      let version = try #require(Int64(String(name.dropFirst().prefix(1))))
      let copy = place.path("\(name).kymo")
      try FileManager.default.copyItem(atPath: fixture("recordings/\(name).kymo"), toPath: copy)
      let before = try answers("velocity", copy)
      let rows = try answers("sql", copy, "SELECT * FROM transitions")
      #expect(try answers("file migrate", copy).map { $0["from"].integer } == [version])
      #expect(try answers("velocity", copy) == before)
      #expect(try answers("sql", copy, "SELECT * FROM transitions") == rows)
      let bytes = try place.bytes("\(name).kymo")
      #expect(try answers("file migrate", copy).map { $0["from"].integer } == [6])
      #expect(try place.bytes("\(name).kymo") == bytes)
    }
  }

  @Test func `calls that make no sense are refused`() throws {
    try place.record(Scenarios.script, into: "a.kymo")
    let path = place.path("a.kymo")
    for words in [
      ["file trim", path], ["file trim", path, "--from", "2", "--to", "1"], ["file merge", path],
      ["file merge", path, "--into", path],
      ["file merge", path, "--into", place.path("b.kymo"), "--salt", "x"],
    ] {
      #expect(try kymo(words).code == 2, "\(words)")
    }
    #expect(
      try kymo("file merge", place.path("none.kymo"), "--into", place.path("c.kymo")).code == 4)
    #expect(!FileManager.default.fileExists(atPath: place.path("c.kymo")))
  }
}
