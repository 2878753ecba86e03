import Foundation
import JSONText
import TestSupport
import Testing
import TimelineModel

/// Pages with one planted fault each, and the same pages without it (`#clean`), on the steady clock.
@Suite(.enabled(if: BrowserOnMachine.hasShell, "there is no headless shell of Chromium"))
struct WatchedFaultTests {
  /// A page, what is done to it, and the fault that is to be named with its number.
  struct Planted: Sendable, CustomTestStringConvertible {
    let page: String
    let actions: [String]
    let fault: String
    let element: String
    /// The number and how far it may be off; nil: the fault has none that is planted.
    let number: Double?
    let slack: Double

    init(
      _ page: String, _ actions: [String], _ fault: String, of element: String,
      _ number: Double? = nil, within slack: Double = 0
    ) {
      (self.page, self.actions, self.fault) = (page, actions, fault)
      (self.element, self.number, self.slack) = (element, number, slack)
    }

    var testDescription: String { page }
  }

  static let swipe = ["--swipe", "#sheet", "up"]
  static let click = ["--click", "#go"]
  static let planted: [Planted] = [
    Planted(
      "sheet-delay", swipe + ["--speed", "300"], "lag", of: "sheet", 3, within: 0.3),
    Planted("sheet-lerp", swipe, "lag", of: "sheet", 0.7 / 0.3, within: 0.3),
    Planted("sheet-lerp", swipe + ["--speed", "90"], "lag", of: "sheet", 0.7 / 0.3, within: 0.6),
    Planted("sheet-pickup", swipe, "pickup_jump", of: "sheet", 16, within: 1),
    Planted("sheet-pickup", swipe + ["--speed", "80"], "pickup_jump", of: "sheet", 16, within: 2),
    Planted(
      "sheet-leak", ["--drag", "#sheet", "80,-220"], "axis_leak", of: "sheet", 30, within: 2),
    Planted("sheet-speed", swipe, "hand_over", of: "sheet", 0, within: 8),
    Planted("sheet-speed", swipe + ["--speed", "150"], "hand_over", of: "sheet", 0, within: 8),
    Planted("sheet-flick", swipe, "flick_cancelled", of: "sheet", 3200, within: 120),
    Planted("sheet-slow", swipe, "settle", of: "sheet", 3650, within: 200),
    Planted(
      "sheet-stays", ["--drag", "#sheet", "up"], "lag", of: "sheet", 4, within: 0.4),
    Planted("sheet-restarts", ["--drag", "#sheet", "up"], "no_follower", of: "sheet"),
    Planted(
      "pager-lerp", ["--swipe", "#pages", "left"], "lag", of: "pages", 0.65 / 0.35, within: 0.3),
    Planted(
      "drawer-restart", click + ["--wait", "200"] + click, "interrupted", of: "drawer", 0, within: 8
    ),
    Planted("card-jump", click, "jump", of: "card", 24, within: 2),
    Planted("toast-flash", click, "flash", of: "toast", 50, within: 17),
    Planted("badge-twice", click, "runs_twice", of: "badge", 200, within: 20),
    Planted("cards-order", click, "order", of: "a", 200, within: 20),
    Planted("list-uneven", click, "uneven_stagger", of: "r1 to r5", 90, within: 8),
    Planted("sheet-steps", ["--drag", "#sheet", "up"], "steps", of: "sheet", 5, within: 1),
    Planted("list-collapse", click, "jump", of: "after", 48, within: 1),
    Planted("list-expand", click, "jump", of: "box", 48, within: 1),
    Planted("menu-late", click, "start", of: "menu", 180, within: 17),
    Planted("menu-linear", click, "linear", of: "menu", 400, within: 17),
    Planted("menu-linear-script", click, "linear", of: "menu", 400, within: 34),
    Planted(
      "menu-reduced", click + ["--reduced-motion"], "reduced_motion", of: "menu", 150, within: 1),
  ]

  /// The clocks, each as often as a page is watched: in a long run ten times by hand and twice in real time.
  private static let clocks =
    TestRounds.isLong
    ? Array(repeating: "steady", count: 10) + ["real", "real"] : ["steady"]

  private func watch(_ planted: Planted, isClean: Bool, _ clock: String) throws -> ProgramRun {
    let page = URL(fileURLWithPath: fixture("pages/watch/\(planted.page).html")).absoluteString
    return try kymo(
      ["watch", isClean ? page + "#clean" : page] + planted.actions + ["--clock", clock, "--json"])
  }

  @Test(arguments: planted)
  func `a planted fault is named with its number, and no other one is`(_ planted: Planted) throws {
    for clock in Self.clocks {
      let run = try watch(planted, isClean: false, clock)
      let answer = try parseJSON(Array(run.output.utf8))
      let faults = answer["facts"].array.filter { $0["fault"] == .bool(true) }
      #expect(run.code == (faults.isEmpty ? 0 : 1), "\(run.output) \(run.errors)")
      // In real time a busy machine loses frames, and the fault with them. It then cannot be told.
      if clock == "real", faults.isEmpty { continue }
      #expect(faults.count == 1, "\(clock): \(faults)")
      let fault = try #require(faults.first, "\(run.output)")
      #expect(fault["what"].text == planted.fault)
      #expect(fault["about"].text == planted.element)
      if let number = planted.number {
        let value = try #require(fault["value"].number)
        // A busy machine's frames are late by chance, by as much as it likes.
        let late = clock == "real" && fault["unit"].text == "ms" ? Double.infinity : 0
        #expect(value >= number - planted.slack - min(late, 50), "\(clock): \(fault)")
        #expect(value <= number + planted.slack + late, "\(clock): \(fault)")
      }
    }
  }

  @Test(arguments: planted)
  func `the same page without the fault raises no alarm`(_ planted: Planted) throws {
    for clock in Self.clocks {
      let run = try watch(planted, isClean: true, clock)
      #expect(run.code == 0, "\(clock): \(run.output) \(run.errors)")
      #expect(try parseJSON(Array(run.output.utf8))["verdict"].text == "no faults")
    }
  }

  @Test func `one that goes at once while its like take their time is told, and is no fault`()
    throws
  {
    let page = fixture("pages/watch/list-at-once.html")
    let run = try kymo(["watch", page] + Self.click + ["--clock", "steady", "--json"])
    #expect(run.code == 0, "\(run.output) \(run.errors)")
    let facts = try parseJSON(Array(run.output.utf8))["facts"].array
    let fact = try #require(facts.first { $0["what"].text == "at_once" })
    #expect(fact["about"].text == "r3")
    #expect(try abs(#require(fact["value"].number) - 68) <= 1)
  }

  @Test(arguments: [
    ("edge", ["--swipe", "#track", "160,0"], "resists"),
    ("edge", ["--drag", "#track", "160,0"], "resists"),
    ("momentum", ["--swipe", "#list", "0,-240"], "settle"),
    ("endless", ["--swipe", "#track", "160,0"], "wraps"),
    ("sortable", ["--drag", "#r1", "0,160", "--speed", "700"], "moves"),
    ("declared", ["--swipe", "#track", "-200,0"], "hand_over"),
    ("drawn", ["--drag", "#board", "60,80", "--from", "20,300"], "lag"),
    ("waiting", ["--swipe", "#track", "-200,0"], "lag"),
  ])
  func `a page that is well made is not accused, and what it does is told`(
    page: String, actions: [String], kind: String
  ) throws {
    let run = try kymo(
      ["watch", fixture("pages/watch/good-\(page).html")] + actions
        + ["--clock", "steady", "--json"])
    #expect(run.code == 0, "\(run.output) \(run.errors)")
    let answer = try parseJSON(Array(run.output.utf8))
    #expect(answer["verdict"].text == "no faults")
    #expect(answer["facts"].array.contains { $0["what"].text == kind }, "\(run.output)")
  }

  @Test func `a frame that a finger draws is told by its corner, its size and where it rests`()
    throws
  {
    let page = fixture("pages/watch/good-drawn.html")
    let run = try kymo(
      ["watch", page, "--drag", "#board", "60,80", "--from", "20,300", "--clock", "steady"])
    let outcome =
      "  frame: a corner is drawn, 140×160 to 60×80; rests at (-80, +200) px; let go after "
    #expect(run.output.split(separator: "\n").dropFirst(2).first?.hasPrefix(outcome) == true)
    #expect(!run.output.contains("wraps"), "\(run.output)")
  }

  @Test func `what waits for the finger, and is at it then, has no lag, and goes as far`() throws {
    let page = fixture("pages/watch/good-waiting.html")
    let run = try kymo([
      "watch", page, "--swipe", "#track", "-200,0", "--clock", "steady", "--json",
    ])
    let facts = try parseJSON(Array(run.output.utf8))["facts"].array
    let lag = try #require(facts.first { $0["what"].text == "lag" })
    #expect(try #require(lag["value"].number) < 0.3)
    #expect(!facts.contains { $0["what"].text == "pickup_jump" }, "\(run.output)")
  }

  @Test func `a known fault is excused by its name or id, and one that is not there is said`()
    throws
  {
    let page = fixture("pages/watch/card-jump.html")
    let words = ["watch", page] + Self.click + ["--clock", "steady"]
    for allowance in ["jumps", "jump:#card", "jumps: card"] {
      let run = try kymo(words + ["--allow", allowance])
      #expect(run.code == 0, "\(run.output) \(run.errors)")
      #expect(run.output.contains("motion: no faults, 1 excused\n"))
      #expect(run.output.contains("  card: excused: jumps "), "\(run.output)")
    }
    let place = try Workplace()
    let list = place.path("known.txt")
    try "# known\n\nslow rest:#other\njump:#card\n".write(
      toFile: list, atomically: true, encoding: .utf8)
    let listed = try kymo(words + ["--allow", "@\(list)", "--json"])
    #expect(listed.code == 0)
    #expect(listed.errors.contains("--allow \"slow rest:#other\" excuses nothing"))
    let facts = try parseJSON(Array(listed.output.utf8))["facts"].array
    #expect(facts.filter { $0["excused"] == .bool(true) }.count == 1)
    #expect(facts.allSatisfy { $0["fault"] == .bool(false) })
    let other = try kymo(words + ["--allow", "jump:#other"])
    #expect(other.code == 1)
    let wrong = try kymo(words + ["--allow", "jmps"])
    #expect(wrong.code == 2)
    #expect(wrong.errors.contains("no fault has that name. Did you mean jumps?"))
  }

  @Test func `the text has at most 2,000 bytes, and twice the same`() throws {
    let page = fixture("pages/watch/list-uneven.html")
    let words = ["watch", page] + Self.click + ["--clock", "steady"]
    let (one, other) = (try kymo(words), try kymo(words))
    #expect(one.output == other.output)
    #expect(one.output.utf8.count <= 2000)
    #expect(one.output.contains("! r1 to r5: start unevenly, 40, 90, 20, 110 ms apart"))
  }
}
