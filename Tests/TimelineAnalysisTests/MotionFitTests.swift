// More than 400 lines: settles with known parameters of every model, and each thing that a fit says of itself.
import Foundation
import MotionPhysics
import TestSupport
import Testing
import TimelineModel

@testable import MotionMeasures

/// Settles whose parameters are known, as a display shows them.
private struct KnownSettles {
  private var dice: SplitMix

  init(seed: UInt64) { dice = SplitMix(seed: seed) }

  mutating func between(_ low: Double, _ high: Double) -> Double {
    low + (high - low) * Double(dice.next() >> 11) / Double(1 << 53)
  }

  mutating func spread(_ low: Double, _ high: Double) -> Double {
    low * pow(high / low, between(0, 1))
  }

  mutating func sign() -> Double { between(-1, 1) < 0 ? -1 : 1 }

  struct Spring {
    var frequency: Double
    var ratio: Double
    var from: Double
    var to: Double
    var velocity: Double
    var seconds: Double

    /// How much of the way the faster of the two rates of a spring that creeps goes, in its unit; infinite of one that
    /// swings.
    var fastPart: Double {
      guard ratio > 1 else { return .infinity }
      let root = (ratio * ratio - 1).squareRoot()
      let (slow, fast) = (frequency * (ratio - root), frequency * (ratio + root))
      return abs((velocity - slow * (to - from)) / (fast - slow))
    }

    var motion: SettleMotion {
      get throws {
        SettleMotion(
          SettleParameters(
            spring: try DampedSpring(dampingRatio: ratio, stiffness: frequency * frequency)),
          from: from, to: to, velocity: velocity)
      }
    }
  }

  /// A spring with at least a response in view.
  mutating func spring(_ ratios: ClosedRange<Double> = 0.2...1.8) -> Spring {
    let frequency = spread(6, 25)
    let way = between(100, 400) * sign()
    let from = between(0, 100)
    return Spring(
      frequency: frequency, ratio: between(ratios.lowerBound, ratios.upperBound), from: from,
      to: from + way, velocity: between(-1, 6) * way,
      seconds: max(0.3, 2 * .pi / frequency * between(1.1, 2.5)))
  }

  /// A motion at 60 Hz, rounded to a step (0: not), its clock off by up to some seconds.
  mutating func samples(
    _ seconds: Double, step: Double, clock: Double = 0, rate: Double = 60,
    _ value: (Double) -> Double
  ) -> (times: [Double], values: [Double]) {
    let times = (0...Int((seconds * rate).rounded(.up))).map { Double($0) / rate }
    return (
      times,
      times.map { time in
        let value = value(max(0, time + clock * between(-1, 1)))
        return step > 0 ? (value / step).rounded() * step : value
      }
    )
  }
}

@Suite struct MotionFitTests {
  // MARK: Known springs

  /// How many springs; the trial's 1,200 where `KYMO_TEST_ROUNDS` asks for much.
  private static let springCount = TestRounds.isLong ? 1200 : 48
  private static let coverageCount = TestRounds.isLong ? 300 : 60

  @Test func `no spring of a damping ratio of 0.2 to 1.8 with a response in view is lost`() throws {
    var known = KnownSettles(seed: 20)
    var errors: [Double] = []
    var (alike, missed) = (0, 0)
    for _ in 0..<MotionFitTests.springCount {
      let spring = known.spring()
      let motion = try spring.motion
      let (times, values) = known.samples(spring.seconds, step: 0.5) { motion.value(atSeconds: $0) }
      let fit = try MotionFit.fit(seconds: times, values: values, model: .spring)
      #expect(fit.isAccepted, "\(spring)")
      if spring.fastPart < 5 {
        // Such a one creeps as a decay does, by chance: that is said, or the interval is as wide as it has to be.
        if fit["slow_rate"] == nil,
          fit["angular_frequency"]?.interval?.contains(spring.frequency) != true
        {
          missed += 1
        }
        alike += 1
        continue
      }
      // The truth itself leaves no less.
      let truth = zip(times, values).prefix(fit.sampleCount).reduce(0) { sum, sample in
        let left = sample.1 - motion.value(atSeconds: sample.0)
        return sum + left * left
      }
      #expect(fit.rms * fit.rms * Double(fit.sampleCount) <= truth * (1 + 1e-9), "\(spring)")
      let frequency = try #require(fit["angular_frequency"], "\(spring)")
      errors.append(abs(log(frequency.value / spring.frequency)))
      #expect(errors[errors.count - 1] < 0.25, "\(spring): \(frequency)")
    }
    #expect(alike * 20 <= MotionFitTests.springCount)
    #expect(missed * 5 <= alike)
    errors.sort()
    #expect(errors[errors.count / 2] < 0.004)
    if TestRounds.isLong {
      print(
        "\(errors.count) springs and \(alike) that creep as decays do, none lost; median error \(errors[errors.count / 2])"
      )
    }
  }

  /// In how many of `count` springs the intervals hold the truth.
  private func coverage(step: Double, clock: Double, count: Int) throws -> [String: Int] {
    var known = KnownSettles(seed: 33)
    var held: [String: Int] = [:]
    for _ in 0..<count {
      let spring = known.spring()
      let motion = try spring.motion
      let (times, values) = known.samples(spring.seconds, step: step, clock: clock) {
        motion.value(atSeconds: $0)
      }
      let fit = try MotionFit.fit(seconds: times, values: values, model: .spring)
      for (name, truth) in [
        ("angular_frequency", spring.frequency), ("damping_ratio", spring.ratio),
        ("target", spring.to), ("velocity", spring.velocity),
      ] where fit[name]?.interval?.contains(truth) == true {
        held[name, default: 0] += 1
      }
    }
    return held
  }

  @Test(arguments: [1, 0.5, 1.0 / 3, 0.125, 1.0 / 64])
  func `intervals hold what they say they hold, whatever the step`(step: Double) throws {
    let count = MotionFitTests.coverageCount
    let held = try coverage(step: step, clock: 0, count: count)
    // Of 60 draws at 90 % one in a hundred has less than 49.
    let (fewest, most) = TestRounds.isLong ? (0.85, 0.98) : (0.8, 1)
    for (name, number) in held {
      #expect(Double(number) >= fewest * Double(count), "\(name) \(number) of \(count)")
      #expect(Double(number) <= most * Double(count), "\(name) \(number) of \(count)")
    }
    #expect(held.count == 4)
    if TestRounds.isLong { print("step \(step): \(held.sorted { $0.key < $1.key }) of \(count)") }
  }

  @Test(arguments: [0.001, 0.004])
  func `intervals bear a clock that is off`(clock: Double) throws {
    let count = MotionFitTests.coverageCount
    let held = try coverage(step: 0.5, clock: clock, count: count)
    for (name, number) in held {
      #expect(Double(number) >= 0.8 * Double(count), "\(name) \(number) of \(count)")
    }
    #expect(held.count == 4)
    if TestRounds.isLong { print("clock \(clock): \(held.sorted { $0.key < $1.key }) of \(count)") }
  }

  @Test func `values that are not rounded give the parameters back`() throws {
    var known = KnownSettles(seed: 5)
    for _ in 0..<12 {
      let spring = known.spring()
      let motion = try spring.motion
      let (times, values) = known.samples(spring.seconds, step: 0) { motion.value(atSeconds: $0) }
      let fit = try MotionFit.fit(seconds: times, values: values)
      #expect(fit.model == .spring, "\(spring)")
      #expect(fit.step == nil, "\(spring)")
      for (name, truth) in [
        ("angular_frequency", spring.frequency), ("damping_ratio", spring.ratio),
        ("target", spring.to), ("from", spring.from), ("velocity", spring.velocity),
        ("stiffness", spring.frequency * spring.frequency),
        ("damping", 2 * spring.ratio * spring.frequency), ("response", 2 * .pi / spring.frequency),
      ] {
        let found = try #require(fit[name])
        #expect(abs(found.value - truth) <= 1e-6 * max(1, abs(truth)), "\(name): \(spring)")
        #expect(found.interval?.contains(truth) == true, "\(name): \(spring)")
      }
      #expect(abs(fit.value(atSeconds: 0.1) - motion.value(atSeconds: 0.1)) < 1e-6)
    }
  }

  @Test(arguments: [0.3, 1 - 1e-9, 1, 1 + 1e-12, 1 + 1e-6, 1.0001, 1.7, 12])
  func `the two motions of a spring are its closed form, also about critical damping`(
    ratio: Double
  ) throws {
    let basis = SpringBasis(frequency: 14, ratio: ratio)
    let motion = SettleMotion(
      SettleParameters(spring: try DampedSpring(dampingRatio: ratio, stiffness: 196)),
      from: 3, to: 0, velocity: -20)
    for step in 0...100 {
      let time = Double(step) / 60
      let (cosine, sine) = basis.values(at: time)
      let value = 3 * cosine + (-20 + 14 * ratio * 3) * sine
      #expect(abs(value - motion.value(atSeconds: time)) < 1e-7, "\(time)")
    }
  }

  // MARK: Models

  /// A motion of each model, nine of each.
  static let identifiable: [String] = ["spring", "decay", "cubic", "ease", "bezier"]

  @Test(arguments: identifiable)
  func `the model that moved is the one that is chosen`(name: String) throws {
    var known = KnownSettles(seed: 45)
    for round in 0..<9 {
      let (from, way) = (known.between(0, 100), known.between(200, 400) * known.sign())
      let duration = known.between(0.3, 0.6)
      var seconds = duration + 0.1
      let value: (Double) -> Double
      var expected: [String: Double] = ["duration": duration]
      switch name {
      case "spring":
        let spring = known.spring(0.25...1.2)
        let motion = try spring.motion
        (value, seconds) = ({ motion.value(atSeconds: $0) }, spring.seconds + 0.2)
        expected = ["angular_frequency": spring.frequency]
      case "decay":
        let rate = known.between(3, 10)
        (value, seconds) = ({ from + way * (1 - exp(-rate * $0)) }, 5 / rate)
        expected = ["rate": rate, "deceleration_rate": exp(-rate / 1000)]
      case "cubic":
        let motion = SettleMotion(
          try SettleParameters(cubic: duration), from: from, to: from + way,
          velocity: known.between(0, 6) * way)
        value = { motion.value(atSeconds: $0) }
        expected["velocity"] = motion.initialVelocity
      default:
        let easing =
          name == "ease"
          ? try #require(Easing(named: ["ease", "ease-in", "ease-out", "ease-in-out"][round % 4]))
          : try Easing(
            bezier: known.between(0.1, 0.9), known.between(-0.2, 0.6), known.between(0.1, 0.9),
            known.between(0.4, 1.2))
        value = { from + way * easing.value(at: min(1, $0 / duration)) }
      }
      let (times, values) = known.samples(seconds, step: 0.5, value)
      let fit = try MotionFit.fit(seconds: times, values: values)
      #expect(fit.isAccepted)
      #expect(fit.model == (name == "ease" ? .bezier : MotionFit.Model(rawValue: name)))
      #expect(
        fit.curveName
          == (name == "ease" ? ["ease", "ease-in", "ease-out", "ease-in-out"][round % 4] : nil))
      for (name, truth) in expected {
        let found = try #require(fit[name])
        #expect(
          abs(found.value - truth) < 0.1 * max(0.5, abs(truth)), "\(name): \(found), \(truth)")
      }
      #expect(!fit.words.isEmpty)
    }
  }

  @Test func `a curve that is no Bézier curve is named, and two that look alike are both printed`()
    throws
  {
    var known = KnownSettles(seed: 9)
    for name in ["bounceOut", "elasticOut", "sineInOut", "exponentialOut"] {
      let easing = try #require(Easing(named: name))
      let (times, values) = known.samples(0.6, step: 0) {
        300 * easing.value(at: min(1, $0 / 0.5))
      }
      let fit = try MotionFit.fit(seconds: times, values: values)
      #expect(fit.model == .easing)
      #expect(fit.curveName == name)
      #expect(abs((fit["duration"]?.value ?? 0) - 0.5) < 1e-6)
    }
    // In points a sine is a Bézier curve as well.
    let sine = Easing(.sine, .inOut)
    let (times, values) = known.samples(0.6, step: 1) { 300 * sine.value(at: min(1, $0 / 0.5)) }
    let fit = try MotionFit.fit(seconds: times, values: values)
    let both = [fit] + fit.rivals
    #expect(Set(both.map(\.model)) == [.bezier, .easing])
    #expect(both.contains { $0.curveName == "sineInOut" })
    #expect(both.allSatisfy { $0.criterion <= fit.criterion + 4 })
  }

  @Test func `a decay that leaves as little as the spring is named beside it`() throws {
    var known = KnownSettles(seed: 41)
    for _ in 0..<40 {
      // A spring that creeps, whose fast part is a few steps: nearly a decay.
      let (rate, part) = (known.between(4, 9), known.between(0.2, 8))
      let (times, values) = known.samples(0.6, step: 1) {
        100 - (100 - part) * exp(-rate * $0) - part * exp(-5 * rate * $0)
      }
      let fit = try MotionFit.fit(seconds: times, values: values)
      guard fit.model == .spring else { continue }
      let decay = try MotionFit.fit(seconds: times, values: values, model: .decay)
      let isAsGood = decay.isAccepted && decay.criterion <= fit.criterion + 4
      #expect(fit.rivals.contains { $0.model == .decay } == isAsGood)
    }
  }

  @Test func `only the model or the curve that is asked for is tried`() throws {
    let ease = try #require(Easing(named: "ease"))
    var known = KnownSettles(seed: 2)
    let (times, values) = known.samples(0.5, step: 0.5) { 300 * ease.value(at: min(1, $0 / 0.4)) }
    for model in MotionFit.Model.allCases {
      let fit = try MotionFit.fit(seconds: times, values: values, model: model)
      #expect(fit.model == model)
      #expect(fit.isAccepted == (model == .bezier), "\(model)")
      #expect(fit.rivals.isEmpty)
    }
    let named = try MotionFit.fit(seconds: times, values: values, curve: ease)
    #expect(named.isAccepted)
    #expect(named.curveName == "ease")
    let wrong = try MotionFit.fit(seconds: times, values: values, curve: Easing(.bounce, .out))
    #expect(!wrong.isAccepted)
  }

  // MARK: What is open

  @Test func `above a damping ratio of 4 only the slow rate is printed`() throws {
    var known = KnownSettles(seed: 6)
    var slowOnly = 0
    for _ in 0..<8 {
      let (ratio, frequency) = (known.between(5, 9), known.between(30, 60))
      let spring = try DampedSpring(dampingRatio: ratio, stiffness: frequency * frequency)
      let motion = SettleMotion(
        SettleParameters(spring: spring), from: 0, to: 300, velocity: known.between(-500, 500))
      let (times, values) = known.samples(1.5, step: 1.0 / 64, rate: 120) {
        motion.value(atSeconds: $0)
      }
      let fit = try MotionFit.fit(seconds: times, values: values, model: .spring)
      if let found = fit["damping_ratio"] {
        // One that was found to be lower is as open as it is.
        #expect(found.value <= 4)
        continue
      }
      slowOnly += 1
      #expect(fit["angular_frequency"] == nil)
      #expect(fit.words.allSatisfy { $0.system == "CSS" })
      let rate = try #require(fit["slow_rate"])
      #expect(abs(rate.value / (frequency / (2 * ratio)) - 1) < 0.03, "\(rate)")
      #expect(fit.limits.contains { $0.contains("above 4") })
    }
    #expect(slowOnly > 5)
  }

  @Test func `a settle that is cut says so, and its intervals are as wide as they have to be`()
    throws
  {
    var known = KnownSettles(seed: 3)
    var held = 0
    let rounds = 20
    for _ in 0..<rounds {
      var spring = known.spring(0.4...1)
      spring.frequency = known.between(6, 10)
      let motion = try spring.motion
      let (times, values) = known.samples(
        0.3 * 2 * .pi / spring.frequency, step: 0.125, rate: 120
      ) { motion.value(atSeconds: $0) }
      let fit = try MotionFit.fit(seconds: times, values: values, model: .spring)
      #expect(
        fit.limits.contains { $0.contains("of a response is in view") || $0.contains("above 4") })
      if fit["damping_ratio"]?.interval?.contains(spring.ratio) == true { held += 1 }
    }
    #expect(held >= 15, "\(held) of \(rounds)")
  }

  @Test func `a mass and a slowed clock come from what is known`() throws {
    let spring = try DampedSpring(duration: 0.35, bounce: 0.2)
    let motion = SettleMotion(
      SettleParameters(spring: spring), from: 0, to: 300, velocity: 600)
    // Three times as slow as it was made.
    let times = (0..<150).map { Double($0) / 60 }
    let values = times.map { motion.value(atSeconds: $0 / 3) }
    let plain = try MotionFit.fit(seconds: times, values: values)
    #expect(abs((plain["response"]?.value ?? 0) - 1.05) < 1e-6)
    #expect(plain["mass"]?.value == 1)
    #expect(plain["mass"]?.interval == nil)
    #expect(plain.limits.contains { $0.contains("mass") })
    #expect(plain.limits.contains { $0.contains("time scale") })
    let fit = try MotionFit.fit(
      seconds: times, values: values, known: .init(mass: 2, durationSeconds: 0.35))
    let scale = try #require(fit.timeScale)
    #expect(abs(scale.value - 3) < 1e-6)
    #expect(scale.interval?.contains(3) == true)
    for (name, truth) in [
      ("response", 0.35), ("damping_ratio", 0.8), ("velocity", 600), ("mass", 2),
      ("stiffness", 2 * spring.stiffness), ("damping", 2 * spring.damping), ("target", 300),
    ] {
      #expect(abs((fit[name]?.value ?? 0) / truth - 1) < 1e-6, "\(name)")
    }
    #expect(!fit.limits.contains { $0.contains("mass") || $0.contains("time scale") })
    // A response that is known is certain.
    let bounds = try #require(fit["response"]?.interval)
    #expect(bounds.upperBound - bounds.lowerBound < 1e-12)
    #expect(fit.words.first?.text == ".spring(duration: 0.35, bounce: 0.2)")
  }

  @Test func `a motion that begins later is found with its delay`() throws {
    var known = KnownSettles(seed: 8)
    let spring = known.spring(0.4...0.8)
    let motion = try spring.motion
    let times = (0..<90).map { Double($0) / 60 }
    let late = times.map { motion.value(atSeconds: max(0, $0 - 4.0 / 60)) }
    let fit = try MotionFit.fit(seconds: times, values: late)
    #expect(fit.model == .spring)
    #expect(fit.isAccepted)
    #expect(abs((fit["delay"]?.value ?? 0) - 4.0 / 60) < 1e-9)
    #expect(abs((fit["angular_frequency"]?.value ?? 0) / spring.frequency - 1) < 1e-6)
    let ease = try #require(Easing(named: "ease-in-out"))
    let eased = times.map { 300 * ease.value(at: max(0, min(1, ($0 - 0.11) / 0.4))) }
    let curve = try MotionFit.fit(seconds: times, values: eased)
    #expect(curve.curveName == "ease-in-out")
    #expect(abs((curve["delay"]?.value ?? 0) - 0.11) < 1e-5)
    #expect(abs((curve["duration"]?.value ?? 0) - 0.4) < 1e-5)
  }

  @Test func `what nothing fits has no model, and the nearest is named as that`() throws {
    let times = (0..<60).map { Double($0) / 60 }
    let values = times.map { 100 * ($0 < 0.5 ? sin(30 * $0) : 3 * $0 - cos(50 * $0 * $0)) }
    let fit = try MotionFit.fit(seconds: times, values: values)
    #expect(!fit.isAccepted)
    #expect(fit.rivals.isEmpty)
    #expect(fit.rms > 0.002 * 100)
  }

  // MARK: Steps and edges

  @Test(arguments: [1, 0.5, 1.0 / 3, 0.25, 0.125, 0.1, 1.0 / 64, 0.01, 1.0 / 1024])
  func `the step of values is found in them, also after single precision`(step: Double) throws {
    var known = KnownSettles(seed: 1)
    let spring = known.spring()
    let motion = try spring.motion
    let (times, values) = known.samples(spring.seconds, step: step) { motion.value(atSeconds: $0) }
    for values in [values, values.map { Double(Float($0)) }] {
      let fit = try MotionFit.fit(seconds: times, values: values, model: .spring)
      #expect(abs((fit.step ?? 0) - step) < 1e-12)
    }
    #expect(try MotionFit.fit(seconds: times, values: values, model: .spring, step: 2).step == 2)
  }

  @Test func `too few samples, no motion and absurd numbers are refused with a sentence`() {
    func code(_ times: [Double], _ values: [Double]) -> MotionFitError.Code? {
      do {
        _ = try MotionFit.fit(seconds: times, values: values)
        return nil
      } catch {
        #expect(error.message.hasSuffix("."))
        return error.code
      }
    }
    let times = (0..<20).map { Double($0) / 60 }
    let moving = times.map { exp(-6 * $0) }
    #expect(code([], []) == .noMotion)
    #expect(code([0], [1]) == .noMotion)
    #expect(code([0, 1], [1, 2]) == .tooFewSamples)
    #expect(code(Array(times.prefix(7)), moving) == .tooFewSamples)
    #expect(code(Array(times.prefix(8)), moving) == nil)
    #expect(code(times, times.map { _ in 4 }) == .noMotion)
    #expect(code(times, times.map { $0 < 0.1 ? 0 : 1 }) == .noMotion)
    #expect(code(times, times.map { $0.isZero ? -1.7e308 : 1.7e308 - $0 }) == .outOfRange)
    #expect(code(times, times.map { cos(9 * $0) * 1.7e308 }) == .outOfRange)
    #expect(code(times.map { $0 * 1e12 }, moving) == .outOfRange)
    #expect(code(times.map { $0 * 1e-12 }, moving) == .outOfRange)
    #expect(code(times.map { _ in 0 }, moving) == .noMotion)
    #expect(code(times.reversed(), moving) == .noMotion)
    #expect(code(times, times.map { _ in .nan }) == .noMotion)
    for known in [MotionFit.Known(mass: 0), .init(durationSeconds: -1), .init(mass: .nan)] {
      #expect(throws: MotionFitError.self) {
        try MotionFit.fit(seconds: times, values: moving, known: known)
      }
    }
  }

  @Test func `samples that make no sense are left out, and nothing of them ends a fit`() throws {
    var dice = SplitMix(seed: 77)
    let odd = [
      Double.nan, .infinity, -.infinity, 1e308, -1e308, .leastNonzeroMagnitude, 0, -0.0, 1, 1e-300,
      1e15, 0.5,
    ]
    for round in 0..<(TestRounds.asked ?? 1) * 150 {
      let times = (0..<40).map { place in
        round % 3 == 0 ? odd[Int(dice.next() % 12)] : Double(place) / [60, 1e5, 0.01][round % 3]
      }
      let values = (0..<40).map { place in
        round % 2 == 0 ? odd[Int(dice.next() % 12)] : Double(place * place % 7) * odd[round % 12]
      }
      guard let fit = try? MotionFit.fit(seconds: times, values: values) else { continue }
      #expect(fit.parameters.allSatisfy { $0.value.isFinite })
      #expect(fit.value(atSeconds: 1e300).isFinite)
    }
    // A sample that goes back and one that is no number change nothing.
    var known = KnownSettles(seed: 4)
    let spring = known.spring()
    let motion = try spring.motion
    var (times, values) = known.samples(spring.seconds, step: 0.5) { motion.value(atSeconds: $0) }
    let fit = try MotionFit.fit(seconds: times, values: values)
    times.insert(contentsOf: [times[4], 0, times[5]], at: 5)
    values.insert(contentsOf: [values[4], 999, .nan], at: 5)
    #expect(try MotionFit.fit(seconds: times, values: values) == fit)
  }

  @Test func `of a million samples four thousand are fitted, and of ten hours at rest six`() throws
  {
    let times = (0..<1_000_000).map { Double($0) / 1000 }
    let slow = try MotionFit.fit(seconds: times, values: times.map { sin($0) }, model: .spring)
    #expect(slow.sampleCount == 4096)
    #expect(slow.limits.contains { $0.contains("4096") })
    let settled = try MotionFit.fit(
      seconds: times, values: times.map { (exp(-8 * $0) * 300).rounded() }, model: .decay)
    #expect(settled.sampleCount < 1000)
    #expect(abs((settled["rate"]?.value ?? 0) - 8) < 0.05)
  }

  // MARK: Straight lines

  @Test func `no fewer straight lines come as near`() {
    /// By trying every choice.
    func fewest(_ heights: [Double], _ tolerance: Double) -> Int {
      let inner = heights.count - 2
      return (0..<(1 << inner)).compactMap { choice -> Int? in
        let kept =
          [0] + (0..<inner).filter { choice & (1 << $0) != 0 }.map { $0 + 1 } + [inner + 1]
        for (one, other) in zip(kept, kept.dropFirst()) {
          for place in one...other {
            let share = Double(place - one) / Double(other - one)
            if abs(lerp(heights[one], heights[other], share) - heights[place]) > tolerance + 1e-12 {
              return nil
            }
          }
        }
        return kept.count
      }.min() ?? 0
    }
    var known = KnownSettles(seed: 12)
    for _ in 0..<30 {
      let heights = (0..<10).map { _ in known.between(0, 1) }
      for tolerance in [0, 0.1, 0.3, 1] {
        let kept = fewestPoints(of: heights, within: tolerance)
        #expect(kept.first == 0)
        #expect(kept.last == 9)
        #expect(kept.count == fewest(heights, tolerance))
      }
    }
    #expect(fewestPoints(of: [1], within: 0) == [0])
    #expect(fewestPoints(of: [0, 1, 2, 3], within: 1e-9) == [0, 3])
  }
}
