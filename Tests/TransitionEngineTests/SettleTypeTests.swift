import MotionPhysics
import Testing
import TimelineModel

@testable import TransitionEngine

/// Settles that are no spring, or end by another definition.
@Suite struct SettleTypeTests {
  /// A transition that moves by 2 a second up to 0.6, with a key that moves by -500 a second.
  private func driven(
    _ settle: SettleParameters, refreshRate: Double = 1000
  ) throws -> (stage: Stage, layout: TransitionLayout) {
    let stage = try Stage(refreshRate: refreshRate)
    stage.view.settle = settle
    let layout = try stage.view.startInteractiveTransition(to: stage.to)
    for step in 0...6 {
      stage.at(Double(step) * 0.01)
      layout.transitionProgress = 0.48 + Double(step) * 0.02
      layout.updateValue(100 - 5 * Double(step), forAnimatedKey: "PositionX")
    }
    return (stage, layout)
  }

  @Test func `a timing curve takes the time that the progress has left, for every key`() throws {
    let settle = try SettleParameters(timing: 0.75, completionSpeed: 2, easing: .linear)
    for (finishes, seconds, key) in [(true, 0.15, 0.0), (false, 0.225, 0)] {
      let (stage, _) = try driven(settle)
      if finishes {
        try stage.view.finishInteractiveTransition()
      } else {
        try stage.view.cancelInteractiveTransition()
      }
      for name in ["progress", "PositionX"] {
        #expect(near(stage.timeline.estimate(of: name)?.settleTimeSeconds, seconds, 1e-9))
      }
      stage.through(0.06 + seconds / 2)
      let half = finishes ? 0.8 : 0.3
      #expect(near(stage.timeline.values(of: "progress", .settling).last, half, 0.005))
      #expect(near(stage.timeline.values(of: "PositionX", .settling).last, 35 + key, 0.5))
      stage.through(1)
      let completion = try #require(stage.timeline.events(.completion).first)
      #expect(near(completion.time.seconds, 0.06 + seconds, 0.0011))
      #expect(stage.timeline.values(of: "progress", .settling).last == (finishes ? 1 : 0))
      #expect(stage.timeline.values(of: "PositionX", .settling).last == 0)
    }
  }

  @Test func `value and velocity go on at the release, of a spring and of a cubic`() throws {
    for settle in [
      SettleParameters(), SettleParameters(overshoot: false),
      SettleParameters(spring: try DampedSpring(duration: 0.5, bounce: 0.3), definition: .compose),
      try SettleParameters(cubic: 0.3), try SettleParameters(cubic: 0.3, overshoot: false),
    ] {
      // Frames of a hundredth of a millisecond, so that the difference of two is the velocity.
      let (stage, _) = try driven(settle, refreshRate: 100_000)
      try stage.view.finishInteractiveTransition()
      let progress = try #require(stage.timeline.estimate(of: "progress"))
      let key = try #require(stage.timeline.estimate(of: "PositionX"))
      stage.through(0.06003)
      for (name, estimate) in [("progress", progress), ("PositionX", key)] {
        let values = stage.timeline.values(of: name, .settling)
        let velocity = try #require(estimate.estimate.velocity)
        #expect(near(values[0], estimate.value, abs(velocity) * 1.1e-5))
        #expect(near((values[2] - values[1]) / 1e-5 / velocity, 1, 2e-3), "\(settle.type) \(name)")
      }
    }
  }

  @Test func `a cubic rests in time, and never passes its target where it must not`()
    throws
  {
    let (stage, _) = try driven(try SettleParameters(cubic: 0.5, overshoot: false))
    try stage.view.finishInteractiveTransition()
    stage.through(2)
    #expect(stage.timeline.values(of: "progress", .settling).allSatisfy { $0 <= 1 })
    #expect(stage.timeline.values(of: "PositionX", .settling).allSatisfy { $0 >= 0 })
    #expect(near(stage.timeline.estimate(of: "progress")?.settleTimeSeconds, 0.5, 1e-12))
    // 70 points at 500 a second rest after 3 * 70/500 s.
    #expect(near(stage.timeline.estimate(of: "PositionX")?.settleTimeSeconds, 0.42, 1e-9))
    let completion = try #require(stage.timeline.events(.completion).first)
    #expect(near(completion.time.seconds, 0.56, 0.0011))
  }

  @Test func `the definition that is named ends a spring`() throws {
    let spring = try DampedSpring(duration: 0.5, bounce: 0.3)
    for definition in SettleDefinition.allCases {
      let settle = SettleParameters(spring: spring, definition: definition)
      let (stage, _) = try driven(settle)
      try stage.view.finishInteractiveTransition()
      let estimate = try #require(stage.timeline.estimate(of: "progress"))
      let motion = SettleMotion(
        settle, from: estimate.value, to: 1, velocity: try #require(estimate.estimate.velocity))
      #expect(estimate.settleTimeSeconds == motion.settlingTimeSeconds(by: definition))
      stage.through(3)
      let longest = stage.timeline.estimates.compactMap(\.settleTimeSeconds).max() ?? 0
      let completion = try #require(stage.timeline.events(.completion).first)
      #expect(completion.time.seconds >= 0.06 + longest - 1e-9)
      #expect(completion.time.seconds < 0.06 + longest + 0.0011)
    }
  }

  @Test func `the settle event tells the parameters of its type`() throws {
    for settle in [
      SettleParameters(definition: .wave), try SettleParameters(timing: 0.3),
      try SettleParameters(cubic: 0.4, overshoot: false),
    ] {
      let (stage, _) = try driven(settle)
      try stage.view.finishInteractiveTransition()
      let event = try #require(stage.timeline.events(.settle).first)
      #expect(Array(event.fields.dropFirst().prefix(settle.fields.count)) == settle.fields)
      #expect(event.field("settleTime_s") != nil)
      #expect(event.field("keys") != nil)
    }
  }

  @Test func `Retarget: a settle that is no spring turns round and is taken over`() throws {
    for settle in [try SettleParameters(timing: 0.4), try SettleParameters(cubic: 0.4)] {
      let (stage, _) = try driven(settle)
      stage.view.reentry = .retarget
      try stage.view.finishInteractiveTransition()
      stage.through(0.1)
      let before = try #require(stage.timeline.values(of: "progress", .settling).last)
      try stage.view.cancelInteractiveTransition()
      stage.through(0.101)
      let after = try #require(stage.timeline.values(of: "progress", .settling).last)
      #expect(abs(after - before) < 0.01)
      stage.through(0.15)
      try stage.view.startInteractiveTransition(to: stage.to)
      stage.through(2)
      #expect(stage.timeline.frames.allSatisfy { $0.state.progress?.isFinite != false })
      #expect(stage.view.state == .driving)
    }
  }

  @Test func `a settle of no time is over with the next frame`() throws {
    for settle in [try SettleParameters(timing: 0), try SettleParameters(cubic: 0)] {
      let (stage, _) = try driven(settle)
      try stage.view.finishInteractiveTransition()
      stage.through(0.062)
      #expect(stage.view.state == .idle)
      #expect(stage.timeline.values(of: "progress", .settling).last == 1)
    }
  }
}
