package import MotionMeasures
package import MotionPhysics
import TimelineModel

/// A gesture that a person labelled, as the numbers that rules ask about.
package struct TuningGesture: Hashable, Sendable {
  /// Whether the person meant to finish.
  package var isMeantToFinish: Bool
  /// The progress at the release, no unit.
  package var progress: Double
  /// The progress as those rules have it that keep an account of the reports themselves. Looked up only.
  package var progressByRule: [ReleaseRule.Kind: Double] = [:]
  /// The velocity by each of ``TuningSpace/measures``, per second or by reports. `nil` where one tells none.
  package var velocities: [Double?]
  /// What the session itself was judged by.
  package var own: ReleaseParameters
  /// Whether what is in use now finishes it.
  package var finishesNow: Bool
  /// What it has in common with others that are not left out without it. All nil: each is alone.
  package var group: String?

  package init(
    isMeantToFinish: Bool, progress: Double, progressByRule: [ReleaseRule.Kind: Double] = [:],
    velocities: [Double?], own: ReleaseParameters, finishesNow: Bool, group: String? = nil
  ) {
    self.isMeantToFinish = isMeantToFinish
    self.progress = progress
    self.progressByRule = progressByRule
    self.velocities = velocities
    self.own = own
    self.finishesNow = finishesNow
    self.group = group
  }

  /// Whether a setting decides it otherwise than it was meant.
  package func isDecidedWrongly(by setting: TuningSetting) -> Bool {
    finishes(by: setting) != isMeantToFinish
  }

  /// Whether it finishes by a setting.
  func finishes(by setting: TuningSetting) -> Bool {
    let asked = asked(by: setting)
    return setting.change.applied(to: own.rule)
      .outcome(progress: asked.progress, velocity: asked.velocity) == .finish
  }

  /// The progress and the velocity that the rule of a setting is asked about.
  package func asked(by setting: TuningSetting) -> (progress: Double, velocity: Double?) {
    let kind = setting.change.applied(to: own.rule).kind
    return (progress(by: kind), velocity(by: kind, setting.measure))
  }

  /// The progress that a rule is asked about.
  func progress(by kind: ReleaseRule.Kind) -> Double { progressByRule[kind] ?? progress }

  /// The velocity that a rule is asked about. `nil` where its thresholds cannot be held against a measure that is the
  /// session's own.
  func velocity(by kind: ReleaseRule.Kind, _ measure: Int) -> Double? {
    measure == 0 && !kind.definition.accepts(ownEstimator) ? nil : velocities[measure]
  }

  /// The estimator by which the session's own rule decides.
  private var ownEstimator: Estimator {
    own.rule.kind.definition.accepts(own.estimator)
      ? own.estimator : own.rule.kind.definition.preset?.estimator ?? own.estimator
  }
}

/// A setting that was found: a measure, and what is different about each gesture's own rule.
package struct TuningSetting: Hashable, Sendable {
  /// The place of the measure in ``TuningSpace/measures``.
  package var measure: Int
  /// Rule and numbers, thresholds among them.
  package var change: RuleChange

  package init(measure: Int, change: RuleChange) {
    (self.measure, self.change) = (measure, change)
  }
}

/// What wrong decisions cost.
package struct TuningWeights: Hashable, Sendable {
  /// A gesture that finishes though it was meant to cancel.
  package var wrongFinish: Double
  /// A gesture that cancels though it was meant to finish.
  package var wrongCancel: Double

  /// The weights that are taken. Ours: sums of many are exact enough to be compared.
  package static let range = 1e-9...1e9

  /// Makes weights. Each in ``range``.
  package init(wrongFinish: Double = 1, wrongCancel: Double = 1) {
    self.wrongFinish = wrongFinish
    self.wrongCancel = wrongCancel
  }

  /// The cost of so many wrong decisions. Made of counts, so that equal counts cost the same whatever their order.
  func cost(wrongFinishes: Int, wrongCancels: Int) -> Double {
    wrongFinish * Double(wrongFinishes) + wrongCancel * Double(wrongCancels)
  }

  /// The larger of both.
  var larger: Double { max(wrongFinish, wrongCancel) }

  /// Up to which cost a setting is as good as one of a cost, as far as the labels can tell: C + max(w, 1.64 √(w C)).
  func near(_ cost: Double) -> Double { cost + max(larger, 1.64 * (larger * cost).squareRoot()) }
}
