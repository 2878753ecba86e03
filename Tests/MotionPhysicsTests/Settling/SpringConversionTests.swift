import MotionPhysics
import TestSupport
import Testing

@Suite struct SpringConversionTests {
  /// Ratios of creeping, critical and swinging springs, with frequencies over many sizes.
  private static let ratios = [0, 1e-6, 0.05, 0.3, 0.8, 0.999999, 1, 1.0001, 3, 50]
  private static let times = [1e-6, 0.01, 0.16, 0.5, 3, 1e4]

  @Test func `a damping ratio with a stiffness reads back, whatever the mass`() throws {
    for ratio in SpringConversionTests.ratios {
      for (mass, stiffness) in [(1.0, 100.0), (2, 7), (1e-3, 1e5), (40, 0.02)] {
        let made = try DampedSpring(dampingRatio: ratio, stiffness: stiffness, mass: mass)
        #expect(made.mass == mass)
        #expect(made.stiffness == stiffness)
        #expect(agree(made.dampingRatio, ratio, within: 1e-14))
        // The damping coefficient is 2 zeta sqrt(k m).
        #expect(agree(made.damping, 2 * ratio * (stiffness * mass).squareRoot(), within: 1e-14))
      }
    }
  }

  @Test func `a response with a damping ratio reads back, whatever the mass`() throws {
    for ratio in SpringConversionTests.ratios {
      for response in SpringConversionTests.times {
        for mass in [1.0, 2.5, 1e-3] {
          let made = try DampedSpring(response: response, dampingRatio: ratio, mass: mass)
          #expect(agree(made.response, response, within: 1e-14))
          #expect(agree(made.dampingRatio, ratio, within: 1e-14))
        }
      }
    }
    // One second of response is a frequency of 2 pi, and so a stiffness of 4 pi^2.
    #expect(agree(try DampedSpring(response: 1, dampingRatio: 1).stiffness, 39.47841760435743))
  }

  @Test func `duration and bounce read back, from bounces that creep to those that never rest`()
    throws
  {
    for bounce in [-0.99, -0.5, -0.15, 0, 0.15, 0.3, 0.999, 1] {
      for duration in SpringConversionTests.times {
        let made = try DampedSpring(duration: duration, bounce: bounce)
        #expect(made.mass == 1)
        #expect(agree(made.duration, duration, within: 1e-14))
        #expect(made.bounce.map { abs($0 - bounce) < 1e-14 } == true)
      }
    }
    #expect(try DampedSpring(duration: 0.5, bounce: 0.3).dampingRatio == 0.7)
    #expect(try DampedSpring(duration: 0.5, bounce: -0.5).dampingRatio == 2)
    #expect(try DampedSpring(duration: 0.5, bounce: 1.7).damping == 0)
  }

  @Test func `motion's visual duration is a duration 1.2 times shorter, and reads back`() throws {
    let made = try DampedSpring(visualDuration: 0.5, bounce: 0.2)
    #expect(agree(made.duration, 0.6))
    #expect(agree(made.visualDuration, 0.5))
    #expect(agree(made.dampingRatio, 0.8))
  }

  @Test func `a settling duration is what the swiftui definition answers`() throws {
    for ratio in [1e-3, 0.05, 0.3, 0.7, 0.95, 0.999] {
      for time in [1e-4, 0.01, 0.5, 2, 10, 1000] {
        for epsilon in [0.5, 0.01, 0.001, 1e-6] {
          let made = try DampedSpring(settlingDuration: time, dampingRatio: ratio, epsilon: epsilon)
          #expect(agree(made.dampingRatio, ratio, within: 1e-12))
          let answer = rest(made).settlingTimeSeconds(
            by: .swiftUI, tolerance: SettleTolerance(epsilon: epsilon))
          #expect(agree(answer, time, within: 1e-12), "\(ratio) \(time) \(epsilon)")
        }
      }
    }
  }

  @Test func `without swinging the way left is epsilon after the settling duration`() throws {
    for ratio in [1.0, 1.2, 4, 40] {
      for time in [0.01, 0.5, 7] {
        let motion = rest(try DampedSpring(settlingDuration: time, dampingRatio: ratio))
        #expect(agree(1 - motion.value(atSeconds: time), settleEpsilon, within: 1e-9))
        let answer = motion.settlingTimeSeconds(by: .swiftUI) ?? 0
        #expect(answer >= time - 1e-9)
        #expect(answer < time + 0.1 + 1e-9)
      }
    }
  }

  @Test func `Origami's tension and friction are Rebound's numbers, and read back`() throws {
    let standard = try DampedSpring(tension: 40, friction: 7)
    #expect(agree(standard.stiffness, 230.2))
    #expect(agree(standard.damping, 22))
    for tension in [0.0, 1, 30, 40, 200] {
      for friction in [0.0, 3, 7, 8, 60] {
        let (back, rub) = try DampedSpring(tension: tension, friction: friction).origami
        #expect(abs(back - tension) < 1e-10)
        #expect(abs(rub - friction) < 1e-10)
      }
    }
    // A mass changes nothing of the motion, so it changes nothing of the scales.
    let heavy = try DampedSpring(mass: 3, stiffness: 3 * 230.2, damping: 66)
    #expect(agree(heavy.origami.tension, 40))
    #expect(agree(heavy.origami.friction, 7))
  }

  @Test func `pop's bounciness and speed make its tension and friction, and read back`() throws {
    // pop's own defaults: B = 4/34 * 0.8, tension 0.5 + 199.5 * 12/34.
    let made = try DampedSpring(bounciness: 4, speed: 12)
    let share = 4.0 / 34 * 0.8
    let tension = 0.5 + 199.5 * 12 / 34
    let calm =
      0.00000045 * tension * tension * tension - 0.000332 * tension * tension + 0.1078 * tension
      + 5.84
    let mix = 1 - (1 - share) * (1 - share)
    #expect(agree(made.origami.tension, tension))
    #expect(agree(made.origami.friction, calm + (0.01 - calm) * mix))
    for bounciness in [0.0, 0.5, 4, 12, 20, 42.5] {
      for speed in [0.0, 1, 5, 12, 20] {
        let back = try DampedSpring(bounciness: bounciness, speed: speed).bouncinessAndSpeed
        #expect(back.map { abs($0.bounciness - bounciness) < 1e-5 } == true, "\(bounciness)")
        #expect(back.map { abs($0.speed - speed) < 1e-9 } == true)
      }
    }
    // More friction than that of the spring that just does not bounce has no bounciness.
    #expect(try DampedSpring(tension: 40, friction: 90).bouncinessAndSpeed == nil)
  }

  @Test func `without overdamping a creeping spring is critical, and every other as it is`() throws
  {
    for (mass, stiffness) in [(1.0, 100.0), (3, 7), (0.1, 2e4)] {
      let creeping = try DampedSpring(dampingRatio: 3, stiffness: stiffness, mass: mass)
      #expect(agree(creeping.withoutOverdamping.dampingRatio, 1, within: 1e-15))
      #expect(creeping.withoutOverdamping.stiffness == stiffness)
      for ratio in [0, 0.4, 1] {
        let spring = try DampedSpring(dampingRatio: ratio, stiffness: stiffness, mass: mass)
        #expect(agree(spring.withoutOverdamping.damping, spring.damping, within: 1e-15))
      }
    }
    let slide = try DampedSpring(mass: 1, stiffness: 0, damping: 4)
    #expect(slide.withoutOverdamping == slide)
  }

  @Test func `a spring without stiffness has no response, duration, bounce or ratio`() throws {
    let slide = try DampedSpring(mass: 1, stiffness: 0, damping: 4)
    #expect(slide.response == nil)
    #expect(slide.duration == nil)
    #expect(slide.visualDuration == nil)
    #expect(slide.bounce == nil)
    #expect(slide.dampingRatio == nil)
  }

  @Test func `what makes no spring is refused with its reason`() {
    func code(_ make: () throws -> DampedSpring) -> PhysicsError.Code? {
      let error = #expect(throws: PhysicsError.self) { try make() }
      #expect(error?.message.hasSuffix(".") == true)
      return error?.code
    }
    for bad in [0, -1, .nan, .infinity] {
      #expect(code { try DampedSpring(response: bad, dampingRatio: 1) } == .badTime)
      #expect(code { try DampedSpring(duration: bad, bounce: 0) } == .badTime)
      #expect(code { try DampedSpring(settlingDuration: bad, dampingRatio: 1) } == .badTime)
    }
    for bad in [-0.1, .nan, .infinity] {
      #expect(code { try DampedSpring(response: 1, dampingRatio: bad) } == .badDamping)
      #expect(code { try DampedSpring(dampingRatio: bad, stiffness: 1) } == .badDamping)
      #expect(code { try DampedSpring(settlingDuration: 1, dampingRatio: bad) } == .badDamping)
    }
    for bad in [-1, -3, .nan, .infinity] {
      #expect(code { try DampedSpring(duration: 1, bounce: bad) } == .badDamping)
    }
    #expect(code { try DampedSpring(settlingDuration: 1, dampingRatio: 0) } == .badDamping)
    for bad in [0, 1, -1, .nan] {
      #expect(
        code { try DampedSpring(settlingDuration: 1, dampingRatio: 0.5, epsilon: bad) }
          == .outOfRange)
    }
    #expect(code { try DampedSpring(response: 1e-300, dampingRatio: 1) } == .outOfRange)
    #expect(code { try DampedSpring(response: 1, dampingRatio: 1e300) } == .outOfRange)
    #expect(code { try DampedSpring(tension: -100, friction: 8) } == .badStiffness)
    #expect(code { try DampedSpring(tension: 30, friction: .nan) } == .badDamping)
    #expect(code { try DampedSpring(bounciness: 4, speed: .infinity) } == .badStiffness)
  }
}

/// The motion of a spring from rest over the distance 1.
func rest(_ spring: DampedSpring) -> SettleMotion {
  SettleMotion(SettleParameters(spring: spring), from: 0, to: 1, velocity: 0)
}
