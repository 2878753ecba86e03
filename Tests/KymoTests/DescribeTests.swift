import Foundation
import JSONText
import TestSupport
import Testing

/// A session in a few sentences.
@Suite struct DescribeTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  @Test func `a session is told in plain words and numbers, the same each time`() throws {
    let path = try place.record(Scenarios.pinch, gesture: "pinch-open.evemu", into: "pinch.kymo")
    let call = try kymo("show", path + "#1")
    #expect(call.code == 0)
    #expect(call.errors == "")
    #expect(call.output.utf8.count <= 2000)
    #expect(try kymo("show", path + "#1").output == call.output)
    let sentences = try answers("show", path + "#1")
    #expect(sentences.compactMap { $0["about"].text }.first == "session")
    #expect(
      sentences.first { $0["about"].text == "did" }?["says"].text
        == "pinch from 106 to 240 pt between the fingers, scale 2.26, in 366 ms")
    // The scenario's spring has a stiffness of 180 and a damping of 24, and moves 22 elements.
    for (kind, number) in [("stiffness", 180.0), ("damping", 24)] {
      let found = sentences.filter { $0["what"].text == kind }.compactMap { $0["value"].number }
      #expect(found.count == 21)
      #expect(found.allSatisfy { abs($0 - number) < 0.01 }, "\(found)")
    }
    let settles = sentences.filter { $0["what"].text == "settle" }
    #expect(settles.count == 21)
    #expect(settles.allSatisfy { (300...340).contains($0["value"].number ?? 0) }, "\(settles)")
    #expect(settles.allSatisfy { $0["unit"].text == "ms" })
    #expect(sentences.allSatisfy { $0["fault"] != .bool(true) })
    // Each sentence is a row, also what was done and how many faults there are.
    for about in ["session", "touch", "decided", "did", "motion"] {
      let says = sentences.first { $0["about"].text == about }?["says"].text ?? "?"
      #expect(
        call.output.contains("\n\(about): \(says)\n") || about == "session", "\(about): \(says)")
    }
  }

  /// The rows of `kymo show` about a run's elements and frames.
  private func facts(_ path: String) throws -> [Row] {
    try answers("show", path + "#1").filter { $0["what"].text != nil }
  }

  @Test func `a fault has its element, size and instant`() throws {
    let good = try facts(try place.record(RequiredRun(), into: "good.kymo"))
    #expect(good.allSatisfy { $0["fault"] == .bool(false) })
    let run = RequiredRun(defect: "continuous")
    let faults = try facts(try place.record(run, into: "run.kymo"))
      .filter { $0["fault"] == .bool(true) }
    #expect(faults.map { $0["what"].text } == ["jump"])
    #expect(faults.map { $0["about"].text } == ["photo"])
    #expect(abs((faults[0]["value"].number ?? 0) - 22) < 0.5, "\(faults)")
    #expect(faults[0]["unit"].text == "pt")
    #expect(faults[0]["t_ns"].integer == 800_000_000)
  }

  @Test func `a late frame is counted, and is no fault`() throws {
    let run = RequiredRun(defect: "hitch")
    let frames = try facts(try place.record(run, into: "run.kymo"))
      .filter { $0["what"].text == "frames" }
    #expect(frames.map { $0["says"].text } == ["1 of 107 late; longest 50 ms"])
    #expect(frames.map { $0["fault"] } == [.bool(false)])
  }

  /// An app's photo, frame by frame: what it is, by its frame's number, in a viewport of 100 by 100.
  private func photo(_ frames: Int, _ pose: (Int) -> String) throws -> String {
    let lines = (0..<frames).map { frame in
      "{\"t_ns\": \(frame * 10_000_000), \"frame\": {\"items\": [{\"id\": \"photo\", \(pose(frame))}]}}\n"
    }
    return try place.record(
      lines: "{\"kymograph\": 1, \"viewport\": [100, 100]}\n" + lines.joined(), into: "photo.kymo")
  }

  @Test func `an element that grows, turns or fades has moved`() throws {
    func moves(_ pose: (Int) -> String) throws -> [String?] {
      try facts(try photo(11, pose)).filter { $0["what"].text == "moves" }.map { $0["says"].text }
    }
    let box = "\"center\": [50, 50], \"size\": [10, 10]"
    let grown = try moves {
      "\"center\": [50, 50], \"size\": [\(10 + 0.63 * Double($0)), \(10 + 0.63 * Double($0))]"
    }
    #expect(grown == ["resizes 10×10 to 16×16, grows from its center in 100 ms"])
    let scaled = try moves {
      "\(box), \"transform\": [\(1 + 0.063 * Double($0)), 0, 0, \(1 + 0.063 * Double($0)), 0, 0]"
    }
    #expect(scaled == grown)
    let back = try moves { "\(box), \"transform\": [\($0 == 5 ? 2 : 1), 0, 0, 1, 0, 0]" }
    #expect(back == ["resizes 10×10 to 20×10 and back at once"])
    let turned = try moves { $0 == 0 ? box : "\(box), \"transform\": [0, 1, -1, 0, 0, 0]" }
    #expect(turned == ["turns 90.0° at once"])
    let faded = try moves { "\(box), \"alpha\": \(1 - Double($0) / 20)" }
    #expect(faded == ["fades from 100 to 50 % of opacity in 100 ms"])
    let gone = try moves { "\(box), \"alpha\": \(1 - Double($0) / 10)" }
    #expect(gone == ["fades out in 100 ms"])
  }

  @Test func `constant acceleration is no jump, nor is what happens off the screen`() throws {
    func told(_ y: (Int) -> Double) throws -> [Row] {
      try facts(try photo(20) { "\"center\": [50, \(y($0))], \"size\": [10, 10]" })
    }
    let (falling, unseen) = (
      try told { Double($0 * $0) * 8 - 1000 }, try told { $0 > 9 ? 5000 : 500 }
    )
    #expect(falling.allSatisfy { $0["fault"] == .bool(false) }, "\(falling)")
    #expect(unseen.allSatisfy { $0["fault"] == .bool(false) }, "\(unseen)")
    let jumped = try told { Double($0 * 2) + ($0 > 9 ? 30 : 0) }
      .filter { $0["fault"] == .bool(true) }
    #expect(jumped.map { $0["what"].text } == ["jump"])
    #expect(abs((jumped.first?["value"].number ?? 0) - 30) < 0.5, "\(jumped)")
    // A step between two rests is a way without an animation.
    let stepped = try told { $0 > 9 ? 70 : 40 }.filter { $0["what"].text == "moves" }
    #expect(stepped.map { $0["says"].text } == ["moves 30.0 pt (+0, +30) at once"])
    #expect(stepped.map { $0["value"].number } == [30])
  }

  @Test func `Markdown says what the text says`() throws {
    let path = try place.record(RequiredRun(defect: "continuous"), into: "run.kymo")
    let told = try kymo("show", path + "#1").output
    let markdown = try kymo("show", path + "#1", "--format", "markdown").output
    for line in told.split(separator: "\n").prefix(4) {
      let says = line.drop { $0 != ":" }.dropFirst(2)
      #expect(markdown.contains(says.prefix(20)), "\(line)")
    }
  }

  @Test func `the limit that is printed is the one that was applied`() throws {
    let rules = try place.file(
      "rules.json",
      #"{"requirements": 1, "rules": [{"settles_by": "x", "by_ms": 100}]}"#)
    let lines = [(0, 0.0), (60, 0.5), (104, 1), (200, 1)].map {
      "{\"t_ns\": \($0.0 * 1_000_000), \"key\": \"x\", \"value\": \($0.1)}\n"
    }
    let path = try place.record(
      lines: "{\"kymograph\": 1, \"refreshRate\": 100}\n" + lines.joined(), into: "late.kymo")
    let row = try #require(answers("check", path, "--requirements", rules).first)
    #expect(row["finding"].text == "pass")
    #expect(row["limit"].number == 105)
    #expect(try #require(row["value"].number) > 100)
    #expect(
      row["says"].text?.hasSuffix(" is within 105 (requirement 1 'settles_by')") == true, "\(row)")
  }

  @Test func `names mean nothing to whoever reads them, and however many there are it stays short`()
    throws
  {
    let names = (0..<300).map {
      "</script>`@all`\\n::error::\\u001b[31m*\($0)*" + String(repeating: "é", count: 90)
    }
    var lines = "{\"kymograph\": 1, \"name\": \"\(names[0])\", \"device\": \"\(names[1])\"}\n"
    for (index, name) in names.enumerated() {
      for time in 0..<3 {
        lines +=
          "{\"t_ns\": \(time * 9_000_000), \"key\": \"\(name)\", \"value\": \(time * index * 7), \"unit\": \"<b>\"}\n"
      }
    }
    let call = try kymo("show", try place.record(lines: lines, into: "run.kymo") + "#1")
    #expect(call.code == 0)
    #expect(call.output.utf8.count <= 2000)
    #expect(TerminalSafety.unsafe(in: call.output) == nil)
    for letter in "<>`@*[\\|" {
      #expect(!call.output.contains(letter), "\(letter): \(call.output)")
    }
    #expect(!call.output.contains("::"))
  }
}
