import KymographCLibrary
import MotionMeasures
import MotionPhysics
import TestSupport
import Testing
import TimelineModel
import TimelineStore

@testable import MotionJudgement

/// What answers a click beside the motion of an element: colours, texts, scrolls.
struct AnswerTests {
  /// A page of a button that is clicked at 0.2 s and lifted 16 ms later.
  private static func page(_ changes: [(time: Double, item: String, what: String)]) -> FilmedPage {
    var page = FilmedPage()
    page.click("go", at: 0.2)
    page.add("go") { _ in 0 }
    for change in changes {
      page.add(event: "change", at: change.time, ["item": change.item, "what": change.what])
    }
    return page
  }

  @Test func `a click that changes a text within a frame has an answer`() throws {
    let story = try Self.page((0..<30).map { (0.23 + Double($0) / 60, "n", "text") }).story()
    #expect(story.faults.isEmpty, "\(story.text)")
    let fact = try #require(story.facts.first { $0.kind == .changes })
    #expect(fact.subject == "n")
    let changes = try #require(fact.look)
    #expect(changes.what == ["text"])
    guard case .frames(let count, let last) = changes.end else {
      Issue.record("\(changes)")
      return
    }
    #expect(count == 30)
    #expect(abs(last - 0.497) < 0.02)
    let start = try #require(story.facts.first { $0.kind == .start }?.value)
    #expect(abs(start - 14) < 2)
  }

  @Test func `a click whose first change comes late starts late`() throws {
    let story = try Self.page([(0.5, "n", "text")]).story()
    #expect(story.faults.map(\.kind) == [.start], "\(story.text)")
  }

  @Test func `what a press alone shows is no answer that starts in time, and no silence either`()
    throws
  {
    let press = [(0.205, "go", "backgroundColor"), (0.22, "go", "backgroundColor")]
    #expect(try Self.page(press).story().faults.isEmpty)
    let late = try Self.page(press + [(0.5, "n", "text")]).story()
    #expect(late.faults.map(\.kind) == [.start], "\(late.text)")
  }

  @Test func `a declared transition of a colour has its duration and its easing`() throws {
    var page = Self.page([(0.23, "go", "backgroundColor"), (0.25, "go", "backgroundColor")])
    page.add(
      event: "animation", at: 0.217,
      [
        "item": "go", "kind": "CSSTransition", "name": "background-color",
        "properties": FieldValue.list([.text("backgroundColor")]), "duration_ms": 300,
        "delay_ms": 0, "easing": "ease", "iterations": 1,
      ])
    let story = try page.story()
    let fact = try #require(story.facts.first { $0.kind == .changes }, "\(story.text)")
    guard case .declared(let animation)? = fact.look?.end else {
      Issue.record("\(fact.text)")
      return
    }
    #expect(abs(animation.duration - 0.3) < 1e-9)
    #expect(fact.text.hasPrefix("background-color changes: 300 ms ease"), "\(fact.text)")
    #expect(story.facts.first { $0.kind == .duration }?.value == 300)
  }

  @Test func `only a click after which nothing at all changed has no answer`() throws {
    #expect(try Self.page([]).story().faults.map(\.kind) == [.noReaction])
    // Whether a style that was not read shows anything is not known.
    #expect(try Self.page([(0.23, "n", "unread")]).story().faults.isEmpty)
    var drawn = Self.page([])
    drawn.add(event: "uncovered", at: 1.4, ["canvas": 1])
    #expect(try drawn.story().faults.isEmpty)
  }

  @Test func `a canvas that is redrawn is told, and not what it shows`() throws {
    let story = try Self.page([(0.3, "c", "canvas"), (0.4, "c", "canvas")]).story()
    let fact = try #require(story.facts.first { $0.kind == .changes })
    #expect(fact.text == "a canvas is redrawn; its content cannot be read")
  }

  @Test func `a scroll by a script is told with its way, its time, its curve and its rest`() throws
  {
    var page = FilmedPage()
    page.click("go", at: 0.2)
    page.add("go") { _ in 0 }
    page.keys.append(
      ("scroll:y@list", { 100 + 500 * (1 - pow(1 - min(1, max(0, ($0 - 0.216) / 0.6)), 3)) }))
    let story = try page.story()
    #expect(story.faults.isEmpty, "\(story.text)")
    let fact = try #require(story.facts.first { $0.kind == .scrolls }, "\(story.text)")
    #expect(fact.subject == "list")
    #expect(abs(try #require(fact.value) - 500) < 1)
    guard case .scrollsAlone(let told) = fact.detail else {
      Issue.record("\(fact.text)")
      return
    }
    #expect(told.rests)
    #expect(abs(told.end - 600) < 0.5)
    #expect(abs(told.duration - 0.6) < 0.04)
    guard case .eased(let eased) = told.curve else {
      Issue.record("\(told.curve)")
      return
    }
    #expect(abs(eased.power - 3) < 0.2)
    let rest = try #require(story.facts.first { $0.kind == .end && $0.subject == "list" })
    #expect(abs(try #require(rest.value) - 600) < 0.5)
  }

  @Test func `a scroll that rests elsewhere is a difference`() throws {
    func story(_ end: Double) throws -> MotionStory {
      var page = FilmedPage()
      page.click("go", at: 0.2)
      page.add("go") { _ in 0 }
      page.keys.append(("scroll:x@list", { end * min(1, max(0, ($0 - 0.216) / 0.3)) }))
      return try page.story()
    }
    let differences = try story(390).differences(from: try story(780))
    #expect(differences.contains { $0.kind == .end }, "\(differences.map(\.line))")
    #expect(try story(390).differences(from: try story(390)).isEmpty)
  }

  @Test func `what is never seen is not told of`() throws {
    var page = FilmedPage()
    page.click("go", at: 0.2)
    page.add("go") { _ in 0 }
    page.add("spinner") { 100 * min(1, max(0, ($0 - 0.216) / 0.3)) }
    page.add(event: "invisible", at: 1.4, ["items": FieldValue.list([.text("spinner")])])
    let story = try page.story()
    #expect(!story.facts.contains { $0.subject == "spinner" }, "\(story.text)")
  }
}

extension FilmedPage {
  /// Adds what a recorder saw.
  mutating func add(event kind: String, at time: Double, _ fields: [String: any FieldConvertible]) {
    events.append(
      TimelineEvent(
        time: Instant(seconds: time) ?? .zero, kind: .init(rawValue: kind),
        fields: fields.sorted { $0.key < $1.key }.map { EventField($0.key, $0.value.fieldValue) }))
  }
}
