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
    return (lines + more).joined(separator: "\n")
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
}
