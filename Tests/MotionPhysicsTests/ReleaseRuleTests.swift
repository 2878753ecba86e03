import MotionPhysics
import Testing

@testable import TimelineModel

@Suite struct ReleaseRuleTests {
  @Test func `more than the threshold finishes, the threshold itself cancels`() {
    let rule = ReleaseRule()
    let tie = rule.decide(progress: 0.5, velocity: 9)
    #expect(tie.outcome == .cancel)
    #expect(tie.marginProgress == 0)
    #expect(tie.flipProgress == 0.5)
    #expect(tie.flipVelocity == nil)
    #expect(tie.marginVelocity == nil)
    #expect(tie.marginThreshold == 0)
    #expect(rule.decide(progress: Double(0.5).nextUp, velocity: nil).outcome == .finish)
    let finish = rule.decide(progress: 0.75, velocity: -9)
    #expect(finish.outcome == .finish)
    #expect(finish.marginProgress == 0.25)
    let cancel = rule.decide(progress: -1, velocity: nil)
    #expect(cancel.outcome == .cancel)
    #expect(cancel.marginProgress == 1.5)
    #expect(cancel.projectedProgress == nil)
    #expect(cancel.criterion == .progress)
  }

  @Test func `a redaction lets the names of all rules and estimators through`() {
    let names = ReleaseRule.Kind.allCases.map(\.rawValue) + Estimator.allCases.map(\.rawValue)
    for name in names { #expect(RedactionWords.isWord(name), "\(name)") }
  }

  @Test func `the threshold is the caller's`() {
    let ruleDecision = ReleaseRule(threshold: 0.1).decide(progress: 0.35, velocity: nil)
    #expect(ruleDecision.outcome == .finish)
    #expect(agree(ruleDecision.marginProgress, 0.25))
    #expect(agree(ruleDecision.marginThreshold, 0.25))
  }

  @Test func `a progress that is no number cancels without a margin, an endless one has its own`() {
    let unknown = ReleaseRule().decide(progress: .nan, velocity: 1, standardError: 1)
    #expect(unknown.outcome == .cancel)
    #expect(unknown.marginProgress == nil)
    #expect(unknown.marginVelocity == nil)
    #expect(unknown.marginSigma == nil)
    let far = ReleaseRule().decide(progress: .infinity, velocity: nil)
    #expect(far.outcome == .finish)
    #expect(far.marginProgress == .greatestFiniteMagnitude)
    #expect(ReleaseRule().decide(progress: -.infinity, velocity: nil).outcome == .cancel)
  }

  /// Asks a rule about pairs of progress and velocity; "f" and "c" stand for its answers.
  private func answers(_ rule: ReleaseRule, _ pairs: [(Double, Double)]) -> String {
    pairs.map { rule.decide(progress: $0, velocity: $1).outcome == .finish ? "f" : "c" }.joined()
  }

  @Test func `a speed over its threshold decides by its sign, the threshold itself does not`() {
    let rule = ReleaseRule(kind: .velocity)
    #expect(rule.threshold == 0.5)
    #expect(rule.velocityThreshold == 0.5)
    #expect(answers(rule, [(0, 0.51), (1, -0.51), (0, 0.5), (1, -0.5)]) == "fccf")
    #expect(answers(rule, [(0.5, 0), (0.51, 0), (0.49, 0.4)]) == "cfc")
    let byVelocity = rule.decide(progress: 0.2, velocity: 0.75, standardError: 0.125)
    #expect(byVelocity.criterion == .velocity)
    #expect(byVelocity.flipProgress == nil)
    #expect(byVelocity.flipVelocity == 0.5)
    #expect(byVelocity.marginVelocity == 0.25)
    #expect(byVelocity.marginThreshold == 0.25)
    #expect(byVelocity.marginSigma == 2)
    let agreed = rule.decide(progress: 0.75, velocity: 0.75)
    #expect(agreed.flipVelocity == -0.5)
    #expect(agreed.marginVelocity == 1.25)
    #expect(agreed.marginThreshold == nil)
    #expect(agreed.marginSigma == nil)
  }

  @Test func `a projection is held against the threshold, continuously or by milliseconds`() {
    let continuous = ReleaseRule(kind: .projection)
    let discrete = ReleaseRule(kind: .projectionDiscrete)
    #expect(agree(continuous.decide(progress: 0.1, velocity: 1).projectedProgress, 0.599499833))
    #expect(agree(discrete.decide(progress: 0.1, velocity: 1).projectedProgress, 0.599))
    #expect(answers(discrete, [(0.1, 0.8), (0.1, 0.81), (0.9, -0.81), (0.9, -0.8)]) == "cfcf")
    #expect(answers(continuous, [(0.5, 0), (0.5, 1e-9), (0.5, -1e-9)]) == "cfc")
    // Between the two ways to project lies a tenth of a percent.
    let between = 0.4 / 0.4992
    #expect(answers(continuous, [(0.1, between)]) + answers(discrete, [(0.1, between)]) == "fc")
    let fast = ReleaseRule(kind: .projectionDiscrete, decelerationRate: 0.99)
    let ruleDecision = fast.decide(progress: 0.4, velocity: 0.5)
    #expect(ruleDecision.outcome == .cancel)
    #expect(ruleDecision.criterion == .projection)
    #expect(agree(ruleDecision.projectedProgress, 0.4495))
    #expect(agree(ruleDecision.marginThreshold, 0.0505))
    #expect(agree(ruleDecision.flipVelocity, 0.1 / 0.099))
    #expect(agree(ruleDecision.flipProgress, 0.4505))
  }

  @Test func `GNOME takes the nearer end when slow, and else goes on the way of the finger`() {
    // 1000 points: one progress per second is one point per millisecond.
    let rule = ReleaseRule(kind: .gnome, distance: 1000)
    #expect(answers(rule, [(0.5, 0), (0.51, -0.29), (0.49, 0.29), (0.01, 0.3)]) == "cfcf")
    // Backwards it needs the rest place to be past half way: 0.998 - 0.499 is not.
    #expect(answers(rule, [(0.998, -1), (1, -1), (1.2, -1), (0.2, -0.3)]) == "cffc")
    // Never back past the start, and never on from before it.
    #expect(answers(rule, [(-0.5, 1), (-0.49, 1), (-2, -3)]) == "cfc")
    // Above two points per millisecond the way is a parabola, without a step between.
    let c = 0.499 / 0.7
    let x = 4 - 2 + c
    let way = 0.35 * (x * x - c * c) + 2 * 0.499
    #expect(agree(rule.decide(progress: -3, velocity: 4).projectedProgress, way - 3))
    #expect(agree(rule.decide(progress: 3.75, velocity: -4).flipProgress, way + 0.5))
    let near = rule.decide(progress: 0, velocity: 2).projectedProgress ?? 0
    let above = rule.decide(progress: 0, velocity: Double(2).nextUp).projectedProgress ?? 1
    #expect(agree(near, 0.998))
    #expect(agree(above, 0.998))
  }

  @Test func `GNOME counts its speeds in points, whatever progress they stand for`() {
    let near = ReleaseRule(kind: .gnome, distance: 100)
    #expect(answers(near, [(0.1, 2.9), (0.1, 3)]) == "cf")
    #expect(agree(near.decide(progress: 0.1, velocity: 2).flipVelocity, 3))
    #expect(near.decide(progress: 0.1, velocity: 4).criterion == .velocity)
    #expect(agree(near.decide(progress: 0.1, velocity: 4).marginThreshold, 0.1))
  }

  @Test func `Compose decides ties by the direction of the movement`() {
    let rule = ReleaseRule(kind: .compose, distance: 250)
    #expect(rule.velocityThreshold == 125)
    #expect(answers(rule, [(0.5, 0.1), (0.5, 0), (0.5, -0.1)]) == "ffc")
    #expect(answers(rule, [(0.01, 0.5), (0.99, -0.5), (0.01, 0.49), (0.99, -0.49)]) == "fccf")
    // On an anchor there is nothing to choose between.
    #expect(
      answers(rule, [(0, 9), (1, -9), (-0.5, 9), (1.5, -9), (0, 0.1), (1, -0.1)]) == "cfcfcf")
    // The threshold counts from the anchor that the movement comes from.
    let far = ReleaseRule(kind: .compose, threshold: 0.75, distance: 250)
    #expect(answers(far, [(0.74, 0.1), (0.75, 0.1), (0.25, -0.1), (0.26, -0.1)]) == "cfcf")
    #expect(answers(far, [(0.6, 0), (0.4, 0)]) == "fc")
    // So a finger that turns round finishes here, and the flip lies at a rest.
    let turned = far.decide(progress: 0.4, velocity: 0.1)
    #expect(turned.outcome == .cancel)
    #expect(turned.flipVelocity == 0)
    #expect(turned.marginVelocity == 0.1)
    #expect(agree(turned.marginThreshold, 0.35))
  }

  @Test func `Flutter's page leaves at one page per second, and from half way on`() {
    let rule = ReleaseRule(kind: .flutterCupertino)
    #expect(answers(rule, [(0, 1), (1, -1), (0, 0.99), (1, -0.99)]) == "fccf")
    #expect(answers(rule, [(0.5, 0), (Double(0.5).nextDown.nextDown, 0)]) == "fc")
    #expect(rule.decide(progress: 0.5, velocity: 0).marginProgress == 0)
  }

  @Test func `Flutter's dismissal asks for a fling that leads by far, and lets one turn it back`() {
    let rule = ReleaseRule(kind: .flutterDismissible, distance: 700)
    #expect(rule.threshold == 0.4)
    #expect(rule.velocityThreshold == 700)
    #expect(answers(rule, [(0.1, 1), (0.9, -1), (0.1, 0.99), (0.9, -0.99)]) == "fccf")
    #expect(answers(rule, [(0.4, 0), (0.41, 0)]) == "cf")
    #expect(answers(rule, [(1, -5), (1.5, -5), (0, 5), (-0.5, 5)]) == "ffcc")
    let slanted = ReleaseRule(kind: .flutterDismissible, distance: 700, crossVelocity: -400)
    #expect(answers(slanted, [(0.1, 1), (0.1, 800 / 700)]) == "cf")
    #expect(agree(slanted.decide(progress: 0.1, velocity: 0).flipVelocity, 800 / 700))
    let whole = ReleaseRule(kind: .flutterDismissible, threshold: 1, distance: 700)
    #expect(answers(whole, [(0.99, 5), (0.99, 0), (1, 0)]) == "ccf")
    #expect(whole.decide(progress: 0.99, velocity: 5).flipVelocity == nil)
  }

  @Test func `OmniWM's ends come first, then a flick, then what is ahead in 0.15 s`() {
    let rule = ReleaseRule(kind: .omniwm)
    #expect(rule.decelerationRate == nil)
    #expect(answers(rule, [(1.1, -9), (-0.1, 9), (1, -9), (0, 9)]) == "fccf")
    #expect(answers(rule, [(0.1, 0.5), (0.9, -0.5), (0.4, 0.49), (0.6, -0.49)]) == "fccf")
    #expect(answers(rule, [(0.5, 0), (0.45, 0.4), (0.55, -0.4)]) == "ffc")
    #expect(rule.decide(progress: 0.5, velocity: 0).marginVelocity == 0)
    let projecting = ReleaseRule(kind: .omniwm, decelerationRate: 0.998)
    #expect(answers(projecting, [(0.3, 0.4), (0.31, 0.4)]) == "cf")
  }

  @Test func `a slow velocity counts as none, and a quick one as the limit`() {
    let rule = ReleaseRule(kind: .velocity, minimumVelocity: 1, maximumVelocity: 2)
    #expect(answers(rule, [(0, 0.9), (0, 1), (1, -0.9), (1, -1)]) == "cffc")
    #expect(rule.decide(progress: 0, velocity: 0.75).flipVelocity == 1)
    let limited = ReleaseRule(kind: .projectionDiscrete, maximumVelocity: 0.5)
    let ruleDecision = limited.decide(progress: 0.2, velocity: 9)
    #expect(ruleDecision.outcome == .cancel)
    #expect(ruleDecision.flipVelocity == nil)
    #expect(agree(ruleDecision.projectedProgress, 0.4495))
    let none = ReleaseRule(kind: .velocity, maximumVelocity: 0)
    #expect(answers(none, [(0, 9), (1, -9)]) == "cf")
  }

  @Test func `an unknown velocity counts as none, and has no margin`() {
    for kind in ReleaseRule.Kind.allCases {
      let rule = ReleaseRule(kind: kind, distance: 100)
      let unknown = rule.decide(progress: 0.3, velocity: nil, standardError: 1)
      let still = rule.decide(progress: 0.3, velocity: 0, standardError: 1)
      #expect(unknown.outcome == still.outcome)
      #expect(unknown.flipVelocity == still.flipVelocity)
      #expect(unknown.marginVelocity == nil, "\(kind)")
      #expect(unknown.marginSigma == nil, "\(kind)")
      #expect(unknown.marginProgress == still.marginProgress)
      let asksVelocity = ![.progress, .kwin, .kwinOverview].contains(kind)
      #expect((still.marginVelocity != nil) == asksVelocity, "\(kind)")
    }
  }

  @Test
  func `a fling over a threshold of 1 or more is as far from finishing as its threshold is from 1`()
  {
    let rule = ReleaseRule(kind: .flutterDismissible, threshold: 1.25, distance: 1000)
    let fling = rule.decide(progress: 0.5, velocity: 2)
    #expect(fling.outcome == .cancel)
    #expect(fling.marginThreshold == 0.25)
  }

  @Test func `a kind is its definition's name, and no two have one name`() {
    let kinds = ReleaseRule.Kind.allCases
    #expect(kinds.map(\.rawValue) == RuleDefinition.all.map(\.name))
    #expect(Set(kinds.map(\.rawValue)).count == kinds.count)
    for kind in kinds { #expect(ReleaseRule.Kind(rawValue: kind.rawValue) == kind) }
    #expect(ReleaseRule.Kind(rawValue: "flutterCupertino") == nil)
  }

  @Test func `every kind has its peer's numbers, and knows no others`() {
    let facts = ReleaseRule.Kind.allCases.map { kind in
      let rule = ReleaseRule(kind: kind, velocityThreshold: nil)
      return "\(kind.rawValue) \(rule.threshold) \(rule.velocityThreshold ?? -1) "
        + "\(kind.definition.usual.speed?.unit.rawValue ?? "-") \(rule.decelerationRate ?? -1)"
    }
    #expect(
      facts == [
        "progress 0.5 -1.0 - -1.0", "velocity 0.5 0.5 1/s -1.0", "projection 0.5 -1.0 - 0.998",
        "projection-discrete 0.5 -1.0 - 0.998", "gnome 0.5 0.3 pt/ms 0.998",
        "compose 0.5 125.0 pt/s -1.0", "flutter-cupertino 0.5 1.0 1/s -1.0",
        "flutter-dismissible 0.4 700.0 pt/s -1.0", "omniwm 0.5 0.5 1/s -1.0",
        "niri 0.5 -1.0 - 0.997", "cosmic 0.5 0.02 outputs/s -1.0",
        "hyprland 0.5 30.0 pt/report -1.0", "kwin 0.25 -1.0 - -1.0",
        "kwin-overview 0.5 -1.0 - -1.0", "wayfire 0.35 24.0 pt/2 reports -1.0",
      ])
    let rule = ReleaseRule(kind: .progress, velocityThreshold: 3, decelerationRate: 0.5)
    #expect(rule.velocityThreshold == nil)
    #expect(rule.decelerationRate == nil)
  }

  @Test func `the defaults are the documented ones`() {
    let parameters = ReleaseParameters()
    #expect(parameters.estimator == .lsq2)
    #expect(parameters.window == .android)
    #expect(parameters.window.name == "android")
    #expect(parameters.rule == ReleaseRule(kind: .progress, threshold: 0.5))
    #expect(
      Estimator.allCases.map(\.rawValue) == [
        "lsq1", "lsq2", "lsq3", "lsq-span", "lsq2-restricted", "wlsq2-delta", "wlsq2-central",
        "wlsq2-recent",
        "int1", "int2", "legacy", "impulse", "impulse-2017", "mean", "mean5", "ios3", "macos3",
        "swiftui", "two-point", "kalman-cv", "kalman-ca", "one-euro", "mean-steps", "step-mean",
        "last-two", "auto",
      ])
  }
}
