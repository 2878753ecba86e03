import Foundation
import JSONText
import MotionPhysics
import TestSupport
import Testing

/// Sessions whose elements were measured in pictures, so that their places have errors.
@Suite struct MeasuredSessionTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  /// An element in a frame, and how exactly its center is known.
  struct Seen {
    var x: Double
    var y: Double
    var error = 0.08
    var isRepeated = false
  }

  /// What a clip showed of a card, a picture each sixtieth of a second. `nil`: it was lost.
  static func lines(_ seen: [Seen?], more: [String] = []) -> String {
    var lines = [
      #"{"kymograph": 1, "name": "clip", "refreshRate": 60, "viewport": [390, 844]}"#,
      #"{"t_ns": 0, "event": "video", "name": "clip.mp4", "pictures": \#(seen.count)}"#,
    ]
    for (index, seen) in seen.enumerated() {
      let time = #""t_ns": \#(index * 1_000_000_000 / 60)"#
      guard let seen else {
        lines.append(#"{\#(time), "frame": {"items": []}}"#)
        continue
      }
      let item = #"{"id": "card", "center": [\#(seen.x), \#(seen.y)], "size": [320, 120]}"#
      let unread = seen.isRepeated ? #", "unread": true"# : ""
      lines.append(#"{\#(time), "frame": {"items": [\#(item)]\#(unread)}}"#)
      guard !seen.isRepeated else { continue }
      for axis in ["x", "y"] {
        lines.append(
          #"{\#(time), "key": "item.card.error_\#(axis)", "value": \#(seen.error), "unit": "pt", "phase": "idle"}"#
        )
      }
    }
    func time(_ line: String) -> Int {
      Int(line.drop { !$0.isNumber }.prefix { $0.isNumber }) ?? 0
    }
    let timed = (lines.dropFirst() + more).enumerated().sorted {
      (time($0.element), $0.offset) < (time($1.element), $1.offset)
    }
    return ([lines[0]] + timed.map(\.element)).joined(separator: "\n")
  }

  /// A card that springs from 640 to 240, stiffness 180 and damping 22, from 0.305 s on, with noise.
  static func sprung(seed: UInt64 = 1, count: Int = 96) throws -> [Seen] {
    var dice = SplitMix(seed: seed)
    func noise() -> Double {
      (0..<12).reduce(-6) { sum, _ in sum + Double(dice.next() >> 11) / Double(1 << 53) } * 0.04
    }
    let motion = SettleMotion(
      SettleParameters(spring: try DampedSpring(mass: 1, stiffness: 180, damping: 22)), from: 640,
      to: 240, velocity: 0)
    return (0..<count).map { index in
      let y = motion.value(atSeconds: max(0, Double(index) / 60 - 0.305))
      return Seen(x: 195 + noise(), y: y + noise())
    }
  }

  func record(_ lines: String, _ name: String = "clip.kymo") throws -> String {
    let path = place.path(name)
    let run = try kymo("record", "--from-ndjson", "-", "--into", path, input: lines)
    #expect(run.code == 0, "\(run.errors)")
    return path
  }

  private func fits(_ words: String..., code: Int32 = 0) throws -> [Row] {
    let run = try kymo(["fit"] + words + ["--json"], input: Data())
    #expect(run.code == code, "\(run.errors)")
    return try parseJSON(Array(run.output.utf8))["fits"].array
  }

  @Test func `a fit without a key takes what moves, and not how exactly it is known`() throws {
    let clip = try record(Self.lines(Self.sprung()))
    let fits = try fits(clip)
    #expect(fits.map { $0["subject"] } == [.string("item.card.center.y")])
    let fit = try #require(fits.first)
    #expect(fit["model"] == .string("spring"))
    #expect(abs(try #require(fit["parameters"]["stiffness"]["value"].number) - 180) < 1)
    let origin = try #require(fit["from_ns"].number) / 1e9
    let delay = try #require(fit["parameters"]["delay"]["value"].number)
    #expect(abs(origin + delay - 0.305) < 0.001)
    let text = try kymo("fit", clip).output
    #expect(text.contains("It begins at 0.30"))
    #expect(text.contains("with values known to 0.08 pt"))
  }

  /// A card that goes with a finger 50 ms late, by 150 points in 0.3 s from 0.2 s on, and then springs on.
  private static func dragged(count: Int = 110) throws -> (seen: [Seen], touches: [String]) {
    let (start, end, way, late) = (0.2, 0.505, 150.0, 0.05)
    func finger(_ time: Double) -> Double {
      way * pow(max(0, min(1, (time - start) / (end - start))), 1.5)
    }
    let speed = way * 1.5 / (end - start)
    let motion = SettleMotion(
      SettleParameters(spring: try DampedSpring(mass: 1, stiffness: 220, damping: 24)), from: way,
      to: 260, velocity: speed)
    var seen: [Seen] = []
    var touches: [String] = []
    var last = (time: 0, y: 0.0)
    for index in 0..<count {
      let (time, nanoseconds) = (Double(index) / 60, index * 1_000_000_000 / 60)
      let shown = time - late
      seen.append(
        Seen(x: 195, y: 300 + (shown < end ? finger(shown) : motion.value(atSeconds: shown - end))))
      func touch(_ phase: String, _ y: Double) -> String {
        #"{"t_ns": \#(nanoseconds), "touch": {"contact": 0, "phase": "\#(phase)", "x": 200, "y": \#(y)}}"#
      }
      if time >= start, time < end {
        last = (nanoseconds, 600 + finger(time))
        touches.append(touch(touches.isEmpty ? "began" : "moved", last.y))
      } else if time >= end, touches.last?.contains("moved") == true {
        touches.append(touch("ended", last.y))
        touches.append(
          #"{"t_ns": \#(nanoseconds), "event": "video.lift", "contact": 0, "earliest_ns": \#(last.time), "latest_ns": \#(nanoseconds)}"#
        )
      }
    }
    return (seen, touches)
  }

  @Test func `a lag is to the dot, and no fault of a page`() throws {
    let (seen, touches) = try Self.dragged()
    let clip = try record(Self.lines(seen, more: touches))
    let text = try kymo("show", clip).output
    #expect(text.contains("behind the dot"))
    #expect(!text.contains("late"))
    #expect(text.contains("no faults"))
  }

  @Test
  func `the lag ends where the finger was last seen, and the speed holds both ends of the lift`()
    throws
  {
    let (seen, touches) = try Self.dragged()
    let clip = try record(Self.lines(seen, more: touches))
    let text = try kymo("show", clip).output
    /// The numbers behind some words: a value and both ends of its interval.
    func numbers(after words: String) throws -> [Double] {
      let rest = try #require(text.split(separator: words).dropFirst().first)
      return rest.split { !"-0123456789".contains($0) }.compactMap { Double($0) }
    }
    let lag = try numbers(after: "follows y, ")
    #expect(lag[1] <= 50 && 50 <= lag[2])
    // At the lift, a third of a frame behind the last picture with the finger.
    let lift = 150 * 1.5 / 0.305
    let speed = try numbers(after: "let go at ")
    #expect(speed[1] <= lift && lift <= speed[2])
  }

  @Test
  func `the velocity at a lift is that of the story, and holds what both ends of the lift say`()
    throws
  {
    let (seen, touches) = try Self.dragged()
    let clip = try record(Self.lines(seen, more: touches))
    /// The velocity of the finger along y.
    func velocity(_ path: String, by estimator: String = "lsq-span") throws -> Row {
      try #require(
        answers("velocity", path, "--estimator", estimator).first {
          $0["axis"].text == "y" && $0["pointer"].integer == 0
        })
    }
    let row = try velocity(clip)
    let (low, high) = (try #require(row["low"].number), try #require(row["high"].number))
    let lift = 150 * 1.5 / 0.305
    #expect(low <= lift && lift <= high)
    let words = try #require(
      try kymo("show", clip).output.split(separator: "let go at ").last?.split(separator: " at ")
        .first)
    let value = try #require(row["velocity"].number)
    #expect(
      words == "\(Int(value.rounded())) pt/s (\(Int(low.rounded())) to \(Int(high.rounded())))")
    // Other estimators answer for the recorded lift, and hold both ends, too.
    let lines = Self.lines(seen, more: touches.filter { !$0.contains("video.lift") })
    let exact = try record(lines, "exact.kymo")
    for estimator in ["lsq-span", "lsq2", "impulse"] {
      let wide = try velocity(clip, by: estimator)
      let narrow = try velocity(exact, by: estimator)
      #expect((wide["low"].number ?? .infinity) <= (narrow["low"].number ?? 0), "\(estimator)")
      #expect((wide["high"].number ?? 0) >= (narrow["high"].number ?? .infinity), "\(estimator)")
    }
    let (wide, narrow) = (try velocity(clip, by: "lsq2"), try velocity(exact, by: "lsq2"))
    #expect((wide["high"].number ?? 0) > (narrow["high"].number ?? .infinity) + 1)
    // The event says nothing of a session that is none of pictures.
    let app = Self.lines(seen, more: touches).split(separator: "\n").filter {
      !$0.contains(#""event": "video","#)
    }
    let other = try velocity(record(app.joined(separator: "\n"), "app.kymo"), by: "lsq2")
    #expect(other["high"] == narrow["high"])
  }

  @Test func `gaps between pictures are told, and are nothing doubtful`() throws {
    let lines = try Self.lines(Self.sprung()).split(separator: "\n").filter { line in
      !(30...32).contains { line.contains(#""t_ns": \#($0 * 1_000_000_000 / 60),"#) }
    }
    let clip = try record(lines.joined(separator: "\n"))
    let text = try kymo("show", clip).output
    #expect(text.contains("\n1 gap between pictures, from 0.483 s to 0.55 s\n"))
    #expect(!text.contains("! "))
    #expect(!text.contains("recording: 1 gap"))
    #expect(try kymo("file", "doctor", clip).output.contains("1 gap between pictures"))
    let app = lines.filter { !$0.contains(#""event": "video","#) }
    let other = try record(app.joined(separator: "\n"), "app.kymo")
    #expect(try kymo("show", other).output.contains("\n! 1 gap between frames, from 0.483 s"))
  }

  @Test func `what was lost is no blink, no fade and no rest`() throws {
    var seen: [Seen?] = try Self.sprung()
    for index in 24...27 { seen[index] = nil }
    let lost = [
      #"{"t_ns": 400000000, "event": "video.lost", "item": "card", "reason": "covered"}"#,
      #"{"t_ns": 466666666, "event": "video.found", "item": "card"}"#,
    ]
    let text = try kymo("show", record(Self.lines(seen, more: lost))).output
    #expect(text.contains("card: lost from 0.400 s to 0.467 s: covered"))
    #expect(text.contains("no faults"))
    #expect(!text.contains("opacity"))
    for index in 28..<seen.count { seen[index] = nil }
    let cut = try kymo("show", record(Self.lines(seen), "cut.kymo")).output
    #expect(!cut.contains("at rest"))
    #expect(!cut.contains("disappears"))
  }

  @Test func `pictures that repeat and gaps are named so`() throws {
    var seen: [Seen?] = try Self.sprung()
    seen[22] = seen[21]
    seen[22]?.isRepeated = true
    let repeated = [#"{"t_ns": 366666666, "event": "video.repeated"}"#]
    let text = try kymo("show", record(Self.lines(seen, more: repeated))).output
    #expect(text.contains("frames: 96 pictures, 1 repeated"))
    #expect(!text.contains("late"))
  }

  @Test func `clips that differ by less than their errors are the same`() throws {
    // Noise of a fifth of the half-width on top of a motion of a point: half a percent of it would be less.
    func clip(_ seed: UInt64, off: Double = 0) -> String {
      var dice = SplitMix(seed: seed)
      func noise() -> Double { (Double(dice.next() >> 11) / Double(1 << 53) - 0.5) * 0.8 }
      return Self.lines(
        (0..<60).map { index in
          Seen(x: 195, y: 300 + Double(min(index, 40)) / 40 + off + noise(), error: 0.6)
        })
    }
    let (a, b) = (try record(clip(1), "a.kymo"), try record(clip(2), "b.kymo"))
    let same = try kymo("compare", a, b)
    #expect(same.code == 0)
    #expect(same.output.contains("1 element within tolerance"))
    #expect(!same.output.contains("error_x"))
    #expect(try kymo("compare", a, b, "--key", "item.card.center.y").code == 0)
    #expect(try kymo("check", b, "--golden", a).code == 0)
    let c = try record(clip(3, off: 3), "c.kymo")
    #expect(try kymo("compare", a, c).code == 1)
  }

  @Test func `the errors of a position are a band about its curve`() throws {
    let clip = try record(Self.lines(Self.sprung()))
    let whole = try kymo("plot", clip)
    #expect(whole.output.hasPrefix("item.card.center.y"))
    // No dot is that small.
    #expect(!whole.output.contains("90 % interval"))
    #expect(
      try kymo("plot", clip, "--key", "item.card.center.x").output.contains("⠂⠂ 90 % interval"))
    let svg = try kymo("plot", clip, "-o", "-").output
    #expect(svg.components(separatedBy: #"class="band band0""#).count == 2)
    // A band is closed, and twice as long as its curve.
    let band = try #require(svg.components(separatedBy: #"class="band band0" d=""#).last)
    let path = band.prefix { $0 != "\"" }
    #expect(path.hasSuffix("Z"))
    #expect(path.count { $0 == "L" || $0 == "M" } == 2 * 96)
  }

  @Test func `repeated pictures and lost ones do not count in a fit`() throws {
    var seen: [Seen?] = try Self.sprung()
    for index in [22, 27, 33] {
      seen[index] = seen[index - 1]
      seen[index]?.isRepeated = true
    }
    for index in 24...25 { seen[index] = nil }
    let fits = try fits(record(Self.lines(seen)), "--key", "item.card.center.y")
    let fit = try #require(fits.first)
    #expect(fit["fits"] == .bool(true))
    #expect(abs(try #require(fit["parameters"]["stiffness"]["value"].number) - 180) < 1)
    #expect(try #require(fit["rms"].number) < 0.08)
  }

  @Test func `an app at 48 Hz that was recorded at 60 has the spring in its interval`() throws {
    let exact = try Self.sprung(count: 400)
    let motion = SettleMotion(
      SettleParameters(spring: try DampedSpring(mass: 1, stiffness: 180, damping: 22)), from: 640,
      to: 240, velocity: 0)
    var seen: [Seen?] = []
    for index in 0..<96 {
      // A picture shows the newest frame of the app, drawn up to a sixtieth of a second before.
      let frame = index * 48 / 60
      var one = exact[index]
      one.y +=
        motion.value(atSeconds: max(0, Double(frame) / 48 - 0.305))
        - motion.value(atSeconds: max(0, Double(index) / 60 - 0.305))
      if index > 0, frame == (index - 1) * 48 / 60, let last = seen[index - 1] {
        one = last
        one.isRepeated = (20...50).contains(index)
      }
      seen.append(one)
    }
    let fit = try #require(try fits(record(Self.lines(seen)), "--key", "item.card.center.y").first)
    #expect(fit["fits"] == .bool(true))
    #expect(fit["model"] == .string("spring"))
    for (name, real) in [("stiffness", 180.0), ("damping", 22.0)] {
      let number = fit["parameters"][name]
      #expect((number["low"].number ?? .infinity) <= real, "\(name)")
      #expect((number["high"].number ?? 0) >= real, "\(name)")
    }
  }
}
