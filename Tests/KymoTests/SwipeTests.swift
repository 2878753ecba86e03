import Foundation
import JSONText
import TestSupport
import Testing

/// Swipes that a rule decides from touches: their direction, their unit, and one decision for all fingers.
@Suite struct SwipeTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  private static let rules = [
    "niri", "cosmic", "hyprland", "kwin", "kwin-overview", "wayfire", "gnome", "progress",
    "velocity", "projection", "projection-discrete", "compose", "flutter-cupertino",
    "flutter-dismissible", "omniwm",
  ]

  /// A swipe as `libinput debug-events` prints it, 8 ms from one step to the next.
  private func events(_ name: String, _ steps: [(x: Double, y: Double)]) throws -> String {
    var text = "event5 GESTURE_SWIPE_BEGIN +1.000s\t3\n"
    for (index, step) in steps.enumerated() {
      text += String(
        format: "event5 GESTURE_SWIPE_UPDATE +1.%03ds\t3 %.2f/%.2f (%.2f/%.2f unaccelerated)\n",
        (index + 1) * 8, step.x, step.y, step.x, step.y)
    }
    return try place.file(
      "\(name).txt",
      text + String(format: "event5 GESTURE_SWIPE_END +1.%03ds\t3\n", steps.count * 8 + 47))
  }

  @Test(arguments: rules)
  func `the mirror image of a swipe has the mirror image of the decision, bit for bit`(
    rule: String
  ) throws {
    let shapes: [(x: Double, y: Double)] = [(14.13, 0), (14.13, 3.07), (5.21, 9.99)]
    for (number, shape) in shapes.enumerated() {
      // Faster and faster, and in the second form back at the end.
      for isReversed in [false, true] {
        let steps = (0..<14).map { index -> (x: Double, y: Double) in
          let share = isReversed && index > 9 ? -1.25 : 1 + Double(index) / 32
          return (shape.x * share, shape.y * share)
        }
        var found: [[JSONValue]] = []
        var directions: [String?] = []
        for (signX, signY) in [(1.0, 1.0), (-1, 1), (1, -1), (-1, -1)] {
          let path = try events(
            "\(number) \(isReversed) \(signX) \(signY)",
            steps.map { ($0.x * signX, $0.y * signY) })
          let all = try decidedSwipe(path, "--rule", rule)
          let one = all.filter { $0["decision"] != .null }
          #expect(all.count == 2, "\(all)")
          #expect(one.count == 1, "\(all)")
          found.append(numbersOfDecision(one[0]))
          directions.append(one[0]["direction"].text)
        }
        #expect(Set(found.map { "\($0)" }).count == 1, "\(found)")
        let isVertical = number == 2
        #expect(
          directions
            == (isVertical ? ["down", "down", "up", "up"] : ["right", "left", "right", "left"]))
      }
    }
  }

  @Test func `a desktop accepts a swipe to the left and up, and a way back counts against it`()
    throws
  {
    let left = (0..<16).map { (x: -14 - Double($0) * 0.4, y: 0.0) }
    for rule in ["niri", "cosmic", "hyprland", "kwin", "kwin-overview", "wayfire", "gnome"] {
      for (name, steps) in [("left", left), ("up", left.map { (x: $0.y, y: $0.x) })] {
        let row = try #require(
          try decidedSwipe(events(name, steps), "--rule", rule).first { $0["decision"] != .null })
        #expect(row["decision"].text == "finish", "\(rule)")
        #expect(row["direction"].text == name, "\(rule)")
        #expect(row["axis"].text == (name == "left" ? "x" : "y"))
        #expect(row["rule_progress"].number ?? 0 > 0)
      }
    }
    // 288 points to the left and 144 back, which is all that the velocity of the last 150 ms sees.
    let out = Array(repeating: (x: -24.0, y: 0.0), count: 12)
    let back = out + Array(repeating: (x: 8.0, y: 0.0), count: 18)
    let row = try #require(
      try decidedSwipe(events("back", back), "--rule", "niri").first { $0["decision"] != .null })
    #expect(row["decision"].text == "cancel")
    #expect(row["direction"].text == "left")
    #expect(row["rule_progress"].number.map { abs($0 - 144.0 / 300) < 1e-9 } == true)
    #expect(row["rule_velocity"].number ?? 0 < -2)
    // Back at the start it counts in the direction in which it went, and so cancels.
    let whole = out + Array(repeating: (x: 16.0, y: 0.0), count: 18)
    let none = try #require(
      try decidedSwipe(
        events("whole", whole), "--rule", "projection", "--set", "release.distance=300"
      )
      .first { $0["decision"] != .null })
    #expect(none["direction"].text == "left")
    #expect(none["rule_progress"].number == 0)
    #expect(none["decision"].text == "cancel")
    #expect(none["rule_velocity"].number ?? 0 < 0)
  }

  @Test func `an app with one direction says so, by a word or by a distance below 0`() throws {
    let left = try events("left", Array(repeating: (x: -20.0, y: 1.0), count: 15))
    for (words, decision, direction) in [
      ([], "finish", "left"), (["--towards", "left"], "finish", "left"),
      (["--towards", "right"], "cancel", "right"), (["--towards", "up"], "cancel", "up"),
      (["--towards", "down"], "cancel", "down"),
      (["--set", "release.distance=-300"], "finish", "left"),
      (["--set", "release.distance=300"], "finish", "left"),
    ] {
      let run = try kymo(["velocity", left, "--rule", "niri", "--json"] + words)
      let one = try rows(run.output).filter { $0["decision"] != .null }
      #expect(one.count == 1, "\(words): \(one)")
      #expect(one[0]["decision"].text == decision, "\(words): \(one)")
      #expect(one[0]["direction"].text == direction, "\(words)")
      #expect(one[0]["axis"].text == (["up", "down"].contains(direction) ? "y" : "x"))
    }
    let right = try events("right", Array(repeating: (x: 20.0, y: 1.0), count: 15))
    let backwards = try decidedSwipe(right, "--rule", "progress", "--set", "release.distance=-200")
    #expect(backwards[0]["rule_progress"].number.map { abs($0 + 1.5) < 1e-9 } == true)
    #expect(backwards[0]["decision"].text == "cancel")
    #expect(backwards[1]["decision"] == .null)
    // The axis that --key names decides, and not the longer one.
    let across = try decidedSwipe(left, "--rule", "kwin", "--key", "finger.0.y")
    #expect(across.count == 1)
    #expect(across[0]["direction"].text == "down")
    let table = try place.file("table.csv", "t_ns,value\n0,1\n8000000,2\n16000000,3\n")
    for (words, sentence) in [
      (["velocity", left, "--towards", "left"], "Name the rule with --rule"),
      (["velocity", left, "--rule", "niri", "--towards", "in"], "--towards: unknown value 'in'"),
      (
        ["velocity", left, "--rule", "niri", "--towards", "left", "--set", "release.distance=-3"],
        "both name a direction"
      ),
      (
        ["velocity", left, "--rule", "niri", "--towards", "left", "--key", "finger.0.y"],
        "leaves that axis out"
      ),
      (["velocity", table, "--rule", "niri", "--towards", "left"], "is a table"),
      (["velocity", left, "--rule", "niri", "--set", "release.distance=0"], "other than 0"),
    ] {
      let run = try kymo(words)
      #expect(run.code == 2, "\(words): \(run.errors)")
      #expect(run.errors.contains(sentence), "\(words): \(run.errors)")
    }
  }

  @Test
  func `a recording is judged by its touches if a direction is named, and else by its progress`()
    throws
  {
    let path = place.path("drags.kymo")
    for (number, step) in [30.0, -30].enumerated() {
      let scenario = try place.file(
        "\(number).json",
        Scenarios.small(
          "\"gesture\": {\"recognizer\": \"pan\", \"map\": {\"scale\": [1, 1]}, \"progress\": {\"of\": \"translation.x\", "
            + "\"from\": 0, \"to\": \(step * 12)}}"))
      let drag = try place.file(
        "\(number).csv",
        "t_ns,id,phase,x,y\n"
          + (0...10).map { index in
            let phase = index == 0 ? "began" : index == 10 ? "ended" : "moved"
            return "\(index * 8_000_000),0,\(phase),\(400 + Double(index) * step),50\n"
          }.joined())
      #expect(
        try kymo("record", "--scenario", scenario, "--gesture", drag, "--into", path).code == 0)
    }
    let own = try answers("rule try", path)
    #expect(own.map { $0["decision"].text } == ["finish", "finish"])
    #expect(own.allSatisfy { $0["direction"] == .null })
    let left = try answers("rule try", path, "--towards", "left", "--set", "release.distance=300")
    #expect(left.map { $0["decision"].text } == ["cancel", "finish"], "\(left)")
    #expect(left.map { $0["direction"].text } == ["left", "left"])
    #expect(zip(left, [-1.0, 1]).allSatisfy { abs(($0["progress"].number ?? 0) - $1) < 1e-9 })
    let same = try answers("rule try", path, "--set", "release.distance=-300")
    #expect(same == left)
    let row = try #require(
      try answers("velocity", path + "#2", "--key", "progress", "--towards", "right").first)
    #expect(row["decision"].text == "cancel")
    #expect(row["direction"].text == "right")
    #expect(row["recorded_decision"].text == "finish")
    for words in [
      ["--towards", "left", "--set", "release.distance=-3"], ["--set", "release.distance=-3,4"],
      ["--towards", "left", "--set", "release.distance=3,4"],
    ] { #expect(try kymo(["rule try", path] + words).code == 2) }
    // The labels mean left; of both swipes the recorded progress is 0.83.
    #expect(try kymo("label", path + "#1", "cancel").code == 0)
    #expect(try kymo("label", path + "#2", "finish").code == 0)
    // With its own progress the swipe to the right is a wrong finish; judged towards the left neither is wrong.
    for (words, errors) in [([], 1), (["--towards", "left"], 0)] {
      let tuned = try kymo(["rule tune", path, "--json"] + words)
      let current = try parseJSON(Array(tuned.output.utf8))["current"]
      #expect(current["errors"].integer == Int64(errors), "\(tuned.output) \(tuned.errors)")
    }
  }

  @Test func `a rule that takes both signs cancels a swipe against the one direction`() throws {
    let left = try events("left", Array(repeating: (x: -20.0, y: 1.0), count: 15))
    for rule in ["kwin", "hyprland"] {
      for (direction, decision) in [("left", "finish"), ("right", "cancel")] {
        let row = try #require(
          try decidedSwipe(left, "--rule", rule, "--towards", direction).first {
            $0["decision"] != .null
          })
        #expect(row["decision"].text == decision, "\(rule)")
        #expect(row["direction"].text == direction, "\(rule)")
        #expect((row["rule_progress"].number == 0) == (direction == "right"))
      }
    }
  }

  @Test func `a finger that rests belongs to each swipe beside it, and none is left out`() throws {
    var rows = ["t_ns,id,phase,x,y", "0,0,began,50,900"]
    for swipe in 0..<3 {
      for step in 0...10 {
        let phase = step == 0 ? "began" : step == 10 ? "ended" : "moved"
        let time = 100_000_000 + swipe * 400_000_000 + step * 8_000_000
        rows.append("\(time),\(swipe + 1),\(phase),\(600 - step * 40),300")
      }
    }
    let thumb = try place.file(
      "thumb.csv", (rows + ["1500000000,0,ended,50,900"]).joined(separator: "\n") + "\n")
    let found = try decidedSwipe(thumb, "--rule", "kwin").filter { $0["decision"] != .null }
    #expect(found.count == 3)
    for row in found {
      #expect(row["fingers"].integer == 2, "\(row)")
      #expect(row["direction"].text == "left", "\(row)")
      #expect(row["rule_progress"].number.map { abs($0 - 1) < 1e-9 } == true)
    }
    let taps = try place.file(
      "taps.csv",
      "t_ns,id,phase,x,y\n0,0,began,1,1\n"
        + (1...1001).map { tap in
          "\(tap * 1_000_000),\(tap),began,5,5\n\(tap * 1_000_000 + 500_000),\(tap),ended,5,5\n"
        }.joined() + "9000000000,0,ended,1,1\n")
    let many = try kymo("velocity", taps, "--rule", "kwin", "--key", "finger.5.x")
    #expect(many.code == 0, "\(many.errors)")
  }

  @Test func `a cancelled swipe has no decision, and the positions of a table are a swipe`() throws
  {
    let text = try String(
      contentsOfFile: events("gone", Array(repeating: (x: -20.0, y: 1.0), count: 15)),
      encoding: .utf8)
    let gone = try place.file(
      "cancelled.txt", text.replacing(#/(SWIPE_END.*3)\n/#) { "\($0.output.1) cancelled\n" })
    #expect(try decidedSwipe(gone, "--rule", "kwin").allSatisfy { $0["decision"] == .null })
    for (sign, direction) in [(-1, "left"), (1, "right")] {
      let table = try place.file(
        "\(direction).csv",
        "t_ns,x,y\n" + (0...10).map { "\($0 * 8_000_000),\(500 + sign * $0 * 30),7\n" }.joined())
      let found = try decidedSwipe(table, "--rule", "kwin")
      #expect(found.map { $0["decision"].text } == ["finish", nil], "\(found)")
      #expect(found[0]["direction"].text == direction)
      #expect(found[0]["rule_progress"].number == 1.5)
    }
  }
}
