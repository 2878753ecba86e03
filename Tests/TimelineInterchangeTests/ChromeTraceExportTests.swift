import JSONText
import Testing
import TimelineInterchange
import TimelineModel
import TimelineRecorder

@Suite struct ChromeTraceExportTests {
  let run: HandMadeRun

  init() throws { run = try HandMadeRun() }

  private func events(_ options: ExportOptions = ExportOptions()) throws -> [JSONValue] {
    try run.document(.chrome, options).root["traceEvents"].list
  }

  @Test func `times are microseconds with every nanosecond`() throws {
    try run.record { recorder in
      let key = recorder.keyHandle(for: "height", role: .custom, unit: "pt")
      for time: Int64 in [-1, 1, 999, 1_000, 1_234_567, 9_007_199_254_740_993] {
        recorder.record(
          0.5, for: key, at: Instant(nanoseconds: time), phase: .driving)
      }
    }
    let text = try run.export(.chrome).text
    for time in ["-0.001", "0.001", "0.999", "1,", "1234.567", "9007199254740.993"] {
      #expect(text.contains("\"ts\":\(time)"), "\(time)")
    }
    let counters = try events().filter { $0["ph"].text == "C" }
    #expect(counters.count == 6)
    #expect(counters[0]["name"].text == "height (pt)")
    #expect(counters[0]["args"]["value"].number == 0.5)
  }

  @Test func `every span that begins ends, and not before`() throws {
    try run.record { recorder in
      recorder.frame(10, [("a", pose(1, 1)), ("b", pose(2, 2))])
      recorder.frame(30, [("b", pose(2, 2))])
      // Backwards: a span may not end before it began.
      recorder.frame(20, [("c", pose(2, 2))])
      recorder.record(
        TouchSample(time: at(1), contact: 0, phase: .began, position: Point2D(x: 1, y: 2)))
      recorder.record(
        TouchSample(time: at(2), contact: 1, phase: .began, position: Point2D(x: 1, y: 2)))
      recorder.record(
        TouchSample(time: at(3), contact: 0, phase: .ended, position: Point2D(x: 1, y: 2)))
    }
    let (root, report) = try run.document(.chrome)
    #expect(report.losses.map(\.kind) == [.time])
    var begun: [String: Double] = [:]
    var ended: Set<String> = []
    for event in root["traceEvents"].list {
      guard let id = event["id"].text, let time = event["ts"].number else { continue }
      if event["ph"].text == "b" {
        #expect(begun.updateValue(time, forKey: id) == nil)
      } else {
        let start = try #require(begun[id])
        #expect(time >= start)
        #expect(ended.insert(id).inserted)
      }
    }
    #expect(begun.count == ended.count)
    let names = root["traceEvents"].list.filter { $0["ph"].text == "b" }.compactMap {
      $0["name"].text
    }
    #expect(names.sorted() == ["a", "b", "c", "contact 0", "contact 1", "driving"])
  }

  @Test func `named items get curves, others only their presence`() throws {
    try run.record { recorder in
      recorder.frame(0, [("a", pose(1, 2, 3, 4, alpha: 0.5)), ("b", pose(2, 2))])
    }
    let plain = try events().filter { $0["ph"].text == "C" }.map { $0["name"].text }
    #expect(plain == ["content offset (pt)"])
    var options = ExportOptions()
    options.items = ["a"]
    let named = try events(options).filter { $0["ph"].text == "C" }
    #expect(
      named.map { $0["name"].text } == [
        "content offset (pt)", "a center (pt)", "a size (pt)", "a alpha",
      ])
    #expect(named[1]["args"]["y"].number == 2)
  }

  @Test func `decisions and events are instants of the session's process`() throws {
    try run.record(name: "x") { recorder in
      recorder.record(
        TimelineEvent(time: at(2), kind: .mark, fields: EventField.list(["text": "</script>"])))
      recorder.record(
        ReleaseDecision(
          transition: 0, time: at(3), outcome: .finish, decidedBy: "rule", rule: "progress",
          ruleOutcome: .finish, threshold: 0.5, progress: 0.75, progressVelocity: 2,
          marginProgress: 0.25))
    }
    let all = try events()
    #expect(all[0]["args"]["name"].text == "session 1 x")
    let instants = all.filter { $0["ph"].text == "i" }
    #expect(instants.map { $0["name"].text } == ["decision: finish", "mark"])
    #expect(instants[0]["args"]["progressVelocity"].number == 2)
    #expect(instants[1]["args"]["text"].text == "</script>")
    #expect(all.allSatisfy { $0["pid"] == .integer(1) })
  }
}
