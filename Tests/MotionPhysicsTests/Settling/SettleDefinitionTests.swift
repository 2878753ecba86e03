import MotionPhysics
import Testing

@Suite struct SettleDefinitionTests {
  private func time(
    _ spring: DampedSpring, _ definition: SettleDefinition, from: Double = 0, to: Double = 1,
    velocity: Double = 0, epsilon: Double? = nil, speed: Double? = nil
  ) -> Double? {
    SettleMotion(SettleParameters(spring: spring), from: from, to: to, velocity: velocity)
      .settlingTimeSeconds(
        by: definition, tolerance: SettleTolerance(epsilon: epsilon, velocityEpsilon: speed))
  }

  @Test func `one spring settles at five times by five systems, as the comparison says`() throws {
    let spring = try DampedSpring(duration: 0.5, bounce: 0.3)
    for (definition, seconds) in [
      (SettleDefinition.libadwaita, 0.785), (.compose, 0.824), (.coreAnimation, 0.863),
      (.swiftUI, 1.045), (.wave, 1.047),
    ] {
      let found = try #require(time(spring, definition, epsilon: 0.001))
      #expect(abs(found - seconds) <= 5.1e-4, "\(definition) \(found)")
    }
  }

  @Test func `swiftui: the envelope without the swing's frequency`() throws {
    let spring = try DampedSpring(response: 0.5, dampingRatio: 0.8)
    #expect(time(spring, .swiftUI) == 0.9261291683659721)
    // Epsilon is a length: ln((200 beta + 200) / 0.001) / beta with beta = 3.2 pi.
    #expect(agree(time(spring, .swiftUI, from: 30, to: -170), 1.4531625427133181))
    #expect(agree(time(spring, .swiftUI, from: 30, to: -170, epsilon: 0.2), 0.9261291683659721))
    // Critical: e^(-10 t)(1 + 10 t) is below 0.001 between 0.9 and 1.0 s, below 0.00001 between
    // 1.4 and 1.5 s.
    #expect(agree(time(.standard, .swiftUI), 1))
    #expect(agree(time(.standard, .swiftUI, from: 100, to: 0), 1.5))
    #expect(time(try DampedSpring(mass: 1, stiffness: 100, damping: 0), .swiftUI) == nil)
    #expect(time(.standard, .swiftUI, from: 2, to: 2) == 0)
    // Without a distance: e^(-10 t) 3 t is below 0.001 between 0.7 and 0.8 s.
    #expect(agree(time(.standard, .swiftUI, from: 2, to: 2, velocity: 3), 0.8))
  }

  @Test func `swiftui: a velocity towards the target is taken off, whichever way that lies`() throws
  {
    // ln((|beta D - v| + |D|) / 0.001) / beta with beta = 3.2 pi.
    let spring = try DampedSpring(response: 0.5, dampingRatio: 0.8)
    for (distance, velocity, seconds) in [
      (1.0, 3.0, 0.8946310185517722), (200, -1000, 1.4902845523270203),
    ] {
      #expect(agree(time(spring, .swiftUI, to: distance, velocity: velocity), seconds))
      #expect(agree(time(spring, .swiftUI, to: -distance, velocity: -velocity), seconds))
      #expect(agree(time(spring, .swiftUI, from: distance, to: 0, velocity: -velocity), seconds))
    }
    // At the target what the throw alone makes counts: ln(3 / 0.001) / beta.
    #expect(
      agree(time(spring, .swiftUI, from: 4, to: 4, velocity: -3), 0.7964081091263572))
  }

  @Test func `compose: the amplitude, or without swinging the last crossing, at a length`() throws {
    let spring = try spring(2, 50, 10)
    // beta 2.5, wd sqrt(25 - 6.25): the amplitude is sqrt(1 + (2.5/wd)^2) = 2/sqrt(3).
    #expect(agree(time(spring, .compose), 1.8996044888855927, within: 1e-12))
    #expect(agree(time(spring, .compose, epsilon: 0.001), 2.820638526083211, within: 1e-12))
    // Ten times the distance with ten times the length is the same.
    #expect(
      agree(
        time(spring, .compose, to: 10, epsilon: 0.1), time(spring, .compose) ?? 0, within: 1e-12))
    for damping in [20.0, 25, 200] {
      let calm = try MotionPhysicsTests.spring(1, 100, damping)
      for velocity in [-40.0, -3, 0, 3, 40] {
        let end = try #require(time(calm, .compose, velocity: velocity, epsilon: 0.001))
        let motion = SettleMotion(
          SettleParameters(spring: calm), from: 0, to: 1, velocity: velocity)
        #expect(agree(abs(motion.value(atSeconds: end) - 1), 0.001, within: 1e-9))
        for share in 1...400 {
          #expect(abs(motion.value(atSeconds: end * (1 + Double(share) / 100)) - 1) < 0.001)
        }
      }
    }
    // What starts within the threshold and stays there is settled at once.
    #expect(time(spring, .compose, from: 0.999) == 0)
    #expect(time(.standard, .compose, from: 0.999) == 0)
    #expect(time(.standard, .compose, from: 1, velocity: 3) ?? 0 > 0.3)
  }

  @Test func `flutter: both tolerances hold from the time on, and not before`() throws {
    for damping in [0.5, 2, 10, 19.9999, 20, 20.0001, 60] {
      let spring = try MotionPhysicsTests.spring(1, 100, damping)
      for velocity in [-30.0, -2, 0, 2, 30] {
        for (distance, speed) in [(0.001, 0.001), (0.5, 0.001), (0.001, 5), (0.01, 0.2)] {
          let end = try #require(
            time(spring, .flutter, velocity: velocity, epsilon: distance, speed: speed))
          let motion = SettleMotion(
            SettleParameters(spring: spring), from: 0, to: 1, velocity: velocity)
          func isDone(_ time: Double) -> Bool {
            abs(motion.value(atSeconds: time) - 1) < distance
              && abs(motion.velocity(atSeconds: time)) < speed
          }
          #expect(!isDone(end - 1e-9), "\(damping) \(velocity) \(distance) \(speed)")
          for step in 1...2000 { #expect(isDone(end + Double(step) * 0.003 + 1e-9)) }
        }
      }
    }
  }

  @Test func `motion: the first step of 50 ms, finer below a distance of 5`() throws {
    // motion's default spring from 0 to 1, and to 100 where the thresholds are coarser.
    let spring = try spring(1, 100, 10)
    #expect(time(spring, .motion) == 1.1)
    for distance in [1.0, 100] {
      let end = try #require(time(spring, .motion, to: distance))
      let motion = SettleMotion(
        SettleParameters(spring: spring), from: 0, to: distance, velocity: 0)
      let (delta, speed) = distance < 5 ? (0.005, 0.01) : (0.5, 2)
      for step in 0...Int((end * 20).rounded()) {
        let at = Double(step) / 20
        let isDone =
          abs(motion.value(atSeconds: at) - distance) <= delta
          && abs(motion.velocity(atSeconds: at)) <= speed
        #expect(isDone == (at == end))
      }
    }
    // From 20 s on motion gives up.
    #expect(time(try MotionPhysicsTests.spring(1, 100, 0.2), .motion) == nil)
  }

  @Test func `libadwaita: the bare envelope, and Newton's steps for what creeps`() throws {
    let spring = try spring(1, 100, 10)
    // -ln(0.001)/5, whatever the velocity.
    #expect(agree(time(spring, .libadwaita), 1.3815510557964275))
    #expect(time(spring, .libadwaita, velocity: 5) == time(spring, .libadwaita))
    #expect(agree(time(.standard, .libadwaita), 0.69077552789821368))
    #expect(time(try MotionPhysicsTests.spring(1, 100, 0), .libadwaita) == nil)
    let creeping = try MotionPhysicsTests.spring(1, 100, 60)
    let end = try #require(time(creeping, .libadwaita))
    let left = 1 - rest(creeping).value(atSeconds: end)
    // Newton steps past the crossing by less than one e-fold.
    #expect(left <= 0.001)
    #expect(left > 0.0003)
  }

  @Test func `libadwaita: what creeps ends at a length, what does not at the bare envelope`() throws
  {
    let creeping = try MotionPhysicsTests.spring(1, 100, 40)
    for distance in [1.0, 100, -100] {
      let end = try #require(time(creeping, .libadwaita, to: distance))
      let motion = SettleMotion(
        SettleParameters(spring: creeping), from: 0, to: distance, velocity: 0)
      let left = abs(distance - motion.value(atSeconds: end))
      #expect(left <= 0.001)
      #expect(left > 0.0003)
      #expect(
        time(creeping, .libadwaita, from: distance, to: 0) == end)
    }
    let calm = time(.standard, .libadwaita)
    #expect(time(.standard, .libadwaita, to: 100, velocity: 70) == calm)
  }

  @Test func `wave: ln 10000 over the decay rate, a quarter more without swinging`() throws {
    #expect(
      agree(
        time(try DampedSpring(response: 0.8, dampingRatio: 0.6), .wave), 1.9544949, within: 1e-7))
    #expect(
      agree(time(try DampedSpring(response: 0.8, dampingRatio: 1), .wave), 1.4658712, within: 1e-7))
    #expect(
      time(try DampedSpring(response: 0.8, dampingRatio: 3), .wave)
        == time(try DampedSpring(response: 0.8, dampingRatio: 1), .wave))
    // Wave lets nobody choose its share.
    #expect(
      time(try DampedSpring(response: 0.8, dampingRatio: 1), .wave, epsilon: 0.5)
        == time(try DampedSpring(response: 0.8, dampingRatio: 1), .wave))
  }

  @Test func `rebound and pop: whole frames after which all thresholds hold`() throws {
    let spring = try DampedSpring(tension: 40, friction: 7)
    let end = try #require(time(spring, .rebound))
    #expect(agree(end / 0.016, (end / 0.016).rounded()))
    let motion = rest(spring)
    #expect(abs(motion.value(atSeconds: end) - 1) <= 0.005)
    #expect(abs(motion.velocity(atSeconds: end)) <= 0.005)
    let before = end - 0.016
    #expect(
      abs(motion.value(atSeconds: before) - 1) > 0.005
        || abs(motion.velocity(atSeconds: before)) > 0.005)
    let points = try #require(time(spring, .pop, to: 100, epsilon: 1))
    #expect(agree(points * 60, (points * 60).rounded()))
    let way = SettleMotion(SettleParameters(spring: spring), from: 0, to: 100, velocity: 0)
    #expect(abs(way.value(atSeconds: points) - 100) < 0.5)
    // A spring without tension rests in Rebound when it is slow.
    let slide = try MotionPhysicsTests.spring(1, 0, 10)
    #expect(time(slide, .rebound, velocity: 1) == 0.544)
  }

  @Test func `fluid: a step of 1/300 s with everything small, near the closed form`() throws {
    let spring = try DampedSpring(response: 0.5, dampingRatio: 0.825)
    let end = try #require(time(spring, .fluid))
    #expect(agree(end * 300, (end * 300).rounded()))
    #expect(abs(rest(spring).value(atSeconds: end) - 1) < 0.01)
    #expect(abs(rest(spring).velocity(atSeconds: end)) < 0.07)
    #expect(time(try spring.swingingForEver(), .fluid) == nil)
    #expect(time(spring, .fluid, from: 1) == 1.0 / 300)
  }

  @Test func `a distance of nothing at rest is settled at once wherever the offset counts`() throws
  {
    for definition in [SettleDefinition.coreAnimation, .swiftUI, .compose, .flutter, .motion] {
      #expect(time(.standard, definition, from: 4, to: 4) == 0, "\(definition)")
    }
    // At the target with a velocity Core Animation's share is that of a motion from rest.
    #expect(agree(time(.standard, .coreAnimation, from: 4, to: 4, velocity: 3), 1))
  }

  @Test
  func `what is at its target at rest does not keep a settle waiting, whatever its definition`()
    throws
  {
    for spring in [DampedSpring.standard, try DampedSpring(mass: 1, stiffness: 100, damping: 0)] {
      for definition in SettleDefinition.allCases {
        let parameters = SettleParameters(spring: spring, definition: definition)
        for place in [0, 1, -1e300] {
          let still = SettleMotion(parameters, from: place, to: place, velocity: 0)
          #expect(still.settlingTimeSeconds() == 0, "\(definition)")
        }
        #expect(SettleMotion(parameters, from: 1, to: 1, velocity: 3).settlingTimeSeconds() > 0)
      }
    }
    let cubic = try SettleParameters(cubic: 0.3)
    #expect(SettleMotion(cubic, from: 1, to: 1, velocity: 0).settlingTimeSeconds() == 0)
    #expect(SettleMotion(cubic, from: 1, to: 1, velocity: 1).settlingTimeSeconds() == 0.3)
    let timing = try SettleParameters(timing: 0.3)
    #expect(SettleMotion(timing, from: 1, to: 1, velocity: 0).settlingTimeSeconds() == 0.3)
  }

  @Test func `every definition is finite or never, for anything`() throws {
    let springs = [
      [1, 100, 20], [1, 100, 10], [1, 100, 0], [1, 100, 60], [1, 0, 5], [1, 0, 0],
      [1e-90, 1e90, 1],
      [1e-9, 1e190, 1e90], [1, 1e-300, 1], [1, 1e-300, 1e-300],
      [1, Double.leastNonzeroMagnitude, 0], [1e300, 1, 1],
      [1, 1e200, 1], [1, 100, 1e-307],
    ]
    for numbers in springs {
      let spring = try MotionPhysicsTests.spring(numbers[0], numbers[1], numbers[2])
      for from in [0, -1e-307, 1e300, .nan] {
        for velocity in [0, 1, -1e308, .infinity] {
          for overshoot in [true, false] {
            let motion = SettleMotion(
              SettleParameters(spring: spring, overshoot: overshoot), from: from, to: 1,
              velocity: velocity)
            for definition in SettleDefinition.allCases {
              for epsilon in [nil, Double.leastNonzeroMagnitude, 1e300, 0, .nan] as [Double?] {
                let found = motion.settlingTimeSeconds(
                  by: definition,
                  tolerance: SettleTolerance(epsilon: epsilon, velocityEpsilon: epsilon))
                #expect(found.map { $0 >= 0 && $0.isFinite } != false)
              }
            }
          }
        }
      }
    }
  }

  @Test func `every definition has a name, a meaning and thresholds above 0`() {
    #expect(
      SettleDefinition.allCases.map(\.rawValue) == [
        "core-animation", "swiftui", "compose", "flutter", "motion", "rebound", "pop",
        "libadwaita", "wave", "fluid",
      ])
    #expect(Set(SettleDefinition.allCases.map(\.meaning)).count == 10)
    for definition in SettleDefinition.allCases {
      for distance in [0, 1, -100.0] {
        #expect(definition.standardEpsilon(distance: distance) > 0)
        #expect(definition.standardVelocityEpsilon(distance: distance) ?? 1 > 0)
      }
    }
    #expect(SettleDefinition.motion.standardEpsilon(distance: -4) == 0.005)
    #expect(SettleDefinition.motion.standardEpsilon(distance: -5) == 0.5)
  }
}

extension DampedSpring {
  fileprivate func swingingForEver() throws -> DampedSpring {
    try DampedSpring(mass: mass, stiffness: stiffness, damping: 0)
  }
}
