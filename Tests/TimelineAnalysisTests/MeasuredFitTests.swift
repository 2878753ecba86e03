import Foundation
import MotionPhysics
import TestSupport
import Testing

@testable import MotionMeasures

/// Settles whose values were measured, so that they have errors.
@Suite struct MeasuredFitTests {
  private static let frames = (0..<96).map { Double($0) / 60 }

  /// A spring from 640 to 240 that begins between two frames.
  private static func spring(at start: Double, _ time: Double) throws -> Double {
    let motion = SettleMotion(
      SettleParameters(spring: try DampedSpring(mass: 1, stiffness: 180, damping: 22)), from: 640,
      to: 240, velocity: 0)
    return motion.value(atSeconds: max(0, time - start))
  }

  /// Numbers about 0 with a standard deviation of 1.
  private struct Noise {
    var dice: SplitMix

    init(seed: UInt64) { dice = SplitMix(seed: seed) }

    mutating func next() -> Double {
      (0..<12).reduce(-6) { sum, _ in sum + Double(dice.next() >> 11) / Double(1 << 53) }
    }
  }

  @Test func `the start of a spring is found in noise, and its intervals hold`() throws {
    var (held, starts) = (0, 0)
    var errors: [Double] = []
    for seed in 1...20 {
      var noise = Noise(seed: UInt64(seed))
      let start = 0.3 + Double(seed) / 1200
      let values = try Self.frames.map { try Self.spring(at: start, $0) + 0.05 * noise.next() }
      let fit = try MotionFit.fit(
        seconds: Self.frames, values: values, errors: values.map { _ in 0.05 * 1.645 })
      #expect(fit.model == .spring)
      #expect(fit.isAccepted)
      let stiffness = try #require(fit["stiffness"])
      errors.append(abs(stiffness.value / 180 - 1))
      if stiffness.interval?.contains(180) == true { held += 1 }
      if fit["delay"]?.interval?.contains(start) == true { starts += 1 }
    }
    #expect(held >= 16)
    #expect(starts >= 16)
    #expect(errors.max() ?? 1 < 0.005)
  }

  @Test func `samples that are known less well count less`() throws {
    var noise = Noise(seed: 7)
    let sizes = Self.frames.indices.map { $0 % 3 == 0 ? 0.8 : 0.02 }
    let values = try zip(Self.frames, sizes).map {
      try Self.spring(at: 0.31, $0) + $1 * noise.next()
    }
    let weighted = try MotionFit.fit(
      seconds: Self.frames, values: values, model: .spring, errors: sizes.map { $0 * 1.645 })
    let plain = try MotionFit.fit(
      seconds: Self.frames, values: values, model: .spring,
      errors: sizes.map { _ in 0.47 * 1.645 })
    let error = abs(try #require(weighted["stiffness"]).value - 180)
    #expect(error < 0.3)
    #expect(error < abs(try #require(plain["stiffness"]).value - 180))
  }

  @Test func `noise alone is no motion`() {
    var noise = Noise(seed: 3)
    let values = Self.frames.map { _ in 300 + 0.05 * noise.next() }
    let error = #expect(throws: MotionFitError.self) {
      try MotionFit.fit(
        seconds: Self.frames, values: values, errors: values.map { _ in 0.05 * 1.645 })
    }
    #expect(error?.code == .noMotion)
  }

  @Test func `of two models that leave no more than the errors the one of fewer numbers is chosen`()
    throws
  {
    var held = 0
    for seed in 1...20 {
      var noise = Noise(seed: UInt64(seed))
      let ease = try #require(Easing(named: "ease"))
      let values = Self.frames.map {
        640 - 400 * ease.value(at: max(0, min(1, ($0 - 0.3031) / 0.4))) + 0.03 * noise.next()
      }
      let fit = try MotionFit.fit(
        seconds: Self.frames, values: values, errors: values.map { _ in 0.03 * 1.645 })
      #expect(fit.curveName == "ease")
      #expect(abs(try #require(fit["duration"]).value - 0.4) < 0.0005)
      if fit["duration"]?.interval?.contains(0.4) == true { held += 1 }
    }
    #expect(held >= 16)
  }

  @Test func `a curve that begins between two frames has its start fitted, also without errors`()
    throws
  {
    let ease = try #require(Easing(named: "ease"))
    let times = (0..<40).map { Double($0) / 60 }
    let values = times.map { 640 - 400 * ease.value(at: max(0, min(1, ($0 - 0.009) / 0.4))) }
    let fit = try MotionFit.fit(seconds: times, values: values)
    #expect(fit.curveName == "ease")
    #expect(abs(try #require(fit["duration"]).value - 0.4) < 1e-5)
    #expect(abs(try #require(fit["delay"]).value - 0.009) < 1e-5)
  }
}
