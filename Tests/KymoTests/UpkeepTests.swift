import Foundation
import JSONText
import TestSupport
import Testing

/// Recordings that are cut, brought together, redacted and migrated from the command line.
@Suite struct UpkeepTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  @Test func `sessions are merged once, deleted and trimmed, and losses tell of it`() throws {
    try place.record(Scenarios.script, into: "a.kymo")
    try place.record(Scenarios.script, into: "b.kymo")
    let merge = ["merge", place.path("a.kymo"), place.path("b.kymo"), "-o", place.path("all.kymo")]
    let first = try ProgramRun.run(merge + ["--json"])
    #expect(first.code == 0)
    let second = try ProgramRun.run(merge)
    #expect(second.code == 0)
    #expect(second.errors.contains("already"))
    #expect(try answers("sessions", place.path("all.kymo")).count == 2)
    #expect(try kymo("delete", place.path("all.kymo"), "1").code == 0)
    #expect(try kymo("trim", place.path("all.kymo"), "--since", "0.2").code == 0)
    let losses = try answers(
      "sql", place.path("all.kymo"), "SELECT session, what FROM losses ORDER BY session")
    #expect(losses.map { $0["what"].text } == ["session", "trimmed"])
    #expect(try kymo("replay", place.path("all.kymo")).code == 0)
    #expect(try kymo("delete", place.path("all.kymo"), "1").code == 2)
  }

  @Test func `a redacted recording has neither touches nor names`() throws {
    let output = place.path("private.kymo")
    let run = try kymo(
      "record", "--scenario", fixture("scenarios/grid-to-detail.drag.json"), "--gesture",
      fixture("gestures/drag-flick.getevent.txt"), "--into", output, "--no-touches", "--hash-items",
      "--salt", "pepper")
    #expect(run.code == 0)
    #expect(try answers("touches", output).isEmpty)
    let ids = try answers("sql", output, "SELECT id FROM items")
    #expect(!ids.isEmpty)
    #expect(ids.allSatisfy { $0["id"].text?.count == 16 })
    let session = try answers("sql", output, "SELECT scenario, redaction FROM sessions")
    #expect(session.map { $0["scenario"] } == [.null])
    #expect(session.map { $0["redaction"].text } == [#"["touches","item ids"]"#])
    #expect(try kymo("velocity", output).code == 0)
  }

  @Test func `older recordings are migrated once, and stay as they are when they are new`() throws {
    for version in [1, 2] {
      let copy = place.path("v\(version).kymo")
      try FileManager.default.copyItem(atPath: fixture("recordings/v\(version).kymo"), toPath: copy)
      let before = try answers("velocity", copy)
      #expect(try answers("migrate", copy).map { $0["from"].integer } == [Int64(version)])
      #expect(try answers("velocity", copy) == before)
      let bytes = try place.bytes("v\(version).kymo")
      #expect(try answers("migrate", copy).map { $0["from"].integer } == [3])
      #expect(try place.bytes("v\(version).kymo") == bytes)
    }
  }

  @Test func `calls that make no sense are refused`() throws {
    try place.record(Scenarios.script, into: "a.kymo")
    let path = place.path("a.kymo")
    for words in [
      ["trim", path], ["trim", path, "--since", "2", "--until", "1"], ["merge", path],
      ["merge", path, "-o", path], ["merge", path, "-o", place.path("b.kymo"), "--salt", "x"],
    ] {
      #expect(try ProgramRun.run(words).code == 2, "\(words)")
    }
    #expect(try kymo("merge", place.path("none.kymo"), "-o", place.path("c.kymo")).code == 4)
    #expect(!FileManager.default.fileExists(atPath: place.path("c.kymo")))
  }
}
