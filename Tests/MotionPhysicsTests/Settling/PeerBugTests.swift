import MotionPhysics
import Testing

/// Faults of well-known spring libraries that this one does not share, one test for each.
@Suite struct PeerBugTests {
  @Test func `Flutter's underdamped spring divides by the wrong side for a mass other than 1`()
    throws
  {
    // Mass 4: beta = 2, w0 = 5, wd = sqrt(21). Only the ratios to the mass may count.
    let heavy = rest(try spring(4, 100, 16))
    let light = rest(try spring(1, 25, 4))
    for time in [0.05, 0.3, 1] {
      #expect(heavy.value(atSeconds: time) == light.value(atSeconds: time))
      #expect(heavy.velocity(atSeconds: time) == light.velocity(atSeconds: time))
    }
    // The velocity of the solution is the slope of its value.
    let slope = (heavy.value(atSeconds: 0.3 + 1e-6) - heavy.value(atSeconds: 0.3 - 1e-6)) / 2e-6
    #expect(agree(heavy.velocity(atSeconds: 0.3), slope, within: 1e-8))
  }

  @Test func `SwiftUI's overdamped velocity is too large by the target`() throws {
    let creeping = try spring(1, 100, 60)
    for target in [1.0, 40] {
      let motion = SettleMotion(
        SettleParameters(spring: creeping), from: 0, to: target, velocity: 0)
      #expect(motion.velocity(atSeconds: 0) == 0)
      #expect(abs(motion.velocity(atSeconds: 30)) < 1e-9)
    }
  }

  @Test func `SwiftUI's overdamped stiffness adds squares that it should subtract`() throws {
    // Response 0.5 and ratio 3: the stiffness is (4 pi)^2, not (4 pi)^2 (9 + 8).
    let creeping = try DampedSpring(response: 0.5, dampingRatio: 3)
    #expect(agree(creeping.stiffness, 157.91367041742973, within: 1e-14))
    #expect(agree(creeping.response, 0.5, within: 1e-14))
  }

  @Test func `SwiftUI gives slow overdamped springs a settling duration of 0`() throws {
    let slow = rest(try spring(1, 0.01, 5))
    let time = try #require(slow.settlingTimeSeconds(by: .swiftUI))
    #expect(time > 3000)
    #expect(abs(1 - slow.value(atSeconds: time)) <= settleEpsilon)
    #expect(abs(1 - slow.value(atSeconds: time - 0.11)) > settleEpsilon)
  }

  @Test func `SwiftUI's spring for a settling duration of 0.5 s at ratio 0.3 settles after 0.82 s`()
    throws
  {
    let made = try DampedSpring(settlingDuration: 0.5, dampingRatio: 0.3)
    #expect(agree(rest(made).settlingTimeSeconds(by: .swiftUI), 0.5, within: 1e-14))
  }

  @Test func `libadwaita's test of overshoot never runs, so what overshoots is not seen`() throws {
    // Without overshoot the value stops at its target whichever way it goes.
    let bouncy = try DampedSpring(duration: 0.5, bounce: 0.8)
    for (from, to) in [(0.0, 1.0), (1, 0)] {
      for velocity in [0.0, 20 * (to - from)] {
        let held = SettleMotion(
          SettleParameters(spring: bouncy, overshoot: false), from: from, to: to,
          velocity: velocity)
        let free = SettleMotion(
          SettleParameters(spring: bouncy), from: from, to: to, velocity: velocity)
        let times = (1...200).map { Double($0) / 100 }
        #expect(times.allSatisfy { (to - held.value(atSeconds: $0)) * (to - from) >= 0 })
        #expect(!times.allSatisfy { (to - free.value(atSeconds: $0)) * (to - from) >= 0 })
      }
    }
  }

  @Test func `libadwaita's critical velocity multiplies by 1 - beta instead of 1 - beta t`() throws
  {
    // From rest over the distance 1: w0^2 t e^(-w0 t).
    #expect(
      agree(rest(.standard).velocity(atSeconds: 0.25), 25 * 0.0820849986238988, within: 1e-12))
  }

  @Test func `motion's inertia takes a velocity as a distance`() throws {
    // The start speed is the one given, whatever the rate; the way follows from it.
    for decay in [Decay.normal(), .fast()] {
      #expect(decay.velocity(500, atSeconds: 0) == 500)
      let slope = decay.value(from: 0, velocity: 500, atSeconds: 1e-7) / 1e-7
      #expect(agree(slope, 500, within: 1e-5))
    }
  }

  @Test func `motion ignores a visual duration without a bounce`() throws {
    let made = try DampedSpring(visualDuration: 0.5)
    #expect(agree(made.response, 0.6))
    #expect(agree(made.dampingRatio, 1))
  }

  @Test func `Rebound shows the state of one millisecond ago`() throws {
    // e^(-10 t)(1 + 10 t) and its slope at the frame itself are below the thresholds; a millisecond
    // before they are not.
    let motion = rest(.standard)
    let end = try #require(motion.settlingTimeSeconds(by: .rebound))
    let speed = motion.velocity(atSeconds: end)
    let found = motion.settlingTimeSeconds(
      by: .rebound, tolerance: SettleTolerance(epsilon: 1, velocityEpsilon: speed))
    #expect(found == end)
    #expect(motion.velocity(atSeconds: end - 0.001) > speed)
  }

  @Test func `Core Animation's walk stops where a thrown value passes through its target`() throws {
    let motion = SettleMotion(SettleParameters(), from: 0.6, to: 1, velocity: 8)
    #expect(abs(motion.value(atSeconds: 0.1) - 1) < 1e-15)
    for definition in [SettleDefinition.coreAnimation, .swiftUI] {
      #expect(motion.settlingTimeSeconds(by: definition) ?? 0 > 0.5)
    }
  }
}
