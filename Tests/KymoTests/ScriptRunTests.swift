import Foundation
import JSONText
import TestSupport
import Testing

/// What the engine refuses on the way is an event, and the run goes on.
@Suite struct ScriptRunTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  private static let misuse = Scenarios.scripted(
    """
    {"at": 0, "do": "finish"},
    {"at": 0.01, "do": "progress", "value": 0.5},
    {"at": 0.02, "do": "start", "to": "large"},
    {"at": 0.03, "do": "start", "to": "large"},
    {"at": 0.04, "do": "setLayout", "to": "large"},
    {"at": 0.05, "do": "progress", "value": 0.25},
    {"at": 0.06, "do": "cancel"},
    {"at": 0.07, "do": "finish"},
    {"at": 0.07, "do": "value", "key": "k", "value": 1}
    """)

  @Test func `steps at the wrong time become error events, and the script goes on`() throws {
    let run = try kymo(
      ["record", "--scenario", "-", "--into", place.path("a.kymo"), "--json"],
      input: Data(Self.misuse.utf8))
    #expect(run.code == 0)
    #expect(run.errors.split(separator: "\n").count == 6)
    #expect(try rows(run.output)[0]["outcome"].text == "cancelled")
    let errors = try answers("list events", place.path("a.kymo"), "--event", "error")
    #expect(
      errors.map { $0["t_ns"].integer } == [
        0, 10_000_000, 30_000_000, 40_000_000, 70_000_000, 70_000_000,
      ])
    #expect(
      errors.map { $0["code"].text } == [
        "notInTransition", "notInTransition", "alreadyInTransition", "alreadyInTransition",
        "notInTransition", "notInTransition",
      ])
    for error in errors { #expect(error["message"].text?.hasSuffix(".") == true) }
  }

  @Test func `with strict they end the program with no, and are recorded all the same`() throws {
    let run = try kymo(
      ["record", "--scenario", "-", "--into", place.path("a.kymo"), "--strict"],
      input: Data(Self.misuse.utf8))
    #expect(run.code == 1)
    #expect(try answers("list events", place.path("a.kymo"), "--event", "error").count == 6)
    #expect(try answers("list sessions", place.path("a.kymo"))[0]["clean"] == .bool(true))
    try place.record(Scenarios.script, into: "b.kymo", "--strict")
  }

  @Test func `values that are set by a script settle to the targets that it gives`() throws {
    let path = try place.record(
      text: Scenarios.scripted(
        """
        {"at": 0, "do": "start", "to": "large"},
        {"at": 0.01, "do": "value", "key": "a", "value": 10, "finishTarget": 4},
        {"at": 0.01, "do": "value", "key": "b", "value": 10},
        {"at": 0.02, "do": "progress", "value": 0.9},
        {"at": 0.02, "do": "finish"}
        """), into: "a.kymo")
    let keys = try answers("list keys", path)
    #expect(keys.map { $0["key"].text } == ["progress", "a", "b"])
    #expect(keys.map { $0["last"].number } == [1, 4, 0])
    #expect(keys.map { $0["role"].text } == ["progress", "animated", "animated"])
  }

  @Test func `a scroll, a mark and a layout that is set leave their events`() throws {
    let path = try place.record(
      text: Scenarios.scripted(
        """
        {"at": 0, "do": "setLayout", "to": "large"},
        {"at": 0.01, "do": "scroll", "to": [0, -20]},
        {"at": 0.02, "do": "scrollToItem", "item": [0, 2], "position": "top"},
        {"at": 0.03, "do": "mark", "text": "done, \\"well\\""}
        """), into: "a.kymo")
    let frames = try answers("replay", path)
    #expect(frames.map { $0["t_ns"].integer } == [0, 10_000_000, 20_000_000, 30_000_000])
    #expect(frames[0]["content_size"].numbers == [100, 180])
    #expect(frames[1]["content_offset"].numbers == [0, -20])
    // 180 points of content in 200: the last item cannot come to the top.
    #expect(frames[2]["content_offset"].numbers == [0, 0])
    #expect(frames[0]["progress"] == .null)
    #expect(frames.allSatisfy { $0["phase"].text == "idle" })
    let mark = try #require(try answers("list events", path, "--event", "mark").first)
    #expect(mark["text"].text == "done, \"well\"")
    #expect(try answers("list sessions", path)[0]["outcome"].text == "none")
  }
}
