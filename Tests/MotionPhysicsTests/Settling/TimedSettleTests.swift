import MotionPhysics
import Testing
import TimelineModel

@Suite struct CubicSettleTests {
  private func motion(
    _ seconds: Double, from: Double = 0.2, to: Double = 1, velocity: Double, overshoot: Bool = true
  ) throws -> SettleMotion {
    SettleMotion(
      try SettleParameters(cubic: seconds, overshoot: overshoot), from: from, to: to,
      velocity: velocity)
  }

  @Test func `value and velocity go on at the start, and rest at the end`() throws {
    for seconds in [0.05, 0.3, 4] {
      for velocity in [-20.0, -1, 0, 0.4, 7, 300] {
        for overshoot in [true, false] {
          let motion = try motion(seconds, velocity: velocity, overshoot: overshoot)
          #expect(motion.value(atSeconds: 0) == 0.2)
          #expect(motion.velocity(atSeconds: 0) == velocity)
          #expect(abs(motion.value(atSeconds: 1e-12) - 0.2) < 1e-9)
          #expect(agree(motion.velocity(atSeconds: 1e-12), velocity, within: 1e-8) || velocity == 0)
          let end = motion.settlingTimeSeconds()
          #expect(overshoot ? end == seconds : end <= seconds)
          #expect(motion.value(atSeconds: end) == 1)
          #expect(motion.velocity(atSeconds: end) == 0)
          #expect(abs(motion.value(atSeconds: end * (1 - 1e-9)) - 1) < 1e-9)
          #expect(motion.value(atSeconds: .infinity) == 1)
        }
      }
    }
  }

  @Test func `from rest it is 3u2 - 2u3, and its velocity the slope`() throws {
    let motion = try motion(2, from: 0, velocity: 0)
    #expect(agree(motion.value(atSeconds: 0.5), 0.15625))
    #expect(agree(motion.velocity(atSeconds: 0.5), 0.5625))
    // One distance a second over two seconds adds u(1 - u)^2 times 2.
    let moving = try CubicSettleTests().motion(2, from: 0, velocity: 1)
    #expect(agree(moving.value(atSeconds: 0.5), 0.15625 + 2 * 0.140625))
    let slope =
      (moving.value(atSeconds: 0.7 + 1e-6) - moving.value(atSeconds: 0.7 - 1e-6)) / 2e-6
    #expect(agree(moving.velocity(atSeconds: 0.7), slope, within: 1e-8))
  }

  @Test func `without overshoot a fast value rests after 3 times remaining over velocity`() throws {
    #expect(agree(try motion(0.5, velocity: 8, overshoot: false).settlingTimeSeconds(), 0.3))
    // 4.8/s over 0.8 in 0.5 s is just three times the straight line.
    #expect(try motion(0.5, velocity: 4.8, overshoot: false).settlingTimeSeconds() == 0.5)
    #expect(try motion(0.5, velocity: -80, overshoot: false).settlingTimeSeconds() == 0.5)
    for velocity in [-50.0, 0, 1, 4.8, 8, 1e6] {
      let motion = try motion(0.5, velocity: velocity, overshoot: false)
      let end = motion.settlingTimeSeconds()
      for step in 0...4000 {
        guard motion.value(atSeconds: end * Double(step) / 3999) <= 1 else {
          Issue.record("\(velocity)/s passes the target at step \(step)")
          return
        }
      }
    }
    let free = try motion(0.5, velocity: 8)
    #expect((1...100).contains { free.value(atSeconds: Double($0) / 200) > 1.01 })
  }

  @Test func `a cubic of no time is at its target at once, and absurd numbers stay finite`() throws
  {
    let jump = try motion(0, velocity: 3)
    #expect(jump.value(atSeconds: 0) == 0.2)
    #expect(jump.value(atSeconds: 1e-12) == 1)
    #expect(jump.settlingTimeSeconds() == 0)
    for absurd in [Double.nan, .infinity, -1e308, 1e308] {
      for seconds in [Double.leastNonzeroMagnitude, 0.3, 1e308] {
        for overshoot in [true, false] {
          for (from, to, velocity) in [
            (absurd, 1, 1), (0, absurd, 1), (0, 1, absurd), (absurd, -absurd, absurd),
          ] {
            let motion = try motion(
              seconds, from: from, to: to, velocity: velocity, overshoot: overshoot)
            for time in [-1, 0, 1e-307, 0.1, 1e300, absurd] {
              #expect(motion.value(atSeconds: time).isFinite)
              #expect(motion.velocity(atSeconds: time).isFinite)
            }
            #expect(motion.settlingTimeSeconds().isFinite)
          }
        }
      }
    }
  }
}

@Suite struct TimingSettleTests {
  @Test func `a finish lasts (1 - p) d / s and a cancel p d / s`() throws {
    let parameters = try SettleParameters(timing: 0.75, completionSpeed: 2)
    let finish = SettleMotion(parameters.forRest(0.4), from: 0.6, to: 1, velocity: 9)
    let cancel = SettleMotion(parameters.forRest(0.6), from: 0.6, to: 0, velocity: 9)
    #expect(agree(finish.settlingTimeSeconds(), 0.15))
    #expect(agree(cancel.settlingTimeSeconds(), 0.225))
    // Every key of the finish runs as long as the progress does.
    let key = SettleMotion(parameters.forRest(0.4), from: -40, to: 3, velocity: 0)
    #expect(key.settlingTimeSeconds() == finish.settlingTimeSeconds())
    // A share outside 0 to 1 counts as the nearer end, and a second asking changes nothing.
    #expect(parameters.forRest(7).durationSeconds == 0.375)
    #expect(parameters.forRest(-1).durationSeconds == 0)
    #expect(parameters.forRest(0.4).forRest(1) == parameters.forRest(0.4))
    #expect(SettleParameters().forRest(0.1) == SettleParameters())
    // A transition tells its share itself.
    #expect(parameters.forRest(progress: 0.6, outcome: .finish) == parameters.forRest(1 - 0.6))
    #expect(parameters.forRest(progress: 0.6, outcome: .cancel) == parameters.forRest(0.6))
    #expect(parameters.forRest(progress: 1.25, outcome: .finish) == parameters.forRest(0.25))
  }

  @Test func `the value follows the curve, and the velocity is the curve's own`() throws {
    #expect(SettleParameters.standardEasing.name == "ease-in-out")
    for name in ["ease-in-out", "linear", "ease", "cubicInOut", "backOut", "sineIn"] {
      let easing = try #require(Easing(named: name))
      let motion = SettleMotion(
        try SettleParameters(timing: 0.5, easing: easing), from: 10, to: 30, velocity: 800)
      for share in [0.001, 0.1, 0.25, 0.6, 0.999] {
        let time = 0.5 * share
        #expect(agree(motion.value(atSeconds: time), 10 + 20 * easing.value(at: share)))
        let step = 1e-6
        let slope =
          (motion.value(atSeconds: time + step) - motion.value(atSeconds: time - step)) / 2e-6
        #expect(abs(motion.velocity(atSeconds: time) - slope) < 1e-5, "\(name) \(share)")
      }
      #expect(motion.value(atSeconds: 0) == 10)
      #expect(motion.value(atSeconds: 0.5) == 30)
      #expect(motion.velocity(atSeconds: 0.5) == 0)
    }
    let motion = SettleMotion(try SettleParameters(timing: 0.5), from: 0, to: 1, velocity: 5)
    #expect(motion.velocity(atSeconds: 0) == 0)
    let line = SettleMotion(
      try SettleParameters(timing: 0.5, easing: .linear), from: 0, to: 1, velocity: 0)
    #expect(line.velocity(atSeconds: 0) == 2)
    #expect(line.velocity(atSeconds: 0.3) == 2)
  }

  @Test func `only a timing curve does not keep the velocity`() throws {
    #expect(SettleType.allCases.map(\.rawValue) == ["spring", "timing", "cubic"])
    for parameters in [
      SettleParameters(), try SettleParameters(timing: 0.5), try SettleParameters(cubic: 0.5),
    ] {
      let motion = SettleMotion(parameters, from: 0, to: 1, velocity: 5)
      #expect((motion.velocity(atSeconds: 0) == 5) == (parameters.type != .timing))
    }
  }

  @Test func `the settling time has the name of the definition, or of a type that has its own`()
    throws
  {
    #expect(SettleParameters(definition: .wave).definitionName == "wave")
    #expect(try SettleParameters(timing: 1).definitionName == "timing")
    #expect(try SettleParameters(cubic: 1).definitionName == "cubic")
  }

  @Test func `a duration or a speed that cannot be is refused, and absurd ways stay finite`() throws
  {
    for bad in [-0.1, .nan, .infinity] {
      let timing = #expect(throws: PhysicsError.self) { try SettleParameters(timing: bad) }
      #expect(timing?.code == .badTime)
      #expect(throws: PhysicsError.self) { try SettleParameters(cubic: bad) }
    }
    for bad in [0, -1, .nan, .infinity] {
      let speed = #expect(throws: PhysicsError.self) {
        try SettleParameters(timing: 1, completionSpeed: bad)
      }
      #expect(speed?.code == .badSpeed)
    }
    // Set past their checks, they still make no number that is not finite.
    for bad in [-1, 0, Double.nan, .infinity, 1e308] {
      var parameters = SettleParameters()
      for type in SettleType.allCases {
        parameters.type = type
        parameters.durationSeconds = bad
        parameters.completionSpeed = bad
        let motion = SettleMotion(parameters, from: -1e308, to: 1e308, velocity: 1e308)
        for time in [0, 1e-300, 0.1, 1e300, .nan] {
          #expect(motion.value(atSeconds: time).isFinite)
          #expect(motion.velocity(atSeconds: time).isFinite)
        }
        #expect(motion.settlingTimeSeconds().isFinite)
      }
    }
  }
}
