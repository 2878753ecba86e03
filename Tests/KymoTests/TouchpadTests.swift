import Foundation
import JSONText
import TestSupport
import Testing

/// Gestures of a touchpad, which libinput gives as distances, and touches of Linux devices, in every command.
@Suite struct TouchpadTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  private let swipe = fixture("gestures/touchpad-swipe.libinput-events.txt")
  private let reason =
    "velocities use the preset gnome, which has no stop gap: libinput ends a gesture 46 to 50 ms after its last distance."

  @Test func `a flick that libinput ends late has a velocity, by a window that is named`() throws {
    let run = try kymo("velocity", swipe, "--json")
    #expect(run.code == 0)
    #expect(run.errors.contains("\(reason) Choose another preset with --preset"))
    let found = try rows(run.output)
    let named = try rows(kymo("velocity", swipe, "--preset", "gnome", "--json").output)
    #expect(found == named)
    #expect(found[0]["velocity"].number ?? 0 < -6000)
    #expect(found[0]["estimator"].text == "mean")
    #expect(found[0]["lift_gap_ns"].integer == 48_000_000)
    let android = try kymo("velocity", swipe, "--preset", "android", "--json")
    #expect(!android.errors.contains(reason))
    #expect(try rows(android.output)[0]["velocity"].number == 0)
    let other = try rows(kymo("velocity", swipe, "--estimator", "lsq1", "--json").output)
    #expect(other[0]["estimator"].text == "lsq1")
    #expect(other[0]["velocity"].number ?? 0 < -6000)
  }

  /// A swipe of 10 reports, 8 ms apart, each so far along both axes.
  private func swipe(of step: Double) throws -> String {
    var text = "event5 GESTURE_SWIPE_BEGIN +1.000s\t3\n"
    for report in 1...10 {
      text += "event5 GESTURE_SWIPE_UPDATE +1.0\(String(format: "%02d", report * 8))s\t3 "
      text += String(format: "%.2f/%.2f (%.2f/%.2f unaccelerated)\n", step, step, step, step)
    }
    return try place.file("\(step).txt", text + "event5 GESTURE_SWIPE_END +1.127s\t3\n")
  }

  @Test func `the rule gnome has its own measure and its touchpad's numbers, by the axis`() throws {
    // Half of 400 and of 300 points lie between; 4.8 points a report are the 0.6 points/ms that decide by themselves.
    for (step, decision) in [(4.7, "cancel"), (4.8, "finish"), (4.79, "cancel")] {
      for (axis, distance) in [("x", 400.0), ("y", 300)] {
        let found = try rows(
          kymo(
            "velocity", try swipe(of: step), "--rule", "gnome", "--key", "finger.0.\(axis)",
            "--json"
          ).output)
        #expect(found.count == 1, "\(step)")
        #expect(found[0]["decision"].text == decision, "\(step)")
        #expect(found[0]["estimator"].text == "mean")
        #expect(
          found[0]["rule_progress"].number.map { abs($0 - 10 * step / distance) < 1e-9 } == true)
      }
    }
    let own = try swipe(of: 4.7)
    let asked = try rows(
      kymo(
        "velocity", own, "--rule", "gnome", "--set", "release.velocityThreshold=0.3", "--set",
        "release.distance=80", "--json"
      ).output)
    #expect(asked.map { $0["decision"].text } == ["finish", nil])
    #expect(asked[0]["rule_progress"].number.map { abs($0 - 47.0 / 80) < 1e-9 } == true)
    // A recording that such a swipe drove has the numbers, too, whoever decided it.
    for (release, words) in [
      ("\"release\": {\"rule\": \"gnome\"}, ", []), ("", ["--rule", "gnome"]),
    ] {
      let into = place.path("gnome\(words.count).kymo")
      #expect(
        try kymo("record", "--scenario", try scenario(release), "--gesture", own, "--into", into)
          .code == 0)
      let told = try kymo(["velocity", into, "--key", "progress", "--json"] + words)
      let row = try #require(try rows(told.output).first)
      #expect(row["rule_decision"].text == "cancel", "\(row)")
      #expect(row["estimator"].text == "mean", "\(row)")
      // A flip at 0.6 points/ms, of 400 points.
      #expect(row["flip_velocity"].number.map { abs(abs($0) - 1.5) < 1e-9 } == true, "\(row)")
    }
  }

  @Test(arguments: ["progress", "velocity", "projection", "omniwm"])
  func `a rule of no compositor divides the distance of a contact by release.distance`(rule: String)
    throws
  {
    let path = try swipe(of: 2)
    for (distance, decision) in [("25", "finish"), ("2000", "cancel")] {
      let run = try kymo(
        "velocity", path, "--rule", rule, "--set", "release.distance=\(distance)", "--json")
      let found = try rows(run.output)
      #expect(found.map { $0["decision"].text } == [decision, nil], "\(found)")
      let share = try #require(Double(distance))
      #expect(found[0]["rule_progress"].number.map { abs($0 - 20 / share) < 1e-9 } == true)
      #expect(found[0]["rule_velocity"].number.map { abs($0 - 250 / share) < 1 } == true)
      #expect(!run.errors.contains("release.distance=POINTS"))
    }
    #expect(try kymo("velocity", path, "--rule", rule).errors.contains("release.distance=POINTS"))
  }

  @Test func `touches that no map makes points of are the device's, in every command`() throws {
    let lines = (0...12).map { step in
      let phase = step == 0 ? "began" : step == 12 ? "ended" : "moved"
      return "\(step * 8_000_000),0,\(phase),\(step * 60),900"
    }
    let drag = try place.file(
      "drag.csv", "t_ns,id,phase,x,y\n" + lines.joined(separator: "\n") + "\n")
    let warning = "the touches lie outside of the viewport"
    for (map, unit, speed) in [
      ("", "device/s", 7500.0), ("\"map\": {\"scale\": [0.25, 0.25]}, ", "pt/s", 1875),
    ] {
      let scenario = try place.file(
        "\(map.count).json",
        Scenarios.small(
          "\"gesture\": {\"recognizer\": \"pan\", \(map)\"progress\": {\"of\": \"translation.x\", \"from\": 0, \"to\": 400}}"
        ))
      let into = place.path("\(map.count).kymo")
      let run = try kymo("record", "--scenario", scenario, "--gesture", drag, "--into", into)
      #expect(run.code == 0, "\(run.errors)")
      #expect(run.errors.contains(warning) == map.isEmpty, "\(run.errors)")
      let told = try kymo("velocity", into, "--json")
      #expect(told.errors.contains(warning) == map.isEmpty)
      let row = try #require(try rows(told.output).first { $0["axis"].text == "x" })
      #expect(row["unit"].text == unit)
      let velocity = try #require(row["velocity"].number)
      #expect(abs(velocity - speed) < 1e-6)
      let page = place.path("\(map.count).html")
      #expect(try kymo("report", into, "-o", page).code == 0)
      let found = try fingerSpeeds(inPage: String(contentsOfFile: page, encoding: .utf8)).first
      #expect(found.map { abs($0 - velocity) < 1e-6 } == true)
    }
  }

  @Test func `accelerated and unaccelerated distances are two gestures`() throws {
    func last(_ words: String...) throws -> Double {
      let run = try kymo(["list touches", swipe, "--json"] + words)
      #expect(run.code == 0, "\(run.errors)")
      return try rows(run.output).last?["x"].number ?? 0
    }
    #expect(try last() == -721.93 && last("--deltas", "accelerated") == -721.93)
    #expect(try last("--deltas", "unaccelerated") == -1055.78)
    #expect(
      try kymo("list touches", swipe, "--deltas", "unaccelerated").errors.contains(
        "positions are sums of the unaccelerated deltas"))
    #expect(try kymo("list touches", swipe, "--deltas", "fast").code == 2)
  }

  private func scenario(_ release: String) throws -> String {
    try place.file(
      "\(release.count).json",
      Scenarios.small(
        "\(release)\"gesture\": {\"recognizer\": \"pan\", \"progress\": {\"of\": \"translation.x\", \"from\": 0, \"to\": -400}}"
      ))
  }

  @Test func `a recording of such a gesture keeps its window, its estimator and what drove it`()
    throws
  {
    for (release, window, estimator, isSaid) in [
      ("", "gnome", "mean", true),
      ("\"release\": {\"estimator\": \"lsq1\"}, ", "gnome", "lsq1", true),
      ("\"release\": {\"preset\": \"android\"}, ", "android", "lsq2", false),
      ("\"release\": {\"preset\": \"gnome\"}, ", "gnome", "mean", false),
    ] {
      let into = place.path("\(window) \(estimator) \(isSaid).kymo")
      let run = try kymo(
        "record", "--scenario", try scenario(release), "--gesture", swipe, "--into", into)
      #expect(run.code == 0)
      #expect(
        run.errors.contains("\(reason) Choose another preset with release.preset in the scenario")
          == isSaid)
      let session = try #require(try answers("sql", into, "SELECT * FROM sessions").first)
      #expect(
        session["gesture_source"].text
          == "touchpad-swipe.libinput-events.txt (libinput-events, accelerated deltas)")
      #expect(session["device"].text == "modelled touchpad")
      let parameters = try parseJSON(Array((session["release"].text ?? "").utf8))
      #expect(parameters["window"].text == window)
      #expect(parameters["estimator"].text == estimator)
      let progress = try #require(
        try rows(kymo("velocity", into, "--key", "progress", "--json").output).first)
      #expect((progress["velocity"].number == 0) == (window == "android"), "\(release)")
    }
  }

  @Test
  func `a swipe decided by a compositor's rule says its unit everywhere, and settles from rest`()
    throws
  {
    for (rule, unit, limit) in [
      ("hyprland", "/report", "30 pt/report"), ("wayfire", "/2 reports", "24 pt/2 reports"),
    ] {
      let into = place.path("\(rule).kymo")
      // No progress is far enough, so that the speed decides.
      let run = try kymo(
        "record", "--scenario",
        try scenario("\"release\": {\"rule\": \"\(rule)\", \"threshold\": 2.5}, "), "--gesture",
        swipe, "--into", into)
      #expect(run.code == 0, "\(run.errors)")
      #expect(!run.errors.contains(reason), "\(run.errors)")
      let row = try #require(
        try rows(kymo("velocity", into, "--key", "progress", "--json").output).first)
      #expect(row["unit"].text == "1\(unit)")
      #expect(row["criterion"].text == "velocity")
      #expect(row["decision"].text == "finish")
      #expect(row["relative_velocity"] == .null)
      #expect(row["rule_velocity"] == row["velocity"])
      #expect(row["settle_time_s"].number ?? 0 > 0)
      let told = try kymo("velocity", into, "--key", "progress").output
      #expect(told.contains(" is past the speed \(limit)."), "\(told)")
      #expect(told.contains("Velocities per report depend on the device's report rate."))
      // What is stored is what is told, and what another program computes of the samples.
      let stored = try #require(try answers("sql", into, "SELECT * FROM decisions").first)
      #expect(stored["progress_velocity"] == row["velocity"])
      #expect(stored["progress"] == row["rule_progress"])
      #expect(stored["flip_velocity"] == row["flip_velocity"])
      let whatIf = try answers(
        "rule try", into, "--rule", "progress", "--set", "release.threshold=1.5")
      #expect(whatIf[0]["progress"] == row["value"])
      #expect(whatIf[0]["decision"].text == "finish")
      #expect(try kymo("show", into).output.contains("\(unit) by "))
      #expect(try kymo("rerun", into, "--into", place.path("\(rule)2.kymo")).code == 0)
      #expect(try kymo("compare", into, place.path("\(rule)2.kymo"), "--exact").code == 0)
      let page = place.path("\(rule).html")
      #expect(try kymo("report", into, "-o", page).code == 0)
    }
  }

  @Test func `every command that reads gestures reads every format, and asks what a flag is about`()
    throws
  {
    for name in ["libinput-record.yml", "evtest.txt", "evdev64", "evdev32"] {
      let file = fixture("gestures/two-fingers.\(name)")
      let original = fixture("gestures/two-fingers.evemu")
      for words in [
        ["list touches"], ["velocity"], ["plot"], ["export", "cdp"], ["export", "evemu"],
      ] {
        let run = try kymo(words + [file])
        #expect(run.code == 0, "\(words) \(name): \(run.errors)")
        #expect(run.errors == "", "\(words) \(name): \(run.errors)")
        let other = try kymo(words + [original])
        #expect(
          run.output.replacing("two-fingers.\(name)", with: "it")
            == other.output.replacing("two-fingers.evemu", with: "it"), "\(words) \(name)")
      }
    }
    let bytes = fixture("gestures/two-fingers.evdev32")
    #expect(try kymo("list touches", bytes, "--gesture-format", "evdev", "--abi", "32").code == 0)
    let wrong = try kymo("list touches", bytes, "--gesture-format", "evdev", "--abi", "64")
    #expect(wrong.code == 4, "\(wrong.errors)")
    #expect(wrong.errors.split(separator: "\n").count == 1, "\(wrong.errors)")
    #expect(try kymo("list touches", bytes, "--abi", "16").code == 2)
    let table = try place.file("table.csv", "t_ns,value\n0,1\n8000000,2\n16000000,3\n")
    for (words, sentence) in [
      (
        ["list touches", bytes, "--deltas", "accelerated"],
        "--deltas can only be used with libinput-events"
      ),
      (["velocity", bytes, "--deltas", "accelerated"], "two-fingers.evdev32 is evdev"),
      (["export", "evemu", swipe, "--abi", "64"], "--abi can only be used with evdev"),
      (["velocity", table, "--abi", "64"], "--abi can only be used with evdev"),
    ] {
      let run = try kymo(words)
      #expect(run.code == 2, "\(words): \(run.errors)")
      #expect(run.errors.contains(sentence), "\(words): \(run.errors)")
    }
    let recording = place.path("run.kymo")
    try place.record(Scenarios.script, into: "run.kymo")
    for command in ["velocity", "plot"] {
      let run = try kymo(command, recording, "--deltas", "accelerated")
      #expect(
        run.code == 2,
        "\(run.errors)")
      #expect(
        run.errors.contains("--deltas can only be used with a gesture file"),
        "\(run.errors)")
    }
  }

  @Test func `what is cut off, coarse or nothing ends with 3 or 4 and a sentence`() throws {
    let text = try String(contentsOfFile: swipe, encoding: .utf8)
    let lines = text.split(separator: "\n").map(String.init)
    let cut = try place.file("cut.txt", lines.prefix(9).joined(separator: "\n"))
    #expect(try kymo("list touches", cut).code == 3 && kymo("velocity", cut).code == 3)
    let coarse = try place.file(
      "coarse.txt", text.replacing(#/(\+\d\.\d\d)\ds/#) { "\($0.output.1)s" })
    let run = try kymo("list touches", coarse)
    #expect(
      run.code == 3,
      "\(run.errors)")
    #expect(
      run.errors.contains("times have 2 digits, steps of 10 ms."),
      "\(run.errors)")
    let backwards = try place.file(
      "backwards.csv",
      "t_ns,id,phase,x,y\n9000000,0,began,1,2\n0,0,moved,3,4\n9500000,0,ended,3,4\n")
    let written = try kymo("export", "evemu", backwards)
    #expect(written.code == 3)
    #expect(written.output.split(separator: "\n").count { $0.contains(" 0039 ") } == 2)
    #expect(written.errors.contains("1 touch is earlier than the touch before of the same contact"))
    let empty = try place.file("empty.txt", lines[0] + "\n")
    let none = try kymo("list touches", empty)
    #expect(none.code == 4)
    #expect(none.errors.contains("the file contains no touches (read as libinput-events)"))
    let zeros = try place.file("zeros", String(repeating: "\0", count: 240))
    #expect(try kymo("list touches", zeros).code == 4)
  }
}
