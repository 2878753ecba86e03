public import TimelineModel

extension ReleaseRule {
  /// The question that a rule was asked, its decision, and the distance from the other outcome.
  ///
  /// All margins are 0 or more: the outcome here is the rule's own. Every number of the answer is finite.
  public struct Decision: Sendable, Hashable {
    /// The rule.
    public package(set) var rule: ReleaseRule
    /// The progress that it was asked about, without a unit.
    public package(set) var progress: Double
    /// The velocity of the progress, per second. Nil if nobody knows it.
    public package(set) var velocity: Double?
    /// The standard error of the velocity, per second. Nil if nobody knows it.
    public package(set) var standardError: Double?
    /// The estimator of the velocity. Nil if the caller knew the velocity.
    public package(set) var estimator: Estimator?
    /// The name of the direction in which a swipe's progress counts. Nil without such a direction.
    package var directionName: String?
    /// Finish or cancel.
    public var outcome: ReleaseOutcome
    /// Which of the rule's questions decided.
    package var criterion: Criterion
    /// The nearest progress with the other outcome at this velocity, or nil if no progress has it.
    public var flipProgress: Double?
    /// The nearest velocity per second with the other outcome at this progress, or nil if no velocity has it.
    public var flipVelocity: Double?
    /// The distance of the progress from ``flipProgress``, without a unit.
    public var marginProgress: Double?
    /// The distance of the velocity from ``flipVelocity``, per second. Nil also for an unknown velocity.
    public var marginVelocity: Double?
    /// The change of the threshold that would flip the decision, in the unit of the threshold. Nil if no such
    /// change flips it.
    public var marginThreshold: Double?
    /// ``marginVelocity`` in standard errors of the velocity, or nil without a standard error.
    package var marginSigma: Double?
    /// The progress at which the motion would come to rest, or nil if the rule did not project.
    public var projectedProgress: Double?

    /// The question that decided.
    package enum Criterion: String, CaseIterable, Sendable {
      /// The progress, against `threshold`, 0 or 1.
      case progress
      /// The speed, against `velocityThreshold`.
      case velocity
      /// The projected progress, against `threshold`.
      case projection
    }
  }

  /// Decides, and measures the distance from the other outcome.
  ///
  /// A progress that is not a number cancels without a margin. The cost is constant: a rule changes its
  /// outcome at few values, which have closed forms, and the nearest of them is the flip.
  ///
  /// - Parameters:
  ///   - progress: The progress at the lift.
  ///   - velocity: Its velocity per second, positive towards the new layout. Nil means unknown: it counts as
  ///     0 and has no margin.
  ///   - standardError: The standard error of the velocity, per second.
  ///   - estimator: The estimator of the velocity, for the answer alone.
  public func decide(
    progress: Double, velocity: Double?, standardError: Double? = nil, estimator: Estimator? = nil
  ) -> Decision {
    let speed = velocityOrZero(velocity)
    let counted = limited(speed)
    let answer = answer(progress: progress, velocity: counted)
    var decision = Decision(
      rule: self, progress: progress, velocity: velocity, standardError: standardError,
      estimator: estimator, outcome: answer.outcome, criterion: answer.criterion)
    decision.projectedProgress =
      answer.projectedProgress.flatMap { $0.isNaN ? nil : $0 }?
      .clampedToFinite
    guard !progress.isNaN else { return decision }
    let progress = progress.clampedToFinite
    decision.flipProgress = nearestFlip(
      from: progress, outcome: answer.outcome,
      candidates: kind.definition.progressBorders(self, counted)
    ) { self.answer(progress: $0, velocity: counted).outcome }
    decision.flipVelocity = nearestFlip(
      from: speed, outcome: answer.outcome, candidates: velocityBorders(progress: progress)
    ) { self.answer(progress: progress, velocity: self.limited($0)).outcome }
    decision.marginProgress = decision.flipProgress.map { abs($0 - progress).clampedToFinite }
    decision.marginThreshold = thresholdMargin(answer, progress: progress, velocity: counted)
    guard let velocity, !velocity.isNaN, let flip = decision.flipVelocity else { return decision }
    let margin = abs(flip - speed).clampedToFinite
    decision.marginVelocity = margin
    if let standardError, standardError > 0, standardError.isFinite {
      decision.marginSigma = (margin / standardError).clampedToFinite
    }
    return decision
  }

  /// What ``decide(progress:velocity:standardError:estimator:)`` says, without how far that was from the other
  /// outcome.
  package func outcome(progress: Double, velocity: Double?) -> ReleaseOutcome {
    answer(progress: progress, velocity: limited(velocityOrZero(velocity))).outcome
  }

  /// A velocity as a finite number. What cannot be told, and what is no number, counts as 0.
  func velocityOrZero(_ velocity: Double?) -> Double {
    velocity.map { $0.isNaN ? 0 : $0.clampedToFinite } ?? 0
  }

  /// The velocity within ``minimumVelocity`` and ``maximumVelocity``.
  func limited(_ velocity: Double) -> Double {
    let speed = abs(velocity)
    if speed < minimumVelocity { return 0 }
    guard let maximumVelocity, speed > maximumVelocity else { return velocity }
    let limit = max(0, maximumVelocity)
    return velocity < 0 ? -limit : limit
  }
}

// A rule's outcome is constant between a handful of positions, each known in closed form. So the nearest position with
// the other outcome on either side is the flip, also of a rule that goes to and fro.

extension ReleaseRule {
  /// The breakpoint nearest to a place that has the other outcome on one of its sides.
  ///
  /// - Parameters:
  ///   - position: Where the outcome was asked for.
  ///   - outcome: What it was.
  ///   - candidates: All breakpoints, in any order.
  ///   - decide: The outcome at a place.
  private func nearestFlip(
    from position: Double, outcome: ReleaseOutcome, candidates: [Double],
    _ decide: (Double) -> ReleaseOutcome
  ) -> Double? {
    let breakpoints = Set(candidates.filter(\.isFinite)).sorted()
    guard let first = breakpoints.first, let last = breakpoints.last else { return nil }
    var nearest: Double?
    // Below the first and above the last the outcome is that of any place out there.
    var below = decide((first - max(1, abs(first))).clampedToFinite)
    for (index, breakpoint) in breakpoints.enumerated() {
      let above =
        breakpoint == last
        ? decide((last + max(1, abs(last))).clampedToFinite)
        : decide(breakpoint / 2 + breakpoints[index + 1] / 2)
      let isFlip = below != outcome || above != outcome
      let distance = abs(breakpoint / 2 - position / 2)
      if isFlip, distance < nearest.map({ abs($0 / 2 - position / 2) }) ?? .infinity {
        nearest = breakpoint
      }
      below = above
    }
    return nearest
  }

  /// The velocities per second, before any limit, at which, with a progress, the outcome may change.
  private func velocityBorders(progress: Double) -> [Double] {
    kind.definition.velocityBorders(self, progress)
      + bothWays(minimumVelocity, maximumVelocity ?? minimumVelocity)
  }

  /// How much the threshold that decided had to differ, in its unit. `nil` where that changes nothing.
  private func thresholdMargin(_ decision: Answer, progress: Double, velocity: Double) -> Double? {
    var path = \ReleaseRule.threshold
    var flip: Double
    switch decision.criterion {
    case .progress, .projection:
      flip = kind.definition.thresholdBorder(
        self, progress, velocity, decision.projectedProgress)
    case .velocity:
      path = \ReleaseRule.speedThresholdInUse
      flip = speed(of: velocity)
    }
    flip = flip.clampedToFinite
    // Far enough from the flip that rounding does not matter, and near enough to meet nothing else.
    let step = max(1, abs(flip)) * 1e-9
    let isReached = [flip - step, flip + step].contains { candidate in
      var rule = self
      rule[keyPath: path] = candidate
      return rule.answer(progress: progress, velocity: velocity).outcome != decision.outcome
    }
    let margin = abs(flip - self[keyPath: path])
    return isReached && !margin.isNaN ? margin.clampedToFinite : nil
  }

  /// ``speedThreshold`` as something that can be tried out with another value.
  private var speedThresholdInUse: Double {
    get { speedThreshold }
    set { velocityThreshold = newValue }
  }
}

extension Double {
  /// The number itself, also where it is none, or the largest one of its sign for an infinity.
  var clampedToFinite: Double { isNaN ? self : TimelineModel.clampedToFinite(self) }
}
