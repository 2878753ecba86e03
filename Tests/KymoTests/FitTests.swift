import Foundation
import JSONText
import TestSupport
import Testing

/// `kymo fit`: recorded settles as parameters.
@Suite struct FitTests {
  let place: Workplace
  let pinch: String

  init() throws {
    place = try Workplace()
    pinch = try place.record(
      Scenarios.pinch, gesture: "pinch-open.evemu", into: "pinch.kymo", "--name", "pinch")
  }

  /// The fits of a session, as JSON says them.
  private func fits(_ words: String..., code: Int32 = 0) throws -> [Row] {
    let run = try kymo(["fit"] + words + ["--json"], input: Data())
    #expect(run.code == code, "\(run.errors)")
    let answer = try parseJSON(Array(run.output.utf8))
    #expect(answer["version"] == .integer(1))
    return answer["fits"].array
  }

  private func value(_ fit: Row, _ name: String) throws -> Double {
    try #require(fit["parameters"][name]["value"].number)
  }

  @Test func `the engine's spring is found in every key that it settles, and in elements`() throws {
    let keys = try fits(pinch)
    #expect(
      keys.map { $0["subject"] } == ["progress", "PositionX", "PositionY"].map(JSONValue.string))
    let items = try fits(pinch, "--key", "item.nuts/12")
    #expect(items.contains { $0["subject"] == .string("item.nuts/12.center.y") })
    let one = try fits(pinch, "--key", "item.nuts/12.center.y")
    #expect(one.count == 1)
    #expect(items.contains(one[0]))
    for fit in keys + one {
      #expect(fit["model"] == .string("spring"))
      #expect(fit["fits"] == .bool(true))
      #expect(abs(try value(fit, "stiffness") - 180) < 0.2)
      #expect(abs(try value(fit, "damping") - 24) < 0.02)
      #expect(fit["transition"] == .integer(0))
      #expect(fit["from_ns"] == .integer(366_114_000))
    }
    // Value and velocity are those of the release.
    let released = try answers("velocity", pinch, "--key", "progress")[0]
    let velocity = try #require(released["velocity"].number)
    #expect(abs(try value(keys[0], "velocity") / velocity - 1) < 1e-3)
    #expect(abs(try value(keys[0], "target") - 1) < 1e-4)
  }

  @Test func `without a release a settle begins where the finger lifted`() throws {
    var lines = [#"{"kymograph": 1, "name": "sheet", "refreshRate": 100}"#]
    for step in 0...20 {
      let phase = step == 0 ? "began" : step == 20 ? "ended" : "moved"
      lines.append(
        #"{"t_ns": \#(step * 10_000_000), "touch": {"contact": 0, "phase": "\#(phase)", "x": 0, "y": \#(step * 5)}}"#
      )
    }
    // It follows the finger to 100 and from the lift on goes to 300 by a spring of stiffness 100 and damping 20.
    for step in 0...150 {
      let since = Double(step - 20) / 100
      let value = step <= 20 ? Double(step) * 5 : 300 - (200 + 1500 * since) * exp(-10 * since)
      lines.append(
        #"{"t_ns": \#(step * 10_000_000), "key": "top", "unit": "pt", "value": \#(value)}"#)
    }
    let path = try place.record(lines: lines.joined(separator: "\n") + "\n", into: "sheet.kymo")
    let found = try fits(path, "--key", "top", "--model", "spring")
    #expect(found.count == 1)
    #expect(found[0]["from_ns"].integer == 200_000_000)
    #expect(abs(try value(found[0], "stiffness") - 100) < 1)
    #expect(abs(try value(found[0], "damping") - 20) < 0.2)
    #expect(try fits(path, "--key", "top", "--model", "spring", "--from", "0.2") == found)
    let text = try kymo("fit", path, "--key", "top").output
    #expect(text.hasPrefix("top from the lift at 0.2 s on: "), "\(text)")
  }

  @Test func `a cubic and a timing curve that were recorded come back`() throws {
    let cubic = place.path("cubic.kymo")
    let wish =
      #"{"settle": {"type": "cubic", "duration": 0.4, "mass": null, "stiffness": null, "damping": null}}"#
    let patch = try place.file("cubic.json", wish)
    let run = try kymo("rerun", pinch, "--patch", patch, "--into", cubic)
    #expect(run.code == 0, "\(run.errors)")
    let fit = try fits(cubic, "--key", "progress")[0]
    #expect(fit["model"] == .string("cubic"))
    #expect(abs(try value(fit, "duration") - 0.4) < 1e-4)
    let timing = place.path("timing.kymo")
    let other = try place.file(
      "timing.json",
      #"{"settle": {"type": "timing", "duration": 3, "easing": "ease-in-out", "mass": null, "stiffness": null, "damping": null}}"#
    )
    let timed = try kymo("rerun", pinch, "--patch", other, "--into", timing)
    #expect(timed.code == 0, "\(timed.errors)")
    let curve = try fits(timing, "--key", "progress")[0]
    #expect(curve["model"] == .string("bezier"))
    #expect(curve["curve"] == .string("ease-in-out"))
    // The rest of the way takes its share of the time.
    #expect(abs(try value(curve, "duration") - 3 * (1 - 0.8393)) < 1e-3)
  }

  @Test func `model, time and what is known are asked for by flags`() throws {
    let fit = try fits(pinch, "--key", "progress", "--model", "decay", code: 1)[0]
    #expect(fit["model"] == .string("decay"))
    #expect(fit["fits"] == .bool(false))
    let named = try fits(pinch, "--key", "progress", "--model", "cubicOut", code: 1)[0]
    #expect(named["curve"] == .string("cubicOut"))
    let later = try fits(pinch, "--key", "progress", "--from", "0.45")[0]
    #expect(later["transition"] == .null)
    #expect(abs(try value(later, "stiffness") - 180) < 0.5)
    let known = try fits(
      pinch, "--key", "progress", "--known", "duration=0.2", "--known", "mass=3")[0]
    #expect(abs(try value(known, "response") - 0.2) < 1e-9)
    #expect(abs((known["time_scale"]["value"].number ?? 0) - 0.46832 / 0.2) < 1e-3)
    #expect(try value(known, "mass") == 3)
    let text = try kymo("fit", pinch, "--key", "progress", "--model", "decay")
    #expect(text.code == 1)
    #expect(text.output.contains("No model fits. The nearest is decay, but it leaves"))
    #expect(!text.output.contains("Compose"))
  }

  @Test func `what is not there, and what makes no sense, is refused`() throws {
    for (words, says) in [
      (["--key", "nope"], "unknown key 'nope'. Known: progress, PositionX, PositionY, viewport."),
      (["--key", "item.nope"], "unknown key 'item.nope'. Known: item.fruit/header, "),
      (
        ["--key", "item.apple.colour"],
        "unknown key 'item.apple.colour'. Known: item.apple.center.x, "
      ),
      (["--key", "progres"], "unknown key 'progres'. Did you mean progress?"),
      (["--model", "sprin"], "--model: unknown value 'sprin'. Did you mean spring?"),
      (["--model", "step-end"], "without steps"), (["--known", "weight=3"], "--known must be"),
      (["--known", "mass=-1"], "a number above 0"), (["--known", "mass"], "--known must be"),
      (["--from", "soon"], "--from"), (["--from", "99"], "--from is outside of"),
      (["--from", "0.5", "--to", "0.4"], "later"),
    ] {
      let run = try kymo(["fit", pinch] + words, input: Data())
      #expect(run.code == 2, "\(words): \(run.errors)")
      #expect(run.errors.contains(says), "\(words): \(run.errors)")
      #expect(run.output == "")
    }
    let few = try kymo("fit", pinch, "--key", "progress", "--to", "0.4")
    #expect(few.code == 1)
    #expect(few.output.contains("6 samples until the value rests are too few. A fit needs 8."))
    // A key without a target rests from the lift on.
    let scenario = try place.file(
      "scaled.json",
      String(contentsOfFile: fixture("scenarios/\(Scenarios.pinch)"), encoding: .utf8)
        .replacing("\"keys\": {", with: "\"keys\": { \"scale\": \"scale\","))
    let scaled = place.path("scaled.kymo")
    _ = try kymo(
      "record", "--scenario", scenario, "--gesture", fixture("gestures/pinch-open.evemu"), "--into",
      scaled)
    let still = try kymo("fit", scaled, "--key", "scale")
    #expect(still.code == 1)
    #expect(
      still.output.contains("There is no sample to fit.") || still.output.contains("does not move"))
    #expect(try kymo("fit", place.path("none.kymo")).code == 4)
  }

  @Test
  func `an app's values without a release are fitted from where they move to where they rest`()
    throws
  {
    func lines(_ name: String, _ value: (Double) -> Double) throws -> String {
      var text = #"{"kymograph": 1, "name": "app"}"# + "\n"
      for frame in 0..<240 {
        let time = Double(frame) / 60
        text +=
          #"{"t_ns": \#(Int(time * 1e9)), "key": "offset", "value": \#(value(time)), "unit": "pt"}"#
          + "\n"
      }
      let file = try place.file("\(name).ndjson", text)
      let run = try kymo("record", "--from-ndjson", file, "--into", place.path("\(name).kymo"))
      #expect(run.code == 0, "\(run.errors)")
      return place.path("\(name).kymo")
    }
    // Rests for a second, decays, rests, and later jumps.
    let path = try lines("decay") { time in
      time < 1 ? 10 : time > 3.9 ? 500 : (10 + 300 * (1 - exp(-9 * (time - 1)))).rounded()
    }
    let found = try fits(path)
    #expect(found.count == 1)
    #expect(found[0]["model"] == .string("decay"))
    #expect(abs(try value(found[0], "rate") - 9) < 0.1)
    #expect(found[0]["transition"] == .null)
  }
}
