import TimelineModel

// A rule's outcome is constant between a handful of places, each known in closed form. So the nearest
// place with the other outcome on either side is where the outcome flips, also where a rule goes to and
// fro.

extension ReleaseRule {
  /// The progresses at which, with a velocity within the limits, the outcome may change.
  func progressBreakpoints(velocity: Double) -> [Double] {
    switch kind {
    case .progress, .velocity, .flutterCupertino: return [threshold]
    case .projection, .projectionDiscrete, .niri:
      return [threshold - velocity * projectionSeconds]
    case .cosmic, .kwinOverview: return [threshold, 1]
    case .kwin: return [threshold, 0 - threshold]
    case .hyprland:
      let least = ReleaseRule.hyprlandLeastDistance / points
      return [threshold, 0 - threshold, least, 0 - least]
    case .wayfire: return [0, threshold]
    case .gnome:
      let speed = speed(of: velocity)
      guard speed >= speedThreshold else { return [threshold] }
      let way = gnomeProjectedDistance(speed)
      return velocity > 0 ? [-way] : [threshold + way, threshold]
    case .compose: return [0, 0.5, 1, threshold, 1 - threshold]
    case .flutterDismissible: return [0, 1, threshold]
    case .omniwm: return [0, 1, threshold - velocity * projectionSeconds]
    }
  }

  /// The velocities per second, before any limit, at which, with a progress, the outcome may change.
  func velocityBreakpoints(progress: Double) -> [Double] {
    var speeds = [minimumVelocity, maximumVelocity ?? minimumVelocity]
    var velocities: [Double] = []
    switch kind {
    case .progress, .kwin, .kwinOverview: break
    case .velocity, .flutterCupertino: speeds.append(speedThreshold)
    case .cosmic: speeds.append(speedThreshold / outputs)
    case .hyprland, .wayfire: speeds.append(speedThreshold / points)
    case .projection, .projectionDiscrete, .niri:
      velocities.append((threshold - progress) / projectionSeconds)
    case .gnome:
      speeds.append(speedThreshold * 1000 / points)
      for way in [-progress, progress - threshold] {
        if let speed = gnomeSpeed(travel: way) { speeds.append(speed * 1000 / points) }
      }
    case .compose:
      speeds.append(speedThreshold / points)
      velocities.append(0)
    case .flutterDismissible:
      let fling = max(speedThreshold, abs(crossVelocity) + ReleaseRule.dismissibleCrossLead)
      speeds.append(fling / points)
    case .omniwm:
      speeds.append(speedThreshold)
      velocities.append((threshold - progress) / projectionSeconds)
    }
    return velocities + speeds + speeds.map { 0 - $0 }
  }

  /// The breakpoint nearest to a place that has the other outcome on one of its sides.
  ///
  /// - Parameters:
  ///   - position: Where the outcome was asked for.
  ///   - outcome: What it was.
  ///   - candidates: All breakpoints, in any order.
  ///   - decide: The outcome at a place.
  func nearestFlip(
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

  /// How much the threshold that decided had to differ, in its unit; nil where that changes nothing.
  func thresholdMargin(_ decision: Answer, progress: Double, velocity: Double) -> Double? {
    var path = \ReleaseRule.threshold
    var flip: Double
    switch decision.criterion {
    case .projection: flip = decision.projectedProgress ?? progress
    case .progress:
      let isFromTheEnd = kind == .compose && velocity < 0
      let position = comparedProgress(progress)
      flip = isFromTheEnd ? 1 - position : position
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
