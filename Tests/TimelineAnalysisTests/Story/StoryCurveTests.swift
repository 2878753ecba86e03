import KymographCLibrary
import Testing
import TimelineModel

@testable import MotionJudgement

/// The curves of a story, and the numbers of its drags.
@Suite struct StoryCurveTests {
  private let frame = (1.0 / 60)

  /// A finger goes so far down in 0.3 s; `sheet` follows it some frames later, and falls back to where it was.
  private func page(_ way: Double = 200, delay: Int = 2, times: Int = 1) -> FilmedPage {
    var page = FilmedPage()
    page.seconds = 1.5 * Double(times)
    for number in 0..<times {
      page.swipe(from: 0.2 + 1.5 * Double(number), seconds: 0.3, by: way, share: { $0 * $0 })
    }
    page.add("sheet") { time in
      let own = time - 1.5 * (time / 1.5 + 1e-9).rounded(.down)
      let seen = own - Double(delay) * (1.0 / 60)
      guard own < 0.51 else { return way * exp(-12 * (own - 0.51)) * 0.8 }
      let share = min(max((seen - 0.2) / 0.3, 0), 1)
      return way * share * share
    }
    return page
  }

  @Test func `the first curve is what the finger drives, from where it rested`() throws {
    let story = try page().story()
    let curve = try #require(story.curves.first, "\(story.text)")
    #expect(curve.name == "sheet")
    #expect(curve.role == .subject)
    #expect(curve.attribute == "way along y")
    #expect(curve.unit == "px")
    #expect(curve.times.count == 90)
    #expect(curve.values.count == 90)
    #expect(curve.values[0] == 0)
    let drag = try #require(curve.drags.first)
    #expect(curve.drags.count == 1)
    #expect(!drag.isAcross)
    #expect(drag.contact == 0)
    #expect(abs(drag.start - 0.2) < 1e-9)
    #expect(abs(drag.lift - 0.504) < 1e-9)
    #expect(drag.home == 0)
    #expect(drag.first <= drag.start + frame)
    #expect(drag.last >= drag.lift - 2 * frame)
    #expect(drag.middle.time > drag.first)
    #expect(drag.middle.time < drag.last)
    let index = try #require(curve.times.firstIndex(of: drag.middle.time))
    #expect(curve.values[index] == drag.middle.value)
    #expect(abs(drag.middle.value) >= abs(drag.place) / 2)
  }

  @Test func `lag and speeds are those of the story's sentences`() throws {
    let story = try page().story()
    let drag = try #require(story.curves.first?.drags.first, "\(story.text)")
    let lag = try #require(drag.lag)
    #expect(lag.low <= 2 * frame + 0.002, "\(lag)")
    #expect(lag.high >= 2 * frame - 0.002, "\(lag)")
    let told = try #require(story.facts.first { $0.kind == .lag }?.following, "\(story.text)")
    #expect(told.lag == lag)
    let words = try #require(drag.lagInWords)
    #expect(words.hasPrefix(Wording.milliseconds(lag.value)))
    let letGo = try #require(drag.letGo)
    #expect(letGo.low <= 400 / 0.3, "\(letGo)")
    #expect(letGo.high >= 400 / 0.3 * 0.97, "\(letGo)")
    let fact = try #require(story.facts.first { $0.kind == .handOver })
    if let kept = fact.value {
      #expect(abs(try #require(drag.kept).value * 100 - kept) < 1e-9)
      #expect(drag.speedsInWords.count == 2)
      #expect(drag.speedsInWords[1].hasSuffix(Wording.kept(try #require(drag.kept))))
    } else {
      #expect(drag.goesOn == nil)
      #expect(drag.speedsInWords.count == 1)
    }
    #expect(drag.speedsInWords[0] == "let go at \(NumberText.whole(letGo.value)) px/s")
  }

  @Test func `the spring of a settle is the one that is told, and runs through the settle`() throws
  {
    let story = try FilmedPage.sheet(stiffness: 180, damping: 21).story()
    let curve = try #require(story.curves.first, "\(story.text)")
    let spring = try #require(curve.drags.first?.spring, "\(story.text)")
    #expect(abs(spring.stiffness - 180) < 2, "\(spring)")
    #expect(abs(spring.damping - 21) < 0.5, "\(spring)")
    #expect(story.facts.first { $0.kind == .stiffness }?.value == spring.stiffness)
    #expect(
      spring.words.hasPrefix("spring: stiffness \(NumberText.significant(spring.stiffness)), "))
    let first = try #require(curve.times.firstIndex(of: spring.start))
    #expect(spring.end > spring.start)
    #expect(curve.times.contains(spring.end))
    #expect(abs(spring.target + spring.distance - curve.values[first]) < 0.5, "\(spring)")
    #expect(abs(spring.target + 300) < 0.5, "\(spring)")
    #expect(spring.velocity < -200, "\(spring)")
  }

  @Test func `a settle that is not a spring's has none`() throws {
    var page = FilmedPage()
    page.swipe(from: 0.2, seconds: 0.3, by: 200, share: { $0 * $0 })
    // Eased out by the third power within 0.4 s, at once behind the lift.
    page.add("sheet") { time in
      let share = min(max((time - 0.2) / 0.3, 0), 1)
      guard time > 0.51 else { return 200 * share * share }
      return 200 - 200 * (1 - pow(1 - min(1, (time - 0.51) / 0.4), 3))
    }
    let story = try page.story()
    let drag = try #require(story.curves.first?.drags.first, "\(story.text)")
    #expect(drag.rest != nil, "\(story.text)")
    #expect(drag.spring == nil, "\(story.text)")
  }

  @Test func `several drags of one element are one curve, in the order of time`() throws {
    let story = try page(times: 3).story()
    let subjects = story.curves.filter { $0.role == .subject }
    #expect(subjects.count == 1)
    let starts = try #require(subjects.first).drags.map(\.start)
    #expect(starts.count == 3, "\(starts)")
    #expect(starts == starts.sorted(), "\(starts)")
  }

  @Test func `what is at fault comes next, in its channel, then what else moves`() throws {
    var page = page()
    // Shown at once, then nearly gone, then it fades in.
    page.elements.append(
      (
        "flash",
        { time in
          let alpha =
            time < 0.8 ? 0 : time < 0.86 ? 1 : time < 0.95 ? 0.05 : min(1, 0.05 + (time - 0.95) * 4)
          return (Rect2D(x: 0, y: 400, width: 60, height: 60), alpha)
        }
      ))
    page.add("other", at: Rect2D(x: 200, y: 0, width: 50, height: 50)) { time in
      time < 0.7 ? 0 : 90 * (1 - exp(-9 * (time - 0.7)))
    }
    let story = try page.story()
    let told = story.curves.map { "\($0.role.rawValue) \($0.name) \($0.attribute)" }
    #expect(told.first == "subject sheet way along y", "\(told)")
    #expect(told.contains("fault flash opacity"), "\(told) \(story.text)")
    #expect(told.contains("other other way along y"), "\(told) \(story.text)")
    let ranks = story.curves.map { $0.role == .subject ? 0 : $0.role == .fault ? 1 : 2 }
    #expect(ranks == ranks.sorted(), "\(told)")
  }

  @Test func `however many elements move, few curves are kept`() throws {
    var page = page()
    // Each jumps at an instant of its own, so that none shares a line with another.
    for number in 0..<12 {
      page.add("e\(number)", at: Rect2D(x: 0, y: 0, width: 20, height: 20)) { time in
        let way = time < 0.6 ? 0 : 90 * (1 - exp(-5 * (time - 0.6)))
        return way + (time > 0.7 + Double(2 * number) * (1.0 / 60) ? 30 : 0)
      }
    }
    let story = try page.story()
    #expect(story.curves.count == 8, "\(story.curves.map(\.name))")
  }

  @Test func `a session in which nothing moves has no curves`() throws {
    var page = FilmedPage()
    page.add("still") { _ in 0 }
    #expect(try page.story().curves.isEmpty)
  }
}
