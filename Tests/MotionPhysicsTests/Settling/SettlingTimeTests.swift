import MotionPhysics
import Testing

@Suite struct SettlingTimeTests {
  private func time(
    _ numbers: [Double], from: Double = 0, to: Double = 1, velocity: Double = 0,
    overshoot: Bool = true
  ) throws -> Double {
    SettleMotion(
      SettleParameters(
        spring: try spring(numbers[0], numbers[1], numbers[2]), overshoot: overshoot),
      from: from, to: to, velocity: velocity
    ).settlingTimeSeconds()
  }

  @Test func `a swinging spring settles when Core Animation says so`() throws {
    #expect(try time([1, 100, 10]) == 1.4727003346780927)
    #expect(abs(try time([1, 100, 5]) - 2.855) < 5e-4)
    #expect(abs(try time([1, 100, 10], velocity: 5) - 1.382) < 5e-4)
    #expect(abs(try time([1, 100, 10], velocity: -5) - 1.535) < 5e-4)
  }

  @Test func `the distance does not matter, the relative velocity does`() throws {
    #expect(
      try time([1, 100, 10], from: 30, to: -170, velocity: -1000)
        == time([1, 100, 10], velocity: 5))
    #expect(try time([1, 100, 10], from: 4, to: 4, velocity: 9) == time([1, 100, 10]))
  }

  @Test func `a critical spring settles on a tenth of a second`() throws {
    // e^(-10 t)(1 + 10 t) falls below 0.001 between 0.9 and 1.0 s.
    var added = 0.0
    for _ in 1...10 { added += 0.1 }
    #expect(try time([1, 100, 20]) == added)
    #expect(try time([1, 100, 20], velocity: -1000) > added)
  }

  @Test func `a thrown value that passes through its target on a step has not settled there`() {
    // From 0.6 to 1 at 8/s the value is 1.0000 after 0.1 s, and on its way to 1.054.
    let motion = SettleMotion(SettleParameters(), from: 0.6, to: 1, velocity: 8)
    #expect(abs(motion.value(atSeconds: 0.1) - 1) < settleEpsilon * 0.4)
    let end = motion.settlingTimeSeconds()
    #expect(end > 0.5)
    for step in 0..<100 {
      let value = motion.value(atSeconds: end + Double(step) / 50)
      #expect(abs(value - 1) < settleEpsilon * 0.4)
    }
  }

  @Test func `a spring that misses being critical by rounding settles like one that is`() throws {
    for damping in [Double(20).nextDown, 20, Double(20).nextUp] {
      #expect(try time([1, 100, damping]) == time([1, 100, 20]))
    }
  }

  @Test func `a creeping spring takes longer, up to the cap`() throws {
    let creeping = try time([1, 100, 60])
    #expect(creeping > 4)
    #expect(creeping < 4.3)
    #expect(try time([1, 1e-6, 50]) == 102.4)
    #expect(try time([1, 0, 50]) == 102.4)
  }

  @Test func `a spring that swings for ever answers the largest 32-bit float`() throws {
    let largest = Double(Float.greatestFiniteMagnitude)
    #expect(try time([1, 100, 0]) == largest)
    #expect(try time([1, 0, 0]) == largest)
    #expect(try time([1, 0, 0], velocity: 10) == largest)
  }

  @Test func `without overshoot a raised frequency settles sooner`() throws {
    // x = 1 - e^(-100 t): below 0.001 at 0.069 s, so at the first step.
    #expect(try time([1, 100, 20], velocity: 100, overshoot: false) == 0.1)
    #expect(try time([1, 100, 0], overshoot: false) == time([1, 100, 20]))
  }

  @Test func `the definition has a name`() {
    #expect(SettleDefinition.coreAnimation.rawValue == "core-animation")
    #expect(settleEpsilon == 0.001)
  }
}
