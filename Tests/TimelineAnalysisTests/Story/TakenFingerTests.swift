import KymographCLibrary
import TestSupport
import Testing
import TimelineModel
import TimelineStore

@testable import MotionJudgement

/// Fingers that the browser took.
struct TakenFingerTests {
  /// What a recorder knows of the elements around a landing.
  private static func around(_ touchAction: String) -> FieldValue {
    .list([
      .object(named: ["item": "box", "selector": "#box", "touchAction": touchAction]),
      .object(named: ["item": "page", "selector": "body", "touchAction": "auto"]),
    ])
  }

  /// A page of a box and a finger that goes 200 px down from 0.3 to 0.5 s, which the browser takes after 20 px.
  ///
  /// - Parameters:
  ///   - touchAction: What the box leaves to the browser.
  ///   - tellsTouches: Whether handlers of touches hear of the finger until its lift.
  ///   - box: How far the box is down at a time.
  private static func page(
    touchAction: String = "auto", tellsTouches: Bool = true, box: @escaping (Double) -> Double
  ) -> FilmedPage {
    var page = FilmedPage()
    page.add("box", box)
    func add(_ time: Double, _ kind: String, _ fields: [EventField]) {
      page.events.append(
        TimelineEvent(
          time: Instant(seconds: time) ?? .zero, kind: .init(rawValue: kind), fields: fields))
    }
    add(
      0.3, "action",
      EventField.list([
        "kind": "drag", "item": "box", "way": FieldValue.list([.integer(0), .integer(200)]),
        "end_ns": 500_000_000,
      ]))
    for (time, phase, y) in [
      (0.3, TouchPhase.began, 140.0), (0.31, .moved, 150), (0.32, .moved, 160),
      (0.321, .cancelled, 160),
    ] {
      var touch = TouchSample(
        time: Instant(seconds: time) ?? .zero, contact: 0, phase: phase,
        position: Point2D(x: 100, y: y))
      touch.heard = touch.time
      page.touches.append(touch)
    }
    add(0.321, "taken", EventField.list(["around": around(touchAction)]))
    for step in 1...18 where tellsTouches {
      add(
        0.32 + Double(step) * 0.01, "finger",
        EventField.list([
          "x": 100, "y": 160 + 10 * Double(step), "phase": step == 18 ? "end" : "move",
        ]))
    }
    return page
  }

  /// The finger's way at a time, as the page hears it.
  private static func finger(_ time: Double) -> Double { min(max(0, (time - 0.3) * 1000), 200) }

  private static func fact(_ page: FilmedPage) throws -> StoryFact? {
    try page.story().facts.first { $0.kind == .fingerTaken }
  }

  @Test func `what follows until the browser takes the finger, and stops, is a fault`() throws {
    let page = Self.page(tellsTouches: false) { min(Self.finger($0), 20) }
    let fact = try #require(try Self.fact(page))
    #expect(fact.subject == "box")
    #expect(fact.fault?.id == "finger_taken")
    #expect(fact.text.contains("touch-action: pan-x is missing on #box"), "\(fact.text)")
  }

  @Test func `what goes back when the finger is taken is a fault`() throws {
    let page = Self.page(tellsTouches: false) {
      $0 < 0.33 ? Self.finger($0) : max(0, 20 - ($0 - 0.33) * 100)
    }
    let fact = try #require(try Self.fact(page))
    #expect(fact.isFault)
    #expect(fact.text.contains("goes back"), "\(fact.text)")
  }

  @Test(arguments: [(0.325, 0.0, true), (0.35, 200, false)])
  func `a transition back is a fault, one that goes on is none`(
    start: Double, goal: Double, isFault: Bool
  ) throws {
    var page = Self.page(tellsTouches: false) {
      let way = min(Self.finger($0), 20)
      return $0 < start ? way : way + (goal - way) * min(1, ($0 - start) / 0.25)
    }
    page.events.append(
      TimelineEvent(
        time: Instant(seconds: start) ?? .zero, kind: .init(rawValue: "animation"),
        fields: [
          "item": "box", "kind": "CSSTransition", "name": "transform",
          "properties": FieldValue.list([.text("transform")]), "duration_ms": 250,
          "easing": "linear",
          "start_ns": Int64(start * 1e9),
        ]))
    let story = try page.story()
    #expect(story.faults.contains { $0.kind == .fingerTaken } == isFault, "\(story.text)")
  }

  @Test func `what follows all of the way on touch events is told, and is no fault`() throws {
    let page = Self.page(box: Self.finger)
    let fact = try #require(try Self.fact(page))
    #expect(!fact.isFault)
    #expect(abs(try #require(fact.value) - 200) < 20)
    #expect(fact.text.contains("follows touch events on to"), "\(fact.text)")
  }

  @Test(arguments: ["pan-y", "pan-x pan-y"])
  func `a page that leaves the way to the browser is not accused`(touchAction: String) throws {
    let page = Self.page(touchAction: touchAction, tellsTouches: false) { min(Self.finger($0), 20) }
    #expect(try Self.fact(page) == nil)
  }

  @Test func `a finger that nothing follows is told without a fault`() throws {
    let fact = try #require(try Self.fact(Self.page { _ in 0 }))
    #expect(!fact.isFault)
    #expect(fact.value == nil)
    #expect(fact.text.contains("nothing scrolls"), "\(fact.text)")
  }

  @Test func `a recording that does not say what was left to the browser is told nothing`() throws {
    var page = Self.page { min(Self.finger($0), 20) }
    page.events.removeAll { $0.kind.rawValue == "taken" }
    #expect(try Self.fact(page) == nil)
  }
}
