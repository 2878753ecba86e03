import Foundation
import JSONText
import TestSupport
import Testing

/// The settle of a scenario: how it may be written, and what the recording says of it.
@Suite struct SettleScenarioTests {
  private static let steps = """
    {"at": 0, "do": "start", "to": "large"}, {"at": 0.01, "do": "progress", "value": 0.2},
    {"at": 0.02, "do": "progress", "value": 0.4}, {"at": 0.03, "do": "progress", "value": 0.6},
    {"at": 0.03, "do": "value", "key": "k", "value": 5, "finishTarget": 1, "cancelTarget": 0},
    {"at": 0.03, "do": "finish"}
    """

  /// The session's settle and its settle event, of a run with this settle.
  private func run(_ settle: String) throws -> (settle: JSONValue, event: Row) {
    let place = try Workplace()
    let path = try place.record(
      text: Scenarios.scripted(Self.steps, "\"settle\": \(settle)"), into: "a.kymo")
    let text = try #require(
      try answers("sql", path, "SELECT settle FROM sessions")[0]["settle"].text)
    return (
      try parseJSON(Array(text.utf8)), try answers("list events", path, "--event", "settle")[0]
    )
  }

  @Test func `every way to tell a spring is recorded as mass, stiffness and damping`() throws {
    for (text, mass, stiffness, damping) in [
      ("{}", 1.0, 100.0, 20.0), ("{\"type\": \"spring\", \"damping\": 0.5}", 1, 100, 0.5),
      ("{\"mass\": 2, \"stiffness\": 50, \"damping\": 3}", 2, 50, 3),
      ("{\"dampingRatio\": 0.25}", 1, 100, 5),
      ("{\"dampingRatio\": 0.25, \"stiffness\": 400, \"mass\": 4}", 4, 400, 20),
      ("{\"dampingRatio\": 0.5, \"response\": 1}", 1, 39.47841760435743, 6.283185307179586),
      ("{\"duration\": 0.5, \"bounce\": 0.3}", 1, 157.91367041742973, 17.59291886010284),
    ] {
      let (settle, event) = try run(text)
      for (name, value) in [("mass", mass), ("stiffness", stiffness), ("damping", damping)] {
        #expect(settle[name].number.map { abs($0 - value) < 1e-12 * value } == true, "\(text)")
        #expect(event[name] == settle[name])
      }
      #expect(settle["type"].text == "spring")
      #expect(settle["overshoot"] == .bool(true))
      #expect(settle["definition"].text == "core-animation")
    }
    let (settle, event) = try run("{\"overshoot\": false, \"definition\": \"compose\"}")
    #expect(settle["overshoot"] == .bool(false))
    #expect(event["overshoot"] == .bool(false))
    #expect(settle["definition"].text == "compose")
    #expect(event["definition"].text == "compose")
  }

  @Test func `a timing curve and a cubic are recorded with what they use`() throws {
    let timing = try run("{\"type\": \"timing\", \"duration\": 0.5, \"easing\": \"cubicOut\"}")
    #expect(timing.settle.names == ["completionSpeed", "duration", "easing", "type"])
    #expect(timing.event["easing"].text == "cubicOut")
    // From 0.6 to 1 at half a second for the whole way.
    #expect(timing.event["settleTime_s"].number.map { abs($0 - 0.2) < 1e-12 } == true)
    let cubic = try run("{\"type\": \"cubic\", \"duration\": 0.5, \"overshoot\": false}")
    #expect(cubic.settle.names == ["duration", "overshoot", "type"])
    #expect(cubic.event["type"].text == "cubic")
    let plain = try run("{\"type\": \"timing\", \"duration\": 0.5, \"completionSpeed\": 2}")
    #expect(plain.settle["easing"].text == "ease-in-out")
    #expect(plain.event["settleTime_s"].number.map { abs($0 - 0.1) < 1e-12 } == true)
  }

  static let wrong: [(settle: String, place: String)] = [
    ("{\"type\": \"ease\"}", "$.settle.type: "),
    ("{\"type\": \"timing\"}", "$.settle: missing field 'duration'"),
    ("{\"type\": \"cubic\"}", "$.settle: missing field 'duration'"),
    ("{\"type\": \"timing\", \"duration\": -1}", "$.settle.duration: "),
    (
      "{\"type\": \"timing\", \"duration\": 1, \"completionSpeed\": 0}",
      "$.settle.completionSpeed: "
    ),
    ("{\"type\": \"timing\", \"duration\": 1, \"easing\": \"wobble\"}", "$.settle.easing: "),
    ("{\"type\": \"timing\", \"duration\": 1, \"overshoot\": true}", "$.settle.overshoot: "),
    ("{\"type\": \"cubic\", \"duration\": 1, \"easing\": \"linear\"}", "$.settle.easing: "),
    ("{\"type\": \"cubic\", \"duration\": 1, \"overshoot\": 1}", "$.settle.overshoot: "),
    ("{\"duration\": 1}", "$.settle: missing field 'bounce'"),
    ("{\"bounce\": 0}", "$.settle: missing field 'duration'"),
    ("{\"duration\": 1, \"bounce\": -1}", "$.settle.bounce: "),
    (
      "{\"duration\": 1, \"bounce\": 0, \"mass\": 2}",
      "$.settle.mass: 'mass' cannot be combined with"
    ),
    ("{\"response\": 1}", "$.settle: missing field 'dampingRatio'"),
    ("{\"response\": 1, \"dampingRatio\": 1, \"stiffness\": 2}", "$.settle.stiffness: "),
    (
      "{\"dampingRatio\": 1, \"damping\": 2}", "$.settle.damping: 'damping' cannot be combined with"
    ),
    ("{\"dampingRatio\": -1}", "$.settle.dampingRatio: "), ("{\"response\": 0}", "$.settle"),
    ("{\"stiffness\": 1e300, \"mass\": 1e-300}", "$.settle: a spring of mass"),
    ("{\"definition\": \"never\"}", "$.settle.definition: "),
    ("{\"overshoot\": \"yes\"}", "$.settle.overshoot: "),
  ]

  @Test(arguments: wrong)
  func `what is no settle is refused with its place, in one sentence`(settle: String, place: String)
    throws
  {
    let run = try kymo(
      "scenario", "check", "-", input: Scenarios.small("\"settle\": \(settle)"))
    #expect(run.code == 2)
    #expect(run.errors.contains(place), "\(run.errors)")
    #expect(run.errors.split(separator: "\n").count == 1)
  }

  @Test func `the settling time of a recording is the live one for every type`() throws {
    for settle in [
      "{\"definition\": \"flutter\"}", "{\"type\": \"cubic\", \"duration\": 0.4}",
      "{\"type\": \"timing\", \"duration\": 0.7, \"completionSpeed\": 3}",
      "{\"duration\": 0.5, \"bounce\": 0.3, \"overshoot\": false}",
    ] {
      let place = try Workplace()
      let path = try place.record(
        text: Scenarios.scripted(Self.steps, "\"settle\": \(settle)"), into: "a.kymo")
      let live = try answers("sql", path, "SELECT key, settle_time_s FROM estimates ORDER BY key")
      let again = try answers("velocity", path)
      for row in live {
        let found = again.first { $0["key"] == row["key"] }
        #expect(found?["settle_time_s"] == row["settle_time_s"], "\(settle)")
      }
    }
  }
}
