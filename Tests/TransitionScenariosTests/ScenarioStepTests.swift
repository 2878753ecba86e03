import Testing
import TimelineModel
// More than 400 lines: one short script a kind of step, and its fields.
import TransitionScenarios

/// Steps for everything that the engine does besides driving one transition, four frames a second so
/// that a change of one second is seen at its quarters.
@Suite struct ScenarioStepTests {
  private func run(
    _ steps: String, _ fields: String = "", touches: [TouchSample] = []
  ) throws -> (timeline: KeptTimeline, run: ScenarioRun) {
    let text = """
      { "scenario": 1, "viewport": [100, 200], "refreshRate": 4,
        "sections": [{ "id": "s", "items": ["a", "b", "c"] }, { "id": "t", "items": 2 }],
        "layouts": {
          "column": { "type": "flow", "itemSize": [100, 20], "minimumLineSpacing": 0 },
          "small": { "type": "flow", "itemSize": [20, 20] },
          "two": { "type": "fixed", "items": [
            [{ "frame": [0, 0, 9, 9] }, { "frame": [9, 0, 9, 9] }]] },
          "pinch": { "type": "pinch", "itemSize": [20, 20] } },
        "initialLayout": "column"\(fields.isEmpty ? "" : ", ")\(fields), "script": [\(steps)] }
      """
    let timeline = KeptTimeline()
    let scenario = try Scenario.read(Array(text.utf8), name: "test")
    return (timeline, ScenarioRun.perform(scenario, touches: touches, into: timeline))
  }

  @Test func `update: items and sections come, go, move and stay, each under its id`() throws {
    let (timeline, result) = try run(
      """
      {"at": 0, "do": "update", "duration": 1, "operations": [
        {"delete": [0, 1]}, {"insert": [0, 0], "id": "x"}, {"move": [0, 2], "to": [1, 0]},
        {"insertSection": 2, "id": "u", "items": ["y"]}, {"reload": [0, 0]}]}
      """)
    #expect(result.refusals.isEmpty)
    #expect(timeline.eventNames.prefix(2) == ["update", "animation"])
    #expect(timeline.poses[1]["x"]?.alpha == 0.25)
    #expect(timeline.poses[1]["b"]?.alpha == 0.75)
    // c goes from the third place to the third place: a, b before it become x, a.
    #expect(timeline.poses[2]["c"]?.frame.minY == 40)
    #expect(timeline.poses[4]["y"]?.frame.minY == 100)
    #expect(timeline.poses.last?.keys.sorted() == ["a", "c", "t/0", "t/1", "x", "y"])
    #expect(result.end.seconds == 1)
  }

  @Test func `update: without an id one is made up, and steps may name what came later`() throws {
    let (timeline, result) = try run(
      """
      {"at": 0, "do": "update", "duration": 0, "operations": [{"insert": [1, 2]}, {"insert": [1, 3]}]},
      {"at": 0.5, "do": "scrollToItem", "item": [1, 3], "position": "top"},
      {"at": 0.5, "do": "scrollToItem", "item": [7, 3]}
      """)
    #expect(timeline.poses[1]["inserted/0"] != nil)
    #expect(timeline.poses[1]["inserted/1"] != nil)
    #expect(result.refusals.count == 1)
  }

  @Test
  func `what contradicts itself or the reported counts is an error event with paths`()
    throws
  {
    let cases = [
      ("{\"delete\": [0, 0]}, {\"move\": [0, 0], \"to\": [0, 1]}", "", "deleteAndMove"),
      ("{\"delete\": [0, 3]}", "", "pathOutOfRange"),
      ("{\"insert\": [0, 0]}", ", \"counts\": [3, 2]", "itemCountMismatch"),
      ("{\"insert\": [0, 0]}", ", \"counts\": [4]", "sectionCountMismatch"),
      ("{\"insert\": [0, 0], \"id\": \"b\"}", "", "duplicateID"),
    ]
    for (operations, counts, code) in cases {
      let (timeline, result) = try run(
        "{\"at\": 0, \"do\": \"update\", \"operations\": [\(operations)]\(counts)}")
      #expect(result.refusals.count == 1)
      #expect(timeline.events.map(\.kind) == [.error], "\(code)")
      #expect(timeline.events[0].fields[0].value == .text(code))
      #expect(timeline.poses.last?.count == 5)
    }
    #expect(
      try run(
        "{\"at\": 0, \"do\": \"update\", \"operations\": [{\"insert\": [0, 0]}], \"counts\": [4, 2]}"
      ).run.refusals.isEmpty)
  }

  @Test func `update with a layout: data and layout change in one animation`() throws {
    let (timeline, _) = try run(
      """
      {"at": 0, "do": "update", "duration": 1, "layout": "small",
       "operations": [{"deleteSection": 1}]}
      """)
    #expect(timeline.poses[2]["a"]?.size.width == 60)
    #expect(timeline.poses[2]["t/0"]?.alpha == 0.5)
    #expect(timeline.poses.last?["b"]?.size.width == 20)
  }

  @Test func `bounds: at once, or over a time`() throws {
    let (timeline, result) = try run(
      """
      {"at": 0, "do": "bounds", "size": [200, 100], "duration": 1},
      {"at": 2, "do": "bounds", "size": [100, 200]}
      """)
    // Two columns of 100 do not fit 200 with 10 between them: one column, in the middle.
    #expect(timeline.poses[2]["a"]?.frame == Rect2D(x: 25, y: 0, width: 100, height: 20))
    #expect(timeline.poses.last?["a"]?.frame.minX == 0)
    #expect(result.refusals.isEmpty)
    #expect(timeline.eventNames.filter { $0 == "bounds" }.count == 2)
  }

  @Test func `animate: the eased time is the progress`() throws {
    let (timeline, result) = try run(
      """
      {"at": 0, "do": "animate", "to": "small", "duration": 1, "easing": "quadraticIn",
       "offset": {"items": [[0, 2]], "placement": "top"}}
      """)
    #expect(timeline.frames.map(\.progress) == [0, 0.0625, 0.25, 0.5625, 1])
    #expect(result.outcome == .finished)
    #expect(timeline.eventNames.suffix(2) == ["install", "completion"])
  }

  @Test func `setLayout: with an easing`() throws {
    let (timeline, _) = try run(
      """
      {"at": 0, "do": "setLayout", "to": "small", "animated": true, "duration": 1,
       "easing": "steps(1, start)"}
      """)
    #expect(timeline.poses[1]["a"]?.size.width == 20)
  }

  @Test func `An id that is deleted and inserted in one update is one element`() throws {
    let (timeline, _) = try run(
      """
      {"at": 0, "do": "update", "duration": 1, "operations": [
        {"delete": [0, 0]}, {"insert": [0, 2], "id": "a"}]}
      """)
    #expect(timeline.poses[2]["a"]?.alpha == 1)
    #expect(timeline.poses[2]["a"]?.frame.minY == 20)
    #expect(timeline.poses.last?["a"]?.frame.minY == 40)
  }

  @Test
  func `a gesture drives the offset by the visible items`()
    throws
  {
    func touch(_ time: Int64, _ contact: Int, _ phase: TouchPhase, _ x: Double) -> TouchSample {
      TouchSample(
        time: Instant(nanoseconds: time * 250_000_000), contact: contact, phase: phase,
        position: Point2D(x: x, y: 10))
    }
    func pinch(_ start: Int64, by scale: Double) -> [TouchSample] {
      [
        touch(start, 0, .began, 0), touch(start, 1, .began, 40),
        touch(start + 1, 1, .moved, 40 * scale), touch(start + 2, 0, .ended, 0),
        touch(start + 2, 1, .ended, 40 * scale),
      ]
    }
    let (timeline, result) = try run(
      "",
      """
      "contentOffset": [0, 10],
      "gesture": {"recognizer": "pinch", "to": "small",
        "offset": {"items": "visible", "placement": "center"},
        "progress": {"of": "scale", "from": 1, "to": 2.5}}
      """,
      touches: pinch(0, by: 2.2))
    #expect(timeline.decisions.map(\.outcome) == [.finish])
    #expect(abs((timeline.decisions.first?.progress ?? 0) - 0.8) < 1e-9)
    #expect(result.refusals.isEmpty)
  }

  @Test func `An offset for items that are gone is left alone, and told`() throws {
    let (timeline, _) = try run(
      """
      {"at": 0, "do": "update", "duration": 0, "operations": [{"delete": [0, 2]}]},
      {"at": 0.25, "do": "start", "to": "small", "offset": {"items": [[0, 2]]}}
      """)
    #expect(timeline.events.contains { $0.kind == .warning })
    #expect(timeline.frames.allSatisfy { $0.contentOffset == .zero })
  }

  @Test func `cancelInPlace: everything stays where it was`() throws {
    let (timeline, result) = try run(
      """
      {"at": 0, "do": "start", "to": "small"}, {"at": 0, "do": "progress", "value": 0.5},
      {"at": 0.5, "do": "cancelInPlace"}, {"at": 1, "do": "start", "to": "column"}
      """)
    #expect(timeline.poses[1] == timeline.poses[3])
    #expect(timeline.poses[1] == timeline.poses[4])
    #expect(result.outcome == .open)
  }

  @Test func `transforms: chosen for one transition, and recorded`() throws {
    let (timeline, _) = try run(
      """
      {"at": 0, "do": "start", "to": "small", "transforms": "componentwise"},
      {"at": 0, "do": "cancelInPlace"}, {"at": 0, "do": "start", "to": "small"}
      """)
    let used = timeline.events.filter { $0.kind == .start }.map { event in
      event.fields.first { $0.name == "transforms" }?.value
    }
    #expect(used == [.text("componentwise"), .text("decomposed")])
  }

  @Test func `push and pop: to a layout and back, exactly`() throws {
    let (timeline, result) = try run(
      """
      {"at": 0, "do": "push", "layout": "small", "duration": 0.5},
      {"at": 1, "do": "pop", "duration": 0.5}, {"at": 2, "do": "pop"}
      """)
    #expect(timeline.poses[1]["a"]?.size.width == 60)
    #expect(timeline.poses[2]["a"]?.size.width == 20)
    #expect(timeline.poses.last == timeline.poses[0])
    #expect(result.refusals.count == 1, "the root cannot be popped")
    #expect(
      timeline.eventNames.filter { $0 == "push" || $0 == "pop" || $0 == "didShow" }.count == 4)
  }

  @Test func `pop: interactive, cancelled and then finished`() throws {
    let (timeline, result) = try run(
      """
      {"at": 0, "do": "push", "layout": "small", "animated": false},
      {"at": 0.25, "do": "pop", "interactive": true}, {"at": 0.5, "do": "progress", "value": 0.5},
      {"at": 0.75, "do": "cancel"}, {"at": 4, "do": "pop", "interactive": true},
      {"at": 4.25, "do": "progress", "value": 1}, {"at": 4.5, "do": "finish"}
      """)
    #expect(timeline.poses[2]["a"]?.size.width == 60)
    #expect(timeline.poses[16]["a"]?.size.width == 20)
    #expect(timeline.poses.last?["a"]?.size.width == 100)
    #expect(result.refusals.isEmpty)
  }

  @Test func `a push with the other sections deleted is one animation`() throws {
    let (timeline, result) = try run(
      """
      {"at": 0, "do": "update", "operations": [{"deleteSection": 1}], "duration": 1},
      {"at": 0, "do": "push", "layout": "small", "duration": 1}
      """)
    #expect(result.refusals.isEmpty)
    for (frame, fraction) in [(1, 0.25), (2, 0.5), (3, 0.75)] {
      #expect(timeline.poses[frame]["a"]?.size.width == 100 - 80 * fraction)
      #expect(timeline.poses[frame]["t/0"]?.alpha == 1 - fraction)
    }
    #expect(timeline.poses.last?.keys.sorted() == ["a", "b", "c"])
  }

  @Test func `pinch: an item is as large as the touches are apart, and goes back`() throws {
    let (timeline, result) = try run(
      """
      {"at": 0, "do": "setLayout", "to": "pinch"},
      {"at": 0, "do": "pinch", "touches": [[0, 5], [20, 5]]},
      {"at": 0.25, "do": "pinch", "touches": [[-20, 10], [40, 10]]},
      {"at": 0.5, "do": "endPinch", "duration": 0.5}
      """)
    #expect(timeline.poses[1]["a"]?.size == Size2D(width: 60, height: 60))
    #expect(timeline.poses[1]["a"]?.zIndex == 100)
    #expect(timeline.poses[3]["a"]?.size == Size2D(width: 40, height: 40))
    #expect(timeline.poses.last?["a"]?.size == Size2D(width: 20, height: 20))
    #expect(result.refusals.isEmpty)
    #expect(
      try run("{\"at\": 0, \"do\": \"pinch\", \"touches\": [[0, 0], [1, 1]]}").run.refusals.count
        == 1)
  }

  @Test
  func `A pinch of recorded touches resizes the item between them, also when one is taken away`()
    throws
  {
    func touch(_ time: Int64, _ contact: Int, _ phase: TouchPhase, _ x: Double) -> TouchSample {
      TouchSample(
        time: Instant(nanoseconds: time * 250_000_000), contact: contact, phase: phase,
        position: Point2D(x: x, y: 10))
    }
    let (timeline, result) = try run(
      "{\"at\": 0, \"do\": \"setLayout\", \"to\": \"pinch\"}",
      """
      "gesture": {"recognizer": "pinch", "drives": "item", "resetDuration": 0.5}
      """,
      touches: [
        touch(0, 0, .began, -10), touch(0, 1, .began, 20), touch(1, 1, .moved, 30),
        touch(2, 0, .cancelled, -10),
      ])
    #expect(timeline.poses[1]["a"]?.size.width == 40)
    #expect(timeline.poses.last?.values.allSatisfy { $0.size.width == 20 } == true)
    #expect(timeline.eventNames.contains("gestureBegan"))
    #expect(result.refusals.isEmpty)
  }

  @Test func `reentry: refuse, retarget and queue`() throws {
    let steps = """
      {"at": 0, "do": "start", "to": "small"}, {"at": 0, "do": "finish"},
      {"at": 0.25, "do": "start", "to": "pinch"}, {"at": 0.25, "do": "progress", "value": 0.5},
      {"at": 0.25, "do": "finish"}
      """
    for (policy, starts, refusals) in [("refuse", 1, 3), ("retarget", 2, 0), ("queue", 2, 0)] {
      let (timeline, result) = try run(steps, "\"reentry\": \"\(policy)\"")
      #expect(timeline.events.filter { $0.kind == .start }.count == starts, "\(policy)")
      #expect(result.refusals.count == refusals, "\(policy)")
      #expect(result.outcome == .finished)
      #expect(timeline.poses.allSatisfy { $0.values.allSatisfy(\.isFinite) })
    }
  }

  @Test func `transition snapshot: only what is visible at the start takes part`() throws {
    let steps = "{\"at\": 0, \"do\": \"animate\", \"to\": \"small\", \"duration\": 1}"
    let few = "\"contentOffset\": [0, 90], \"transition\": {\"type\": \"snapshot\"}"
    let all = """
      "contentOffset": [0, 90], "transition": {"type": "snapshot", "includesArriving": true}
      """
    #expect(try run(steps, few).timeline.poses[2].count == 1)
    #expect(try run(steps, all).timeline.poses[2].count > 1)
  }

  @Test func `The same scenario gives the same timeline`() throws {
    let steps = """
      {"at": 0, "do": "start", "to": "small"}, {"at": 0.1, "do": "progress", "value": 0.4},
      {"at": 0.2, "do": "update", "operations": [{"delete": [0, 0]}, {"insert": [1, 0]}]},
      {"at": 0.3, "do": "bounds", "size": [150, 150], "duration": 0.5},
      {"at": 0.4, "do": "finish"}, {"at": 0.6, "do": "start", "to": "column"},
      {"at": 0.7, "do": "cancelInPlace"}
      """
    let first = try run(steps, "\"reentry\": \"retarget\"").timeline
    let second = try run(steps, "\"reentry\": \"retarget\"").timeline
    #expect(first.poses == second.poses)
    #expect(first.events == second.events)
  }

  @Test func `a traced run shows in which order the layouts' hooks are called`() throws {
    func calls(_ steps: String) throws -> [String] {
      try run(steps, "\"traceLayoutCalls\": true").timeline.events.map { event in
        let words = event.fields.compactMap { field -> String? in
          guard case .text(let text) = field.value, ["call", "layout"].contains(field.name) else {
            return nil
          }
          return text
        }
        return event.kind == .layoutCall ? words.joined(separator: " ") : event.kind.rawValue
      }
    }
    #expect(
      try calls("{\"at\": 0, \"do\": \"setLayout\", \"to\": \"small\"}") == [
        "prepareForTransition(to:) column", "prepareForTransition(from:) small",
        "finalizeLayoutTransition column", "finalizeLayoutTransition small", "install",
        "completion", "prepare small",
      ])
    let update = try calls(
      "{\"at\": 0, \"do\": \"update\", \"duration\": 0, \"operations\": [{\"delete\": [1, 1]}]}")
    #expect(
      update
        == ["update", "prepare column", "prepare column"]
        + ["prepare(forCollectionViewUpdates:) column"]
        + Array(repeating: "finalLayoutAttributes column", count: 5)
        + Array(repeating: "initialLayoutAttributes column", count: 4)
        + ["finalizeCollectionViewUpdates column", "animation", "animationCompletion"])
    let place = try calls(
      """
      {"at": 0, "do": "start", "to": "small"}, {"at": 0.1, "do": "cancelInPlace"}
      """)
    #expect(
      place.suffix(8) == [
        "cancel", "finalizeLayoutTransition column", "finalizeLayoutTransition small",
        "transitionDidEnd column to small", "install", "completion", "install",
        "prepare column to small, frozen",
      ])
    let start = place.prefix(4)
    #expect(
      start == [
        "prepare column", "start", "prepareForTransition(to:) column",
        "prepareForTransition(from:) small",
      ])
    #expect(
      try run("{\"at\": 0, \"do\": \"start\", \"to\": \"small\"}").timeline.eventNames == ["start"])
    // The layout of two poses places two of the five; where it goes to, where it comes from.
    let leaving = try calls("{\"at\": 0, \"do\": \"start\", \"to\": \"two\"}")
    #expect(leaving.filter { $0.contains("Attributes") } == three.map { "final\($0) column" })
    let coming = try calls(
      """
      {"at": 0, "do": "setLayout", "to": "two"},
      {"at": 0.1, "do": "animate", "to": "column", "duration": 0.3}
      """)
    #expect(coming.filter { $0.contains("Attributes") } == three.map { "initial\($0) column" })
  }

  private let three = Array(repeating: "LayoutAttributes", count: 3)

  @Test func `setLayout at once: its completion is an event, behind the install`() throws {
    let (timeline, _) = try run(
      """
      {"at": 0, "do": "setLayout", "to": "small"},
      {"at": 1, "do": "setLayout", "to": "column", "animated": true, "duration": 0}
      """)
    #expect(timeline.eventNames == ["install", "completion", "install", "completion"])
    let completion = try #require(timeline.events.last)
    #expect(completion.fields.map(\.name) == ["completed", "finished"])
    #expect(completion.fields.allSatisfy { $0.value == .flag(true) })
  }

  @Test func `cancelInPlace when idle or settling is an error event as a cancel is`() throws {
    let (timeline, result) = try run(
      """
      {"at": 0, "do": "cancelInPlace"}, {"at": 0, "do": "start", "to": "small"},
      {"at": 0, "do": "finish"}, {"at": 0.25, "do": "cancelInPlace"}
      """)
    #expect(result.refusals.count == 2)
    #expect(result.outcome == .finished)
    #expect(result.refusals[0].contains("(idle)"))
    #expect(result.refusals[1].contains("(settling)"))
    #expect(timeline.eventNames.first == "error")
    #expect(timeline.eventNames.last == "completion")
  }

  @Test(arguments: ["refuse", "retarget", "queue"])
  func `a progress while animate runs is an error event and no sample, a value is the animate's`(
    policy: String
  ) throws {
    let (timeline, result) = try run(
      """
      {"at": 0, "do": "animate", "to": "small", "duration": 1},
      {"at": 0.5, "do": "progress", "value": 0.9}, {"at": 0.5, "do": "value", "key": "k", "value": 3},
      {"at": 0.5, "do": "invalidate"}
      """, "\"reentry\": \"\(policy)\"")
    #expect(result.refusals.count == 1)
    #expect(result.refusals[0].contains("runs by its time"))
    #expect(timeline.values(of: "progress", .driving) == [0, 0.25, 0.5, 0.75, 1])
    #expect(timeline.values(of: "k", .driving) == [3])
  }

  @Test func `Queue: progress and values during animate begin the transition that waits`() throws {
    let (timeline, result) = try run(
      """
      {"at": 0, "do": "animate", "to": "small", "duration": 1}, {"at": 0.25, "do": "start", "to": "pinch"},
      {"at": 0.5, "do": "progress", "value": 0.4}, {"at": 0.5, "do": "value", "key": "k", "value": 3},
      {"at": 0.5, "do": "invalidate"}, {"at": 2, "do": "progress", "value": 0.5}, {"at": 2, "do": "finish"}
      """, "\"reentry\": \"queue\"")
    #expect(result.refusals.isEmpty)
    #expect(timeline.values(of: "progress", .driving) == [0, 0.25, 0.5, 0.75, 1, 0.4, 0.5])
    #expect(timeline.samples.filter { $0.key == "k" }.first?.time == 1_000_000_000)
    #expect(timeline.frames[4...7].map(\.progress) == [0.4, 0.4, 0.4, 0.4])
  }

  @Test func `offset: a target that is given is where the offset goes, exactly and unclamped`()
    throws
  {
    let (timeline, result) = try run(
      """
      {"at": 0, "do": "start", "to": "small", "offset": {"target": [-7, 100]}},
      {"at": 0.25, "do": "progress", "value": 0.25}, {"at": 0.5, "do": "progress", "value": 1.5},
      {"at": 0.75, "do": "progress", "value": -0.1}, {"at": 1, "do": "finish"}
      """)
    #expect(result.refusals.isEmpty)
    #expect(
      timeline.frames[0...2].map(\.contentOffset) == [
        .zero, Point2D(x: -1.75, y: 25), Point2D(x: -10.5, y: 150),
      ])
    #expect(timeline.frames[3].contentOffset.y == -10)
    #expect(timeline.frames.last?.contentOffset == Point2D(x: -7, y: 100))
    let huge = try run(
      "{\"at\": 0, \"do\": \"animate\", \"to\": \"small\", \"offset\": {\"target\": [1e308, -1e308]}}"
    )
    #expect(huge.timeline.frames.allSatisfy { $0.contentOffset.isFinite })
    func touch(_ time: Int64, _ phase: TouchPhase, _ x: Double) -> TouchSample {
      TouchSample(
        time: Instant(nanoseconds: time * 250_000_000), contact: 0, phase: phase,
        position: Point2D(x: x, y: 0))
    }
    let pan = try run(
      "",
      """
      "gesture": {"recognizer": "pan", "to": "small", "offset": {"target": [0, 30]},
        "progress": {"of": "translation.x", "from": 0, "to": 10}}
      """, touches: [touch(0, .began, 0), touch(1, .moved, 10), touch(2, .ended, 10)])
    #expect(pan.timeline.frames.last?.contentOffset == Point2D(x: 0, y: 30))
  }
}
