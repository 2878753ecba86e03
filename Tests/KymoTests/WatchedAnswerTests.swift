import Foundation
import JSONText
import TestSupport
import Testing
import TimelineModel

/// Pages that answer otherwise than by motion, and fingers that the browser takes.
@Suite(.enabled(if: BrowserOnMachine.hasShell, "there is no headless shell of Chromium"))
struct WatchedAnswerTests {
  /// A click of a page of answers, and what its first change says.
  struct Answer: Sendable, CustomTestStringConvertible {
    let button: String
    let element: String
    let says: String

    var testDescription: String { button }
  }

  private func watch(_ page: String, _ words: [String]) throws -> ProgramRun {
    let page =
      URL(fileURLWithPath: fixture("pages/watch/answers.html")).deletingLastPathComponent()
      .absoluteString + page
    return try kymo(["watch", page] + words + ["--json"])
  }

  private func facts(_ run: ProgramRun) throws -> [JSONValue] {
    try parseJSON(Array(run.output.utf8))["facts"].array
  }

  @Test(arguments: [
    Answer(button: "colour", element: "colour", says: "background-color changes: 300 ms ease"),
    Answer(button: "count", element: "number", says: "text changes 3"),
    Answer(button: "tick", element: "tick", says: "checked changes at once"),
    Answer(button: "switch", element: "switch", says: "its ::after changes at once"),
    Answer(button: "draw", element: "canvas#1", says: "a canvas is redrawn"),
  ])
  func `a change that is no motion is an answer`(_ answer: Answer) throws {
    let run = try watch("answers.html", ["--click", "#" + answer.button, "--clock", "steady"])
    #expect(run.code == 0, "\(run.output) \(run.errors)")
    let facts = try facts(run)
    let change = try #require(facts.first { $0["what"].text == "changes" }, "\(run.output)")
    #expect(change["about"].text == answer.element)
    #expect(change["says"].text?.hasPrefix(answer.says) == true, "\(change)")
  }

  @Test func `a click that nothing answers is a fault`() throws {
    let run = try watch("answers.html", ["--click", "#silent", "--clock", "steady"])
    #expect(run.code == 1, "\(run.output)")
    let faults = try facts(run).filter { $0["fault"] == .bool(true) }
    #expect(faults.map { $0["what"].text } == ["no_reaction"])
  }

  @Test(arguments: [("scroll", 1200.0), ("smooth", 1000)])
  func `a scroll by a script is recorded until it rests`(button: String, way: Double) throws {
    let run = try watch("answers.html", ["--click", "#" + button, "--clock", "steady"])
    #expect(run.code == 0, "\(run.output) \(run.errors)")
    let facts = try facts(run)
    let scroll = try #require(facts.first { $0["what"].text == "scrolls" }, "\(run.output)")
    #expect(abs(try #require(scroll["value"].number) - way) < 1)
    let rest = try #require(facts.first { $0["what"].text == "end" }, "\(run.output)")
    #expect(abs(try #require(rest["value"].number) - way) < 1)
  }

  @Test func `elements that are made again are others, each with its own time`() throws {
    let run = try watch(
      "answers.html", ["--click", "#swap", "--wait", "400", "--clock", "steady"])
    #expect(run.code == 0, "\(run.output) \(run.errors)")
    let facts = try facts(run)
    func time(_ name: String) -> Double? {
      facts.first { $0["what"].text == "moves" && $0["about"].text == name }?["t_ns"].number
    }
    let (old, new) = (try #require(time("div.old#1")), try #require(time("div.new#1")))
    #expect(abs((new - old) / 1e6 - 300) < 20)
  }

  @Test func `a finger that the browser takes is a fault with its remedy`() throws {
    let run = try watch("taken.html", ["--swipe", "#box", "-160,0"])
    #expect(run.code == 1, "\(run.output) \(run.errors)")
    let taken = try #require(try facts(run).first { $0["what"].text == "finger_taken" })
    #expect(taken["fault"] == .bool(true))
    #expect(taken["about"].text == "box")
    #expect(
      taken["says"].text?.hasSuffix("touch-action: pan-y is missing on #box") == true, "\(taken)")
    let clean = try watch("taken.html#clean", ["--swipe", "#box", "-160,0", "--clock", "steady"])
    #expect(clean.code == 0, "\(clean.output) \(clean.errors)")
  }

  @Test func `two fingers on two targets lose no frames`() throws {
    let gesture = fixture("gestures/pinch-open.evemu")
    let run = try watch(
      "taken.html",
      ["--gesture", gesture, "--on", "#scale", "--scale", "0.25", "--clock", "steady"])
    #expect(run.code == 0, "\(run.output) \(run.errors)")
    let frames = try #require(try facts(run).first { $0["about"].text == "frames" })
    #expect(frames["says"].text?.hasSuffix("none late") == true, "\(frames)")
  }
}
