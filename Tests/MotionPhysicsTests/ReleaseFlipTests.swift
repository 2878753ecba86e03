import MotionPhysics
import TestSupport
import Testing
import TimelineModel

/// Where outcomes flip, held against the rules themselves.
@Suite struct ReleaseFlipTests {
  /// A rule of any kind with any numbers that make sense, some of them at their ends.
  private static func rule(_ generator: inout SplitMix) -> ReleaseRule {
    func number(_ range: ClosedRange<Double>) -> Double {
      let share = Double(generator.next() >> 11) / 0x1p53
      return range.lowerBound + (range.upperBound - range.lowerBound) * share
    }
    func maybe(_ range: ClosedRange<Double>) -> Double? {
      generator.next() % 2 == 0 ? nil : number(range)
    }
    let kinds = ReleaseRule.Kind.allCases
    let kind = kinds[Int(generator.next() % UInt64(kinds.count))]
    let minimum = maybe(0...1) ?? 0
    return ReleaseRule(
      kind: kind, threshold: maybe(-0.2...1.2),
      velocityThreshold: maybe(0...2).map { $0 * (kind.definition.usual.speed?.threshold ?? 1) },
      decelerationRate: maybe(0.9...0.999), distance: maybe(1...2000), minimumVelocity: minimum,
      maximumVelocity: maybe(0...5).map { $0 + minimum }, crossVelocity: maybe(-900...900) ?? 0)
  }

  private static func randomState(_ generator: inout SplitMix) -> (
    progress: Double, velocity: Double
  ) {
    let share = Double(generator.next() >> 11) / 0x1p53
    let speed = Double(generator.next() >> 11) / 0x1p53
    return (share * 2 - 0.5, speed * 8 - 4)
  }

  private static let rounds = 1500

  /// Whether an outcome is another one close to a place, on one of its sides or both.
  private func changes(at flip: Double, _ outcome: (Double) -> ReleaseOutcome) -> Bool {
    let step = max(abs(flip), 1e-3) * 1e-9
    return outcome(flip - step) != outcome(flip + step)
  }

  /// The nearest change of an outcome that a walk in both directions meets, to within its step.
  private func searched(
    from position: Double, reach: Double, _ outcome: (Double) -> ReleaseOutcome
  ) -> Double? {
    let here = outcome(position)
    let count = 800
    for index in 1...count {
      let distance = reach * Double(index) / Double(count)
      if outcome(position - distance) != here || outcome(position + distance) != here {
        return distance
      }
    }
    return nil
  }

  @Test func `just beyond the flip the outcome is the other, and nowhere nearer`() {
    var generator = SplitMix(seed: 41)
    var flips = 0
    for _ in 0..<Self.rounds {
      let rule = Self.rule(&generator)
      let (progress, velocity) = Self.randomState(&generator)
      let ruleDecision = rule.decide(progress: progress, velocity: velocity, standardError: 0.5)
      let context = "\(rule) \(progress) \(velocity)"
      let ofProgress = { rule.decide(progress: $0, velocity: velocity).outcome }
      let ofVelocity = { rule.decide(progress: progress, velocity: $0).outcome }
      if let flip = ruleDecision.flipProgress {
        flips += 1
        #expect(changes(at: flip, ofProgress), "\(context) \(flip)")
        #expect(ruleDecision.marginProgress == abs(flip - progress))
        let short = progress + (flip - progress) * (1 - 1e-9)
        #expect(
          ofProgress(short) == ruleDecision.outcome || abs(flip - progress) < 1e-6, "\(context)")
      }
      if let flip = ruleDecision.flipVelocity {
        flips += 1
        #expect(changes(at: flip, ofVelocity), "\(context) \(flip)")
        #expect(ruleDecision.marginVelocity == abs(flip - velocity))
        #expect(ruleDecision.marginSigma == abs(flip - velocity) / 0.5)
        let short = velocity + (flip - velocity) * (1 - 1e-9)
        #expect(
          ofVelocity(short) == ruleDecision.outcome || abs(flip - velocity) < 1e-6, "\(context)")
      }
    }
    #expect(flips > Self.rounds)
  }

  @Test func `a walk in both directions meets no flip before the one that is told`() {
    var generator = SplitMix(seed: 42)
    for _ in 0..<60 {
      var rule = Self.rule(&generator)
      // The two points that Hyprland wants are more than a step of the walk then.
      if rule.kind == .hyprland { rule.distance = 100 }
      let (progress, velocity) = Self.randomState(&generator)
      let ruleDecision = rule.decide(progress: progress, velocity: velocity)
      let byProgress = searched(from: progress, reach: 4) {
        rule.decide(progress: $0, velocity: velocity).outcome
      }
      let byVelocity = searched(from: velocity, reach: 8) {
        rule.decide(progress: progress, velocity: $0).outcome
      }
      for (met, told, reach) in [
        (byProgress, ruleDecision.marginProgress, 4.0),
        (byVelocity, ruleDecision.marginVelocity, 8.0),
      ] {
        if let met {
          #expect((told ?? .infinity) <= met, "\(rule) \(progress) \(velocity)")
          #expect((told ?? 0) >= met - reach / 400, "\(rule) \(progress) \(velocity)")
        } else {
          #expect((told ?? .infinity) >= reach * 0.99, "\(rule) \(progress) \(velocity)")
        }
      }
    }
  }

  @Test func `a threshold that differs by its margin gives the other outcome`() {
    var generator = SplitMix(seed: 43)
    var flips = 0
    for _ in 0..<Self.rounds {
      let rule = Self.rule(&generator)
      let (progress, velocity) = Self.randomState(&generator)
      let ruleDecision = rule.decide(progress: progress, velocity: velocity)
      guard let margin = ruleDecision.marginThreshold else { continue }
      flips += 1
      let isSpeed = ruleDecision.criterion == .velocity
      let threshold = isSpeed ? rule.velocityThreshold ?? 0 : rule.threshold
      let step = max(1, abs(threshold) + margin) * 1e-8
      let outcomes = [-margin - step, -margin + step, margin - step, margin + step].map { shift in
        var changed = rule
        if isSpeed {
          changed.velocityThreshold = threshold + shift
        } else {
          changed.threshold = threshold + shift
        }
        return changed.decide(progress: progress, velocity: velocity).outcome
      }
      #expect(outcomes.contains { $0 != ruleDecision.outcome }, "\(rule) \(progress) \(velocity)")
    }
    #expect(flips > Self.rounds / 2)
  }

  /// Numbers that make formulas overflow, divide by nothing or compare with nothing.
  private static let odd: [Double] = [
    .nan, .infinity, -.infinity, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, 0, -0.0, 1,
    .leastNonzeroMagnitude, 1e300,
  ]

  @Test func `no number makes a verdict that is not finite`() {
    var generator = SplitMix(seed: 44)
    func odd() -> Double { Self.odd[Int(generator.next() % UInt64(Self.odd.count))] }
    for _ in 0..<5000 {
      let kinds = ReleaseRule.Kind.allCases
      let rule = ReleaseRule(
        kind: kinds[Int(generator.next() % UInt64(kinds.count))], threshold: odd(),
        velocityThreshold: odd(), decelerationRate: generator.next() % 2 == 0 ? 0.998 : odd(),
        distance: odd(), minimumVelocity: odd(), maximumVelocity: odd(), crossVelocity: odd())
      let ruleDecision = rule.decide(progress: odd(), velocity: odd(), standardError: odd())
      let numbers = [
        ruleDecision.flipProgress, ruleDecision.flipVelocity, ruleDecision.marginProgress,
        ruleDecision.marginVelocity,
        ruleDecision.marginThreshold, ruleDecision.marginSigma, ruleDecision.projectedProgress,
      ].compactMap { $0 }
      #expect(numbers.allSatisfy { $0.isFinite }, "\(rule) \(ruleDecision)")
      let margins = [
        ruleDecision.marginProgress, ruleDecision.marginVelocity, ruleDecision.marginThreshold,
        ruleDecision.marginSigma,
      ].compactMap { $0 }
      #expect(margins.allSatisfy { $0 >= 0 }, "\(rule) \(ruleDecision)")
    }
  }
}
