import Foundation
import JSONText
import TestSupport
import Testing

/// The rows of a swipe that a rule decides.
func decidedSwipe(_ path: String, _ words: String...) throws -> [Row] {
  let run = try kymo(["velocity", path, "--json"] + words)
  #expect(run.code == 0, "\(run.errors)")
  return try rows(run.output)
}

/// The numbers of a decision, which a mirror image shares.
func numbersOfDecision(_ row: Row) -> [JSONValue] {
  [
    "decision", "criterion", "rule_progress", "rule_velocity", "projected_progress", "margin",
    "margin_progress", "margin_velocity", "margin_threshold", "margin_sigma", "flip_progress",
    "flip_velocity",
  ].map { row[$0] }
}

/// Swipes on a device that has units of its own, by one finger and by several.
@Suite struct SwipeDeviceTests {
  let place: Workplace

  init() throws { place = try Workplace() }

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
    #expect(found[0]["direction"].text == "right")
    #expect(found[1]["decision"] == .null)
    #expect(found[0]["velocity"].number.map { abs($0 - progress * 200 / 0.2) < 1e-6 } == true)
    let mirrored = try decidedSwipe(
      device(format, fingers: 1, isMirrored: true), "--rule", "kwin")
    #expect(mirrored[0]["direction"].text == "left")
    #expect(numbersOfDecision(mirrored[0]) == numbersOfDecision(found[0]))
    // Without a rule the numbers stay the device's.
    let plain = try decidedSwipe(device(format, fingers: 1))
    #expect(plain[0]["velocity"].number.map { abs($0 - 4000) < 1e-6 } == true)
    #expect(plain[0]["decision"] == .null)
    // Without a resolution nothing is decided, and a sentence says what to give.
    let unknown = try device(format, fingers: 1, resolution: nil)
    let undecided = try kymo("velocity", unknown, "--rule", "kwin", "--json")
    #expect(undecided.code == 0)
    #expect(undecided.errors.contains("no decision"))
    #expect(undecided.errors.contains("--resolution X,Y"))
    #expect(
      try rows(undecided.output).allSatisfy { $0["decision"] == .null && $0["rule"] == .null })
    #expect(try decidedSwipe(unknown, "--rule", "kwin", "--resolution", "40,20") == found)
    for word in ["0", "40,", "40,20,10", "a", "-4", "inf"] {
      #expect(try kymo("velocity", unknown, "--rule", "kwin", "--resolution", word).code == 2)
    }
  }

  @Test func `a swipe of several fingers is decided once, by their mean`() throws {
    for fingers in 2...4 {
      for format in ["yml", "evtest", "evemu"] {
        let path = try device(format, fingers: fingers)
        let found = try decidedSwipe(path, "--rule", "niri")
        #expect(found.count == fingers * 2 + 1)
        let one = try #require(found.last)
        #expect(found.dropLast().allSatisfy { $0["decision"] == .null && $0["fingers"] == .null })
        #expect(one["pointer"] == .null)
        #expect(one["axis"].text == "x")
        #expect(one["decision"].text == "finish")
        #expect(one["fingers"].integer == Int64(fingers))
        #expect(one["direction"].text == "right")
        let mean = (Double(fingers) - 0.5) / Double(fingers) * 20 * 1000 / 25.4 * 0.9 * 0.2968
        #expect(one["rule_progress"].number.map { abs($0 - mean / 300) < 1e-9 } == true, "\(one)")
        let all = try decidedSwipe(path, "--rule", "niri", "--estimator", "all")
        #expect(all.count == (fingers * 2 + 1) * 26, "\(all.count)")
        #expect(all.count { $0["decision"] != .null } == 24, "\(all.count)")
        let kept = try decidedSwipe(path, "--rule", "niri", "--key", "finger.0.x")
        #expect(kept.count == 2)
        #expect(kept[1]["rule_progress"] == one["rule_progress"])
        let across = try decidedSwipe(path, "--rule", "niri", "--key", "finger.0.y")
        #expect(across.count == 2)
        #expect(across[1]["axis"].text == "y")
        #expect(across[1]["rule_progress"].number == 0)
        let mirrored = try decidedSwipe(
          device(format, fingers: fingers, isMirrored: true), "--rule", "niri")
        #expect(numbersOfDecision(mirrored.last ?? .null) == numbersOfDecision(one))
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
    let apart = try decidedSwipe(two, "--rule", "kwin").filter { $0["decision"] != .null }
    #expect(apart.map { $0["direction"].text } == ["right", "left"])
  }
}
