import TimelineModel

extension ReleaseRule {
  /// An outcome with the question that gave it.
  struct Decision {
    var outcome: ReleaseOutcome
    var criterion: Verdict.Criterion
    var projectedProgress: Double?

    init(_ finishes: Bool, by criterion: Verdict.Criterion, projected: Double? = nil) {
      outcome = finishes ? .finish : .cancel
      self.criterion = criterion
      projectedProgress = projected
    }
  }

  /// Decides for a velocity that is within the limits; the formulas are those of ``Kind``.
  func decision(progress: Double, velocity: Double) -> Decision {
    guard !progress.isNaN else { return Decision(false, by: .progress) }
    return switch kind {
    case .progress: Decision(progress > threshold, by: .progress)
    case .velocity: velocityFirst(progress, velocity)
    case .projection, .projectionDiscrete: projected(progress, velocity)
    case .gnome: gnome(progress, velocity)
    case .compose: compose(progress, velocity)
    case .flutterCupertino: cupertino(progress, velocity)
    case .flutterDismissible: dismissible(progress, velocity)
    case .omniwm: omniwm(progress, velocity)
    }
  }

  private func velocityFirst(_ progress: Double, _ velocity: Double) -> Decision {
    guard abs(velocity) > speedThreshold else {
      return Decision(progress > threshold, by: .progress)
    }
    return Decision(velocity > 0, by: .velocity)
  }

  private func projected(_ progress: Double, _ velocity: Double) -> Decision {
    let rest = progress + velocity * projectionSeconds
    return Decision(rest > threshold, by: .projection, projected: rest)
  }

  private func gnome(_ progress: Double, _ velocity: Double) -> Decision {
    let speed = abs(velocity) * pointsPerMillisecond
    guard speed >= speedThreshold else { return Decision(progress > threshold, by: .progress) }
    let way = gnomeTravel(speed)
    let rest = min(max(velocity < 0 ? progress - way : progress + way, 0), 1)
    if velocity > 0 {
      // The source takes places closer than this for the same.
      return Decision(rest >= .ulpOfOne, by: .velocity, projected: rest)
    }
    return Decision(rest > threshold, by: .projection, projected: rest)
  }

  private func compose(_ progress: Double, _ velocity: Double) -> Decision {
    let place = min(max(progress, 0), 1)
    if velocity == 0 { return Decision(place >= 0.5, by: .progress) }
    if abs(velocity) * points >= speedThreshold {
      return Decision(velocity > 0 ? place > 0 : place >= 1, by: .velocity)
    }
    if place == 0 || place == 1 { return Decision(place == 1, by: .progress) }
    let finishes = velocity > 0 ? place >= threshold : !(1 - place >= threshold)
    return Decision(finishes, by: .progress)
  }

  private func cupertino(_ progress: Double, _ velocity: Double) -> Decision {
    if abs(velocity) >= speedThreshold { return Decision(velocity > 0, by: .velocity) }
    return Decision(progress >= threshold, by: .progress)
  }

  private func dismissible(_ progress: Double, _ velocity: Double) -> Decision {
    if progress >= 1 || progress <= 0 { return Decision(progress >= 1, by: .progress) }
    let speed = abs(velocity) * points
    let isFling =
      speed >= speedThreshold && speed - abs(crossVelocity) >= ReleaseRule.dismissibleCrossLead
    guard isFling else { return Decision(progress > threshold, by: .progress) }
    if velocity > 0, threshold >= 1 { return Decision(false, by: .progress) }
    return Decision(velocity > 0, by: .velocity)
  }

  private func omniwm(_ progress: Double, _ velocity: Double) -> Decision {
    if progress > 1 || progress < 0 { return Decision(progress > 1, by: .progress) }
    if abs(velocity) >= speedThreshold {
      return Decision(velocity >= speedThreshold, by: .velocity)
    }
    let rest = progress + velocity * projectionSeconds
    return Decision(rest >= threshold, by: .projection, projected: rest)
  }
}
