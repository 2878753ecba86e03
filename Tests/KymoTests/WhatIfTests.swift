import Foundation
import JSONText
import TestSupport
import Testing

@Suite struct WhatIfCommandTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  /// One recording with two gestures' sessions: a pinch that finished, and one that cancelled.
  private func pinches() throws -> String {
    try place.record(Scenarios.pinch, gesture: "pinch-open.evemu", into: "a.kymo")
    return try place.record(Scenarios.pinch, gesture: "pinch-back.evemu", into: "a.kymo")
  }

  @Test func `every gesture of every session is decided again`() throws {
    let path = try pinches()
    let rows = try answers("rule try", path)
    #expect(rows.map { $0["kind"].text } == ["gesture", "gesture"])
    #expect(rows.map { $0["session"].integer } == [1, 2])
    #expect(rows.allSatisfy { $0["flips"].isFalse })
    #expect(try answers("rule try", path + "#1").count == 1)
  }

  @Test func `a sweep has one row for each value, both ends included`() throws {
    let rows = try answers("rule try", try pinches(), "--threshold", "0.3:0.7:0.05")
    let steps = rows.filter { $0["kind"].text == "sweep" }
    #expect(steps.count == 9)
    #expect(steps.first?["value"].number == 0.3)
    #expect(
      steps.compactMap { $0["value"].number } == [0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7])
    #expect(steps.allSatisfy { $0["parameter"].text == "threshold" })
    #expect(
      steps.allSatisfy { ($0["finishes"].integer ?? 0) + ($0["cancels"].integer ?? 0) == 2 })
  }

  @Test func `a threshold above everything cancels all, and the table says what flipped`() throws {
    let path = try pinches()
    let all = try answers("rule try", path, "--threshold", "5")
    #expect(all.allSatisfy { $0["decision"].text == "cancel" })
    let run = try kymo("rule try", path, "--threshold", "5")
    #expect(run.code == 0)
    #expect(run.output.contains("2 gestures decided again"))
    #expect(run.output.contains("Decided otherwise:"))
    #expect(run.output.contains("Nearest to the other outcome:"))
    #expect(try !kymo("rule try", path, "--nearest", "0").output.contains("Nearest"))
  }

  @Test func `a damaged file among others is left out and told`() throws {
    let path = try pinches()
    let broken = try place.file("broken.kymo", "no recording")
    let run = try kymo("rule try", path, broken, "--json")
    #expect(run.code == 3)
    #expect(run.errors.contains("broken.kymo"))
    let found = try rows(run.output)
    #expect(found.map { $0["kind"].text } == ["gesture", "gesture", "error"])
    #expect(found[2]["file"].text == broken && found[2]["exit"].integer == 4)
    #expect(found[2]["error"].text?.contains(broken) == true)
    #expect(try kymo("rule try", broken).code == 4)
    #expect(try kymo("rule try", broken, broken).code == 4)
  }

  @Test func `a range that leads nowhere is wrong usage`() throws {
    let path = try pinches()
    for range in [
      "0.3:0.7", "0.7:0.3:0.1", "0:1:0", "0:1:-1", "a:b:c", "0:1:1e-9", "0:inf:1", ":::",
    ] {
      let run = try kymo("rule try", path, "--threshold", range)
      #expect(run.code == 2, "\(range)")
      #expect(run.errors.contains("--threshold"), "\(run.errors)")
    }
    #expect(
      try kymo("rule try", path, "--threshold", "0:1:0.5", "--distance", "1:2:1").code == 2)
    for (flag, range) in [
      ("--deceleration-rate", "0.5:2:0.5"), ("--distance", "0:10:5"),
      ("--maximum-velocity", "-1:1:1"),
    ] {
      #expect(try kymo("rule try", path, flag, range).code == 2, "\(flag)")
    }
    #expect(
      try kymo("rule try", path, "--rule", "progress", "--velocity-threshold", "1:3:1").code == 2)
    #expect(try kymo("rule try", path, "--estimator", "all").code == 2)
    #expect(try kymo("rule try", path, "--velocity-threshold", "0.5:3:1").errors.contains("--rule"))
    #expect(try kymo("rule try", path, "--nearest", "-1").code == 2)
    #expect(try kymo("rule try", path, "--rule", "none").code == 2)
    #expect(try kymo("rule try", path, "--estimator", "lsq9").errors.contains("lsq"))
  }

  @Test func `a sweep of the largest speed that counts changes what a projection says`() throws {
    let rows = try answers(
      "rule try", try pinches() + "#1", "--rule", "projection", "--threshold", "1.5",
      "--maximum-velocity", "0:4:4")
    #expect(
      rows.filter { $0["kind"].text == "sweep" }.map { $0["finishes"].integer } == [0, 1])
  }

  @Test func `another estimator and window tell another velocity`() throws {
    let path = try pinches()
    let own = try answers("rule try", path)
    let other = try answers("rule try", path, "--estimator", "mean", "--window", "30ms")
    #expect(other.allSatisfy { $0["estimator"].text == "mean" })
    #expect(own[0]["velocity"] != other[0]["velocity"])
  }
}

extension Row {
  fileprivate var isFalse: Bool { self == .bool(false) }
}
