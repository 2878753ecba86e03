import KymographCLibrary
import Testing
import TimelineModel

@testable import MotionJudgement

/// The facts of a story say no more than the recording shows.
@Suite struct StoryNumberTests {
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
    #expect(try #require(lag.following).gain.holds(1))
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
    let settling = try #require(settle.settling)
    #expect(settling.end == .rest)
    #expect(settling.overshoot == nil)
    #expect(abs(settling.reach - abs(way)) < 0.05 * abs(way), "\(settling)")
    #expect(settling.curve == .none)
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
    for power in [1.0, 3] {
      var page = FilmedPage()
      page.click("go", at: 0.2)
      page.add("bar") { 200 - 200 * pow(1 - max(0, min(1, ($0 - 0.25) / 0.5)), power) }
      let settle = try #require(fact(try page.story(), "bar", .settle))
      if power == 1 {
        #expect(abs(try #require(settle.constantSpeed) - 0.5) < 0.01)
        #expect(settle.power == nil)
      } else {
        #expect(abs(try #require(settle.power) - 3) < 0.05)
        #expect(settle.constantSpeed == nil)
      }
    }
  }

  @Test(arguments: [(0.5, 0.56), (0.5, 0.3), (0, 1), (0, 0.6), (1, 0), (0.8, 0)])
  func `a fade is told by its ends`(from: Double, to: Double) throws {
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
    let fade = try #require(fact(try page.story(), "veil", .moves)?.moving?.fade)
    #expect(abs(fade.from - from) < 1e-9)
    #expect(abs(fade.to - to) < 1e-9)
    #expect(fade.frames > 10)
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
      let small = fact(story, "veil", .small)
      #expect((small != nil) == (isTold == false))
      guard case .small(let changes) = small?.detail else { continue }
      #expect(changes.map(\.channel) == [.alpha])
      #expect(abs(changes[0].change - 0.005) < 1e-6)
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
    #expect(try #require(settle.settling).after == .release)
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
    #expect(fact(sprung, "card", .settle)?.settling?.after == .act(.transition))
    #expect(sprung.faults.isEmpty, "\(sprung.text)")
  }

  @Test func `what swings until the recording ends is not at rest`() throws {
    for (seconds, isFault) in [(1.5, true), (0.7, false)] {
      let story = try ended("finish", at: 0, seconds: seconds) { 1 - exp(-0.3 * $0) * cos(14 * $0) }
      let settle = try #require(fact(story, "card", .settle), "\(story.text)")
      #expect(try #require(settle.settling).end == .recording)
      #expect(settle.value == nil)
      #expect(settle.isFault == isFault)
      #expect((settle.settling?.overshoot ?? 0) == 0)
      #expect(fact(story, "card", .overshoot) == nil)
    }
  }

  @Test func `what goes too far and comes to rest elsewhere does not move back`() throws {
    // Half critically damped: 16 % too far.
    let story = try ended("finish", at: 1.2) {
      1 - exp(-7 * $0) * (cos(12.124 * $0) + sin(12.124 * $0) / 1.732)
    }
    let moves = try #require(fact(story, "card", .moves))
    #expect(abs(try #require(moves.value) - 232.6) < 1)
    let way = try #require(moves.moving?.way)
    #expect(abs(way.way - 232.6) < 1)
    // It ends 200 pt from where it began.
    #expect(abs(way.down - 200) < 1)
    #expect(way.across == 0)
    let back = try ended("finish", at: 1.2) { sin(.pi * min(1, $0 / 0.5)) }
    let round = try #require(fact(back, "card", .moves)?.moving?.way)
    #expect(abs(round.way - 200) < 1)
    #expect(abs(round.down) < 1)
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
    #expect(try #require(over.kept).holds(0))
    #expect(over.isFault)
    let curve = try #require(story.curves.first)
    #expect(curve.drags.first?.goesOn == nil)
    #expect(curve.drags.first?.letGo != nil)
    #expect(curve.drags.first?.speedsInWords.last?.hasPrefix("keeps none of it") == true)
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

  @Test func `what follows from a mended lag is mended too, unless the rest is elsewhere`() throws {
    func story(_ lag: Double, rest: Double, settle: Double, stays: Bool = false) throws
      -> MotionStory
    {
      var story = try FilmedPage.sheet().story()
      func fact(_ kind: StoryFact.Kind, _ value: Double, _ unit: String) -> StoryFact {
        StoryFact(
          "sheet", kind, Estimated(value, low: value - 0.1, high: value + 0.1), unit: unit
        ).judged()
      }
      story.facts = [
        fact(.lag, lag, "frames"), fact(.outcome, rest, "px"), fact(.settle, settle, "ms"),
      ]
      if stays { story.facts.append(StoryFact("sheet", .stays, saying: .stays)) }
      return story
    }
    let lagging = try story(3, rest: -240, settle: 220)
    func mended(_ other: MotionStory) -> [StoryFact.Kind: Bool] {
      Dictionary(
        other.differences(from: lagging).map { ($0.kind, $0.isMended) }, uniquingKeysWith: { $1 })
    }
    #expect(
      try mended(story(0, rest: -240, settle: 20, stays: true))
        == [.lag: true, .settle: true, .stays: true])
    #expect(
      try mended(story(0, rest: -300, settle: 20, stays: true))
        == [.lag: true, .outcome: false, .settle: false, .stays: false])
    #expect(try mended(story(0, rest: -240, settle: 400)) == [.lag: true, .settle: false])
    #expect(try mended(story(3, rest: -240, settle: 20)) == [.settle: false])
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
    #expect(steady.facts.first { $0.kind == .frames }?.detail == .noLateFrame(of: 180))
    page.missing.insert(200)
    let late = try page.story()
    guard
      case .lateFrames(1, 179, let longest, false) = late.facts.first(where: {
        $0.kind == .frames
      })?.detail
    else {
      Issue.record("\(late.text)")
      return
    }
    #expect(abs(longest - 1.0 / 30) < 1e-3)
  }
}
