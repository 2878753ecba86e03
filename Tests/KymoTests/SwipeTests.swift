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

  /// The rows of a swipe that a rule decides.
  private func decided(_ path: String, _ words: String...) throws -> [Row] {
    let run = try kymo(["velocity", path, "--json"] + words)
    #expect(run.code == 0, "\(run.errors)")
    return try rows(run.output)
  }

  /// The numbers of a decision, which a mirror image shares.
  private func numbers(_ row: Row) -> [JSONValue] {
    [
      "decision", "criterion", "rule_progress", "rule_velocity", "projected_progress", "margin",
      "margin_progress", "margin_velocity", "margin_threshold", "margin_sigma", "flip_progress",
      "flip_velocity",
    ].map { row[$0] }
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
          let all = try decided(path, "--rule", rule)
          let one = all.filter { $0["decision"] != .null }
          #expect(all.count == 2 && one.count == 1, "\(all)")
          found.append(numbers(one[0]))
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
          try decided(events(name, steps), "--rule", rule).first { $0["decision"] != .null })
        #expect(row["decision"].text == "finish" && row["direction"].text == name, "\(rule)")
        #expect(row["axis"].text == (name == "left" ? "x" : "y"))
        #expect(row["rule_progress"].number ?? 0 > 0)
      }
    }
    // 288 points to the left and 144 back, which is all that the velocity of the last 150 ms sees.
    let out = Array(repeating: (x: -24.0, y: 0.0), count: 12)
    let back = out + Array(repeating: (x: 8.0, y: 0.0), count: 18)
    let row = try #require(
      try decided(events("back", back), "--rule", "niri").first { $0["decision"] != .null })
    #expect(row["decision"].text == "cancel" && row["direction"].text == "left")
    #expect(row["rule_progress"].number.map { abs($0 - 144.0 / 300) < 1e-9 } == true)
    #expect(row["rule_velocity"].number ?? 0 < -2)
    // Back at the start it counts in the direction in which it went, and so cancels.
    let whole = out + Array(repeating: (x: 16.0, y: 0.0), count: 18)
    let none = try #require(
      try decided(events("whole", whole), "--rule", "projection", "--set", "release.distance=300")
        .first { $0["decision"] != .null })
    #expect(none["direction"].text == "left" && none["rule_progress"].number == 0)
    #expect(none["decision"].text == "cancel" && none["rule_velocity"].number ?? 0 < 0)
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
      #expect(one.count == 1 && one[0]["decision"].text == decision, "\(words): \(one)")
      #expect(one[0]["direction"].text == direction, "\(words)")
      #expect(one[0]["axis"].text == (["up", "down"].contains(direction) ? "y" : "x"))
    }
    let right = try events("right", Array(repeating: (x: 20.0, y: 1.0), count: 15))
    let backwards = try decided(right, "--rule", "progress", "--set", "release.distance=-200")
    #expect(backwards[0]["rule_progress"].number.map { abs($0 + 1.5) < 1e-9 } == true)
    #expect(backwards[0]["decision"].text == "cancel" && backwards[1]["decision"] == .null)
    // The axis that --key names decides, and not the longer one.
    let across = try decided(left, "--rule", "kwin", "--key", "finger.0.y")
    #expect(across.count == 1 && across[0]["direction"].text == "down")
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
      #expect(run.code == 2 && run.errors.contains(sentence), "\(words): \(run.errors)")
    }
  }

  /// Touches of a device with 40 and 20 units per millimetre, in the formats of the kernel's tools.
  private func device(
    _ format: String, fingers: Int, resolution: (x: Int, y: Int)? = (40, 20),
    isMirrored: Bool = false
  ) throws -> String {
    var frames: [(time: Int, events: [(type: Int, code: Int, value: Int)])] = []
    for frame in 0...20 {
      var events: [(type: Int, code: Int, value: Int)] = []
      for finger in 0..<fingers {
        events.append((3, 47, finger))
        if frame == 0 { events.append((3, 57, 900 + finger)) }
        // 1 mm along x in each frame of 10 ms; the second finger half as far.
        let way = frame * 40 / (finger == 1 ? 2 : 1)
        events.append((3, 53, isMirrored ? 3000 - 500 - way : 500 + way))
        events.append((3, 54, 700 + finger * 10))
        if frame == 20 { events.append((3, 57, -1)) }
      }
      frames.append((frame * 10_000, events + [(0, 0, 0)]))
    }
    let (x, y) = (resolution?.x ?? 0, resolution?.y ?? 0)
    var lines: [String]
    switch format {
    case "yml":
      lines = [
        "# libinput record", "version: 1", "ndevices: 1", "devices:", "- node: /dev/input/event2",
        "  evdev:", "    name: \"pad\"", "    codes:", "      3: [47, 53, 54, 57, 58] # EV_ABS",
        "    absinfo:", "      47: [0, 4, 0, 0, 0]", "      53: [0, 3000, 0, 0, \(x)]",
        "      54: [0, 2000, 0, 0, \(y)]", "    properties: [0]", "  events:",
      ]
    case "evtest":
      lines = [
        "Input device name: \"pad\"", "Supported events:", "  Event type 3 (EV_ABS)",
        "    Event code 53 (ABS_MT_POSITION_X)", "      Value      0", "      Max     3000",
        "      Resolution      \(x)", "    Event code 54 (ABS_MT_POSITION_Y)",
        "      Resolution      \(y)", "Properties:", "Testing ... (interrupt to exit)",
      ]
    case "python":
      lines = [
        "  Type EV_ABS 3:", "    Code ABS_MT_POSITION_X 53:",
        "      value 0, min 0, max 3000, fuzz 0, flat 0, res \(x)",
        "    Code ABS_MT_POSITION_Y 54:",
        "      value 0, min 0, max 2000, fuzz 0, flat 0, res \(y)",
      ]
    default: lines = ["# EVEMU 1.3", "N: pad", "A: 35 0 3000 0 0 \(x)", "A: 36 0 2000 0 0 \(y)"]
    }
    for (time, events) in frames {
      if format == "yml" { lines.append("  - evdev:") }
      for event in events {
        let seconds = String(format: "%d.%06d", time / 1_000_000, time % 1_000_000)
        switch format {
        case "yml":
          lines.append("    - [0, \(time), \(event.type), \(event.code), \(event.value)] # it")
        case "evtest", "python":
          lines.append(
            event.type == 0
              ? "Event: time \(seconds), -------------- SYN_REPORT ------------"
              : "Event: time \(seconds), type 3 (EV_ABS), code \(event.code) (IT), value \(event.value)"
          )
        default:
          lines.append(
            "E: \(seconds) " + String(format: "%04x %04x %d", event.type, event.code, event.value))
        }
      }
    }
    return try place.file(
      "\(fingers) \(x) \(isMirrored).\(format)", lines.joined(separator: "\n") + "\n")
  }

  @Test(arguments: ["yml", "evtest", "python", "evemu"])
  func `a device's positions become libinput's units with its own resolution`(format: String) throws
  {
    let run = try kymo("velocity", device(format, fingers: 1), "--rule", "kwin", "--json")
    #expect(run.code == 0)
    #expect(
      run.errors.contains(
        "distances are in libinput's units, 10.517 to the millimetre, by a resolution of 40 and 20 units per millimetre. "
          + "Pointer acceleration is not applied"), "\(run.errors)")
    let found = try rows(run.output)
    // 20 mm of 200 units: libinput has 1000 to the inch, slowed down by 0.9 and 0.2968.
    let progress = 20 * 1000 / 25.4 * 0.9 * 0.2968 / 200
    #expect(found[0]["rule_progress"].number.map { abs($0 - progress) < 1e-9 } == true, "\(found)")
    #expect(found[0]["direction"].text == "right" && found[1]["decision"] == .null)
    #expect(found[0]["velocity"].number.map { abs($0 - progress * 200 / 0.2) < 1e-6 } == true)
    let mirrored = try decided(
      device(format, fingers: 1, isMirrored: true), "--rule", "kwin")
    #expect(mirrored[0]["direction"].text == "left")
    #expect(numbers(mirrored[0]) == numbers(found[0]))
    // Without a rule the numbers stay the device's.
    let plain = try decided(device(format, fingers: 1))
    #expect(plain[0]["velocity"].number.map { abs($0 - 4000) < 1e-6 } == true)
    #expect(plain[0]["decision"] == .null)
    // Without a resolution nothing is decided, and a sentence says what to give.
    let unknown = try device(format, fingers: 1, resolution: nil)
    let undecided = try kymo("velocity", unknown, "--rule", "kwin", "--json")
    #expect(undecided.code == 0 && undecided.errors.contains("no decision"))
    #expect(undecided.errors.contains("--resolution X,Y"))
    #expect(
      try rows(undecided.output).allSatisfy { $0["decision"] == .null && $0["rule"] == .null })
    #expect(try decided(unknown, "--rule", "kwin", "--resolution", "40,20") == found)
    for word in ["0", "40,", "40,20,10", "a", "-4", "inf"] {
      #expect(try kymo("velocity", unknown, "--rule", "kwin", "--resolution", word).code == 2)
    }
  }

  @Test func `a swipe of several fingers is decided once, by their mean`() throws {
    for fingers in 2...4 {
      for format in ["yml", "evtest", "evemu"] {
        let path = try device(format, fingers: fingers)
        let found = try decided(path, "--rule", "niri")
        #expect(found.count == fingers * 2 + 1)
        let one = try #require(found.last)
        #expect(found.dropLast().allSatisfy { $0["decision"] == .null && $0["fingers"] == .null })
        #expect(
          one["pointer"] == .null && one["axis"].text == "x" && one["decision"].text == "finish")
        #expect(one["fingers"].integer == Int64(fingers) && one["direction"].text == "right")
        let mean = (Double(fingers) - 0.5) / Double(fingers) * 20 * 1000 / 25.4 * 0.9 * 0.2968
        #expect(one["rule_progress"].number.map { abs($0 - mean / 300) < 1e-9 } == true, "\(one)")
        let all = try decided(path, "--rule", "niri", "--estimator", "all")
        #expect(
          all.count == (fingers * 2 + 1) * 25
            && all.count { $0["decision"] != .null } == 23, "\(all.count)")
        let kept = try decided(path, "--rule", "niri", "--key", "finger.0.x")
        #expect(kept.count == 2 && kept[1]["rule_progress"] == one["rule_progress"])
        let across = try decided(path, "--rule", "niri", "--key", "finger.0.y")
        #expect(
          across.count == 2 && across[1]["axis"].text == "y"
            && across[1]["rule_progress"].number == 0)
        let mirrored = try decided(
          device(format, fingers: fingers, isMirrored: true), "--rule", "niri")
        #expect(numbers(mirrored.last ?? .null) == numbers(one))
        #expect(mirrored.last?["direction"].text == "left")
      }
    }
    let two = try place.file(
      "two.csv",
      "t_ns,id,phase,x,y\n"
        + (0..<2).flatMap { swipe in
          (0...10).map { step in
            let phase = step == 0 ? "began" : step == 10 ? "ended" : "moved"
            return
              "\(swipe * 500_000_000 + step * 8_000_000),\(swipe),\(phase),\(step * (swipe == 0 ? 30 : -30)),5\n"
          }
        }.joined())
    let apart = try decided(two, "--rule", "kwin").filter { $0["decision"] != .null }
    #expect(apart.map { $0["direction"].text } == ["right", "left"])
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
    #expect(row["decision"].text == "cancel" && row["direction"].text == "right")
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
          try decided(left, "--rule", rule, "--towards", direction).first {
            $0["decision"] != .null
          })
        #expect(row["decision"].text == decision && row["direction"].text == direction, "\(rule)")
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
    let found = try decided(thumb, "--rule", "kwin").filter { $0["decision"] != .null }
    #expect(found.count == 3)
    for row in found {
      #expect(row["fingers"].integer == 2 && row["direction"].text == "left", "\(row)")
      #expect(row["rule_progress"].number.map { abs($0 - 1) < 1e-9 } == true)
    }
    let taps = try place.file(
      "taps.csv",
      "t_ns,id,phase,x,y\n0,0,began,1,1\n"
        + (1...1001).map { tap in
          "\(tap * 1_000_000),\(tap),began,5,5\n\(tap * 1_000_000 + 500_000),\(tap),ended,5,5\n"
        }.joined() + "9000000000,0,ended,1,1\n")
    let many = try kymo("velocity", taps, "--rule", "kwin", "--key", "finger.5.x")
    #expect(many.code == 4 && many.errors.contains("more than 1000 contacts"), "\(many.errors)")
  }

  @Test func `a cancelled swipe has no decision, and the positions of a table are a swipe`() throws
  {
    let text = try String(
      contentsOfFile: events("gone", Array(repeating: (x: -20.0, y: 1.0), count: 15)),
      encoding: .utf8)
    let gone = try place.file(
      "cancelled.txt", text.replacing(#/(SWIPE_END.*3)\n/#) { "\($0.output.1) cancelled\n" })
    #expect(try decided(gone, "--rule", "kwin").allSatisfy { $0["decision"] == .null })
    for (sign, direction) in [(-1, "left"), (1, "right")] {
      let table = try place.file(
        "\(direction).csv",
        "t_ns,x,y\n" + (0...10).map { "\($0 * 8_000_000),\(500 + sign * $0 * 30),7\n" }.joined())
      let found = try decided(table, "--rule", "kwin")
      #expect(found.map { $0["decision"].text } == ["finish", nil], "\(found)")
      #expect(found[0]["direction"].text == direction && found[0]["rule_progress"].number == 1.5)
    }
  }
}
