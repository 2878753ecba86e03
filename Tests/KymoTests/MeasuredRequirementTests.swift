import Foundation
import JSONText
import TestSupport
import Testing

/// Requirements of sessions whose elements were measured in pictures: a limit inside of the interval of a number decides
/// nothing.
@Suite struct MeasuredRequirementTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  private typealias Seen = MeasuredSessionTests.Seen

  /// The verdicts on a session, and the code of the command.
  private func check(
    _ lines: String, _ rules: String..., strict: Bool = false
  ) throws -> (rows: [Row], code: Int32) {
    let clip = place.path("clip.kymo")
    try? FileManager.default.removeItem(atPath: clip)
    let recorded = try kymo("record", "--from-ndjson", "-", "--into", clip, input: lines)
    #expect(recorded.code == 0, "\(recorded.errors)")
    let file = try place.file(
      "needed.json", #"{"requirements": 1, "rules": [\#(rules.joined(separator: ", "))]}"#)
    let run = try kymo(
      ["check", clip, "--requirements", file, "--all", "--json"] + (strict ? ["--strict"] : []))
    return (try rows(run.output), run.code)
  }

  /// A card at rest, known to an error, of which some numbers are others.
  private func resting(
    _ error: Double, count: Int = 60, _ change: (inout Seen, Int) -> Void = { _, _ in }
  )
    -> String
  {
    MeasuredSessionTests.lines(
      (0..<count).map { index in
        var seen = Seen(x: 195, y: 300, error: error)
        change(&seen, index)
        return seen
      })
  }

  @Test func `an edge that may be outside by its error is not judged`() throws {
    let rule = #"{"stays_in": "item.card.center", "rect": [0, 0, 390, 299], "slack_pt": 0.5}"#
    // One point outside, which four half-widths may explain.
    let (rows, code) = try check(resting(0.2), rule)
    let row = try #require(rows.first)
    #expect(row["measure"].text == "outside_pt")
    #expect(row["value"].number == 1)
    #expect(abs((row["low"].number ?? 0) - 0.2) < 1e-9)
    #expect(abs((row["high"].number ?? 0) - 1.8) < 1e-9)
    #expect(row["undecided"] == .bool(true))
    #expect(code == 0)
    #expect(try check(resting(0.2), rule, strict: true).code == 1)
    #expect(try check(resting(0.05), rule).code == 1)
    // The same numbers without errors are exact.
    let exact = resting(0.2).split(separator: "\n").filter { !$0.contains("error_") }
    let (found, failed) = try check(exact.joined(separator: "\n"), rule)
    #expect(found.first?["low"] == .null)
    #expect(failed == 1)
  }

  @Test func `an element far inside passes whatever its error`() throws {
    let (rows, code) = try check(
      resting(2), #"{"stays_in": "item.card.frame", "rect": [0, 0, 390, 844], "slack_pt": 0}"#)
    #expect(rows.first?["undecided"] == .bool(false))
    #expect(rows.first?["value"].number == 0)
    #expect(code == 0)
  }

  @Test func `noise is no way back, and a way back beyond it is`() throws {
    func clip(back: Double) -> String {
      resting(0.1) { seen, index in
        seen.y = 300 - 2 * Double(index) + (index == 30 ? back : 0)
      }
    }
    let rule = #"{"monotone": "item.card.center.y", "direction": "down", "slack": 0}"#
    let (rows, code) = try check(clip(back: 2.3), rule)
    #expect(rows.first?["undecided"] == .bool(true))
    #expect(code == 0)
    #expect(try check(clip(back: 3), rule).code == 1)
  }

  @Test func `a jump is judged by all that its positions may be`() throws {
    func clip(_ error: Double) -> String {
      resting(error) { seen, index in seen.y = index < 30 ? 300 : 308.5 }
    }
    let rule = #"{"continuous": "item.card.center.y"}"#
    let (rows, code) = try check(clip(0.3), rule)
    #expect(rows.first?["undecided"] == .bool(true))
    #expect(abs((rows.first?["value"].number ?? 0) - 8.5) < 1e-6)
    #expect(code == 0)
    #expect(try check(clip(0.05), rule).code == 1)
  }

  @Test func `an overshoot and a rest have intervals by the errors`() throws {
    let clip = MeasuredSessionTests.lines(try MeasuredSessionTests.sprung())
    let (rows, _) = try check(
      clip, #"{"overshoot": "item.card.center.y", "max_percent": 1.1}"#,
      #"{"settles_by": "item.card.center.y", "by_ms": 2000}"#,
      #"{"settles_by": "item.card.center.y", "by_ms": 2000, "within_percent": 0.13}"#)
    let overshoot = try #require(rows.first { $0["measure"].text == "overshoot_percent" })
    // Damping 22 of 2 √180 goes 1.11 % beyond, and four half-widths of 0.08 are 0.08 % of 400 points.
    #expect((overshoot["low"].number ?? 9) < 1.11)
    #expect((overshoot["high"].number ?? 0) > 1.11)
    #expect(
      abs((overshoot["high"].number ?? 0) - (overshoot["low"].number ?? 0) - 0.16) < 0.001)
    #expect(overshoot["undecided"] == .bool(true))
    let rests = rows.filter { $0["measure"].text == "settled_ms" }
    let usual = try #require(rests.first)
    #expect(usual["undecided"] == .bool(false))
    #expect((usual["low"].number ?? 0) < (usual["value"].number ?? 0))
    #expect((usual["high"].number ?? 0) > (usual["value"].number ?? 0))
    #expect((usual["high"].number ?? 0) - (usual["low"].number ?? 0) < 20)
  }

  @Test func `a band of less than the errors says no rest`() throws {
    let clip = MeasuredSessionTests.lines(
      (0..<96).map { index in
        Seen(x: 195, y: 300 + 40 * exp(-Double(index) / 8), error: 0.4)
      })
    let (rows, code) = try check(
      clip, #"{"settles_by": "item.card.center.y", "by_ms": 2000, "within_percent": 1}"#)
    #expect(rows.first?["undecided"] == .bool(true))
    #expect(rows.first?["value"] == .null)
    #expect(code == 0)
  }

  @Test func `gaps of elements are known as exactly as both of them`() throws {
    func clip(_ gap: Double) -> String {
      var lines = [
        #"{"kymograph": 1, "name": "clip", "refreshRate": 60, "viewport": [390, 844]}"#,
        #"{"t_ns": 0, "event": "video", "name": "clip.mp4"}"#,
      ]
      for index in 0..<10 {
        let time = #""t_ns": \#(index * 16_666_667)"#
        let items = ["one", "two"].enumerated().map { number, id in
          #"{"id": "\#(id)", "center": [100, \#(100 + Double(number) * (40 + gap))], "size": [40, 40]}"#
        }
        lines.append(#"{\#(time), "frame": {"items": [\#(items.joined(separator: ", "))]}}"#)
        for id in ["one", "two"] {
          for axis in ["x", "y"] {
            lines.append(
              #"{\#(time), "key": "item.\#(id).error_\#(axis)", "value": 0.1, "unit": "pt"}"#)
          }
        }
      }
      return lines.joined(separator: "\n")
    }
    let rule = #"{"apart": ["item.one", "item.two"], "gap_pt": 8}"#
    let (rows, code) = try check(clip(7), rule)
    let row = try #require(rows.first)
    #expect(row["value"].number == 7)
    #expect(row["undecided"] == .bool(true))
    #expect(code == 0)
    #expect(try check(clip(4), rule).code == 1)
    #expect(try check(clip(12), rule).rows.first?["undecided"] == .bool(false))
  }

  @Test func `elements set off one after the other as far as their positions say it`() throws {
    func clip(_ error: Double, way: Double) -> String {
      var lines = [
        #"{"kymograph": 1, "name": "clip", "refreshRate": 60, "viewport": [390, 844]}"#,
        #"{"t_ns": 0, "event": "video", "name": "clip.mp4"}"#,
      ]
      for index in 0..<60 {
        let time = #""t_ns": \#(index * 16_666_667)"#
        let items = ["one", "two"].enumerated().map { number, id in
          let gone = max(0, min(30, Double(index - 10 - 6 * number))) / 30 * way
          return
            #"{"id": "\#(id)", "center": [\#(100 + 100 * number), \#(100 + gone)], "size": [40, 40]}"#
        }
        lines.append(#"{\#(time), "frame": {"items": [\#(items.joined(separator: ", "))]}}"#)
        for id in ["one", "two"] {
          lines.append(
            #"{\#(time), "key": "item.\#(id).error_y", "value": \#(error), "unit": "pt"}"#)
        }
      }
      return lines.joined(separator: "\n")
    }
    let rule =
      #"{"stagger": ["item.one.center.y", "item.two.center.y"], "step_ms": 100, "tolerance_ms": 5}"#
    let sharp = try #require(try check(clip(0.05, way: 300), rule).rows.first)
    #expect(abs((sharp["value"].number ?? 0) - 100) < 0.01)
    #expect(sharp["undecided"] == .bool(false))
    #expect((sharp["low"].number ?? 100) < 100)
    #expect((sharp["high"].number ?? 100) > 100)
    // 2 % of a way of 10 points are less than four half-widths.
    let (rows, code) = try check(clip(0.2, way: 10), rule)
    #expect(rows.first?["undecided"] == .bool(true))
    #expect(code == 0)
  }

  @Test func `an opacity is shown or not as far as it is known`() throws {
    func clip(_ alpha: Double) -> String {
      resting(0.05).replacing(
        #""size": [320, 120]"#, with: #""size": [320, 120], "alpha": \#(alpha)"#)
    }
    func rule(_ alpha: Double) -> String {
      #"{"appears_by": "item.card", "by_ms": 100, "alpha": \#(alpha)}"#
    }
    #expect(try check(clip(0.95), rule(0.99)).rows.first?["undecided"] == .bool(true))
    #expect(try check(clip(0.95), rule(0.99)).code == 0)
    #expect(try check(clip(0.5), rule(0.99)).code == 1)
    #expect(try check(clip(0.95), rule(0.5)).rows.first?["undecided"] == .bool(false))
  }

  @Test func `gaps between pictures are no late frames`() throws {
    let whole = resting(0.05) { seen, index in seen.y = 300 - 2 * Double(index) }
    let lost = whole.split(separator: "\n").filter { line in
      !(30...35).contains { line.contains(#""t_ns": \#($0 * 1_000_000_000 / 60),"#) }
    }
    let rule = #"{"hitch": "frames"}"#
    let (rows, code) = try check(lost.joined(separator: "\n"), rule)
    #expect(rows.first?["undecided"] == .bool(true))
    #expect(code == 0)
    let text = try kymo(
      "check", place.path("clip.kymo"), "--requirements", place.path("needed.json"))
    #expect(text.output.contains("frames: longest_ms: cannot be told from pictures"))
    #expect(text.output.contains("1 cannot be told"))
    let app = lost.filter { !$0.contains(#""event": "video""#) }
    #expect(try check(app.joined(separator: "\n"), rule).code == 1)
  }
}
