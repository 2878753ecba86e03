import Foundation
import JSONText
import TestSupport
import Testing
import TimelineReport

@Suite struct VelocityFlagTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  private func pinch() throws -> String {
    try place.record(Scenarios.pinch, gesture: "pinch-open.evemu", into: "a.kymo")
  }

  @Test func `all estimators answer about a key, each by its name`() throws {
    let rows = try answers("velocity", try pinch(), "--key", "progress", "--estimator", "all")
    let names = rows.compactMap { $0["estimator"].text }
    #expect(names.count == 26)
    #expect(Set(names).count == 26)
    #expect(names.last == "auto")
    #expect(rows.allSatisfy { $0["key"].text == "progress" })
  }

  @Test func `a preset brings its own estimator, or looks through its window for another`() throws {
    let path = try pinch()
    let firefox = try answers("velocity", path, "--key", "progress", "--preset", "firefox")[0]
    #expect(firefox["estimator"].text == "mean5")
    let other = try answers(
      "velocity", path, "--key", "progress", "--preset", "rngh", "--estimator", "lsq1")[0]
    #expect(other["estimator"].text == "lsq1")
    let own = try answers("velocity", path, "--key", "progress", "--estimator", "lsq1")[0]
    #expect((other["samples"].integer ?? 0) >= (own["samples"].integer ?? 0))
  }

  @Test func `a shorter window counts fewer samples, and a short stop gap forgets all but one`()
    throws
  {
    let path = try pinch()
    let own = try answers("velocity", path, "--key", "progress")[0]
    let short = try answers("velocity", path, "--key", "progress", "--set", "release.window=30ms")[
      0]
    #expect((short["samples"].integer ?? 99) < (own["samples"].integer ?? 0))
    let alone = try answers("velocity", path, "--key", "progress", "--set", "release.stopGap=1ns")[
      0]
    #expect(alone["velocity"] == .null)
    #expect(alone["samples"].integer == 1)
    for field in ["release.window", "release.stopGap"] {
      for value in ["0", "soon", "30ms,40ms", "30ms:60ms:10ms"] {
        #expect(try kymo("velocity", path, "--set", "\(field)=\(value)").code == 2)
      }
    }
  }

  @Test func `another rule says what it would have decided, beside what was done`() throws {
    let path = try pinch()
    let row = try answers(
      "velocity", path, "--key", "progress", "--rule", "progress", "--set", "release.threshold=2")[
        0]
    #expect(row["decision"].text == "cancel")
    #expect(row["recorded_decision"].text == "finish")
    #expect(row["target"].number == 0)
    #expect((row["margin"].number ?? 0) > 1)
    let table = try kymo("velocity", path, "--rule", "velocity").output
    #expect(table.contains("finish by the rule velocity"))
    let many = try kymo(
      "velocity", path, "--rule", "velocity", "--estimator", "all", "--key", "progress"
    ).output
    #expect(many.contains("finish by the rule velocity with 24 of 24 estimators"))
    #expect(try kymo("velocity", path, "--set", "release.decelerationRate=1").code == 2)
    #expect(try kymo("velocity", path, "--set", "release.distance=0").code == 2)
    #expect(try kymo("velocity", path, "--set", "release.minimumVelocity=-1").code == 2)
  }

  @Test func `a rule of velocity tells below which it would have been the other`() throws {
    let path = try pinch()
    let run = try kymo(
      "velocity", path, "--rule", "projection", "--set", "release.threshold=0.9")
    let row = try answers(
      "velocity", path, "--key", "progress", "--rule", "projection", "--set",
      "release.threshold=0.9")[0]
    #expect(abs((row["flip_velocity"].number ?? 0) - 0.1215) < 0.001)
    #expect(abs((row["margin_sigma"].number ?? 0) - 20.288) < 0.01)
    let line = run.output.split(separator: "\n").first { $0.hasPrefix("At 0.366 s: finish by") }
    #expect(
      line?.hasSuffix(
        "It would have cancelled below 0.121/s; 20.288 sigma away, or at or below the progress -0.455."
      ) == true, "\(run.output)")
  }

  @Test func `beyond a hundred standard errors an outcome is certain`() {
    #expect(sigmaText(100) == "100 sigma away")
    #expect(sigmaText(100.1) == "certain")
  }

  @Test func `another spring settles in another time, and a wrong one is told`() throws {
    let path = try pinch()
    let own = try answers("velocity", path, "--key", "progress")[0]
    let slow = try answers(
      "velocity", path, "--key", "progress", "--set", "settle.stiffness=10", "--set",
      "settle.damping=6")[0]
    #expect((slow["settle_time_s"].number ?? 0) > (own["settle_time_s"].number ?? 9))
    let ratio = try answers(
      "velocity", path, "--key", "progress", "--set", "settle.dampingRatio=1")[0]
    #expect(ratio["settle_time_s"].number != own["settle_time_s"].number)
    for text in [
      "settle.stiffness=x", "settle.mass=0", "settle.stiffness=-1", "settle.stiffness=1,2",
      "settle.stifness=1", "settle.mass=1:2:1", "layouts.grid.itemSize.0=1",
    ] {
      let run = try kymo("velocity", path, "--set", text)
      #expect(run.code == 2, "\(text)")
      #expect(run.output == "", "\(text)")
      #expect(run.errors.contains("--set"), "\(run.errors)")
    }
  }

  @Test func `a terminal has the columns that matter, what they mean, and the names of the others`()
    throws
  {
    let path = try pinch()
    let terminal = try PseudoTerminal(["velocity", path, "--key", "progress"], columns: 100)
    #expect(terminal.ended() == 0)
    let lines = terminal.received.components(separatedBy: "\r\n")
    #expect(
      lines[0].split(separator: " ") == [
        "key", "pointer", "axis", "value", "velocity", "low", "high", "unit", "settle_time_s",
        "samples", "estimator",
      ])
    #expect(lines[4].hasPrefix("pointer: contact. low, high: 90 % interval. "))
    #expect(lines[4].count <= 100)
    #expect(lines[5] == "2 more columns: remaining, relative_velocity (--format csv, --json)")
    #expect(lines[6] == "")
    #expect(lines[7].hasPrefix("At "))
    #expect(!(try kymo("velocity", path, "--key", "progress")).output.contains("interval"))
  }

  @Test func `the story has a row for every sample, with why it does not count`() throws {
    let path = try pinch()
    let estimate = try answers("velocity", path, "--key", "progress")[0]
    let story = try answers("velocity", path, "--key", "progress", "--explain")
    let used = story.filter { $0["reason"] == .null }
    #expect(Int64(used.count) == estimate["samples"].integer)
    #expect(used.allSatisfy { $0["without_it"].number != nil })
    let aged = story.filter { $0["reason"].text == "age" }
    #expect(!aged.isEmpty)
    #expect(aged.allSatisfy { ($0["age_ns"].integer ?? 0) > 100_000_000 })
    let table = try kymo("velocity", path, "--key", "progress", "--explain").output
    #expect(table.split(separator: "\n").contains { $0.hasPrefix("progress, lsq2:") }, "\(table)")
  }

  @Test func `an item's attributes have velocities, told from the frames`() throws {
    let path = try pinch()
    let rows = try answers("velocity", path, "--key", "item.apple")
    #expect(
      rows.prefix(5).map { $0["attribute"].text }
        == ["center.x", "center.y", "width", "height", "alpha"])
    #expect(rows.allSatisfy { $0["item"].text == "apple" })
    // The width grows in proportion to the progress.
    let progress = try answers("velocity", path, "--key", "progress")[0]
    // From 50 to 300 points, told from frames that show the progress of a little earlier.
    let width = try #require(rows.first { $0["attribute"].text == "width" })
    let velocity = try #require(width["velocity"].number)
    let expected = try #require(progress["velocity"].number) * 250
    #expect(abs(velocity - expected) < 0.5 * expected)
    let one = try answers("velocity", path, "--key", "item.apple.width,item.apple.alpha")
    #expect(one == rows.filter { ["width", "alpha"].contains($0["attribute"].text) })
    let wrong = try kymo("velocity", path, "--key", "item.nobody")
    #expect(wrong.code == 2)
    #expect(wrong.errors.contains("unknown key 'item.nobody'"))
  }

  @Test func `one contact alone can be asked for`() throws {
    let path = try pinch()
    let rows = try answers("velocity", path, "--key", "finger.1.x", "--key", "finger.1.y")
    #expect(rows.map { $0["pointer"].integer } == [1, 1])
    #expect(rows.map { $0["axis"].text } == ["x", "y"])
    // Without a number it is the one that is down longest.
    let finger = try answers("velocity", path, "--key", "finger.x")
    #expect(finger.map { $0["axis"].text } == ["x"])
    #expect(try answers("velocity", path, "--key", "finger.0.x,finger.1.x").contains(finger[0]))
    for wrong in ["finger.a.x", "finger.-1.x", "finger.9.x", "finger.01.x", "finger.z", "finger.0"]
    {
      let run = try kymo("velocity", path, "--key", wrong)
      #expect(run.code == 2, "\(run.errors)")
      #expect(run.errors.contains("unknown key '\(wrong)'"), "\(run.errors)")
    }
  }

  @Test func `a clamp keeps the speed within bounds beside the velocity itself`() throws {
    let path = try pinch()
    let row = try answers("velocity", path, "--key", "progress", "--clamp", "0:1.5")[0]
    #expect((row["velocity"].number ?? 0) > 1.5)
    #expect(row["clamped_velocity"].number == 1.5)
    let flutter = try answers(
      "velocity", path, "--key", "finger.0.x,finger.0.y", "--preset", "flutter")
    #expect(flutter.allSatisfy { $0["clamped_velocity"].number != nil })
    for wrong in ["5", "5:1", "-1:2", "a:b", "1:inf"] {
      #expect(try kymo("velocity", path, "--clamp", wrong).code == 2, "\(wrong)")
    }
  }

  @Test func `the story of auto is that of what it chose`() throws {
    let path = try pinch()
    let words = ["velocity", path, "--key", "progress", "--estimator", "auto"]
    let row = try rows(kymo(words + ["--json"]).output)[0]
    let story = try rows(kymo(words + ["--json", "--explain"]).output)
    let used = story.filter { $0["reason"] == .null }
    #expect(Int64(used.count) == row["samples"].integer)
  }

  @Test func `auto tells what it chose and how the others did`() throws {
    let path = try pinch()
    let row = try answers("velocity", path, "--key", "progress", "--estimator", "auto")[0]
    #expect(row["estimator"].text == "auto")
    let ranking = row["ranking"]
    #expect(ranking["chosen"].text == row["chosen"].text)
    #expect(ranking["note"].text?.isEmpty == false)
    let run = try kymo("velocity", path, "--key", "progress", "--estimator", "auto")
    #expect(run.output.split(separator: "\n").contains { $0.hasPrefix("progress, auto:") })
  }

  /// A recording with one decision of a rule whose threshold is 0.6.
  private func decided(
    _ outcome: String, by rule: String, at progress: Double, _ velocity: Double
  ) throws -> String {
    let parameters = #"{\"velocityThreshold\":400,\"distance\":400}"#
    let lines = """
      {"kymograph": 1}
      {"t_ns": 0, "key": "progress", "value": \(progress), "unit": "1"}
      {"t_ns": 0, "decision": {"outcome": "\(outcome)", "rule": "\(rule)", "threshold": 0.6, \
      "progress": \(progress), "progressVelocity": \(velocity), "ruleParameters": "\(parameters)"}}

      """
    let path = place.path("run.kymo")
    let made = try kymo("record", "--from-ndjson", "-", "--into", path, input: lines)
    #expect(made.code == 0, "\(made.errors)")
    return path
  }

  @Test(arguments: [
    ("progress", 0.58, "cancel", "It would have finished with a threshold below 0.58."),
    ("progress", 0.7, "finish", "It would have cancelled with a threshold at or above 0.7."),
    ("kwin", 0.7, "finish", "It would have cancelled with a threshold above 0.7."),
    ("flutter-cupertino", 0.5, "cancel", ", or with a threshold at or below 0.5."),
    // No progress is such a threshold.
    ("progress", 1.2, "finish", "margin 0.6.\n"),
  ])
  func `a decision's sentence names the thresholds with which it would have been the other`(
    rule: String, progress: Double, outcome: String, words: String
  ) throws {
    let said = try kymo("velocity", decided(outcome, by: rule, at: progress, 0.1)).output
    #expect(said.contains(words), "\(said)")
  }

  @Test(arguments: [
    // At rest a half decides, on the way back what is left to 0, and below 0 the size of the progress.
    (
      "compose", 0.58, 0.0, "finish",
      "progress 0.58 is above 0.5, at which the rule compose flips; margin 0.08"
    ),
    (
      "compose", 0.42, 0.0, "cancel",
      "progress 0.42 is below 0.5, at which the rule compose flips; margin 0.08"
    ),
    (
      "compose", 0.42, -0.1, "finish",
      "progress 0.42 is above 0.4, at which the rule compose flips; margin 0.02"
    ),
    ("compose", 0.58, 0.1, "cancel", "progress 0.58 is not above the threshold 0.6; margin 0.02"),
    (
      "kwin", -0.7, 0.1, "finish",
      "progress -0.7 is below -0.6, at which the rule kwin flips; margin 0.1"
    ),
    ("kwin", 0.6, 0.1, "finish", "progress 0.6 is at the threshold 0.6; margin 0"),
    ("progress", 0.6, 0.1, "cancel", "progress 0.6 is not above the threshold 0.6; margin 0"),
  ])
  func `a decision's sentence names the number that decided`(
    rule: String, progress: Double, velocity: Double, outcome: String, reason: String
  ) throws {
    let path = try decided(outcome, by: rule, at: progress, velocity)
    for command in ["velocity", "show"] {
      let said = try kymo(command, path + "#1").output
      #expect(said.contains("\(reason)."), "\(said)")
    }
  }
}

@Suite struct SampleFileTests {
  private func estimates(_ text: String, _ more: String...) throws -> [Row] {
    let run = try kymo(
      ["velocity", "-", "--json"] + more, input: Data(text.utf8))
    #expect(run.code == 0, "\(run.errors)")
    return try rows(run.output)
  }

  private static let line = "t_ns,value\n" + (0...9).map { "\($0 * 8_000_000),\($0)\n" }.joined()

  @Test func `a preset alone answers with its own estimator`() throws {
    let found = try estimates(Self.line, "--preset", "gnome")
    #expect(found.map { $0["estimator"].text } == ["mean"])
    #expect(found[0]["velocity"].number.map { abs($0 - 125) < 1e-9 } == true)
  }

  @Test func `resampled places are left out and counted`() throws {
    let marked =
      "t_ns,value,resampled\n"
      + (0...9).map { "\($0 * 8_000_000),\($0 == 9 ? 0 : $0),\($0 == 9 ? 1 : 0)\n" }.joined()
    let row = try estimates(marked, "--estimator", "lsq2")[0]
    #expect(row["velocity"].number.map { abs($0 - 125) < 1e-9 } == true)
    #expect(row["left_out"]["resampled"].integer == 1)
  }

  @Test func `a gesture file is taken as it is, axis by axis at each contact's lift`() throws {
    let run = try kymo([
      "velocity", fixture("gestures/two-fingers.evemu"), "--estimator", "lsq2",
      "--json",
    ])
    #expect(run.code == 0, "\(run.errors)")
    let rows = try rows(run.output)
    #expect(rows.count == 4)
    #expect(rows.map { $0["axis"].text } == ["x", "y", "x", "y"])
    #expect(Set(rows.compactMap { $0["pointer"].integer }) == [0, 1])
  }

  @Test func `with a rule a value is a progress that is decided`() throws {
    let text = "t_ns,value\n" + (0...9).map { "\($0 * 8_000_000),\(Double($0) / 30)\n" }.joined()
    let row = try estimates(text, "--estimator", "lsq2", "--rule", "progress")[0]
    #expect(row["decision"].text == "cancel")
    #expect(row["margin"].number.map { abs($0 - 0.2) < 1e-12 } == true)
    let fast = try estimates(text, "--estimator", "lsq2", "--rule", "velocity")[0]
    #expect(fast["decision"].text == "finish")
    #expect(fast["target"].number == 1)
    #expect((fast["settle_time_s"].number ?? 0) > 0)
  }

  @Test func `a compositor's rule asks its own measure of reports, in its own unit`() throws {
    // 12 points a report, of the 300 that are a workspace.
    let text =
      "t_ns,value\n" + (0...9).map { "\($0 * 8_000_000),\(Double($0) * 12 / 300)\n" }.joined()
    let hyprland = try estimates(text, "--rule", "hyprland", "--set", "release.distance=300")[0]
    #expect(hyprland["estimator"].text == "step-mean")
    #expect(hyprland["unit"].text == "/report")
    #expect(hyprland["velocity"].number.map { abs($0 * 300 - 12) < 1e-5 } == true)
    #expect(hyprland["decision"].text == "cancel")
    #expect(hyprland["settle_time_s"] != .null)
    #expect(hyprland["flip_velocity"].number.map { abs($0 - 0.1) < 1e-12 } == true)
    #expect(hyprland["flip_progress"].number == 0.5)
    #expect(hyprland["rule_progress"].number.map { abs($0 - 0.36) < 1e-9 } == true)
    #expect(hyprland["rule_velocity"] == hyprland["velocity"])
    let wayfire = try estimates(text, "--rule", "wayfire", "--set", "release.distance=300")[0]
    #expect(wayfire["estimator"].text == "last-two")
    #expect(wayfire["unit"].text == "/2 reports")
    #expect(wayfire["velocity"].number.map { abs($0 * 300 - 24) < 1e-9 } == true)
    let niri = try estimates(
      text, "--rule", "niri", "--set", "release.distance=300", "--lift", "80000000ns")[0]
    #expect(niri["estimator"].text == "mean-steps")
    #expect(niri["unit"].text == "/s")
    #expect(niri["velocity"].number.map { abs($0 - 0.36 / 0.072) < 1e-9 } == true)
    let cosmic = try estimates(
      text, "--rule", "cosmic", "--estimator", "mean-steps", "--lift", "80000000ns",
      "--set", "release.outputLength=1000", "--set", "release.distance=150")[0]
    #expect(cosmic["velocity"].number.map { abs($0 - 0.36 / 0.064) < 1e-9 } == true)
    #expect(cosmic["flip_velocity"].number.map { abs($0 - 0.02 * 1000 / 150) < 1e-12 } == true)
    #expect(try estimates(text, "--rule", "kwin")[0]["decision"].text == "finish")
    // Every estimator answers, and only the one that the rule takes decides.
    let all = try estimates(text, "--rule", "hyprland", "--estimator", "all")
    #expect(
      all.filter { $0["decision"] != .null }.compactMap { $0["estimator"].text } == ["step-mean"])
    for words in [
      ["--rule", "hyprland", "--estimator", "lsq2"],
      ["--rule", "velocity", "--estimator", "step-mean"],
      ["--rule", "wayfire", "--preset", "android"],
      ["--set", "release.outputLength=0", "--rule", "cosmic"],
    ] {
      let run = try kymo(
        ["velocity", "-"] + words, input: Data(text.utf8))
      #expect(run.code == 2, "\(words): \(run.errors)")
      #expect(run.output == "", "\(words): \(run.errors)")
    }
    // A touchpad's own distances are points.
    let swipe = fixture("gestures/touchpad-swipe.libinput-events.txt")
    let found = try rows(kymo("velocity", swipe, "--rule", "hyprland", "--json").output)
    #expect(found[0]["velocity"].number ?? 0 > 30)
    #expect(found[0]["decision"].text == "finish")
    #expect(found[1]["decision"] == .null)
    #expect(found[0]["settle_time_s"] == .null)
  }

  @Test func `the story of samples says gap, age, history, duplicate and backward`() throws {
    var rows = [(-500, 0), (-200, 1), (-100, 2), (-50, 3)].map { "\($0.0 * 1_000_000),\($0.1)" }
    rows += (0...30).map { "\($0 * 2_000_000),\($0)" }
    rows += ["60000000,31", "59000000,7"]
    let story = try estimates(
      "t_ns,value\n" + rows.joined(separator: "\n") + "\n", "--estimator", "lsq2", "--explain")
    #expect(story.count == rows.count)
    let reasons = Set(story.compactMap { $0["reason"].text })
    #expect(reasons.isSuperset(of: ["history", "duplicate", "backward"]))
    #expect(story.filter { $0["reason"] == .null }.count == 20)
  }
}
