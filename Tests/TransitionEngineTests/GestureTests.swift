// More than 400 lines: each way to drive a transition by touches, and to end it.

import MotionPhysics
import Testing
import TimelineModel

@testable import TransitionEngine

/// Touches that drive transitions.
@Suite struct GestureTests {
  /// A view, its driver, and touches written as (contact, phase, x, y) per instant.
  struct Hand {
    let stage: Stage
    let driver: GestureDriver

    init(
      _ recognizer: GestureMapping.Recognizer, _ progress: GestureMapping.Progress? = nil,
      keys: [GestureMapping.Source] = GestureMapping.Source.allCases,
      ending: GestureMapping.Ending = .settles(finishTarget: 0, cancelTarget: 0)
    ) throws {
      stage = try Stage()
      driver = try GestureDriver(
        view: stage.view,
        mapping: GestureMapping(
          recognizer: recognizer, progress: progress,
          keys: keys.map { .init(name: $0.rawValue, source: $0, ending: ending) }),
        layouts: [stage.from, stage.to])
    }

    func touch(_ milliseconds: Int64, _ touches: [(Int, TouchPhase, Double, Double)]) {
      driver.handle(
        touches.map { contact, phase, x, y in
          TouchSample(
            time: Instant(nanoseconds: milliseconds * 1_000_000), contact: contact, phase: phase,
            position: Point2D(x: x, y: y))
        })
    }

    func value(_ source: GestureMapping.Source) -> Double? {
      stage.timeline.values(of: source.rawValue).last
    }

    var progress: [Double] { stage.timeline.values(of: "progress", .driving) }

    func settle() {
      while stage.view.state == .settling { stage.clock.advanceToNextFrame() }
    }
  }

  func drag() throws -> GestureMapping.Progress {
    try GestureMapping.Progress(of: .translationX, from: 0, to: 100)
  }

  @Test func `a pan begins where it lands, without slop, and a lift releases it`() throws {
    let hand = try Hand(.pan, try drag())
    hand.touch(0, [(0, .began, 10, 20)])
    #expect(hand.stage.view.state == .driving)
    #expect(hand.driver.isActive)
    #expect(hand.progress == [0])
    #expect(hand.value(.centroidX) == 10)
    #expect(hand.value(.centroidY) == 20)
    hand.touch(10, [(0, .moved, 40, 25)])
    hand.touch(20, [(0, .moved, 70, 30)])
    #expect(hand.progress == [0, 0.3, 0.6])
    #expect(hand.value(.translationY) == 10)
    #expect(hand.value(.centroidX) == 70)
    #expect(hand.value(.scale) == 1)
    #expect(hand.value(.rotation) == 0)
    #expect(hand.value(.distance) == 0)
    hand.touch(50, [(0, .ended, 70, 30)])
    #expect(hand.progress.count == 3, "A lift where the finger was says no new place.")
    let decision = try #require(hand.stage.timeline.decisions.first)
    #expect(decision.outcome == .finish)
    #expect(decision.decidedBy == "rule")
    #expect(decision.time == instant(0.05))
    #expect(decision.progress == 0.6)
    #expect(hand.stage.view.state == .settling)
    #expect(!hand.driver.isActive)
    let kinds = hand.stage.timeline.events.map(\.kind)
    #expect(kinds == [.gestureBegan, .start, .gestureEnded, .finish, .decision, .settle])
    #expect(hand.stage.timeline.events[0].field("recognizer") == .text("pan"))
    #expect(hand.stage.timeline.events[0].field("contacts") == .integer(1))
    #expect(hand.stage.timeline.events[2].time == instant(0.05))
  }

  @Test func `a lift elsewhere is the last move: its place decides`() throws {
    for phase in [TouchPhase.ended, .cancelled] {
      let hand = try Hand(.pan, try drag())
      hand.touch(0, [(0, .began, 0, 0)])
      hand.touch(10, [(0, .moved, 46, 0)])
      hand.touch(18, [(0, phase, 53, 4)])
      #expect(hand.progress == [0, 0.46, 0.53])
      #expect(hand.value(.translationY) == 4)
      let decision = try #require(hand.stage.timeline.decisions.first)
      #expect(decision.progress == 0.53)
      #expect(decision.outcome == (phase == .ended ? .finish : .cancel))
    }
  }

  @Test func `a lift of one finger of two moves it first`() throws {
    let hand = try Hand(.pinch, keys: [.scale])
    hand.touch(0, [(0, .began, 0, 0), (1, .began, 100, 0)])
    hand.touch(10, [(1, .ended, 300, 0)])
    #expect(hand.stage.timeline.values(of: "scale", .driving) == [1, 3])
  }

  @Test func `a lift whose place is no number moves nothing`() throws {
    let hand = try Hand(.pan, try drag(), keys: [])
    hand.touch(0, [(0, .began, 0, 0)])
    hand.touch(10, [(0, .moved, 30, 0)])
    hand.touch(20, [(0, .cancelled, .nan, .nan)])
    #expect(hand.progress == [0, 0.3])
    #expect(hand.stage.timeline.decisions.count == 1)
  }

  @Test func `samples bear the touches' own times, keys before progress`() throws {
    let hand = try Hand(.pan, try drag(), keys: [.translationY])
    hand.touch(3, [(0, .began, 0, 0)])
    hand.touch(11, [(0, .moved, 1, 0)])
    #expect(
      hand.stage.timeline.samples.map { [$0.key, "\($0.time.nanoseconds)"] } == [
        ["translation.y", "3000000"], ["progress", "3000000"], ["translation.y", "11000000"],
        ["progress", "11000000"],
      ])
    #expect(hand.stage.timeline.keys.contains { $0.name == "translation.y" && $0.unit == "pt" })
  }

  @Test func `progress is not clamped unless asked for`() throws {
    for clamp in [false, true] {
      let hand = try Hand(
        .pan, try GestureMapping.Progress(of: .translationX, from: 0, to: -50, clamp: clamp))
      hand.touch(0, [(0, .began, 0, 0)])
      hand.touch(10, [(0, .moved, -100, 0)])
      hand.touch(20, [(0, .moved, 50, 0)])
      #expect(hand.progress == (clamp ? [0, 1, 0] : [0, 2, -1]))
    }
  }

  @Test func `a range without length, or not finite, is refused`() {
    for (from, to) in [
      (1.0, 1.0), (.nan, 1), (0, .infinity), (-1e308, 1e308), (0, .leastNonzeroMagnitude),
    ] {
      #expect(throws: TransitionError.self) {
        try GestureMapping.Progress(of: .scale, from: from, to: to)
      }
    }
  }

  @Test func `a pinch from 1 to 2.5 cancels at a scale of 1.75 and finishes at 1.76`() throws {
    for (distance, outcome) in [(175.0, ReleaseOutcome.cancel), (176, .finish)] {
      let hand = try Hand(.pinch, try GestureMapping.Progress(of: .scale, from: 1, to: 2.5))
      hand.touch(0, [(0, .began, 0, 0)])
      #expect(hand.stage.view.state == .idle)
      hand.touch(5, [(1, .began, 100, 0)])
      #expect(hand.stage.view.state == .driving)
      #expect(hand.progress == [0])
      #expect(hand.value(.scale) == 1)
      #expect(hand.value(.distance) == 100)
      hand.touch(20, [(1, .moved, distance, 0)])
      #expect(hand.value(.scale) == distance / 100)
      hand.touch(30, [(0, .ended, 0, 0)])
      #expect(hand.stage.timeline.decisions.map(\.outcome) == [outcome])
    }
  }

  @Test func `a finger that joins moves no value, and neither does one that leaves`() throws {
    let hand = try Hand(.pan, try drag())
    hand.touch(0, [(0, .began, 0, 0)])
    hand.touch(10, [(0, .moved, 30, 40)])
    hand.touch(20, [(1, .began, 500, 700)])
    let joined = GestureMapping.Source.allCases.map { hand.value($0) }
    // A landing alone adds no sample.
    #expect(hand.progress.count == 2)
    hand.touch(30, [(1, .moved, 500, 700)])
    #expect(GestureMapping.Source.allCases.map { hand.value($0) } == joined)
    // One of two moves by 20: their middle by 10.
    hand.touch(40, [(1, .moved, 520, 700)])
    #expect(hand.value(.translationX) == 40)
    #expect(hand.value(.centroidX) == 40)
    #expect(hand.value(.translationY) == 40)
    #expect(hand.value(.centroidY) == 40)
    let before = GestureMapping.Source.allCases.map { hand.value($0) }
    hand.touch(50, [(0, .ended, 30, 40)])
    #expect(hand.stage.view.state == .driving)
    hand.touch(60, [(1, .moved, 520, 700)])
    for (old, new) in zip(before, GestureMapping.Source.allCases.map { hand.value($0) }) {
      #expect(near(new, old ?? .nan, 1e-9))
    }
    hand.touch(70, [(1, .moved, 530, 700)])
    #expect(near(hand.value(.translationX), 50, 1e-9))
    hand.touch(80, [(1, .ended, 530, 700)])
    #expect(hand.stage.view.state == .settling)
  }

  @Test func `a third finger changes neither scale nor turn, and goes on from there`() throws {
    let hand = try Hand(.pinch)
    hand.touch(0, [(0, .began, 0, 0), (1, .began, 100, 0)])
    hand.touch(10, [(1, .moved, 200, 0)])
    #expect(hand.value(.scale) == 2)
    hand.touch(20, [(2, .began, 100, 300)])
    hand.touch(30, [(2, .moved, 100, 300)])
    #expect(hand.value(.scale) == 2)
    #expect(hand.value(.distance) == 200)
    #expect(hand.value(.rotation) == 0)
    #expect(hand.value(.translationX) == 50)
    // All three go to twice their distance from the middle, (100, 100).
    hand.touch(40, [(0, .moved, -100, -100), (1, .moved, 300, -100), (2, .moved, 100, 500)])
    #expect(near(hand.value(.scale), 4, 1e-9))
    hand.touch(50, [(2, .ended, 100, 500)])
    hand.touch(60, [(0, .moved, -100, -100)])
    #expect(near(hand.value(.scale), 4, 1e-9))
    #expect(hand.stage.view.state == .driving)
  }

  @Test func `all moves and landings of an instant count before anything is read`() throws {
    let hand = try Hand(.pinch)
    hand.touch(0, [(0, .began, 0, 0), (1, .began, 100, 0)])
    hand.touch(10, [(0, .moved, 50, 0), (1, .moved, 150, 0)])
    // Both moved alike: nothing was pinched on the way.
    #expect(hand.stage.timeline.values(of: "scale") == [1, 1])
    #expect(hand.value(.translationX) == 50)
    hand.touch(20, [(0, .moved, 40, 0), (2, .began, 9, 9), (1, .moved, 160, 0)])
    #expect(near(hand.value(.scale), 1.2, 1e-12))
    #expect(hand.stage.timeline.values(of: "scale").count == 3)
  }

  @Test func `a turn is counted on beyond half a circle, downwards positive`() throws {
    let hand = try Hand(.pinch, keys: [.rotation])
    hand.touch(0, [(0, .began, 0, 0), (1, .began, 100, 0)])
    // Quarter by quarter: right, down, left, up; two and a quarter times round.
    let places = [(0.0, 100.0), (-100, 0), (0, -100), (100, 0)]
    for step in 0..<9 {
      let place = places[step % 4]
      hand.touch(Int64(step + 1) * 10, [(1, .moved, place.0, place.1)])
    }
    #expect(near(hand.value(.rotation), 4.5 * .pi, 1e-9))
  }

  @Test func `two fingers on one place have the scale 1 until they part`() throws {
    let hand = try Hand(.pinch, try GestureMapping.Progress(of: .scale, from: 1, to: 2))
    hand.touch(0, [(0, .began, 50, 50), (1, .began, 50, 50)])
    hand.touch(10, [(1, .moved, 50, 50)])
    hand.touch(20, [(1, .moved, 60, 50)])
    hand.touch(30, [(1, .moved, 70, 50)])
    #expect(hand.stage.timeline.values(of: "scale") == [1, 1, 1, 2])
    #expect(hand.stage.timeline.samples.allSatisfy { $0.value.isFinite })
  }

  @Test func `a pinch ends below two fingers, and a new second finger begins the next`() throws {
    let hand = try Hand(.pinch, try GestureMapping.Progress(of: .scale, from: 1, to: 2.5))
    hand.touch(0, [(0, .began, 0, 0), (1, .began, 100, 0)])
    hand.touch(10, [(1, .moved, 300, 0)])
    hand.touch(20, [(1, .ended, 300, 0)])
    #expect(hand.stage.view.state == .settling)
    hand.touch(30, [(0, .moved, 5, 0)])
    hand.settle()
    #expect(hand.stage.view.collectionViewLayout === hand.stage.to)
    hand.touch(5000, [(2, .began, 105, 0)])
    #expect(hand.stage.view.state == .driving)
    #expect(hand.value(.scale) == 1)
    #expect(hand.stage.view.transitionLayout?.nextLayout === hand.stage.from)
    #expect(hand.stage.timeline.events(.gestureBegan).count == 2)
  }

  @Test func `after a finish the next gesture leads back, after a cancel it leads on again`() throws
  {
    let hand = try Hand(.pan, try drag(), keys: [])
    var time: Int64 = 0
    for (x, goal) in [(80.0, hand.stage.to), (20, hand.stage.from), (80, hand.stage.from)] {
      hand.touch(time, [(0, .began, 0, 0)])
      #expect(hand.stage.view.transitionLayout?.nextLayout === goal)
      hand.touch(time + 10, [(0, .moved, x, 0)])
      hand.touch(time + 20, [(0, .ended, x, 0)])
      hand.settle()
      time += 5000
    }
    #expect(hand.stage.timeline.decisions.map(\.outcome) == [.finish, .cancel, .finish])
    #expect(hand.stage.view.collectionViewLayout === hand.stage.from)
  }

  @Test func `a gesture that begins while a settle runs is refused until its fingers lift`() throws
  {
    let hand = try Hand(.pan, try drag(), keys: [])
    hand.touch(0, [(0, .began, 0, 0)])
    hand.touch(5, [(0, .moved, 40, 0)])
    hand.touch(10, [(0, .ended, 40, 0)])
    hand.touch(50, [(1, .began, 0, 0)])
    #expect(
      hand.stage.timeline.events(.error).map { $0.field("code") } == [.text("alreadyInTransition")])
    hand.touch(60, [(1, .moved, 90, 0)])
    hand.settle()
    hand.touch(4000, [(1, .moved, 95, 0)])
    #expect(hand.stage.view.state == .idle)
    #expect(hand.stage.timeline.events(.error).count == 1)
    hand.touch(4010, [(1, .ended, 95, 0)])
    #expect(hand.stage.timeline.decisions.count == 1)
    hand.touch(4020, [(2, .began, 0, 0)])
    #expect(hand.stage.view.state == .driving)
    #expect(hand.stage.timeline.events(.gestureBegan).count == 2)
  }

  @Test func `a cancelled contact cancels, and the other fingers are ignored until they lift`()
    throws
  {
    let hand = try Hand(.pinch, try GestureMapping.Progress(of: .scale, from: 1, to: 2))
    hand.touch(0, [(0, .began, 0, 0), (1, .began, 100, 0), (2, .began, 50, 50)])
    hand.touch(10, [(0, .moved, -900, 0)])
    hand.touch(20, [(0, .cancelled, -900, 0)])
    let decision = try #require(hand.stage.timeline.decisions.first)
    #expect(decision.outcome == .cancel)
    #expect(decision.decidedBy == "touch")
    #expect(decision.ruleOutcome == .finish)
    #expect((decision.marginProgress ?? 0) < 0)
    #expect(hand.stage.timeline.events(.gestureCancelled).count == 1)
    #expect(hand.stage.timeline.events(.gestureEnded).isEmpty)
    hand.settle()
    let samples = hand.stage.timeline.samples.count
    hand.touch(5000, [(1, .moved, 400, 0), (2, .moved, 0, 400)])
    hand.touch(5010, [(1, .ended, 400, 0), (2, .ended, 0, 400)])
    #expect(hand.stage.timeline.samples.count == samples)
    #expect(hand.stage.view.state == .idle)
    #expect(hand.stage.view.collectionViewLayout === hand.stage.from)
  }

  @Test
  func `a cancelled contact leaves no velocity: the rest begins at rest, under any peer's rules`()
    throws
  {
    for preset in [EstimationPreset.android, .flutter, .compose] {
      let hand = try Hand(.pan, try drag(), keys: [.translationX])
      hand.stage.view.release.estimator = preset.estimator
      hand.stage.view.release.window = preset.window(for: preset.estimator)
      hand.touch(0, [(0, .began, 0, 0)])
      for step in 1...6 { hand.touch(Int64(step) * 10, [(0, .moved, Double(step) * 10, 0)]) }
      hand.touch(60, [(0, .cancelled, 60, 0)])
      let decision = try #require(hand.stage.timeline.decisions.first)
      #expect(decision.outcome == .cancel)
      #expect(decision.decidedBy == "touch")
      #expect(decision.progress == 0.6)
      #expect(decision.progressVelocity == nil)
      for (key, value) in [("progress", 0.6), ("translation.x", 60)] {
        let found = try #require(hand.stage.timeline.estimate(of: key))
        #expect(found.estimate.velocity == nil, "\(preset)")
        #expect(found.estimate.sampleCount == 0, "\(preset)")
        #expect(found.value == value)
        #expect(found.relativeVelocity == nil)
      }
      let start = hand.stage.clock.now
      hand.settle()
      let rest = SettleMotion(SettleParameters(), from: 0.6, to: 0, velocity: 0)
      let values = hand.stage.timeline.samples.filter {
        $0.key == "progress" && $0.phase == .settling
      }
      #expect(values.count > 20)
      for sample in values.dropLast() {
        #expect(sample.value == rest.value(atSeconds: sample.time.seconds(since: start)))
      }
    }
  }

  @Test func `a key freezes or settles at its own targets when the gesture ends`() throws {
    for (ending, last) in [
      (GestureMapping.Ending.freezes, 80.0), (.settles(finishTarget: 7, cancelTarget: 9), 7),
    ] {
      let hand = try Hand(.pan, try drag(), keys: [.translationX], ending: ending)
      hand.touch(0, [(0, .began, 0, 0)])
      hand.touch(10, [(0, .moved, 80, 0)])
      hand.touch(20, [(0, .ended, 80, 0)])
      hand.settle()
      #expect(hand.value(.translationX) == last)
    }
  }

  @Test func `a recording that ends without a lift leaves the transition open`() throws {
    let hand = try Hand(.pan, try drag())
    hand.touch(0, [(0, .began, 0, 0)])
    hand.touch(10, [(0, .moved, 80, 0)])
    hand.stage.through(5)
    #expect(hand.stage.view.state == .driving)
    #expect(hand.stage.timeline.decisions.isEmpty)
  }

  @Test func `a transition that a script ended is left alone by its gesture`() throws {
    let hand = try Hand(.pan, try drag(), keys: [])
    hand.touch(0, [(0, .began, 0, 0)])
    hand.touch(10, [(0, .moved, 80, 0)])
    try hand.stage.view.cancelInteractiveTransition()
    hand.touch(20, [(0, .moved, 90, 0)])
    hand.settle()
    hand.touch(4000, [(0, .moved, 95, 0)])
    hand.touch(4010, [(0, .ended, 95, 0)])
    #expect(hand.stage.timeline.decisions.count == 1)
    #expect(hand.stage.timeline.events(.error).isEmpty)
    #expect(hand.stage.timeline.events(.warning).isEmpty)
  }

  @Test func `with three layouts the goal is told, and from there a gesture leads nowhere`() throws
  {
    let stage = try Stage()
    let third = grid("third")
    let mapping = GestureMapping(recognizer: .pan)
    #expect(throws: TransitionError.self) {
      try GestureDriver(view: stage.view, mapping: mapping, layouts: [stage.from, stage.to, third])
    }
    let driver = try GestureDriver(
      view: stage.view, mapping: mapping, layouts: [stage.from, stage.to, third],
      destination: stage.from)
    driver.handle([TouchSample(time: .zero, contact: 0, phase: .began, position: .zero)])
    #expect(stage.view.state == .idle)
    #expect(stage.timeline.events(.error).map { $0.field("code") } == [.text("noDestination")])
  }

  @Test func `the start may be given an offset before its first value`() throws {
    let hand = try Hand(.pan, try drag(), keys: [])
    hand.driver.onStart = { $0.toContentOffset = Point2D(x: 0, y: 100) }
    hand.touch(0, [(0, .began, 0, 0)])
    hand.touch(10, [(0, .moved, 50, 0)])
    #expect(hand.stage.view.contentOffset == Point2D(x: 0, y: 50))
  }

  @Test func `strange touches change nothing`() throws {
    let hand = try Hand(.pan, try drag())
    hand.driver.handle([])
    hand.touch(0, [(3, .moved, 1, 1), (4, .ended, 1, 1), (5, .cancelled, 1, 1)])
    #expect(hand.stage.view.state == .idle)
    #expect(hand.stage.timeline.samples.isEmpty)
    hand.touch(10, [(0, .began, .nan, 0)])
    #expect(hand.stage.view.state == .idle)
    hand.touch(20, [(1, .began, 0, 0), (1, .moved, 5, 0)])
    #expect(hand.value(.centroidX) == 5)
    hand.touch(30, [(1, .began, 70, 0)])
    hand.touch(40, [(1, .moved, .infinity, 0)])
    hand.touch(35, [(1, .moved, 1e308, -1e308)])
    #expect(hand.stage.clock.now == instant(0.04))
    #expect(hand.stage.timeline.samples.allSatisfy { $0.value.isFinite })
    hand.touch(50, [(1, .ended, 0, 0), (1, .ended, 0, 0)])
    hand.settle()
    #expect(hand.stage.timeline.decisions.count == 1)
  }
}
