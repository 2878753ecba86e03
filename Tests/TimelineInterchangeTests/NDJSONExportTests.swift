import JSONText
import Testing
import TimelineInterchange
import TimelineModel
import TimelineRecorder

@Suite struct NDJSONExportTests {
  let run: HandMadeRun

  init() throws { run = try HandMadeRun() }

  @Test func `a header and names come first, then everything in the order of time`() throws {
    try run.record(name: "a \"run\"") { recorder in
      let key = recorder.keyHandle(for: "k", role: .animated, unit: "pt")
      recorder.record(1, for: key, at: at(20), phase: .driving)
      recorder.frame(10, [("a", pose(1, 2, alpha: 0.5, z: 3, hidden: true))])
      recorder.record(
        TouchSample(time: at(5), contact: 0, phase: .began, position: Point2D(x: 1, y: 2)))
      recorder.record(
        TimelineEvent(time: at(15), kind: .mark, fields: EventField.list(["n": 7])))
    }
    let lines = try run.lines()
    #expect(lines[0]["kymograph"] == .integer(1))
    #expect(lines[0]["name"].text == "a \"run\"")
    #expect(lines[0]["viewport"].numbers == [300, 200])
    #expect(lines[0]["recorded"]["end_ns"] == .integer(1_000_000_000))
    #expect(lines[1]["declare"].text == "key")
    #expect(lines[1]["role"].text == "animated")
    #expect(lines[2]["declare"].text == "item")
    let times = lines.dropFirst(3).map { $0["t_ns"].number }
    #expect(times == [5e6, 10e6, 15e6, 20e6])
    #expect(lines[3]["touch"]["phase"].text == "began")
    let item = lines[4]["frame"]["items"][0]
    #expect(item["center"].numbers == [1, 2])
    #expect(item["alpha"].number == 0.5)
    #expect(item["zIndex"].number == 3)
    #expect(item["hidden"] == .bool(true))
    #expect(lines[5]["n"] == .integer(7))
    #expect(lines[6]["value"].number == 1)
  }

  @Test func `frames after the first say only what changed`() throws {
    try run.record { recorder in
      recorder.frame(0, [("a", pose(1, 1)), ("b", pose(2, 2))])
      recorder.frame(10, [("a", pose(1, 1)), ("b", pose(3, 2))])
      recorder.frame(20, [("a", pose(1, 1)), ("b", pose(3, 2))])
      recorder.frame(30, [("b", pose(3, 2))])
    }
    let frames = try run.lines().filter { $0["frame"] != .null }.map { $0["frame"] }
    #expect(frames.count == 4)
    #expect(frames[0]["items"].list.count == 2)
    #expect(frames[1]["changed"].list.map { $0["id"].text } == ["b"])
    #expect(frames[1]["items"] == .null)
    // A frame in which nothing changed says so; with nothing at all it would be an empty one.
    #expect(frames[2]["changed"] == .array([]))
    #expect(frames[3]["gone"].list.map { $0["id"].text } == ["a"])
  }

  @Test func `the first frame of a range stands whole`() throws {
    try run.record { recorder in
      recorder.frame(0, [("a", pose(1, 1)), ("b", pose(2, 2))])
      recorder.frame(10, [("a", pose(1, 1)), ("b", pose(3, 2))])
      recorder.frame(20, [("a", pose(5, 1)), ("b", pose(3, 2))])
    }
    var options = ExportOptions()
    options.range = at(10)...at(20)
    let frames = try run.lines(options).filter { $0["frame"] != .null }.map { $0["frame"] }
    #expect(frames[0]["items"].list.map { $0["center"].numbers } == [[1, 1], [3, 2]])
    #expect(frames[1]["changed"].list.map { $0["id"].text } == ["a"])
  }

  @Test func `rows of one kind keep their order where times run backwards`() throws {
    try run.record { recorder in
      for time: Int64 in [30, 10, 20] {
        recorder.record(TimelineEvent(time: at(time), kind: .mark, fields: []))
      }
      recorder.frame(15)
    }
    let lines = try run.lines().dropFirst().map { $0["t_ns"].number ?? -1 }
    #expect(lines == [15e6, 30e6, 10e6, 20e6])
  }

  @Test func `an event's own fields may not hide what the line is`() throws {
    try run.record { recorder in
      recorder.record(
        TimelineEvent(time: at(1), kind: .mark, fields: EventField.list(["event": "start"])))
      recorder.record(
        TimelineEvent(time: at(2), kind: .mark, fields: EventField.list(["key": "start"])))
    }
    let (text, report) = try run.export(.ndjson)
    #expect(report.losses.map(\.kind) == [.eventFields])
    #expect(report.losses[0].count == 1)
    #expect(text.contains("{\"t_ns\":1000000,\"event\":\"mark\"}\n"))
    #expect(text.contains("{\"t_ns\":2000000,\"event\":\"mark\",\"key\":\"start\"}\n"))
  }
}
