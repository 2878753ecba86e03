import Foundation
import JSONText
import TestSupport
import Testing

@Suite struct EaseTests {
  @Test func `a curve is told at the places that were asked for, in their order`() throws {
    let rows = try answers("curve ease", "cubicInOut", "--x", "0.25, 0.1,1,-3,1")
    #expect(rows.map { $0["x"].number } == [0.25, 0.1, 1, -3, 1])
    #expect(rows.map { $0["y"].number }.dropFirst(2) == [1, 0, 1])
    #expect(rows[0]["y"].number == 0.0625)
    #expect(rows[1]["y"].number.map { abs($0 - 0.004) < 1e-15 } == true)
    #expect(rows.allSatisfy { $0.names == ["x", "y"] })
  }

  @Test func `without places a curve is told at every tenth`() throws {
    let rows = try answers("curve ease", "linear")
    let tenths: [Double?] = (0...10).map { Double($0) / 10 }
    #expect(rows.map { $0["x"].number } == tenths)
    #expect(rows.map { $0["y"] } == rows.map { $0["x"] })
  }

  @Test func `control points and steps make curves as their texts do`() throws {
    let curve = try answers("curve ease", "--bezier", "0.25,0.1,0.25,1", "--x", "0.5,-0.5,1.5")
    #expect(curve[0]["y"].number.map { abs($0 - 0.802403387584857) < 1e-12 } == true)
    #expect(curve.dropFirst().map { $0["y"].number } == [-0.2, 1])
    #expect(try answers("curve ease", "ease", "--x", "0.5,-0.5,1.5") == curve)
    #expect(
      try answers("curve ease", "cubic-bezier(0.25, 0.1, 0.25, 1)", "--x=0.5,-0.5,1.5") == curve)
    let steps = try answers("curve ease", "--steps", "4,jump-both", "--x", "0,0.25,0.6,1")
    #expect(steps.map { $0["y"].number } == [0.2, 0.4, 0.6, 1])
    #expect(try answers("curve ease", "steps(4,jump-both)", "--x", "0,0.25,0.6,1") == steps)
    #expect(try answers("curve ease", "--steps", "2", "--x", "0.5")[0]["y"].number == 0.5)
  }

  @Test func `every format tells the same rows`() throws {
    let words = ["curve ease", "quadraticIn", "--x", "0.5,0.75", "--format"]
    #expect(try kymo(words + ["csv"]).output == "x,y\n0.5,0.25\n0.75,0.5625\n")
    #expect(
      try kymo(words + ["ndjson"]).output
        == "{\"x\":0.5,\"y\":0.25}\n{\"x\":0.75,\"y\":0.5625}\n")
    let table = try kymo(words + ["table"]).output.split(separator: "\n")
    #expect(table.count == 4)
    #expect(table[3].split(separator: " ") == ["0.75", "0.5625"])
  }

  @Test func `the list names every curve, and each of them is understood`() throws {
    let rows = try answers("curve ease", "--list")
    let names = rows.compactMap { $0["name"].text }
    #expect(rows.count == 42)
    #expect(names.first == "linear")
    #expect(rows.first?["css"] == .null)
    #expect(
      rows.first { $0["name"].text == "easeIn" }?["css"].text == "cubic-bezier(0.42,0,1,1)")
    for name in names { #expect(try answers("curve ease", name, "--x", "1")[0]["y"].number == 1) }
  }

  static let wrong: [(words: [String], sentence: String)] = [
    (["cubicInout"], "unknown easing curve 'cubicInout'. Did you mean cubicInOut?"),
    (["EASE-IN"], "unknown easing curve 'EASE-IN'. Did you mean ease-in?"),
    (["wobble"], "and 34 more (kymo curve ease --list)"),
    (["--bezier", "0,0,1"], "cubic-bezier(0,0,1) cannot be read"),
    (["--bezier", "2,0,1,1"], "must be from 0 to 1 (got 2.0)"),
    (["--steps", "0"], "must be at least 1 (got 0)"),
    (["--steps", "2,mid"], "steps(2,mid) cannot be read"),
    (["linear", "--x", "0.1,half"], "--x must be numbers separated by commas (got '0.1,half')"),
    (["linear", "--x", ""], "--x must be numbers"),
    (["linear", "--x", "nan"], "--x must be numbers"),
    (["linear", "--steps", "3"], "cannot be combined"),
    (["--steps", "3", "--bezier", "0,0,1,1"], "cannot be combined"), (["--json"], "missing NAME"),
    (["--list", "linear"], "--list cannot be combined"),
    (["--list", "--x", "1"], "--list cannot be combined"),
  ]

  @Test(arguments: wrong)
  func `what is no curve is refused in one sentence`(words: [String], sentence: String) throws {
    let run = try kymo(["curve ease"] + words)
    #expect(run.code == 2)
    #expect(run.output == "")
    #expect(run.errors.contains(sentence), "\(run.errors)")
    #expect(run.errors.split(separator: "\n").count == 1)
  }
}
