import MotionPhysics
import Testing

/// A spring of numbers that are known to be good.
func spring(_ mass: Double, _ stiffness: Double, _ damping: Double) throws -> DampedSpring {
  try DampedSpring(mass: mass, stiffness: stiffness, damping: damping)
}

@Suite struct SettleMotionTests {
  /// The table of the engine's rules: frequency 10, at 0, 0.1, 0.2, 0.3 and 0.5 s.
  @Test(arguments: [
    (0.6, 0.0, 1.0, [0.6, 0.705696, 0.837598, 0.920341, 0.983829]),
    (0.6, 2, 1, [0.6, 0.779272, 0.891732, 0.950213, 0.990567]),
    (0.6, 8, 1, [0.6, 1.000000, 1.054134, 1.039830, 1.010781]),
    (0.6, 0, 0, [0.6, 0.441455, 0.243604, 0.119489, 0.024257]),
    (0.6, 2, 0, [0.6, 0.515031, 0.297738, 0.149361, 0.030995]),
    (0.6, 8, 0, [0.6, 0.735759, 0.460140, 0.238978, 0.051208]),
    (0.3, -3, 1, [0.3, 0.374605, 0.634595, 0.815788, 0.961594]),
    (0.3, -3, 0, [0.3, 0.110364, 0.040601, 0.014936, 0.002021]),
  ])
  func `the standard settle runs through the known values`(
    from: Double, velocity: Double, to: Double, values: [Double]
  ) {
    let motion = SettleMotion(SettleParameters(), from: from, to: to, velocity: velocity)
    for (time, value) in zip([0, 0.1, 0.2, 0.3, 0.5], values) {
      #expect(abs(motion.value(atSeconds: time) - value) < 5.1e-7)
    }
  }

  /// Offsets from the target and velocities, computed with 40 digits from the roots of the equation.
  @Test(arguments: [
    ([1, 100, 10, -1, 0, 0.1], -0.6597001533917016, 5.33507195114693),
    ([1, 100, 10, -0.4, 3, 0.25], 0.09157680157438768, 0.20403115898562535),
    ([2, 50, 30, -1, -2, 0.3], -0.754155539330193, 1.363278665855128),
    ([1, 100, 20.000001, -1, 3, 0.2], -0.3248047005192799, 2.300699751865953),
    ([1, 100, 19.999999, -1, 3, 0.2], -0.3248046590164597, 2.3006998781788837),
    ([1, 1e-6, 50, -1, 2, 5], -0.9599999043680048, 1.9199998095040094e-08),
  ])
  func `every kind of damping follows its equation`(
    numbers: [Double], offset: Double, velocity: Double
  ) throws {
    let parameters = SettleParameters(spring: try spring(numbers[0], numbers[1], numbers[2]))
    let motion = SettleMotion(parameters, from: numbers[3], to: 0, velocity: numbers[4])
    #expect(agree(motion.value(atSeconds: numbers[5]), offset, within: 1e-11))
    #expect(agree(motion.velocity(atSeconds: numbers[5]), velocity, within: 1e-7))
  }

  @Test(arguments: [Double(20).nextDown, Double(20).nextUp, 20 + 1e-12, 20 - 1e-12])
  func `next to critical damping no digits are lost`(damping: Double) throws {
    let exact = SettleMotion(SettleParameters(), from: 0.6, to: 1, velocity: 2)
    let nearby = SettleMotion(
      SettleParameters(spring: try spring(1, 100, damping)), from: 0.6, to: 1, velocity: 2)
    for time in [0.01, 0.1, 0.5, 2] {
      #expect(abs(nearby.value(atSeconds: time) - exact.value(atSeconds: time)) < 1e-13)
      #expect(abs(nearby.velocity(atSeconds: time) - exact.velocity(atSeconds: time)) < 1e-12)
    }
  }

  @Test func `without stiffness friction alone stops the value`() throws {
    let slide = SettleMotion(
      SettleParameters(spring: try spring(2, 0, 4)), from: 1, to: 9, velocity: 3)
    // x0 + v m/c (1 - e^(-c t/m)); the rest place is x0 + v m/c = 2.5.
    #expect(agree(slide.value(atSeconds: 0.5), 1 + 1.5 * (1 - 0.36787944117144233)))
    #expect(agree(slide.value(atSeconds: 100), 2.5))
    #expect(agree(slide.velocity(atSeconds: 0.5), 3 * 0.36787944117144233))
    let free = SettleMotion(
      SettleParameters(spring: try spring(2, 0, 0)), from: 1, to: 9, velocity: 3)
    #expect(agree(free.value(atSeconds: 4), 13))
    #expect(free.velocity(atSeconds: 4) == 3)
  }

  private static let springs: [[Double]] = [
    [1, 100, 20], [1, 100, 10], [1, 100, 0], [1, 100, 60], [3, 7, 0.2], [1, 0, 5], [1, 0, 0],
  ]

  @Test(arguments: springs, [true, false])
  func `value and velocity are continuous at the release, and belong together`(
    numbers: [Double], overshoot: Bool
  ) throws {
    let parameters = SettleParameters(
      spring: try spring(numbers[0], numbers[1], numbers[2]), overshoot: overshoot)
    for velocity in [-8.0, -0.5, 0, 0.5, 8] {
      for target in [0.0, 0.6, 1] {
        let motion = SettleMotion(parameters, from: 0.6, to: target, velocity: velocity)
        #expect(motion.value(atSeconds: 0) == 0.6)
        #expect(motion.velocity(atSeconds: 0) == velocity)
        for time in [1e-6, 0.05, 0.4] {
          let step = 1e-7
          let slope =
            (motion.value(atSeconds: time + step) - motion.value(atSeconds: time)) / step
          #expect(abs(slope - motion.velocity(atSeconds: time + step / 2)) < 1e-3)
        }
        #expect(abs(motion.value(atSeconds: 1e-9) - 0.6) < 1e-7)
        #expect(abs(motion.velocity(atSeconds: 1e-9) - velocity) < 1e-5)
      }
    }
  }

  @Test(arguments: springs)
  func `without overshoot the target is never passed`(numbers: [Double]) throws {
    let parameters = SettleParameters(
      spring: try spring(numbers[0], numbers[1], numbers[2]), overshoot: false)
    for (from, target) in [(0.6, 1.0), (0.6, 0), (0.1, 0.7), (1e-9, 1), (1.2, 1)] {
      for velocity in [-50.0, -3, -1e-9, 0, 1e-9, 0.4, 3, 7.77, 50, 1e6] {
        let motion = SettleMotion(parameters, from: from, to: target, velocity: velocity)
        for index in 0...2000 {
          let left = (target - motion.value(atSeconds: Double(index) * 0.005)) * (target - from)
          guard left >= 0 else {
            Issue.record("\(numbers) \(from) to \(target) at \(velocity)/s, step \(index): \(left)")
            return
          }
        }
      }
    }
  }

  @Test func `towards the target the frequency is raised to the relative velocity`() throws {
    // 8/s over the remaining 0.4 is 20/s: x = 1 - 0.4 e^(-20 t).
    for damping in [2.0, 20, 60] {
      let parameters = SettleParameters(spring: try spring(1, 100, damping), overshoot: false)
      let motion = SettleMotion(parameters, from: 0.6, to: 1, velocity: 8)
      #expect(agree(motion.value(atSeconds: 0.1), 1 - 0.4 * 0.1353352832366127, within: 1e-12))
    }
    // 2/s over 0.4 is 5/s, less than the spring's own 10/s: the critical table.
    let slow = SettleMotion(
      SettleParameters(spring: try spring(1, 100, 2), overshoot: false), from: 0.6, to: 1,
      velocity: 2)
    #expect(abs(slow.value(atSeconds: 0.1) - 0.779272) < 5.1e-7)
  }

  @Test func `pointing away, the value runs on, turns and comes back`() throws {
    let parameters = SettleParameters(spring: try spring(1, 100, 2), overshoot: false)
    let motion = SettleMotion(parameters, from: 0.6, to: 0, velocity: 8)
    let values = (0...500).map { motion.value(atSeconds: Double($0) * 0.01) }
    let peak = values.firstIndex(of: values.max() ?? 0) ?? 0
    #expect(peak > 0)
    #expect(values[peak] > 0.7)
    #expect(zip(values[peak...], values[(peak + 1)...]).allSatisfy { $0 >= $1 })
    #expect(abs(motion.value(atSeconds: 0.1) - 0.735759) < 5.1e-7)
    #expect(abs(values[500]) < 1e-12)
  }

  @Test(arguments: [0.0, -2])
  func `a creeping spring that does not point to the target stays as it is`(velocity: Double) throws
  {
    let creeping = try spring(1, 100, 60)
    let free = SettleMotion(
      SettleParameters(spring: creeping), from: 0.2, to: 1, velocity: velocity)
    let held = SettleMotion(
      SettleParameters(spring: creeping, overshoot: false), from: 0.2, to: 1, velocity: velocity)
    for time in [0.05, 0.3, 1] {
      #expect(held.value(atSeconds: time) == free.value(atSeconds: time))
    }
  }

  @Test func `at the target with a velocity the value leaves and returns on one side`() throws {
    let parameters = SettleParameters(spring: try spring(1, 100, 1), overshoot: false)
    let motion = SettleMotion(parameters, from: 1, to: 1, velocity: 3)
    #expect(motion.value(atSeconds: 0.1) > 1.1)
    #expect((1...400).allSatisfy { motion.value(atSeconds: Double($0) * 0.02) >= 1 })
  }

  @Test func `an overshoot is there when it is allowed`() throws {
    let motion = SettleMotion(
      SettleParameters(spring: try spring(1, 100, 4)), from: 0, to: 1, velocity: 0)
    #expect(motion.value(atSeconds: 0.32) > 1.4)
  }

  @Test(arguments: [
    Double.nan, .infinity, -.infinity, .greatestFiniteMagnitude, -.greatestFiniteMagnitude,
  ])
  func `nothing that is not finite comes out`(absurd: Double) throws {
    for numbers in SettleMotionTests.springs + [[1e-90, 1e90, 1], [1e-9, 1e190, 1e90]] {
      for overshoot in [true, false] {
        let parameters = SettleParameters(
          spring: try spring(numbers[0], numbers[1], numbers[2]), overshoot: overshoot)
        for (from, to, velocity) in [
          (absurd, 1, 1), (0, absurd, 1), (0, 1, absurd), (absurd, -absurd, 0),
        ] {
          let motion = SettleMotion(parameters, from: from, to: to, velocity: velocity)
          for time in [-1, 0, 1e-300, 0.1, 1e300, absurd] {
            #expect(motion.value(atSeconds: time).isFinite)
            #expect(motion.velocity(atSeconds: time).isFinite)
          }
          #expect(motion.settlingTimeSeconds().isFinite)
        }
      }
    }
  }

  @Test func `a settled spring is at its target to the last digits`() throws {
    for numbers in [[1.0, 100, 20], [1, 100, 10], [1, 100, 60]] {
      let motion = SettleMotion(
        SettleParameters(spring: try spring(numbers[0], numbers[1], numbers[2])), from: 0.2, to: 1,
        velocity: -4)
      #expect(abs(motion.value(atSeconds: 60) - 1) < 1e-15)
      #expect(motion.value(atSeconds: .infinity) == 1)
    }
  }
}
