import Foundation
import MotionPhysics
import TestSupport
import Testing

@testable import MotionMeasures

/// What a fit prints for other systems.
@Suite struct MotionFitWordsTests {
  private func word(_ fit: MotionFit, _ system: String) -> String {
    fit.words.first { $0.system == system }?.text ?? ""
  }

  @Test func `a spring is printed as eight systems have it`() throws {
    let motion = SettleMotion(
      SettleParameters(spring: try DampedSpring(dampingRatio: 0.6, stiffness: 225)), from: 20,
      to: 300, velocity: 900)
    let times = (0..<60).map { Double($0) / 60 }
    let fit = try MotionFit.fit(seconds: times, values: times.map { motion.value(atSeconds: $0) })
    #expect(
      fit.words.dropLast().map { "\($0.system): \($0.text)" } == [
        "SwiftUI: .spring(duration: 0.41888, bounce: 0.4)",
        "CASpringAnimation: spring.mass = 1; spring.stiffness = 225; spring.damping = 18; "
          + "spring.initialVelocity = 3.2143",
        "UIKit: UISpringTimingParameters(mass: 1, stiffness: 225, damping: 18, initialVelocity: "
          + "CGVector(dx: 3.2143, dy: 3.2143))",
        "Compose: spring(dampingRatio = 0.6f, stiffness = 225f)",
        "Flutter: SpringSimulation(SpringDescription(mass: 1, stiffness: 225, damping: 18), 20, 300, 900)",
        "Motion: { type: \"spring\", mass: 1, stiffness: 225, damping: 18, velocity: 900 }",
        "Reanimated: withSpring(300, { mass: 1, stiffness: 225, damping: 18, velocity: 900 })",
      ])
    let text = word(fit, "CSS")
    let duration = try #require(Double(text.prefix { $0.isNumber })) / 1000
    // The browser's straight lines miss the spring by no more than a thousandth of the way.
    let stops = text.drop { $0 != "(" }.dropFirst().dropLast().components(separatedBy: ", ")
    var points = stops.map { stop -> (share: Double, height: Double) in
      let parts = stop.split(separator: " ")
      return (Double(parts.last?.dropLast() ?? "") ?? 0, Double(parts[0]) ?? .nan)
    }
    points[0].share = 0
    points[points.count - 1].share = 100
    for step in 0...200 {
      let share = Double(step) / 2
      let place = max(1, points.firstIndex { $0.share >= share } ?? 1)
      let (one, other) = (points[place - 1], points[place])
      let height = lerp(
        one.height, other.height, (share - one.share) / (other.share - one.share))
      let value = (motion.value(atSeconds: share / 100 * duration) - 20) / 280
      #expect(abs(height - value) < 0.0025, "\(share) %")
    }
    let creeping = SettleMotion(
      SettleParameters(spring: try DampedSpring(dampingRatio: 1.25, stiffness: 225)), from: 0,
      to: 300, velocity: 0)
    let slow = try MotionFit.fit(
      seconds: times, values: times.map { creeping.value(atSeconds: $0) })
    #expect(word(slow, "SwiftUI") == ".spring(duration: 0.41888, bounce: -0.2)")
    #expect(word(slow, "CASpringAnimation").hasSuffix("spring.allowsOverdamping = true"))
  }

  @Test func `a decay is printed by each system's own number`() throws {
    let decay = try Decay(rate: exp(-0.0021))
    let times = (0..<120).map { Double($0) / 60 }
    let fit = try MotionFit.fit(
      seconds: times,
      values: times.map { decay.value(from: 10, velocity: 840, atSeconds: $0) })
    #expect(fit.model == .decay)
    #expect(
      fit.words.dropLast().map { "\($0.system): \($0.text)" } == [
        "UIKit: UIScrollView.DecelerationRate(rawValue: 0.9979022)",
        "Compose: exponentialDecay<Float>(frictionMultiplier = 0.5f)",
        "Flutter: FrictionSimulation(0.12246, 10, 840)",
        "Motion: { type: \"inertia\", velocity: 840, power: 0.47619, timeConstant: 476.19 }",
        "Reanimated: withDecay({ velocity: 840, deceleration: 0.9979022 })",
      ])
    // Each is the same motion: what is left after a second, and the way that is gone.
    let (left, way, leftOfMotion): (Double, Double, Double) = (
      exp(-0.5 * 4.2), 840 / 2.1, exp(-1 / 0.47619)
    )
    let wayOfMotion: Double = 0.47619 * 840
    #expect(abs(left - 0.12246) < 1e-5)
    #expect(abs(wayOfMotion - way) < 0.01)
    #expect(abs(leftOfMotion - 0.12246) < 1e-5)
  }

  @Test func `the cubic is printed as the Bézier curve that it is`() throws {
    let motion = SettleMotion(
      try SettleParameters(cubic: 0.4), from: 0, to: 300, velocity: 1500)
    let times = (0..<40).map { Double($0) / 60 }
    let fit = try MotionFit.fit(seconds: times, values: times.map { motion.value(atSeconds: $0) })
    #expect(fit.model == .cubic)
    #expect(word(fit, "CSS") == "400ms cubic-bezier(0.33333, 0.66667, 0.66667, 1)")
    let curve = try Easing(bezier: 1.0 / 3, 2.0 / 3, 2.0 / 3, 1)
    for time in times where time < 0.4 {
      #expect(abs(300 * curve.value(at: time / 0.4) - motion.value(atSeconds: time)) < 1e-9)
    }
    #expect(
      word(fit, "Compose")
        == "tween(durationMillis = 400, easing = CubicBezierEasing(0.33333f, 0.66667f, 0.66667f, 1f))"
    )
  }
}
