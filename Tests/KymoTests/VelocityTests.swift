import Foundation
import JSONText
import TestSupport
import Testing

@Suite struct VelocityTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  private static func estimator(_ name: String, _ scenario: String) throws -> String {
    try String(contentsOfFile: fixture("scenarios/\(scenario)"), encoding: .utf8)
      .replacingOccurrences(of: "\"lsq2\"", with: "\"\(name)\"")
  }

  /// Holds every recorded estimate against the one from the samples; gives the latter.
  @discardableResult
  private func expectLiveIsReplayed(_ path: String, count: Int) throws -> [Row] {
    let live = try answers("sql", path, "SELECT * FROM estimates")
    let replayed = try answers("velocity", path).filter { $0["key"].text != nil }
    #expect(live.count == count)
    #expect(replayed.count == count)
    for (live, replayed) in zip(live, replayed) {
      for (column, field) in [
        ("transition", "transition"), ("key", "key"), ("t_ns", "t_ns"),
        ("estimator", "estimator"), ("value", "value"), ("velocity", "velocity"), ("low", "low"),
        ("high", "high"), ("sample_count", "samples"), ("lift_gap_ns", "lift_gap_ns"),
        ("target", "target"), ("remaining", "remaining"),
        ("relative_velocity", "relative_velocity"), ("settle_time_s", "settle_time_s"),
      ] {
        #expect(live[column] == replayed[field], "\(path) \(column)")
      }
    }
    return replayed
  }

  @Test(arguments: ["lsq2", "impulse"])
  func `what was estimated live is what is estimated from the recording, bit for bit`(
    estimator: String
  ) throws {
    let scenario = try place.file(
      "scenario.json", Self.estimator(estimator, Scenarios.pinch))
    for gesture in ["pinch-open.evemu", "pinch-back.evemu", "two-fingers.evemu"] {
      let path = place.path("\(gesture).kymo")
      let run = try kymo(
        "record", "--scenario", scenario, "--gesture", fixture("gestures/\(gesture)"), "--into",
        path)
      #expect(run.code == 0, "\(run.errors)")
      let replayed = try expectLiveIsReplayed(path, count: 3)
      #expect(replayed[0]["estimator"].text == estimator)
      #expect(replayed[0]["velocity"].number.map { $0 != 0 } == true)
      // The decision's own velocity is the progress's.
      let decision = try answers("sql", path, "SELECT * FROM decisions")[0]
      #expect(decision["progress_velocity"] == replayed[0]["velocity"])
    }
  }

  @Test func `the same holds for several gestures, there and back`() throws {
    var rows = "t_ns,id,phase,x,y\n"
    for (gesture, distance) in [500, 450, -200, 430].enumerated() {
      let start = gesture * 2_000_000_000
      rows += "\(start),\(gesture),began,100,100\n"
      for step in 1...9 {
        let way = Double(distance * step * step) / 81
        rows += "\(start + step * 8_333_333),\(gesture),moved,\(100 + step),\(100 + way)\n"
      }
      rows += "\(start + 80_000_000),\(gesture),ended,109,\(100 + distance)\n"
    }
    let scenario = try String(
      contentsOfFile: fixture("scenarios/\(Scenarios.drag)"), encoding: .utf8
    ).replacingOccurrences(of: "0.3333333333333333", with: "1")
    let run = try kymo(
      "record", "--scenario", try place.file("scenario.json", scenario), "--gesture",
      try place.file("drags.csv", rows), "--into", place.path("a.kymo"))
    #expect(run.code == 0, "\(run.errors)")
    let replayed = try expectLiveIsReplayed(place.path("a.kymo"), count: 12)
    #expect(Set(replayed.map { $0["transition"].integer }) == [0, 1, 2, 3])
  }

  @Test func `the same holds for a transition that follows another one closely`() throws {
    let path = try place.record(
      text: Scenarios.scripted(
        """
        {"at": 0, "do": "start", "to": "large"}, {"at": 0.01, "do": "progress", "value": 0.5},
        {"at": 0.02, "do": "progress", "value": 0.9}, {"at": 0.02, "do": "finish"},
        {"at": 0.125, "do": "start", "to": "small"},
        {"at": 0.125, "do": "progress", "value": 0.1},
        {"at": 0.13, "do": "progress", "value": 0.4}, {"at": 0.135, "do": "cancel"}
        """, "\"settle\": {\"stiffness\": 100000000, \"damping\": 20000}"), into: "a.kymo")
    let live = try answers("sql", path, "SELECT * FROM estimates")
    let replayed = try answers("velocity", path)
    #expect(live.map { $0["transition"].integer } == [0, 1])
    #expect(replayed.map { $0["velocity"] } == live.map { $0["velocity"] })
    #expect(replayed.map { $0["samples"] } == live.map { $0["sample_count"] })
    #expect(live.last?["sample_count"].integer == 2)
  }

  @Test func `another estimator can be asked, or all of them`() throws {
    let path = try place.record(Scenarios.pinch, gesture: "pinch-open.evemu", into: "a.kymo")
    let own = try answers("velocity", path, "--key", "progress")
    let impulse = try answers("velocity", path, "--key", "progress", "--estimator", "impulse")
    let all = try answers("velocity", path, "--key", "progress", "--estimator", "all")
    #expect(own.map { $0["estimator"].text } == ["lsq2"])
    #expect(impulse.map { $0["estimator"].text } == ["impulse"])
    #expect(all.count == 26)
    #expect(all.filter { $0["estimator"].text == "lsq2" } == own)
    #expect(all.filter { $0["estimator"].text == "impulse" } == impulse)
    #expect(own[0]["velocity"] != impulse[0]["velocity"])
    let unknown = try kymo("velocity", path, "--estimator", "lsq9")
    #expect(unknown.code == 2)
    #expect(unknown.errors.contains("Did you mean lsq1?"))
    let key = try kymo("velocity", path, "--key", "progres")
    #expect(key.code == 2)
    #expect(key.errors.contains("Did you mean progress?"))
  }

  @Test func `a finger that rests before the lift has the velocity 0`() throws {
    let path = try place.record(Scenarios.drag, gesture: "drag-rest.evemu", into: "a.kymo")
    let rows = try answers("velocity", path)
    #expect(rows.count == 5)
    for row in rows {
      #expect(row["velocity"].number == 0)
      #expect(row["samples"].integer == 0)
      #expect((row["lift_gap_ns"].integer ?? 0) > 40_000_000)
    }
    #expect(rows[0]["relative_velocity"].number == 0)
  }

  @Test func `a single sample has no velocity, which is not 0`() throws {
    let path = try place.record(
      text: Scenarios.scripted(
        "{\"at\": 0, \"do\": \"start\", \"to\": \"large\"},"
          + "{\"at\": 0.01, \"do\": \"progress\", \"value\": 0.75}, {\"at\": 0.01, \"do\": \"finish\"}"
      ),
      into: "a.kymo")
    let rows = try answers("velocity", path)
    #expect(rows.count == 1)
    #expect(rows[0]["velocity"] == .null)
    #expect(rows[0]["low"] == .null)
    #expect(rows[0]["relative_velocity"] == .null)
    #expect(rows[0]["samples"].integer == 1)
    #expect(rows[0]["remaining"].number == 0.25)
    #expect((rows[0]["settle_time_s"].number ?? 0) > 0)
    let table = try kymo("velocity", path, "--format", "csv").output.split(separator: "\n")
    #expect(table[1].contains("lsq2,,,,1,"))
  }

  @Test func `a margin is positive where the decision stands, on both sides`() throws {
    let open = try place.record(Scenarios.pinch, gesture: "pinch-open.evemu", into: "a.kymo")
    let finish = try answers("velocity", open, "--key", "progress")[0]
    #expect(finish["decision"].text == "finish")
    #expect(finish["decided_by"].text == "rule")
    let progress = try #require(finish["value"].number)
    #expect(finish["margin"].number == progress - 0.5)
    #expect(finish["remaining"].number == 1 - progress)
    #expect(finish["target"].number == 1)
    let back = try place.record(Scenarios.pinch, gesture: "pinch-back.evemu", into: "b.kymo")
    let cancel = try answers("velocity", back, "--key", "progress")[0]
    #expect(cancel["decision"].text == "cancel")
    let value = try #require(cancel["value"].number)
    #expect(cancel["margin"].number == 0.5 - value)
    #expect(cancel["remaining"].number == -value)
    #expect(
      cancel["relative_velocity"].number
        == cancel["velocity"].number.map { $0 / (0 - value) })
  }

  @Test func `if the app overrules the rule, the margin is negative and both are told`()
    throws
  {
    let path = try place.record(Scenarios.script, into: "a.kymo")
    let row = try answers("velocity", path, "--key", "progress")[0]
    #expect(row["decision"].text == "finish")
    #expect(row["rule_decision"].text == "cancel")
    #expect(row["decided_by"].text == "app")
    #expect(row["margin"].number == 0.3 - 0.5)
    #expect(try kymo("velocity", path).output.contains("The rule would have decided cancel."))
  }

  @Test func `a progress that nobody set is told as it was released`() throws {
    let path = try place.record(
      text: Scenarios.scripted(
        "{\"at\": 0, \"do\": \"start\", \"to\": \"large\"}, {\"at\": 0.01, \"do\": \"cancel\"}"),
      into: "a.kymo")
    let live = try #require(try answers("sql", path, "SELECT * FROM estimates").first)
    let row = try #require(try answers("velocity", path).first)
    #expect(row["value"].number == 0)
    #expect(row["velocity"] == .null)
    #expect(row["samples"].integer == 0)
    #expect(row["remaining"] == live["remaining"])
    #expect(row["relative_velocity"] == live["relative_velocity"])
    #expect(row["settle_time_s"] == live["settle_time_s"])
  }

  @Test func `a huge progress is told as a number`() throws {
    let path = try place.record(
      text: Scenarios.scripted(
        "{\"at\": 0, \"do\": \"start\", \"to\": \"large\"},"
          + "{\"at\": 0.01, \"do\": \"progress\", \"value\": 1e308}, {\"at\": 0.01, \"do\": \"finish\"}"
      ),
      into: "a.kymo")
    let row = try #require(answers("velocity", path).first { $0["key"].text == "progress" })
    #expect(row["value"].number == 1e308)
    #expect(row["decision"].text == "finish")
  }

  @Test func `each axis of a pointer that was down has a row`() throws {
    let path = try place.record(Scenarios.pinch, gesture: "pinch-back.evemu", into: "a.kymo")
    let pointers = try answers("velocity", path).filter { $0["pointer"] != .null }
    #expect(pointers.map { $0["pointer"].integer } == [0, 0, 1, 1])
    #expect(pointers.map { $0["axis"].text } == ["x", "y", "x", "y"])
    for row in pointers {
      #expect(row["key"] == .null)
      #expect(row["unit"].text == "pt/s")
      #expect(row["target"] == .null)
      #expect(row["settle_time_s"] == .null)
      #expect(row["velocity"].number != nil)
    }
  }

  @Test func `at another moment nothing was decided, and the rule tells what it would say`() throws
  {
    let path = try place.record(Scenarios.pinch, gesture: "pinch-open.evemu", into: "a.kymo")
    let early = try answers("velocity", path, "--at", "0.15", "--key", "progress")[0]
    #expect(early["t_ns"].integer == 150_000_000)
    #expect(early["decided_by"] == .null)
    #expect(early["decision"].text == "cancel")
    #expect((early["margin"].number ?? 0) > 0)
    let release = try answers("velocity", path, "--key", "progress")[0]
    let same = try answers(
      "velocity", path, "--key", "progress", "--at", "\(release["t_ns"].integer ?? 0)ns")
    #expect(same == [release])
    #expect(try kymo("velocity", path, "--at", "-1").code == 2)
  }

  @Test func `a session without a release is asked about at its end`() throws {
    let lines = (0...10).map {
      "{\"t_ns\": \($0 * 10_000_000), \"key\": \"x\", \"value\": \($0)}\n"
    }
    let run = try kymo(
      "record", "--from-ndjson", "-", "--into", place.path("a.kymo"),
      input: "{\"kymograph\": 1}\n" + lines.joined())
    #expect(run.code == 0)
    let row = try #require(try answers("velocity", place.path("a.kymo")).first)
    #expect(row["t_ns"].integer == 100_000_000)
    #expect(row["velocity"].number.map { abs($0 - 100) < 1e-9 } == true)
    #expect(row["decision"] == .null)
  }
}

@Suite struct VelocityOfSamplesTests {
  private func estimates(_ text: String, _ more: String...) throws -> [Row] {
    let run = try kymo(
      ["velocity", "-", "--json"] + more, input: Data(text.utf8))
    #expect(run.code == 0, "\(run.errors)")
    return try rows(run.output)
  }

  /// x = 3 + 40 t + 200 t² and y = -t every 10 ms up to 50 ms; the slopes at the end are 60 and -1.
  private static let parabola =
    "t_ns,x,y\n"
    + (0...5).map { step in
      let t = Double(step) / 100
      return "\(step * 10_000_000),\(3 + 40 * t + 200 * t * t),\(-t)\n"
    }.joined()

  @Test func `a parabola's slope is found exactly, axis by axis`() throws {
    let found = try estimates(Self.parabola, "--estimator", "lsq2")
    #expect(found.map { $0["axis"].text } == ["x", "y"])
    #expect(found.map { $0["samples"].integer } == [6, 6])
    let velocities = found.compactMap { $0["velocity"].number }
    #expect(abs(velocities[0] - 60) < 1e-9)
    #expect(abs(velocities[1] + 1) < 1e-9)
    let low = try #require(found[0]["low"].number)
    let high = try #require(found[0]["high"].number)
    #expect(low <= velocities[0])
    #expect(velocities[0] <= high)
    #expect(high - low < 1e-6)
  }

  @Test func `every estimator answers if all are asked`() throws {
    let found = try estimates(Self.parabola, "--estimator", "all")
    let names = [
      "lsq1", "lsq2", "lsq3", "lsq-span", "lsq2-restricted", "wlsq2-delta", "wlsq2-central",
      "wlsq2-recent",
      "int1", "int2", "legacy", "impulse", "impulse-2017", "mean", "mean5", "ios3", "macos3",
      "swiftui", "two-point", "kalman-cv", "kalman-ca", "one-euro", "mean-steps", "step-mean",
      "last-two", "auto",
    ]
    #expect(found.map { $0["estimator"].text } == names + names)
    #expect(found.prefix(names.count).allSatisfy { $0["axis"].text == "x" })
    #expect(found.suffix(names.count).allSatisfy { $0["axis"].text == "y" })
  }

  @Test func `a cancelled contact of a gesture file has no velocity, and the table says so`() throws
  {
    let touches = """
      t_ns,id,phase,x,y
      0,1,down,10,10
      10000000,1,move,20,10
      20000000,1,move,40,10
      20000000,2,down,0,0
      30000000,2,move,5,5
      40000000,1,cancel,40,10
      40000000,2,up,5,5

      """
    for preset in ["android", "flutter", "compose"] {
      let found = try estimates(touches, "--preset", preset)
      #expect(found.map { $0["velocity"] == .null } == [true, true, false, false], "\(preset)")
      #expect(found.map { $0["samples"].integer } == [0, 0, 2, 2])
    }
    // Before it was taken away it had one.
    #expect(
      try estimates(touches, "--key", "finger.0.x", "--lift", "39999999ns")[0]["velocity"] != .null)
    let run = try kymo(
      "velocity", "-", "--preset", "android", "--explain", input: touches)
    let lines = run.output.split(separator: "\n").filter { $0.hasPrefix("Contact ") }
    #expect(lines == ["Contact 0 was cancelled, so it has no velocity."])
    #expect(run.output.contains("cancelled, no sample counts"))
  }

  @Test func `two samples give the difference, one gives none, a pause gives 0`() throws {
    for estimator in ["lsq2", "impulse"] {
      let two = try estimates("t_ns,value\n0,1\n10000000,3\n", "--estimator", estimator)[0]
      #expect(two["velocity"].number == 200)
      #expect(two["low"] == .null)
      #expect(two["samples"].integer == 2)
      let one = try estimates("t_ns,value\n7,1\n", "--estimator", estimator)[0]
      #expect(one["velocity"] == .null)
      #expect(one["samples"].integer == 1)
      let paused = try estimates(
        "t_ns,value\n0,1\n10000000,3\n", "--estimator", estimator, "--lift", "60000000ns")[0]
      #expect(paused["velocity"].number == 0)
      #expect(paused["lift_gap_ns"].integer == 50_000_000)
    }
  }

  @Test func `samples after the lift have no say`() throws {
    let early = try estimates(Self.parabola, "--estimator", "lsq2", "--lift", "30000000ns")
    #expect(early[0]["samples"].integer == 4)
    #expect(early[0]["velocity"].number.map { abs($0 - 52) < 1e-9 } == true)
    let before = try estimates(Self.parabola, "--estimator", "all", "--lift=-1ns")
    // A compositor that has no report yet has a velocity of 0.
    let ofReports = ["mean-steps", "step-mean", "last-two"]
    #expect(
      before.allSatisfy {
        ofReports.contains($0["estimator"].text ?? "")
          ? $0["velocity"].number == 0 : $0["velocity"] == .null
      })
  }

  @Test func `a text that is no table of samples is unreadable`() throws {
    for text in [
      "", "a,b\n", "t_ns,value,more\n", "t_ns,value\n", "t_ns,value\n1\n", "t_ns,value\n1,nan\n",
      "t_ns,value\n1,1e999\n", "t_ns,x,y\n1,2\n", "t_ns,value\n99999999999999999999,2\n",
    ] {
      let run = try kymo("velocity", "-", input: text)
      #expect(run.code == 4, "\(text)")
      let said =
        text.isEmpty ? "standard input: the file is empty" : "standard input:1: no row below '"
      #expect(run.errors.contains(said), "\(text): \(run.errors)")
      #expect(run.output == "")
    }
    #expect(try kymo("velocity", "/nowhere/at/all").code == 4)
    #expect(
      try kymo(
        "velocity", "-", "--lift", "soon", input: "t_ns,value\n1,2\n"
      ).code == 2)
    #expect(try kymo("velocity", "run.kymo", "--lift", "5").code == 2)
  }

  @Test func `windows line ends, blanks and extreme numbers are read`() throws {
    let found = try estimates(
      "t_ns, value\r\n0, 0\r\n\r\n10000000 , 1\r\n", "--estimator", "lsq2")
    #expect(found[0]["velocity"].number == 100)
    let extreme = try estimates(
      "t_ns,value\n-9223372036854775808,1e308\n9223372036854775807,-1e308\n0,5\n",
      "--estimator", "all")
    #expect(extreme.count == 26)
  }
}
