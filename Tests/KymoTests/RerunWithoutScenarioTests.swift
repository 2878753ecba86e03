import Foundation
import JSONText
import TestSupport
import Testing

/// Sessions without a scenario: what an app recorded is decided and settled anew.
@Suite struct RerunWithoutScenarioTests {
  let place: Workplace
  let app: String

  /// Progress and an unknown key until the lift at 100 ms, frames of an element, and a second of the app's own settle.
  init() throws {
    place = try Workplace()
    var lines = [
      #"{"kymograph": 1, "name": "sheet", "refreshRate": 100}"#,
      #"{"t_ns": 0, "event": "start", "to": "open"}"#,
      #"{"t_ns": 0, "touch": {"contact": 0, "phase": "began", "x": 0, "y": 0}}"#,
    ]
    for frame in 0...100 {
      let (time, isDriven) = (frame * 10_000_000, frame <= 10)
      let value = isDriven ? Double(frame) * 0.04 : 0.4 + Double(frame - 10) / 150
      let phase = isDriven ? "" : #", "phase": "settling""#
      lines.append(#"{"t_ns": \#(time), "key": "progress", "value": \#(value)\#(phase)}"#)
      lines.append(#"{"t_ns": \#(time), "key": "glow", "value": \#(frame)\#(phase)}"#)
      lines.append(
        #"{"t_ns": \#(time), "frame": {"progress": \#(value), "items": [{"id": "a", "center": [\#(frame), 0], "size": [4, 4]}]}}"#
      )
      if frame == 10 {
        lines.append(
          #"{"t_ns": \#(time), "touch": {"contact": 0, "phase": "ended", "x": 0, "y": 9}}"#)
        lines.append(#"{"t_ns": \#(time + 5_000_000), "event": "finish"}"#)
      }
    }
    app = place.path("app.kymo")
    let run = try kymo(
      "record", "--from-ndjson", "-", "--into", app, input: lines.joined(separator: "\n"))
    #expect(run.code == 0, "\(run.errors)")
  }

  private func samples(_ path: String, _ key: String) throws -> [(Int64, Double)] {
    try answers("replay", path, "--keys", "--key", key).map {
      ($0["t_ns"].integer ?? -1, $0["value"].number ?? .nan)
    }
  }

  @Test func `values until the lift stay, and the rest settles at the instants of the frames`()
    throws
  {
    let out = place.path("out.kymo")
    let run = try kymo(
      "rerun", app, "--set", "release.threshold=0.5", "--set", "settle.stiffness=400", "--set",
      "settle.damping=40", "--into", out)
    #expect(run.code == 3, "\(run.errors)")
    #expect(run.errors.contains("90 frames after a release left out"))
    #expect(run.errors.contains("values of glow after a release left out"))
    let (before, after) = (try samples(app, "progress"), try samples(out, "progress"))
    #expect(after.prefix(11).map(\.1) == before.prefix(11).map(\.1))
    // Below the threshold now: back to 0, by a critical spring of 20 rad/s from 0.4 at 4 a second.
    #expect(try answers("list sessions", out).first?["outcome"].text == "cancelled")
    for (time, value) in after.dropFirst(11) {
      let t = Double(time - 100_000_000) / 1e9
      let expected = (0.4 + (4 + 20 * 0.4) * t) * exp(-20 * t)
      #expect(time % 10_000_000 == 0)
      #expect(abs(value - expected) < 1e-3, "\(t): \(value) \(expected)")
    }
    #expect(after.count > 20)
    #expect(after.last?.1 == 0)
    #expect(try samples(out, "glow").count == 11)
    #expect(try answers("replay", out).count == 11)
    let decision = try answers("sql", out, "SELECT outcome, decided_by FROM decisions")
    #expect(decision.map { $0["outcome"].text } == ["cancel"])
    #expect(decision.map { $0["decided_by"].text } == ["rule"])
  }

  @Test func `an app that says no rule keeps its decision until one is named`() throws {
    let run = try kymo("rerun", app, "--set", "settle.damping=30", "--into", place.path("a.kymo"))
    #expect(run.code == 3, "\(run.errors)")
    #expect(run.errors.contains("its decisions stay as recorded"), "\(run.errors)")
    #expect(try answers("list sessions", place.path("a.kymo")).first?["outcome"].text == "finished")
    let sweep = try kymo("rerun", app, "--set", "release.threshold=0.3:0.5:0.1", "--json")
    #expect(sweep.code == 3)
    #expect(
      try rows(sweep.output).map { $0["decision"].text } == [
        "finish", "finish", "cancel", "cancel",
      ])
  }

  /// The app's session with a decision that the app made: a cancel at a progress of 0.4.
  private func decidedByApp() throws -> String {
    let lines = try kymo("export", "ndjson", app).output.split(separator: "\n").map(String.init)
    let decision =
      #"{"t_ns": 100000000, "decision": {"outcome": "cancel", "rule": "progress", "threshold": 0.3, "progress": 0.4, "decidedBy": "app"}}"#
    let own = place.path("own.kymo")
    let run = try kymo(
      "record", "--from-ndjson", "-", "--into", own,
      input: (lines.map { $0.replacing(#""event":"finish""#, with: #""event":"cancel""#) }
        + [decision]).joined(separator: "\n"))
    #expect(run.code == 0, "\(run.errors)")
    return own
  }

  @Test(arguments: [["--set", "release.rule=progress"], ["--rule", "progress"]])
  func `a decision of the app is made again if a rule is named, and else stays`(
    words: [String]
  ) throws {
    let own = try decidedByApp()
    let shown = try kymo("show", own)
    #expect(shown.output.contains("cancel, decided by the app"), "\(shown.output)")
    let number = try kymo(
      "rerun", own, "--set", "release.threshold=0.3", "--into", place.path("a.kymo"))
    #expect(number.code == 3)
    #expect(
      number.errors.contains(
        "a release was decided by the app, so this decision stays as recorded. "
          + "Set release.rule to decide it again"), "\(number.errors)")
    #expect(
      try answers("list decisions", place.path("a.kymo")).map { $0["outcome"].text } == ["cancel"])
    for (threshold, outcome) in [("0.3", "finish"), ("0.5", "cancel")] {
      let out = place.path("\(threshold).kymo")
      let run = try kymo(
        ["rerun", own] + words + ["--set", "release.threshold=\(threshold)", "--into", out])
      #expect(!run.errors.contains("stays as recorded"), "\(run.errors)")
      let made = try answers("list decisions", out)
      #expect(made.map { $0["outcome"].text } == [outcome])
      #expect(made.map { $0["decided_by"].text } == ["rule"])
      #expect(made.map { $0["threshold"].number } == [Double(threshold)])
    }
    let twice = try kymo(
      "rerun", own, "--rule", "kwin", "--set", "release.rule=kwin", "--into", place.path("b.kymo"))
    #expect(twice.code == 2, "\(twice.errors)")
    #expect(twice.errors.contains("are the same"), "\(twice.errors)")
  }

  @Test func `only what decides and settles can be changed, and something must be released`()
    throws
  {
    let run = try kymo("rerun", app, "--set", "viewport=[1, 2]", "--into", place.path("o.kymo"))
    #expect(run.code == 2, "\(run.errors)")
    #expect(run.errors.contains("Only release.… and settle.… can"), "\(run.errors)")
    let still = place.path("still.kymo")
    #expect(
      try kymo(
        "record", "--from-ndjson", "-", "--into", still,
        input: #"{"kymograph": 1}"# + "\n" + #"{"t_ns": 0, "key": "a", "value": 1}"#
      ).code == 0)
    let none = try kymo("rerun", still, "--into", place.path("o.kymo"))
    #expect(none.code == 2, "\(none.errors)")
    #expect(none.errors.contains("nothing can be decided again"), "\(none.errors)")
    #expect(!FileManager.default.fileExists(atPath: place.path("o.kymo")))
  }
}
