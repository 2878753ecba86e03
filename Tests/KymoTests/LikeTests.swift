import JSONText
import TestSupport
import Testing

/// `kymo curve settle --like`. `MotionLineTests` has the springs themselves.
@Suite struct LikeTests {
  private func rows(_ words: String...) throws -> [String: JSONValue] {
    let run = try kymo(["curve settle", "--like"] + words + ["--json"])
    #expect(run.code == 0, "\(run.errors)")
    guard case .array(let rows) = try parseJSON(Array(run.output.utf8)) else { return [:] }
    return Dictionary(uniqueKeysWithValues: rows.map { ($0["system"].text ?? "", $0) })
  }

  @Test func `a line is a row for each system`() throws {
    let rows = try rows("stiffness 300 damping 26")
    #expect(rows.count == 14)
    #expect(rows["flutter"]?["exact"] == .bool(true))
    #expect(rows["material3"]?["line"] == .null)
    #expect(rows["css"]?["points"].number != nil)
    #expect(
      rows["reanimated"]?["line"].text == "withSpring(1, { mass: 1, stiffness: 300, damping: 26 })")
  }

  @Test func `the system decides what a line means`() throws {
    let plain = try rows("tension 170 friction 26", "--system", "react-spring")
    let origami = try rows("tension 170 friction 26", "--system", "react-native")
    #expect(plain["motion"]?["line"].text?.contains("stiffness: 170, damping: 26") == true)
    #expect(
      origami["motion"]?["line"].text?.contains("stiffness: 700.8, damping: 52.9452547449") == true)
  }

  @Test func `the way and the velocity are those of the flags`() throws {
    let rows = try rows("stiffness 300 damping 26", "--target", "200", "--relative-velocity", "2")
    #expect(rows["flutter"]?["line"].text?.hasSuffix("0, 200, 400)") == true)
    #expect(rows["uikit"]?["line"].text?.contains("dx: 2, dy: 2") == true)
  }

  @Test func `people read whole lines and what was understood`() throws {
    let run = try kymo("curve settle", "--like", "mass 2 stiffness 300 damping 26")
    #expect(run.code == 0)
    #expect(run.output.hasPrefix("A spring: mass 2, stiffness 300, damping 26, "))
    #expect(run.output.contains("\n  config: { mass: 2, tension: 300, friction: 26 }\n"))
  }

  @Test func `a line that means two springs is refused with the flags that decide`() throws {
    let run = try kymo("curve settle", "--like", "duration 0.5 bounce 0.3")
    #expect(run.code == 2)
    #expect(run.errors.contains("--system swiftui or --system motion or --system flutter"))
  }

  @Test func `flags of other springs are refused`() throws {
    let run = try kymo("curve settle", "--like", "stiffness 3 damping 2", "--mass", "2")
    #expect(run.code == 2)
    #expect(run.errors.contains("--like and --mass cannot be combined"))
    #expect(try kymo("curve settle", "--system", "motion").code == 2)
    #expect(try kymo("curve settle", "--like", "stiffness 3", "--system", "x").code == 2)
  }
}
