import TimelineModel

extension ReleaseRule {
  /// An outcome with the question that gave it.
  struct Answer {
    var outcome: ReleaseOutcome
    var criterion: Decision.Criterion
    var projectedProgress: Double?

    init(_ finishes: Bool, by criterion: Decision.Criterion, projected: Double? = nil) {
      outcome = finishes ? .finish : .cancel
      self.criterion = criterion
      projectedProgress = projected
    }
  }

  /// Decides for a velocity that is within the limits; the formulas are those of ``Kind``.
  func answer(progress: Double, velocity: Double) -> Answer {
    guard !progress.isNaN else { return Answer(false, by: .progress) }
    return switch kind {
    case .progress: Answer(progress > threshold, by: .progress)
    case .velocity: velocityFirst(progress, velocity)
    case .projection, .projectionDiscrete: projected(progress, velocity)
    case .gnome: gnome(progress, velocity)
    case .compose: compose(progress, velocity)
    case .flutterCupertino: cupertino(progress, velocity)
    case .flutterDismissible: dismissible(progress, velocity)
    case .omniwm: omniwm(progress, velocity)
    case .niri: niri(progress, velocity)
    case .cosmic: cosmic(progress, velocity)
    case .hyprland: hyprland(progress, velocity)
    case .kwin: Answer(comparedProgress(progress) >= threshold, by: .progress)
    case .kwinOverview: Answer(comparedProgress(progress) > threshold, by: .progress)
    case .wayfire: wayfire(progress, velocity)
    }
  }

  /// The progress as it is held against the threshold, where the velocity has no part in that.
  func comparedProgress(_ progress: Double) -> Double {
    switch kind {
    case .compose, .cosmic: min(max(progress, 0), 1)
    case .hyprland: abs(progress)
    case .kwin: min(abs(progress), 1)
    case .kwinOverview: min(progress, 1)
    case .progress, .velocity, .projection, .projectionDiscrete, .gnome, .flutterCupertino,
      .flutterDismissible, .omniwm, .niri, .wayfire:
      progress
    }
  }

  /// The number that a progress is compared with when no velocity decides. Rule `compose` has a half at rest, and on the
  /// way back the rest of the way; a size is compared on the progress's own side of 0.
  package func progressBorder(progress: Double, velocity: Double?) -> Double {
    switch kind {
    case .compose:
      let counted = limited(velocityOrZero(velocity))
      return counted == 0 ? 0.5 : counted < 0 ? 1 - threshold : threshold
    case .hyprland, .kwin: return progress < 0 ? 0 - threshold : threshold
    case .progress, .velocity, .projection, .projectionDiscrete, .gnome, .flutterCupertino,
      .flutterDismissible, .omniwm, .niri, .cosmic, .kwinOverview, .wayfire:
      return threshold
    }
  }

  /// A velocity's speed in the unit of the threshold that it is compared with.
  func speed(of velocity: Double) -> Double {
    switch kind {
    case .gnome: abs(velocity) * points / 1000
    case .compose, .flutterDismissible, .hyprland, .wayfire: abs(velocity) * points
    case .cosmic: abs(velocity) * outputs
    case .progress, .velocity, .projection, .projectionDiscrete, .flutterCupertino, .omniwm, .niri,
      .kwin, .kwinOverview:
      abs(velocity)
    }
  }

  /// Whether a velocity is so fast that it decides before the progress is asked about.
  func isFast(_ velocity: Double) -> Bool {
    let speed = speed(of: velocity)
    return switch kind {
    case .progress, .projection, .projectionDiscrete, .niri, .kwin, .kwinOverview: false
    case .velocity: speed > speedThreshold
    case .gnome, .compose, .flutterCupertino, .omniwm, .cosmic: speed >= speedThreshold
    case .hyprland: speedThreshold != 0 && speed >= speedThreshold
    case .wayfire: velocity > 0 && speed > speedThreshold
    case .flutterDismissible:
      speed >= speedThreshold && speed - abs(crossVelocity) >= ReleaseRule.dismissibleCrossLead
    }
  }

  private func velocityFirst(_ progress: Double, _ velocity: Double) -> Answer {
    guard isFast(velocity) else { return Answer(progress > threshold, by: .progress) }
    return Answer(velocity > 0, by: .velocity)
  }

  private func projected(_ progress: Double, _ velocity: Double) -> Answer {
    let rest = progress + velocity * projectionSeconds
    return Answer(rest > threshold, by: .projection, projected: rest)
  }

  private func gnome(_ progress: Double, _ velocity: Double) -> Answer {
    guard isFast(velocity) else { return Answer(progress > threshold, by: .progress) }
    let way = gnomeProjectedDistance(speed(of: velocity))
    let rest = min(max(velocity < 0 ? progress - way : progress + way, 0), 1)
    if velocity > 0 {
      // The source takes places closer than this for the same.
      return Answer(rest >= .ulpOfOne, by: .velocity, projected: rest)
    }
    return Answer(rest > threshold, by: .projection, projected: rest)
  }

  private func compose(_ progress: Double, _ velocity: Double) -> Answer {
    let position = comparedProgress(progress)
    if velocity == 0 { return Answer(position >= 0.5, by: .progress) }
    if isFast(velocity) {
      return Answer(velocity > 0 ? position > 0 : position >= 1, by: .velocity)
    }
    if position == 0 || position == 1 { return Answer(position == 1, by: .progress) }
    let finishes = velocity > 0 ? position >= threshold : !(1 - position >= threshold)
    return Answer(finishes, by: .progress)
  }

  private func cupertino(_ progress: Double, _ velocity: Double) -> Answer {
    if isFast(velocity) { return Answer(velocity > 0, by: .velocity) }
    return Answer(progress >= threshold, by: .progress)
  }

  private func dismissible(_ progress: Double, _ velocity: Double) -> Answer {
    if progress >= 1 || progress <= 0 { return Answer(progress >= 1, by: .progress) }
    guard isFast(velocity) else { return Answer(progress > threshold, by: .progress) }
    if velocity > 0, threshold >= 1 { return Answer(false, by: .progress) }
    return Answer(velocity > 0, by: .velocity)
  }

  private func omniwm(_ progress: Double, _ velocity: Double) -> Answer {
    if progress > 1 || progress < 0 { return Answer(progress > 1, by: .progress) }
    if isFast(velocity) { return Answer(velocity >= speedThreshold, by: .velocity) }
    let rest = progress + velocity * projectionSeconds
    return Answer(rest >= threshold, by: .projection, projected: rest)
  }

  private func niri(_ progress: Double, _ velocity: Double) -> Answer {
    let rest = progress + velocity * projectionSeconds
    return Answer(rest >= threshold, by: .projection, projected: rest)
  }

  private func cosmic(_ progress: Double, _ velocity: Double) -> Answer {
    if isFast(velocity) { return Answer(velocity > 0, by: .velocity) }
    return Answer(comparedProgress(progress) > threshold, by: .progress)
  }

  private func hyprland(_ progress: Double, _ velocity: Double) -> Answer {
    let position = comparedProgress(progress)
    guard position >= ReleaseRule.hyprlandLeastDistance / points else {
      return Answer(false, by: .progress)
    }
    if position >= threshold { return Answer(true, by: .progress) }
    return isFast(velocity) ? Answer(true, by: .velocity) : Answer(false, by: .progress)
  }

  private func wayfire(_ progress: Double, _ velocity: Double) -> Answer {
    if progress > threshold { return Answer(true, by: .progress) }
    let isForced = progress > 0 && isFast(velocity)
    return isForced ? Answer(true, by: .velocity) : Answer(false, by: .progress)
  }
}
