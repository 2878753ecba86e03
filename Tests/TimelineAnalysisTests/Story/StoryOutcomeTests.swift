import Testing
import TimelineModel
import TimelineRecorder

@testable import MotionJudgement

/// Where an act ended is told first, in items of a row if there is one, and what moves together is told once.
struct StoryOutcomeTests {
  /// A track that goes up with the finger, and on to its rest by a straight line after the lift.
  private func track(
    _ names: [String] = ["track"], to target: Double, row: [EventField] = []
  ) -> FilmedPage {
    var page = FilmedPage()
    page.swipe(from: 0.2, seconds: 0.4, by: -200) { $0 }
    let lift = 0.604
    for (number, name) in names.enumerated() {
      page.add(name, at: Rect2D(x: 0, y: Double(number) * 390, width: 300, height: 390)) { time in
        guard time > 0.2 else { return 0 }
        if time <= lift { return -200 * min(1, max(0, (time - 0.201) / 0.4)) }
        return -200 + (target + 200) * min(1, (time - lift) / 0.3)
      }
    }
    if !row.isEmpty {
      page.events.append(
        TimelineEvent(
          time: Instant(seconds: 1.4) ?? .zero, kind: .init(rawValue: "row"), fields: row))
    }
    return page
  }

  private func row(
    _ parent: String, edge: Double, isDistinct: Bool = true, items: [String] = []
  ) -> [EventField] {
    EventField.list([
      "of": parent, "axis": "y", "count": 5, "pitch": 390, "edge": edge, "middle": edge,
      "distinct": isDistinct, "items": FieldValue.list(items.map { FieldValue.text($0) }),
    ])
  }

  private func outcome(_ story: MotionStory) throws -> StoryDetail.Outcome {
    let fact = try #require(story.facts.first { $0.kind == .outcome }, "\(story.text)")
    guard case .outcome(let found) = fact.detail else { throw Missing() }
    return found
  }

  private struct Missing: Error {}

  @Test func `the first line says where the element rests, and from where it was let go`() throws {
    let story = try track(to: -390).story()
    let found = try outcome(story)
    #expect(abs(found.y + 390) < 0.5)
    #expect(found.isWithFinger == true)
    #expect(found.items == nil)
    let release = try #require(found.release)
    #expect(abs(release.way + 200) < 10)
    #expect(abs(try #require(release.speed) + 500) < 10)
    #expect(story.lines[0].fact.kind == .outcome)
    #expect(story.lines[0].text.hasPrefix("  track: rests at -390 px, in the finger's direction; "))
  }

  @Test func `what goes back says so, and how far it had been pulled`() throws {
    let found = try outcome(track(to: 0).story())
    #expect(found.end == .back)
    #expect(found.isWithFinger == nil)
    #expect(abs(try #require(found.release).way + 200) < 10)
  }

  @Test func `a row of items tells how many items on, and which one`() throws {
    let found = try outcome(track(to: -390, row: row("track", edge: -390)).story())
    #expect(found.items == .init(steps: 1, count: 5, number: 2))
    let story = try track(to: -390, row: row("track", edge: -390)).story()
    #expect(story.lines[0].told.contains("1 of 5 items on (item 2 of 5)"))
  }

  @Test func `the copies of an endless row have no numbers`() throws {
    let page = track(to: -390, row: row("track", edge: -390, isDistinct: false))
    #expect(try outcome(page.story()).items == .init(steps: 1, count: 5, number: nil))
  }

  @Test func `a rest between items is no number of items`() throws {
    let page = track(to: -300, row: row("track", edge: -300))
    #expect(try outcome(page.story()).items == nil)
  }

  @Test func `items that move each by itself are told by the element that they are in`() throws {
    let names = (1...5).map { "tile#\($0)" }
    let story = try track(names, to: -390, row: row("box", edge: -390, items: names)).story()
    #expect(story.lines.allSatisfy { !$0.told.contains("tile#") }, "\(story.text)")
    #expect(story.lines[0].told.hasPrefix("box (5 items): rests at -390 px, 1 of 5 items on"))
    #expect(story.facts.filter { $0.kind == .settle }.count >= 1)
  }

  @Test func `what moves alike without a parent shares its lines`() throws {
    let story = try track(["a", "b"], to: -390).story()
    let lags = story.lines.filter { $0.fact.kind == .lag }
    #expect(lags.count == 1)
    #expect(lags[0].told.hasPrefix("a, b: each follows y"), "\(story.text)")
  }

  @Test func `another rest and another number of items are differences`() throws {
    let one = try track(to: -390, row: row("track", edge: -390)).story()
    let other = try track(to: -780, row: row("track", edge: -780)).story()
    let found = one.differences(from: other)
    #expect(found.contains { $0.kind == .outcome })
    let difference = try #require(found.first { $0.kind == .outcome })
    #expect(abs(try #require(difference.value) + 390) < 0.5)
    #expect(abs(try #require(difference.other) + 780) < 0.5)
    #expect(one.differences(from: one).isEmpty)
  }

  @Test(arguments: [
    #"{"of":"x"}"#, #"{"of":"x","axis":"z","count":5,"pitch":3,"edge":0,"middle":0}"#,
    #"{"of":"x","axis":"x","count":1e300,"pitch":3,"edge":0,"middle":0}"#,
    #"{"of":"x","axis":"x","count":5,"pitch":-3,"edge":0,"middle":0}"#,
    #"{"of":"x","axis":"x","count":5,"pitch":30,"edge":1e300,"middle":0}"#,
  ])
  func `a mark that is no row is none`(_ json: String) throws {
    let fields = try #require(FieldValue(json: json.utf8))
    #expect(StoryRow(StoryFilm.Mark(time: 0, kind: "row", fields: fields)) == nil)
  }

  @Test func `what grows from an edge resizes, and does not move`() throws {
    var page = FilmedPage()
    page.click("go", at: 0.2)
    page.elements.append(
      (
        "panel",
        { time in
          let height = 50 + 100 * min(1, max(0, (time - 0.22) / 0.3))
          return (Rect2D(x: 20, y: 100, width: 300, height: height), 1)
        }
      ))
    let story = try page.story()
    let moves = try #require(story.facts.first { $0.kind == .moves }, "\(story.text)")
    #expect(abs(try #require(moves.value)) < 1e-9)
    #expect(!moves.text.contains("moves"))
    #expect(moves.text.hasPrefix("resizes 300×50 to 300×150"))
  }
}
