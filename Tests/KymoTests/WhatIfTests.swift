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
    let rows = try answers("rule try", try pinches(), "--set", "release.threshold=0.3:0.7:0.05")
    let steps = rows.filter { $0["kind"].text == "sweep" }
    #expect(steps.count == 9)
    #expect(steps.first?["value"].number == 0.3)
    #expect(
      steps.compactMap { $0["value"].number } == [0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7])
    #expect(steps.allSatisfy { $0["parameter"].text == "release.threshold" })
    #expect(
      steps.allSatisfy { ($0["finishes"].integer ?? 0) + ($0["cancels"].integer ?? 0) == 2 })
  }

  @Test func `a threshold above everything cancels all, and the table says what flipped`() throws {
    let path = try pinches()
    let all = try answers("rule try", path, "--set", "release.threshold=5")
    #expect(all.allSatisfy { $0["decision"].text == "cancel" })
    let run = try kymo("rule try", path, "--set", "release.threshold=5")
    #expect(run.code == 0)
    #expect(all.count { $0["kind"].text == "gesture" } == 2)
    #expect(run.output.contains("Decided differently:"))
    #expect(run.output.contains("Nearest to the other outcome:"))
    #expect(try !kymo("rule try", path, "--nearest", "0").output.contains("Nearest"))
  }

  @Test func `with labels it names the thresholds that decide each of them as meant`() throws {
    let path = try pinches()
    func said(_ first: String, _ second: String?) throws -> String {
      for (number, label) in [first, second ?? "none"].enumerated() {
        #expect(try kymo("label", "\(path)#\(number + 1)", label).code == 0)
      }
      let run = try kymo("rule try", path)
      #expect(run.code == 0)
      return run.output.split(separator: "\n").first { $0.contains("each label") }.map(String.init)
        ?? ""
    }
    // The fingers let go at 0.839 and at 0.067.
    #expect(
      try said("finish", "cancel")
        == "A threshold between 0.067 and 0.839 decides each label as meant.")
    #expect(try said("finish", nil) == "A threshold below 0.839 decides each label as meant.")
    #expect(try said("cancel", nil) == "A threshold above 0.84 decides each label as meant.")
    #expect(
      try said("cancel", "finish")
        == "No threshold decides each label as meant. Try another --rule, or search with kymo rule tune."
    )
  }

  @Test func `a damaged file among others is left out and told`() throws {
    let path = try pinches()
    let broken = try place.file("broken.kymo", "no recording")
    let run = try kymo("rule try", path, broken, "--json")
    #expect(run.code == 3)
    #expect(run.errors.contains("broken.kymo"))
    let found = try rows(run.output)
    #expect(found.map { $0["kind"].text } == ["gesture", "gesture", "error"])
    #expect(found[2]["file"].text == broken)
    #expect(found[2]["exit"].integer == 4)
    #expect(found[2]["error"].text?.contains(broken) == true)
    #expect(try kymo("rule try", broken).code == 4)
    #expect(try kymo("rule try", broken, broken).code == 4)
  }

  @Test func `a list has one row for each value, in its order`() throws {
    let path = try pinches()
    let rows = try answers("rule try", path, "--set", "release.threshold=0.9,0.1")
    let steps = rows.filter { $0["kind"].text == "sweep" }
    #expect(steps.map { $0["value"].number } == [0.9, 0.1])
    #expect(steps.map { $0["finishes"].integer } == [0, 1])
    let table = try kymo("rule try", path, "--set", "release.threshold=0.9,0.1").output
    #expect(table.contains("\nBy release.threshold:\n"))
  }

  @Test(arguments: [
    ("release.threshold=0.3:0.7", "needs a step"), ("release.threshold=0.7:0.3:0.1", "backwards"),
    ("release.threshold=0:1:0", "step above 0"), ("release.threshold=0:1:-1", "step above 0"),
    ("release.threshold=a:b:c", "FROM:TO:STEP"), ("release.threshold=0:1:1e-9", "larger step"),
    ("release.threshold=0:1:0.0001", "more than 10000 values"),
    ("release.threshold=0:inf:1", "FROM:TO:STEP"), ("release.threshold=:::", "FROM:TO:STEP"),
    ("release.threshold=high", "must be a number"), ("release.threshold=0.1,x", "must be a number"),
    ("release.threshold=", "missing value"), ("release.threshold", "must be PATH=VALUE"),
    ("release.decelerationRate=0.5:2:0.5", "above 0 and below 1"),
    ("release.distance=0:10:5", "other than 0"), ("release.maximumVelocity=-1:1:1", "0 or more"),
    ("release.velocityThreshold=0.5:3:1", "--rule"), ("release.window=40ms,80ms", "rule tune"),
    ("release.rule=progress,velocity", "one value here"),
    ("release.rule=progres", "Did you mean progress?"),
    ("release.treshold=1", "Did you mean release.threshold?"),
    ("threshold=1", "Did you mean release.threshold?"),
    ("settle.mass=2", "Known: release.threshold, "), ("release.estimator=all", "unknown value"),
  ])
  func `a setting that leads nowhere is wrong usage`(setting: String, words: String) throws {
    let run = try kymo("rule try", try pinches(), "--set", setting)
    #expect(run.code == 2, "\(setting)")
    #expect(run.output == "", "\(setting)")
    #expect(run.errors.contains(words), "\(setting): \(run.errors)")
    #expect(run.errors.split(separator: "\n").count == 1)
  }

  @Test func `other flags are checked as well`() throws {
    let path = try pinches()
    for words in [
      ["--set", "release.threshold=0:1:0.5", "--set", "release.distance=1:2:1"],
      ["--set", "release.threshold=0.1", "--set", "release.threshold=0.2"],
      ["--rule", "progress", "--set", "release.rule=velocity"],
      ["--rule", "progress", "--set", "release.velocityThreshold=1:3:1"],
      ["--estimator", "all"], ["--nearest", "-1"], ["--rule", "none"],
    ] {
      let run = try kymo(["rule try", path] + words)
      #expect(run.code == 2, "\(words): \(run.errors)")
      #expect(run.output == "", "\(words): \(run.errors)")
    }
    #expect(try kymo("rule try", path, "--estimator", "lsq9").errors.contains("lsq"))
  }

  @Test func `a short form and its setting are the same`() throws {
    let path = try pinches()
    for (flag, name) in [("rule", "velocity"), ("estimator", "impulse"), ("preset", "flutter")] {
      #expect(
        try answers("rule try", path, "--\(flag)", name)
          == answers("rule try", path, "--set", "release.\(flag)=\(name)"))
    }
  }

  @Test func `a sweep of the largest speed that counts changes what a projection says`() throws {
    let rows = try answers(
      "rule try", try pinches() + "#1", "--rule", "projection", "--set", "release.threshold=1.5",
      "--set", "release.maximumVelocity=0:4:4")
    #expect(
      rows.filter { $0["kind"].text == "sweep" }.map { $0["finishes"].integer } == [0, 1])
  }

  @Test func `another estimator and window tell another velocity`() throws {
    let path = try pinches()
    let own = try answers("rule try", path)
    let other = try answers("rule try", path, "--estimator", "mean", "--set", "release.window=30ms")
    #expect(other.allSatisfy { $0["estimator"].text == "mean" })
    #expect(own[0]["velocity"] != other[0]["velocity"])
  }
}

extension Row {
  fileprivate var isFalse: Bool { self == .bool(false) }
}
