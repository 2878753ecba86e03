import KymographCLibrary
import Testing
import TimelineModel

@testable import MotionJudgement

/// A sentence says no more than the recording shows.
@Suite struct StorySentenceTests {
  private func fact(_ story: MotionStory, _ name: String, _ kind: StoryFact.Kind) -> StoryFact? {
    story.facts.first { $0.subject == name && $0.kind == kind }
  }

  @Test(arguments: [false, true])
  func `the place of a lift belongs to the drag as if the finger had moved there`(
    isMoved: Bool
  ) throws {
    // An app that shows at once where the finger is: 200 pt down in 400 ms, ever faster.
    func way(_ time: Double) -> Double { 200 * pow(max(0, min(1, (time - 0.1) / 0.4)), 2) }
    var page = FilmedPage(rate: 120, clock: "app")
    page.saysBegan = false
    page.add("card") { way($0) }
    for step in 0...24 {
      let time = 0.1 + Double(step) * 0.016
      page.touches.append(
        TouchSample(
          time: try #require(Instant(seconds: time)), contact: 0,
          phase: step == 0 ? .began : .moved, position: Point2D(x: 50, y: 300 + way(time))))
    }
    for phase in isMoved ? [TouchPhase.moved, .ended] : [.ended] {
      page.touches.append(
        TouchSample(
          time: try #require(Instant(seconds: 0.5)), contact: 0, phase: phase,
          position: Point2D(x: 50, y: 500)))
    }
    let story = try page.story()
    #expect(story.did == "drag by (0, 200) pt in 400 ms")
    let lag = try #require(fact(story, "card", .lag))
    #expect(try #require(lag.low) <= 0 && #require(lag.high) >= 0)
    #expect(lag.text.hasSuffix("; goes as far as the finger"), "\(lag.text)")
  }

  @Test(arguments: [7.0, -7, 90])
  func `what ends where it began has no overshoot in percent, in either direction`(
    way: Double
  ) throws {
    var page = FilmedPage()
    page.click("go", at: 0.2)
    // Half a swing, which then stands still.
    page.add("leaf") { way * sin(.pi * max(0, min(1, ($0 - 0.25) / 0.5))) }
    let story = try page.story()
    let settle = try #require(fact(story, "leaf", .settle), "\(story.text)")
    #expect(settle.text.contains("pt away and back") || settle.text.contains("px away and back"))
    #expect(!story.text.contains("overshoot"), "\(story.text)")
    #expect(!story.text.contains("spring"), "\(story.text)")
    #expect(fact(story, "leaf", .overshoot) == nil)
    #expect(fact(story, "leaf", .stiffness) == nil)
  }

  @Test func `a spring that swings to its end is one, and has its overshoot`() throws {
    var page = FilmedPage(seconds: 3)
    page.click("go", at: 0.2)
    page.add("leaf") { time in
      let since = max(0, time - 0.25)
      return 100 - 100 * exp(-4 * since) * (cos(12 * since) + sin(12 * since) / 3)
    }
    let story = try page.story()
    let stiffness = try #require(fact(story, "leaf", .stiffness), "\(story.text)")
    #expect(abs(try #require(stiffness.value) - 160) < 3)
    // exp(-π 4 / 12) of the way.
    #expect(abs(try #require(fact(story, "leaf", .overshoot)?.value) - 35.1) < 1)
  }

  @Test func `constant speed is called so, and does not ease out`() throws {
    for (power, words) in [(1.0, "constant speed for 500 ms"), (3, "eases out for")] {
      var page = FilmedPage()
      page.click("go", at: 0.2)
      page.add("bar") { 200 - 200 * pow(1 - max(0, min(1, ($0 - 0.25) / 0.5)), power) }
      let text = try #require(fact(try page.story(), "bar", .settle)?.text)
      #expect(text.contains("not a spring: \(words)"), "\(text)")
      #expect(text.contains("power 3.0") == (power == 3), "\(text)")
      #expect(!text.contains("power 1.0"), "\(text)")
    }
  }

  @Test(arguments: [
    (0.5, 0.56, "fades from 50 to 56 % of opacity in"), (0.5, 0.3, "fades from 50 to 30 %"),
    (0, 1, "fades in in"), (0, 0.6, "fades in to 60 % in"), (1, 0, "fades out in"),
    (0.8, 0, "fades out from 80 % in"),
  ])
  func `a fade is told by its ends`(from: Double, to: Double, words: String) throws {
    var page = FilmedPage()
    page.click("go", at: 0.2)
    page.elements.append(
      (
        "veil",
        {
          (
            Rect2D(x: 0, y: 0, width: 90, height: 90),
            from + (to - from) * max(0, min(1, ($0 - 0.25) / 0.3))
          )
        }
      ))
    let text = try #require(fact(try page.story(), "veil", .moves)?.text)
    #expect(text.hasPrefix(words), "\(text)")
  }

  @Test func `a slow fade is told, and one below the limit is named with its size`() throws {
    for (to, isTold) in [(0.8, true), (0.505, false), (0.5, nil)] as [(Double, Bool?)] {
      var page = FilmedPage(rate: 120, seconds: 3)
      page.click("go", at: 0.2)
      // 0.125 % a frame at most.
      page.elements.append(
        (
          "veil",
          { time in
            let share = max(0, min(1, (time - 0.25) / 2))
            return (Rect2D(x: 0, y: 0, width: 90, height: 90), 0.5 + (to - 0.5) * share)
          }
        ))
      let story = try page.story()
      #expect((fact(story, "veil", .moves) != nil) == (isTold == true), "\(story.text)")
      #expect(
        fact(story, "veil", .small)?.text
          == (isTold == false
            ? "changes by less than is told: opacity by 0.50 % (limit 3.0 %)" : nil))
    }
  }

  /// A transition that code drives for some time, and a spring from then on; nil: it is not released.
  private func transition(release: Double?, completion: Double?) throws -> MotionStory {
    var page = FilmedPage(seconds: 2)
    page.clock = "app"
    page.add("card") { time in
      let (driven, since) = (min(time, release ?? 0.5), max(0, time - (release ?? 9)))
      // Critically damped, with the speed of the drive.
      let rest = 300 - 200 * driven
      return 300 - (rest + (12 * rest - 200) * since) * exp(-12 * since)
    }
    func event(_ kind: String, _ time: Double) throws {
      page.events.append(
        TimelineEvent(
          time: try #require(Instant(seconds: time)), kind: .init(rawValue: kind),
          fields: ["to": "open"]))
    }
    try event("start", 0)
    if let release { try event("finish", release) }
    if let completion { try event("completion", completion) }
    return try page.story()
  }

  @Test func `a settle after a release by code is counted from the release`() throws {
    let story = try transition(release: 0.4, completion: 1.2)
    let settle = try #require(fact(story, "card", .settle), "\(story.text)")
    let rest = try #require(settle.time)
    #expect(abs(try #require(settle.value) - (rest - 0.4) * 1000) < 1e-6)
    #expect(settle.text.contains("after the release"), "\(settle.text)")
    // The spring is that of the settle alone.
    #expect(abs(try #require(fact(story, "card", .stiffness)?.value) - 144) < 2, "\(story.text)")
    #expect(story.did == "transition by code, released after 400 ms")
  }

  /// A transition by code that moves a card 200 pt down, whose end is asked for at an instant.
  private func ended(
    _ kind: String, at end: Double, seconds: Double? = nil, _ way: @escaping (Double) -> Double
  ) throws -> MotionStory {
    var page = FilmedPage(seconds: seconds ?? end + 0.1)
    page.clock = "app"
    page.add("card") { 200 * way(max(0, $0 - 0.05)) }
    for (kind, time) in [("start", 0), (kind, end)] {
      page.events.append(
        TimelineEvent(
          time: try #require(Instant(seconds: time)), kind: .init(rawValue: kind),
          fields: ["to": "open"]))
    }
    return try page.story()
  }

  @Test(arguments: ["finish", "cancel"])
  func `an end that comes when all is at rest ends the motion, and releases nothing`(
    kind: String
  ) throws {
    let even = try ended(kind, at: 0.7) { min(1, $0 / 0.3) }
    #expect(even.did == "transition by code in 700 ms")
    let linear = try #require(fact(even, "card", .linear), "\(even.text)")
    #expect(linear.isFault)
    #expect(abs(try #require(linear.value) - 300) < 20)
    let settle = try #require(fact(even, "card", .settle)?.value)
    #expect(abs(settle - 350) < 20)

    // A critically damped spring: half a percent is left when its end is asked for.
    let sprung = try ended(kind, at: 0.6) { 1 - (1 + 14 * $0) * exp(-14 * $0) }
    #expect(sprung.did == "transition by code in 600 ms")
    #expect(abs(try #require(fact(sprung, "card", .stiffness)?.value) - 196) < 2)
    #expect(try #require(fact(sprung, "card", .settle)).text.contains("after the start"))
    #expect(sprung.faults.isEmpty, "\(sprung.text)")
  }

  @Test func `what swings until the recording ends is not at rest`() throws {
    for (seconds, isFault) in [(1.5, true), (0.7, false)] {
      let story = try ended("finish", at: 0, seconds: seconds) { 1 - exp(-0.3 * $0) * cos(14 * $0) }
      let settle = try #require(fact(story, "card", .settle), "\(story.text)")
      #expect(settle.text.hasPrefix("still moves at the end of the recording, "), "\(settle.text)")
      #expect(settle.value == nil)
      #expect(settle.isFault == isFault)
      #expect(!story.text.contains("at rest"), "\(story.text)")
      #expect(!story.text.contains("overshoot"), "\(story.text)")
    }
  }

  @Test func `what goes too far and comes to rest elsewhere does not move back`() throws {
    // Half critically damped: 16 % too far.
    let story = try ended("finish", at: 1.2) {
      1 - exp(-7 * $0) * (cos(12.124 * $0) + sin(12.124 * $0) / 1.732)
    }
    let moves = try #require(fact(story, "card", .moves))
    #expect(abs(try #require(moves.value) - 232.6) < 1)
    #expect(moves.text.hasPrefix("moves 232 pt, 3"))
    #expect(moves.text.contains(" back in "))
    #expect(!moves.text.contains("and back"), "\(moves.text)")
    let back = try ended("finish", at: 1.2) { sin(.pi * min(1, $0 / 0.5)) }
    #expect(try #require(fact(back, "card", .moves)).text.hasPrefix("moves 200 pt and back in "))
  }

  @Test func `an end in the middle of the motion releases it`() throws {
    let even = try ended("finish", at: 0.2) { min(1, $0 / 0.3) }
    #expect(even.did == "transition by code, released after 200 ms")
    #expect(fact(even, "card", .linear) == nil)
  }

  @Test func `a transition by code takes as long as it does`() throws {
    #expect(
      try transition(release: nil, completion: 0.6).did == "transition by code in 600 ms")
    #expect(try transition(release: nil, completion: nil).did == "transition by code")
  }

  @Test func `nothing rests before the lift, and a share that may be 0 is none`() throws {
    let drag = FilmedPage.sheet(keeps: 0)
    let story = try drag.story()
    for fact in story.facts where [.settle, .start, .order].contains(fact.kind) {
      #expect(try #require(fact.value) >= 0 && #require(fact.low) >= 0)
    }
    let over = try #require(fact(story, "sheet", .handOver), "\(story.text)")
    let (low, high) = (try #require(over.low), try #require(over.high))
    #expect(low <= 0, "\(over.text)")
    #expect(high >= 0, "\(over.text)")
    #expect(high < 62, "\(over.text)")
    #expect(over.text.contains(", keeps none of it ("), "\(over.text)")
    #expect(over.text.hasSuffix(" %)"), "\(over.text)")
    #expect(!over.text.contains("goes on at"))
    #expect(over.isFault)
    let curve = try #require(story.curves.first)
    #expect(curve.drags.first?.goesOn == nil)
    #expect(curve.drags.first?.letGo != nil)
    #expect(curve.drags.first?.speedsInWords.last?.hasPrefix("keeps none of it") == true)
  }

  @Test func `words for a share that is kept say what its interval allows`() {
    func words(_ value: Double, _ low: Double, _ high: Double) -> String {
      Wording.kept(Estimated(value, low: low, high: high))
    }
    #expect(words(0.19, 0.14, 0.23) == "keeps 19 % (14 to 23)")
    #expect(words(-0.15, -0.28, 0.26) == "keeps none of it (-28 to 26 %)")
    #expect(words(0.4, -0.1, 0.9) == "how much of it is kept cannot be told (-10 to 90 %)")
    #expect(words(-0.5, -0.6, -0.4) == "keeps -50 % (-60 to -40)")
  }

  @Test func `a number is inside of its interval, whatever it was made of`() {
    for (value, low, high) in [(1.0, 2.0, 3.0), (4, 2, 3), (2, 1, 3), (-1, 0, 0)] {
      let made = Estimated(value, low: low, high: high)
      #expect(made.value == value)
      #expect(made.low <= value)
      #expect(value <= made.high)
      #expect(made.low <= low)
      #expect(made.high >= high)
      let least = made.atLeast(0)
      #expect(least.low >= 0)
      #expect(least.low <= least.value)
      #expect(least.value <= least.high)
    }
  }

  @Test func `a point of an element has words`() {
    for (x, y, words) in [
      (0.5, 0.5, "its center"), (0.02, -0.03, "its top left corner"),
      (0.5, 1, "the middle of its bottom edge"), (1, 0.5, "the middle of its right edge"),
      (0.03, -0.07, "a point 3 % from its left edge and 7 % above its top edge"),
      (1.1, 0.3, "a point 10 % right of its right edge and 30 % from its top edge"),
    ] as [(Double, Double, String)] {
      #expect(Wording.point(x, y) == words)
    }
  }

  @Test func `a fault that cannot be told any more is not mended`() throws {
    let other = StoryFact(
      "sheet", .handOver, Estimated(20, low: 15, high: 25), unit: "%"
    ).judged()
    var story = try FilmedPage.sheet().story()
    let rest = story.facts.filter { $0.kind != .handOver }
    var broken = story
    broken.facts = rest + [other]
    #expect(story.differences(from: broken).map(\.isMended) == [true])
    for known in [[], [StoryFact("sheet", .handOver, saying: .speedUnknown)]] {
      story.facts = rest + known
      #expect(story.differences(from: broken).map(\.isMended) == [false])
    }
    #expect(broken.differences(from: story).map(\.isMended) == [false])
  }

  @Test func `a display that changes its rate misses nothing, and a frame that is missed is late`()
    throws
  {
    var page = FilmedPage(rate: 120)
    page.seconds = 2
    page.add("card") { 100 * $0 }
    // From 1 s on the display has 60 frames a second.
    page.missing = Set((120..<240).filter { !$0.isMultiple(of: 2) })
    let steady = try page.story()
    #expect(steady.facts.first { $0.kind == .frames }?.text == "180, none late")
    page.missing.insert(200)
    let late = try page.story()
    #expect(late.facts.first { $0.kind == .frames }?.text == "1 of 179 late; longest 33 ms")
  }
}
