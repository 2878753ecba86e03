import TimelineModel

// A rule's outcome as a function of its thresholds: with everything else as it is, the threshold of the speed
// parts the fast answer from the slow one, and each of these changes at most at one value of `threshold`. So a
// search over thresholds needs to look only between those values.

extension ReleaseRule {
  /// How the outcome of one gesture changes with `threshold`.
  package struct ThresholdStep: Hashable, Sendable {
    /// The threshold at which the outcome changes, no unit; nil: it does not.
    package var border: Double?
    /// Whether the gesture finishes at a threshold below the border, or at any where there is none.
    package var finishesBelow: Bool
    /// Whether it finishes at a threshold on the border.
    package var finishesAtBorder: Bool
    /// Whether it finishes at a threshold above the border.
    package var finishesAbove: Bool
  }

  /// How the outcome changes with ``threshold``, by what the rule itself says on both sides of the border.
  ///
  /// - Parameters:
  ///   - progress: The progress at the lift, no unit.
  ///   - velocity: Its velocity per second; nil counts as 0.
  ///   - isFast: Whether the speed counts as above or below ``velocityThreshold``, whatever that is; nil: as it
  ///     is. A gesture that ``speedBorder(velocity:)`` calls never fast is slow anyway.
  package func thresholdStep(
    progress: Double, velocity: Double?, isFast: Bool? = nil
  ) -> ThresholdStep {
    var rule = self
    if let isFast, let speed = kind.definition.usual.speed {
      rule.velocityThreshold = isFast ? speed.least : .infinity
    }
    let counted = limited(velocityOrZero(velocity))
    let answer = rule.answer(progress: progress, velocity: counted)
    var step = ThresholdStep(
      border: nil, finishesBelow: answer.outcome == .finish,
      finishesAtBorder: answer.outcome == .finish, finishesAbove: answer.outcome == .finish)
    let border = kind.definition.thresholdBorder(
      rule, progress, counted, answer.projectedProgress)
    guard border.isFinite else { return step }
    func finishes(at threshold: Double) -> Bool {
      rule.threshold = threshold
      return rule.answer(progress: progress, velocity: counted).outcome == .finish
    }
    let (below, above) = (finishes(at: border.nextDown), finishes(at: border.nextUp))
    guard below != above else { return step }
    step.border = border
    (step.finishesBelow, step.finishesAbove) = (below, above)
    step.finishesAtBorder = finishes(at: border)
    return step
  }

  /// The speed, in the unit of ``velocityThreshold``, up to which a threshold of the speed lets this velocity
  /// decide by itself, and whether one of that very value does; nil where none of 0 or more does.
  package func speedBorder(velocity: Double?) -> (speed: Double, isFastAtBorder: Bool)? {
    let counted = limited(velocityOrZero(velocity))
    var rule = self
    rule.velocityThreshold = kind.definition.usual.speed?.least ?? 0
    guard rule.isFast(counted) else { return nil }
    let speed = speed(of: counted)
    rule.velocityThreshold = speed
    return (speed, rule.isFast(counted))
  }
}
