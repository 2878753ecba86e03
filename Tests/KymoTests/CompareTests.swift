import Foundation
import JSONText
import TestSupport
import Testing

@Suite struct CompareTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  private func compare(_ words: String...) throws -> (code: Int32, rows: [Row]) {
    let run = try kymo(["compare"] + words + ["--json"])
    #expect(run.errors == "")
    return (run.code, try rows(run.output))
  }

  @Test func `a run is the same as itself`() throws {
    let path = try place.record(Scenarios.pinch, gesture: "pinch-open.evemu", into: "a.kymo")
    let (code, found) = try compare(path, path)
    #expect(code == 0)
    #expect(found.map { $0["row"].text } == ["decision", "key", "key", "key", "verdict"])
    #expect(found.allSatisfy { $0["same"] == .bool(true) })
    for key in found.dropFirst().prefix(3) {
      #expect(key["max"].number == 0)
      #expect(key["lag_s"].number == 0)
      #expect(key["residual"].number == 0)
      #expect(key["only_in_a"].integer == 0)
    }
    #expect(found.last?["align"].text == "start")
    #expect(try kymo("compare", path, path).output.hasPrefix("The same"))
  }

  @Test func `a finished and a cancelled run differ`() throws {
    try place.record(Scenarios.pinch, gesture: "pinch-open.evemu", into: "a.kymo")
    try place.record(Scenarios.pinch, gesture: "pinch-back.evemu", into: "a.kymo")
    let (code, found) = try compare(place.path("a.kymo#1"), place.path("a.kymo#2"))
    #expect(code == 1)
    let decision = try #require(found.first { $0["row"].text == "decision" })
    #expect(decision["same"] == .bool(false))
    #expect(decision["decision_a"].text == "finish")
    #expect(decision["decision_b"].text == "cancel")
    #expect(found.last?["same"] == .bool(false))
    let text = try kymo("compare", place.path("a.kymo#1"), place.path("a.kymo#2"))
    #expect(text.code == 1)
    #expect(text.output.hasPrefix("Different: the decision changed from finish to cancel"))
  }

  @Test func `a run that came 8 ms later is the same when laid on its start`() throws {
    let rows = try String(contentsOfFile: fixture("gestures/drag-short.csv"), encoding: .utf8)
      .split(separator: "\n")
    let scenario = fixture("scenarios/\(Scenarios.drag)")
    // A finger that only rests comes first, so that time 0 is the same in both.
    for (name, delay) in [("early", 1_000_000_000), ("late", 1_008_000_000)] as [(String, Int64)] {
      let moved = rows.dropFirst().map { row in
        let cells = row.split(separator: ",", maxSplits: 1)
        return "\((Int64(cells[0]) ?? 0) + delay),\(cells[1])\n"
      }
      let gesture = try place.file(
        "\(name).csv", "t_ns,id,phase,x,y\n" + moved.joined())
      let script = try String(contentsOfFile: scenario, encoding: .utf8)
      let shifted = try place.file("\(name).json", script)
      let run = try kymo(
        "record", "--scenario", shifted, "--gesture", gesture, "--into", place.path("\(name).kymo"))
      #expect(run.code == 0, "\(run.errors)")
    }
    let aligned = try compare(place.path("early.kymo"), place.path("late.kymo"))
    #expect(aligned.code == 0, "\(aligned.rows)")
    let released = try compare(
      place.path("early.kymo"), place.path("late.kymo"), "--align", "release")
    #expect(released.code == 0)
  }

  /// Two runs of one curve, the second one later by some nanoseconds, started at time 0.
  private func curves(late: Int) throws -> (String, String) {
    for (name, delay) in [("a", 0), ("b", late)] {
      let lines = (0..<200).map { step in
        let x = Double(step) / 200
        return
          "{\"t_ns\": \(step * 5_000_000 + delay), \"key\": \"x\", \"value\": \(x * x * (3 - 2 * x))}\n"
      }
      let run = try kymo(
        "record", "--from-ndjson", "-", "--into", place.path("\(name).kymo"),
        input: "{\"kymograph\": 1, \"refreshRate\": 120}\n{\"t_ns\": 0, \"event\": \"start\"}\n"
          + lines.joined())
      #expect(run.code == 0)
    }
    return (place.path("a.kymo"), place.path("b.kymo"))
  }

  @Test func `a delay is told apart from another shape`() throws {
    let (a, b) = try curves(late: 20_000_000)
    let (code, found) = try compare(a, b)
    #expect(code == 1)
    let key = found[0]
    #expect(key["key"].text == "x")
    #expect(key["lag_s"].number.map { abs(abs($0) - 0.02) < 0.0005 } == true)
    #expect((key["residual_percent"].number ?? 1) < 0.5)
    #expect((key["rmse"].number ?? 0) > 0.01)
    // One frame of 120 Hz is no more than 8.3 ms; 25 ms are enough.
    #expect(try compare(a, b, "--max-lag", "25ms").code == 0)
    #expect(try compare(a, b, "--max-lag", "10ms").code == 1)
    #expect(try kymo("compare", a, b).output.contains("comes 20 ms later"))
  }

  @Test func `a delay below one frame is the same`() throws {
    let (a, b) = try curves(late: 8_000_000)
    #expect(try compare(a, b).code == 0)
    #expect(try compare(a, b, "--max-lag", "0").code == 1)
  }

  @Test func `a key that only one run has is a difference`() throws {
    for (name, key) in [("a", "only"), ("b", "other")] {
      let run = try kymo(
        "record", "--from-ndjson", "-", "--into", place.path("\(name).kymo"),
        input: """
          {"kymograph": 1}
          {"t_ns": 0, "key": "both", "value": 1}
          {"t_ns": 9, "key": "both", "value": 2}
          {"t_ns": 0, "key": "\(key)", "value": 1}
          """)
      #expect(run.code == 0)
    }
    let (code, found) = try compare(place.path("a.kymo"), place.path("b.kymo"))
    #expect(code == 1)
    #expect(found.map { $0["key"].text } == ["only", "other", "both", nil])
    #expect(found.map { $0["only_in"].text } == ["A", "B", nil, nil])
    #expect(found[2]["same"] == .bool(true))
    #expect(
      try compare(place.path("a.kymo"), place.path("b.kymo"), "--key", "both").code == 0)
    #expect(try kymo("compare", place.path("a.kymo"), place.path("b.kymo"), "--key", "c").code == 2)
  }

  @Test func `a run that was cut off early is not like the whole one`() throws {
    for (name, count) in [("whole", 100), ("cut", 20)] {
      let lines = (0..<count).map { step in
        "{\"t_ns\": \(step * 10_000_000), \"key\": \"k\", \"value\": \(Double(step) * 0.01)}"
      }
      let text = (["{\"kymograph\": 1}"] + lines).joined(separator: "\n")
      let file = try place.file("\(name).ndjson", text)
      _ = try kymo("record", "--from-ndjson", file, "--into", place.path("\(name).kymo"))
    }
    let (code, found) = try compare(place.path("whole.kymo"), place.path("cut.kymo"))
    #expect(code == 1)
    #expect(found[0]["same"] == .bool(false))
    #expect(found[0]["matched"].integer == 20)
  }

  @Test func `two runs without a key and without a decision cannot be compared`() throws {
    let file = try place.file("empty.ndjson", "{\"kymograph\": 1}")
    _ = try kymo("record", "--from-ndjson", file, "--into", place.path("empty.kymo"))
    let run = try kymo("compare", place.path("empty.kymo"), place.path("empty.kymo"))
    #expect(run.code == 2)
    #expect(run.errors.contains("nothing to compare"))
  }

  @Test func `tolerances and alignments that are none are refused`() throws {
    let path = try place.record(Scenarios.script, into: "a.kymo")
    for more in [
      ["--align", "middle"], ["--residual", "-1"], ["--residual", "x"], ["--max-lag", "-1"],
    ] {
      #expect(try kymo(["compare", path, path] + more).code == 2, "\(more)")
    }
    #expect(try kymo("compare", path).code == 2)
  }
}
