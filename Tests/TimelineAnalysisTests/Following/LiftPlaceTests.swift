import KymographCLibrary
import Testing
import TimelineModel
import TimelineSession

@testable import MotionJudgement
@testable import MotionMeasures

/// What the place of a lift says of the finger's speed, and what it does not say.
@Suite struct LiftPlaceTests {
  /// Moves each 8 ms at 1,000 points per second, and a lift elsewhere.
  private func speed(
    gap: Double, beyond: Double, sign: Double = 1
  ) throws(TooShortToTell) -> FingerSpeed {
    let times = (0...30).map { Double($0) * 0.008 }
    let lift = times[30] + gap
    return try FingerSpeed(
      times: times + [lift], values: times.map { $0 * 1000 * sign } + [(240 + beyond) * sign],
      lift: lift)
  }

  @Test(arguments: [1.0, -1]) func `a lift in step is one more place of the finger`(
    sign: Double
  ) throws {
    for (gap, beyond) in [(0.008, 8.0), (0.004, 4), (0.016, 16), (0.03, 30)] {
      let found = try speed(gap: gap, beyond: beyond, sign: sign)
      #expect(!found.isStopped, "\(found)")
      #expect(abs(found.velocity.value - 1000 * sign) < 1, "\(found)")
      #expect(found.velocity.width < 50, "\(found)")
    }
  }

  @Test(arguments: [1.0, -1]) func `a finger that pauses and lifts elsewhere has no known speed`(
    sign: Double
  ) {
    for (gap, beyond) in [(0.03, 1.0), (0.024, 1), (0.016, 4), (0.038, 60), (0.2, 15)] {
      #expect(throws: TooShortToTell.unreported) {
        try speed(gap: gap, beyond: beyond, sign: sign)
      }
    }
  }

  @Test func `a finger that rests long has stopped, also if it rolls as it lifts`() throws {
    for beyond in [0.0, 3, -3] {
      let found = try speed(gap: 0.1, beyond: beyond)
      #expect(found.isStopped)
      #expect(found.velocity.value == 0)
    }
  }

  @Test func `a lift far from the last move leaves both speeds possible`() throws {
    for beyond in [15.0, 100] {
      let found = try speed(gap: 0.008, beyond: beyond).velocity
      #expect(found.holds(1000), "\(found)")
      #expect(found.holds(beyond / 0.008 - 1), "\(found)")
      #expect(abs(found.value - 1000) < 1)
    }
  }

  @Test func `places that are few, or at the lift alone, end in no number`() {
    for times in [[0.5], [0.49, 0.5], [0.5, 0.6], [0.5, 0.5, 0.5], []] {
      #expect(throws: TooShortToTell.self) {
        try FingerSpeed(times: times, values: times.map { $0 * 9 }, lift: 0.5)
      }
    }
  }

  /// A card that shows the finger's last move at once, until the finger lifts elsewhere, and then goes on by a spring.
  private func page(gap: Double, beyond: Double, keeps: Double = 1, rate: Double = 60) -> FilmedPage
  {
    var page = FilmedPage(rate: rate, seconds: 2, clock: "app")
    page.saysBegan = false
    let (landing, lift) = (0.1, 0.1 + 39 * 0.008 + gap)
    func way(_ step: Double) -> Double { -961.5 * 0.008 * min(39, max(0, step)) }
    page.add("card", at: Rect2D(x: 20, y: 900, width: 100, height: 80)) { time in
      guard time >= lift else { return way(((time - landing) / 0.008 + 1e-6).rounded(.down)) }
      let (since, rest) = (time - lift, way(39) - beyond + 600)
      let slope: Double = -961.5 * keeps + 14 * rest
      return (rest + slope * since) * exp(-14 * since) - 600
    }
    func touch(_ time: Double, _ phase: TouchPhase, _ way: Double) {
      page.touches.append(
        TouchSample(
          time: Instant(seconds: time) ?? .zero, contact: 0, phase: phase,
          position: Point2D(x: 60, y: 940 + way)))
    }
    for step in 0...39 {
      touch(landing + Double(step) * 0.008, step == 0 ? .began : .moved, way(Double(step)))
    }
    touch(lift, .ended, way(39) - beyond)
    return page
  }

  private func fact(_ story: MotionStory, _ kind: StoryFact.Kind) -> StoryFact? {
    story.facts.first { $0.subject == "card" && $0.kind == kind }
  }

  @Test(arguments: [(0.2, 15.0), (0.1, 3), (0.038, 60), (0.03, 1)])
  func `a lift after a pause counts for the way, and not for the lag`(
    gap: Double, beyond: Double
  ) throws {
    let page = page(gap: gap, beyond: beyond)
    let story = try page.story()
    #expect(
      story.did.hasPrefix("drag by (0, \(Int(-(300 + beyond).rounded()))) pt"), "\(story.did)")
    let lag = try #require(fact(story, .lag), "\(story.text)")
    #expect(try #require(lag.low) <= 0.005 && #require(lag.high) >= 0 && #require(lag.high) < 0.02)
    #expect(lag.text.hasSuffix("; goes as far as the finger"), "\(lag.text)")
    #expect(story.faults.isEmpty, "\(story.text)")
    // And requirements say the same of it.
    let verdicts = try page.judge { session, reader in
      try ExpectationJudge([.follows(.item("card", .centerY))]).verdicts(of: session, in: reader)
    }
    #expect(verdicts.allSatisfy { $0.passes }, "\(verdicts)")
  }

  @Test(arguments: [60.0, 120]) func `a speed that is kept is not told as lost, by no command`(
    rate: Double
  ) throws {
    for (gap, beyond) in [(0.008, 7.692), (0.004, 3.846), (0.008, 15), (0.008, 100)] {
      let page = page(gap: gap, beyond: beyond, rate: rate)
      let story = try page.story()
      #expect(story.faults.allSatisfy { $0.kind != .handOver }, "\(story.text)")
      let verdicts = try page.judge { session, reader in
        try ExpectationJudge([.handsOver(.item("card", .centerY))])
          .verdicts(of: session, in: reader)
      }
      let kept = try #require(verdicts.first { $0.measure == "kept_percent" })
      #expect(kept.passes || kept.isUndecided, "\(kept)")
      // Both name one number, if they name any.
      if let number = kept.value, let told = fact(story, .handOver)?.value {
        #expect(abs(number - told) < 5, "\(kept), \(story.text)")
      }
    }
    // A start from rest is still one.
    let lost = try page(gap: 0.008, beyond: 7.692, keeps: 0, rate: rate).story()
    #expect(lost.faults.contains { $0.kind == .handOver }, "\(lost.text)")
  }
}
