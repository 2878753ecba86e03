import MotionPhysics
import Testing

@Suite struct DecayTests {
  @Test func `the rest places are those of WWDC 2018 and of the integral`() throws {
    #expect(agree(Decay.normal(.discrete).restValue(from: 0, velocity: 500), 249.5, within: 1e-12))
    #expect(agree(Decay.fast(.discrete).restValue(from: 0, velocity: 500), 49.5, within: 1e-12))
    // 500 / (1000 * 0.002002002670673...)
    let rest = Decay.normal(.continuous).restValue(from: 10, velocity: -500)
    #expect(agree(rest, 10 - 249.7499165832274, within: 1e-12))
    // A thousandth apart.
    let discrete = Decay.normal(.discrete).restValue(from: 0, velocity: 500)
    #expect(agree(discrete / (10 - rest), 0.999, within: 1e-5))
  }

  @Test func `the discrete way is the sum over milliseconds`() throws {
    for rate in [0.5, 0.9, Decay.fastRate, Decay.normalRate] {
      let decay = try Decay(rate: rate, form: .discrete)
      var (place, velocity) = (3.0, 800.0)
      for millisecond in 1...600 {
        velocity *= rate
        place += velocity / 1000
        let time = Double(millisecond) / 1000
        #expect(agree(decay.value(from: 3, velocity: 800, atSeconds: time), place, within: 1e-12))
        #expect(agree(decay.velocity(800, atSeconds: time), velocity, within: 1e-10))
      }
    }
  }

  @Test func `the continuous way has the velocity as its slope`() throws {
    for decay in [Decay.normal(), .fast(), try Decay(rate: 0.3)] {
      for time in [1e-4, 0.002, 0.05, 0.4] {
        let step = 1e-7
        let slope =
          (decay.value(from: 0, velocity: 1000, atSeconds: time + step)
            - decay.value(from: 0, velocity: 1000, atSeconds: time - step)) / (2 * step)
        #expect(abs(slope - decay.velocity(1000, atSeconds: time)) < 1e-4)
      }
    }
  }

  @Test func `the time until a speed, there and back`() throws {
    let decay = Decay.normal()
    let time = try #require(decay.secondsUntil(speed: 1, velocity: -1000))
    #expect(agree(time, 3.4504226094062744, within: 1e-12))
    #expect(agree(decay.velocity(-1000, atSeconds: time), -1, within: 1e-12))
    #expect(decay.secondsUntil(speed: 5, velocity: 5) == 0)
    #expect(decay.secondsUntil(speed: 5, velocity: 0) == 0)
    #expect(decay.secondsUntil(speed: 0, velocity: 1) == nil)
    #expect(decay.secondsUntil(speed: .nan, velocity: 1) == nil)
  }

  @Test func `Flutter's drag is a rate per second, there and back`() throws {
    let decay = try Decay(drag: Decay.flutterDrag)
    #expect(agree(decay.rate, 0.998, within: 1e-6))
    #expect(agree(decay.drag, 0.135, within: 1e-12))
    #expect(agree(Decay.normal().drag, 0.13506452244668338, within: 1e-10))
    // Flutter's FrictionSimulation: x0 + v (drag^t - 1) / ln drag.
    #expect(
      agree(
        decay.value(from: 5, velocity: 300, atSeconds: 0.7), 5 + 300 * 0.376448531242535,
        within: 1e-6))
  }

  @Test func `a velocity or a rate for a wanted rest place, there and back`() throws {
    for form in Decay.Form.allCases {
      for rate in [0.01, 0.9, 0.998, 0.99999] {
        let decay = try Decay(rate: rate, form: form)
        for (start, target) in [(0.0, 250.0), (40, -3), (1e-6, 2e-6), (-1e6, 1e6)] {
          let velocity = decay.velocity(from: start, toRestAt: target)
          #expect(
            abs(decay.restValue(from: start, velocity: velocity) - target)
              <= 1e-12 * max(abs(start), abs(target)))
          let back = try Decay(from: start, velocity: velocity, toRestAt: target, form: form)
          #expect(agree(back.rate, rate, within: 1e-9))
        }
      }
    }
  }

  @Test(arguments: [0, 1, -0.5, 1.5, Double.nan, .infinity])
  func `a rate or a drag outside 0 to 1 is refused`(bad: Double) {
    let rate = #expect(throws: PhysicsError.self) { try Decay(rate: bad) }
    #expect(rate?.code == .badDecay)
    let drag = #expect(throws: PhysicsError.self) { try Decay(drag: bad) }
    #expect(drag?.message.contains("drag") == true)
  }

  @Test func `a way that no decay goes is refused`() {
    for (velocity, target) in [
      (-1.0, 5.0), (0, 5), (1, 0), (.nan, 1), (1, .infinity), (1e-300, 1e300),
    ] {
      for form in Decay.Form.allCases {
        #expect(throws: PhysicsError.self) {
          try Decay(from: 0, velocity: velocity, toRestAt: target, form: form)
        }
      }
    }
  }

  @Test func `nothing that is not finite comes out`() throws {
    let absurd = [0, 1, -1e308, 1e308, .infinity, -.infinity, .nan]
    for rate in [Double.leastNonzeroMagnitude, 0.998, Double(1).nextDown] {
      for form in Decay.Form.allCases {
        let decay = try Decay(rate: rate, form: form)
        for x in absurd {
          for y in absurd {
            #expect(decay.restValue(from: x, velocity: y).isFinite)
            #expect(decay.velocity(from: x, toRestAt: y).isFinite)
            #expect(decay.secondsUntil(speed: 1, velocity: y)?.isFinite != false)
            for time in [-1, 0, 1e-300, 1, 1e300, .infinity, .nan] {
              #expect(decay.value(from: x, velocity: y, atSeconds: time).isFinite)
              #expect(decay.velocity(y, atSeconds: time).isFinite)
            }
          }
        }
      }
    }
  }
}
