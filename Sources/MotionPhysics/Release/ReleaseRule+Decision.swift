public import TimelineModel

extension ReleaseRule {
  /// The decision of a rule, and its distance from the other outcome.
  ///
  /// All margins are 0 or more: the outcome here is the rule's own. Every number is finite.
  public struct Decision: Sendable, Hashable {
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

    /// Makes a decision.
    package init(
      outcome: ReleaseOutcome, criterion: Criterion = .progress, flipProgress: Double? = nil,
      flipVelocity: Double? = nil, marginProgress: Double? = nil, marginVelocity: Double? = nil,
      marginThreshold: Double? = nil, marginSigma: Double? = nil, projectedProgress: Double? = nil
    ) {
      self.outcome = outcome
      self.criterion = criterion
      self.flipProgress = flipProgress
      self.flipVelocity = flipVelocity
      self.marginProgress = marginProgress
      self.marginVelocity = marginVelocity
      self.marginThreshold = marginThreshold
      self.marginSigma = marginSigma
      self.projectedProgress = projectedProgress
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
  public func decide(
    progress: Double, velocity: Double?, standardError: Double? = nil
  ) -> Decision {
    let speed = velocityOrZero(velocity)
    let counted = limited(speed)
    let answer = answer(progress: progress, velocity: counted)
    var decision = Decision(outcome: answer.outcome, criterion: answer.criterion)
    decision.projectedProgress =
      answer.projectedProgress.flatMap { $0.isNaN ? nil : $0 }?
      .clampedToFinite
    guard !progress.isNaN else { return decision }
    let progress = progress.clampedToFinite
    decision.flipProgress = nearestFlip(
      from: progress, outcome: answer.outcome, candidates: progressBreakpoints(velocity: counted)
    ) { self.answer(progress: $0, velocity: counted).outcome }
    decision.flipVelocity = nearestFlip(
      from: speed, outcome: answer.outcome, candidates: velocityBreakpoints(progress: progress)
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

  /// What ``decide(progress:velocity:standardError:)`` says, without how far that was from the other
  /// outcome.
  package func outcome(progress: Double, velocity: Double?) -> ReleaseOutcome {
    answer(progress: progress, velocity: limited(velocityOrZero(velocity))).outcome
  }

  /// A velocity as a finite number; what cannot be told, and what is no number, counts as 0.
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

extension Double {
  /// The number itself, also where it is none, or the largest one of its sign for an infinity.
  var clampedToFinite: Double { isNaN ? self : TimelineModel.clampedToFinite(self) }
}
