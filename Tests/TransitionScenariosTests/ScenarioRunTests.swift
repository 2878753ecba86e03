import Testing
import TimelineModel
import TransitionScenarios

@Suite struct ScenarioRunTests {
  private static func scenario(rate: Double = 100, _ fields: String) throws -> Scenario {
    let text = """
      { "scenario": 1, "viewport": [100, 200], "refreshRate": \(rate),
        "sections": [{ "id": "s", "items": 3 }],
        "layouts": { "small": { "type": "flow", "itemSize": [20, 20] },
                     "large": { "type": "flow", "itemSize": [100, 60] } },
        "initialLayout": "small", \(fields) }
      """
    return try Scenario.read(Array(text.utf8), name: "test")
  }

  private static func script(_ steps: String, rate: Double = 100) throws -> Scenario {
    try scenario(rate: rate, "\"script\": [\(steps)]")
  }

  private static let release = """
    {"at": 0, "do": "start", "to": "large"}, {"at": 0.02, "do": "progress", "value": 0.4},
    {"at": 0.043, "do": "progress", "value": 0.6}, {"at": 0.055, "do": "finish"}
    """

  private func run(
    _ scenario: Scenario, _ touches: [TouchSample] = []
  ) -> (timeline: KeptTimeline, run: ScenarioRun) {
    let timeline = KeptTimeline()
    return (timeline, ScenarioRun.perform(scenario, touches: touches, into: timeline))
  }

  private func touch(
    _ milliseconds: Int64, _ phase: TouchPhase, _ x: Double, _ y: Double, contact: Int = 0
  ) -> TouchSample {
    TouchSample(
      time: Instant(nanoseconds: milliseconds * 1_000_000), contact: contact, phase: phase,
      position: Point2D(x: x, y: y))
  }

  @Test func `steps happen in the order of time, and as written where times are equal`() throws {
    let (timeline, _) = run(
      try Self.script(
        """
        {"at": 0.02, "do": "mark", "text": "c"}, {"at": 0.01, "do": "mark", "text": "a"},
        {"at": 0.02, "do": "mark", "text": "d"}, {"at": 0.01, "do": "mark", "text": "b"}
        """))
    #expect(
      timeline.events.map { $0.fields[0].value } == ["a", "b", "c", "d"].map { .text($0) })
    #expect(
      timeline.events.map(\.time.nanoseconds) == [
        10_000_000, 10_000_000, 20_000_000, 20_000_000,
      ])
  }

  @Test(arguments: [60, 90, 120, 59.94, 1, 1000])
  func `frame k stands at k through the rate, rounded once`(rate: Double) throws {
    let (timeline, result) = run(
      try Self.script("{\"at\": 1.5, \"do\": \"mark\", \"text\": \"end\"}", rate: rate))
    for (number, frame) in timeline.frames.enumerated() {
      #expect(frame.time.nanoseconds == Int64((Double(number) * 1e9 / rate).rounded()))
    }
    // The frame that shows the last step is the last one.
    let last = try #require(timeline.frames.last)
    #expect(last.time.seconds >= 1.5)
    #expect(timeline.frames.dropLast().allSatisfy { $0.time.seconds < 1.5 })
    #expect(result.end == last.time)
    #expect(result.outcome == .none)
  }

  @Test func `a frame shows everything at or before its instant`() throws {
    let (timeline, _) = run(try Self.script(Self.release))
    #expect(
      timeline.frames.prefix(7).map(\.progress) == [
        0, 0, 0.4, 0.4, 0.4, 0.6, timeline.frames[6].progress,
      ])
    #expect(timeline.frames[5].phase == .driving)
    #expect(timeline.frames[6].phase == .settling)
  }

  @Test func `steps are stamped with their own time, not with a frame's`() throws {
    let (timeline, _) = run(try Self.script(Self.release))
    let driven = timeline.samples.filter { $0.phase == .driving }
    #expect(driven.map(\.time) == [20_000_000, 43_000_000])
    #expect(timeline.decisions.map(\.time.nanoseconds) == [55_000_000])
    #expect(timeline.estimates.map(\.time.nanoseconds) == [55_000_000])
  }

  @Test func `a settle ends on the first frame at or after its time, with exact values`() throws {
    let (timeline, result) = run(try Self.script(Self.release))
    let settleTime = try #require(timeline.estimates.first?.settleTimeSeconds)
    let end = 0.055 + settleTime
    #expect(result.end == timeline.frames.last?.time)
    #expect(result.end.seconds >= end)
    #expect(result.end.seconds - end < 0.01)
    #expect(timeline.frames.last?.progress == 1)
    #expect(timeline.frames[timeline.frames.count - 2].progress != 1)
    #expect(timeline.poses.last?["s/2"]?.frame == Rect2D(x: 0, y: 140, width: 100, height: 60))
    #expect(timeline.eventNames.suffix(2) == ["install", "completion"])
    #expect(result.outcome == .finished)
    #expect(result.refusals == [])
  }

  @Test func `a settle's value is that of the time since the release`() throws {
    // Two displays of one run: where both have a frame, they show the same.
    let (slow, _) = run(try Self.script(Self.release, rate: 100))
    let (fast, _) = run(try Self.script(Self.release, rate: 200))
    var compared = 0
    for frame in slow.frames.dropLast() where frame.phase == .settling {
      let twin = fast.frames.first { $0.time == frame.time }
      #expect(twin?.progress == frame.progress)
      compared += 1
    }
    #expect(compared > 10)
  }

  @Test func `a run goes on to the last step, and to the last settle`() throws {
    let (_, late) = run(
      try Self.script(Self.release + ", {\"at\": 3, \"do\": \"mark\", \"text\": \"late\"}"))
    #expect(late.end.seconds == 3)
    let (timeline, open) = run(
      try Self.script("{\"at\": 0, \"do\": \"start\", \"to\": \"large\"}"))
    #expect(open.outcome == .open)
    #expect(open.end == .zero)
    #expect(timeline.frames.count == 1)
  }

  private static let pan = """
    "gesture": { "recognizer": "pan",
      "progress": { "of": "translation.y", "from": 0, "to": 100 },
      "keys": { "stays": "translation.y",
                "goes": { "of": "translation.y", "finishTarget": 7, "cancelTarget": -3 } } }
    """

  private func drag(to y: Double) -> [TouchSample] {
    [touch(0, .began, 5, 0)]
      + (1...8).map { touch(Int64($0) * 10, .moved, 5, y * Double($0) / 8) }
      + [touch(83, .ended, 5, y)]
  }

  @Test func `a key without targets freezes, one with targets goes there`() throws {
    for (y, target, outcome) in [(60, 7, SessionOutcome.finished), (40, -3, .cancelled)]
      as [(Double, Double, SessionOutcome)]
    {
      let (timeline, result) = run(try Self.scenario(Self.pan), drag(to: y))
      #expect(result.outcome == outcome)
      #expect(timeline.values(of: "stays", .driving).last == y)
      #expect(timeline.values(of: "stays", .settling).allSatisfy { $0 == y })
      #expect(timeline.values(of: "goes", .settling).last == target)
      #expect(timeline.decisions.first?.progress == y / 100)
      #expect(timeline.decisions.first?.time.nanoseconds == 83_000_000)
    }
  }

  @Test func `touches are recorded as they came, and mapped for the gesture alone`() throws {
    let touches = [touch(0, .began, 5, 0), touch(10, .moved, 5, 30), touch(20, .moved, 9, 40)]
    let scenario = try Self.scenario(
      """
      "gesture": { "recognizer": "pan", "map": { "scale": [2, -1], "offset": [1, 100] },
        "keys": { "x": "centroid.x", "y": "centroid.y", "way": "translation.y" } }
      """)
    let (timeline, result) = run(scenario, touches)
    #expect(timeline.touches == touches)
    #expect(timeline.values(of: "x", .driving) == [11, 11, 19])
    #expect(timeline.values(of: "y", .driving) == [100, 70, 60])
    #expect(timeline.values(of: "way", .driving) == [0, -30, -40])
    #expect(result.outcome == .open)
  }

  @Test func `the script comes before touches of the same time`() throws {
    let scenario = try Self.scenario(
      Self.pan + ", \"script\": [{\"at\": 0, \"do\": \"start\", \"to\": \"large\"}]")
    let (timeline, result) = run(scenario, drag(to: 60))
    // The script has started already, so the gesture is refused.
    #expect(timeline.eventNames == ["start", "error"])
    #expect(result.refusals.count == 1)
    #expect(result.outcome == .open)
  }

  @Test func `touches whose time runs backwards act at the latest time before`() throws {
    var touches = drag(to: 60)
    touches[4].time = Instant(nanoseconds: 1)
    let (timeline, result) = run(try Self.scenario(Self.pan), touches)
    #expect(timeline.touches == touches)
    #expect(result.outcome == .finished)
    #expect(zip(timeline.frames, timeline.frames.dropFirst()).allSatisfy { $0.time < $1.time })
    #expect(
      timeline.samples.contains { $0.key == "stays" && $0.value == 30 && $0.time == 30_000_000 })
  }

  @Test func `a progress that is clamped stays in 0 to 1, another does not`() throws {
    for clamp in [false, true] {
      let scenario = try Self.scenario(
        """
        "gesture": { "recognizer": "pan",
          "progress": { "of": "translation.y", "from": 0, "to": 10, "clamp": \(clamp) } }
        """)
      let (timeline, _) = run(scenario, drag(to: 20))
      #expect(timeline.values(of: "progress", .driving).max() == (clamp ? 1 : 2))
    }
  }

  @Test func `the same scenario gives the same timeline twice`() throws {
    let scenario = try Self.scenario(Self.pan)
    let (first, _) = run(scenario, drag(to: 60))
    let (second, _) = run(scenario, drag(to: 60))
    #expect(first.samples == second.samples)
    #expect(first.frames == second.frames)
    #expect(first.poses == second.poses)
    #expect(first.events == second.events)
    #expect(first.estimates == second.estimates)
  }

  @Test func `no section, no item and an empty viewport still run`() throws {
    let text = """
      { "scenario": 1, "viewport": [0, 0], "sections": [],
        "layouts": { "a": { "type": "flow" }, "b": { "type": "fixed" } }, "initialLayout": "a",
        "script": [ { "at": 0, "do": "start", "to": "b" }, { "at": 0, "do": "progress", "value": 1 },
                    { "at": 0, "do": "finish" } ] }
      """
    let (timeline, result) = run(try Scenario.read(Array(text.utf8), name: "empty"))
    #expect(result.outcome == .finished)
    #expect(timeline.frames.allSatisfy { $0.contentOffset == .zero })
  }
}

@Suite struct ScenarioLengthTests {
  @Test func `a run of a million frames is allowed, one more is not`() throws {
    func text(_ seconds: Int) -> [UInt8] {
      Array(
        """
        { "scenario": 1, "viewport": [1, 1], "refreshRate": 100, "sections": [],
          "layouts": { "a": { "type": "flow" } },
          "script": [ { "at": \(seconds), "do": "mark", "text": "late" } ] }
        """.utf8)
    }
    _ = try Scenario.read(text(10_000), name: "test")
    #expect(throws: ScenarioError.self) { try Scenario.read(text(10_001), name: "test") }
  }

  @Test func `a session says of itself how it was decided and settled`() throws {
    let text = """
      { "scenario": 1, "name": "n", "viewport": [3, 4], "refreshRate": 90, "sections": [],
        "layouts": { "b": { "type": "fixed" }, "a": { "type": "flow" } }, "initialLayout": "b",
        "settle": { "stiffness": 180 }, "release": { "estimator": "impulse", "threshold": 0.25 },
        "transition": { "type": "follow", "keys": ["PositionX"] } }
      """
    let session = try Scenario.read(Array(text.utf8), name: "test")
      .sessionDescription(software: "tests 1", text: text)
    #expect(session.name == "n")
    #expect(session.clock == "virtual")
    #expect(session.refreshRate == 90)
    #expect(session.viewport == Size2D(width: 3, height: 4))
    #expect(session.scenario == text)
    #expect(session.layouts.map(\.name) == ["a", "b"])
    #expect(session.layouts.map(\.type) == ["flow", "fixed"])
    #expect(session.settle?.contains("\"stiffness\":180") == true)
    #expect(session.release?.contains("\"estimator\":\"impulse\"") == true)
    #expect(session.release?.contains("\"threshold\":0.25") == true)
    #expect(session.transition?.contains("PositionX") == true)
    #expect(session.engineVersion == engineVersion)
  }
}
