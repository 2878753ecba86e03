package import TimelineModel

/// How an item follows what drives it, by either family of models.
package enum Follow: Sendable {
  /// By what its page had heard in each frame.
  case dispatched(DispatchedFollow, Fit)
  /// By the times of both.
  case timed(TimedFollow, Fit)

  /// What a drive adds to the numbers of a model.
  package struct Fit: Sendable {
    /// How far the item is behind, in seconds.
    package var lag: Estimated
    /// When most is left.
    var worst: Instant
    /// Where the item would be for the last place of what drives it.
    var end: Double
    /// Where it would be for the last place before the lift, with the bounds of gain and jump, if the page shows at once what
    /// it hears. `nil`: it is late, or it is not known what the page had heard.
    var lastHeard: Estimated?
    /// What the page knew.
    var knowledge: Drive.Knowledge?
  }

  private var fit: Fit {
    switch self {
    case .dispatched(_, let fit), .timed(_, let fit): fit
    }
  }

  /// The model by what the page had heard. `nil`: that is not known.
  package var dispatched: DispatchedFollow? {
    if case .dispatched(let follow, _) = self { follow } else { nil }
  }

  /// How far the item is behind, in seconds.
  package var lag: Estimated { fit.lag }
  /// The page's own lag, in frames. `nil`: it is not known what the page had heard.
  package var ownLag: Estimated? { dispatched?.own }
  /// Units of the item for one of what drives it.
  package var gain: Estimated {
    switch self {
    case .dispatched(let follow, _): follow.gain
    case .timed(let follow, _): follow.gain
    }
  }
  /// How far the item is ahead once it moves, in its unit.
  package var jump: Estimated {
    switch self {
    case .dispatched(let follow, _): follow.jump
    case .timed(let follow, _): follow.jump
    }
  }
  /// What is left, in the item's unit.
  package var rms: Estimated {
    switch self {
    case .dispatched(let follow, _): follow.rms
    case .timed(let follow, _): follow.rms
    }
  }
  /// The share of the item's variance that the model explains.
  package var rSquared: Double {
    switch self {
    case .dispatched(let follow, _): follow.rSquared
    case .timed(let follow, _): follow.rSquared
    }
  }

  package var worst: Instant { fit.worst }
  package var end: Double { fit.end }
  package var lastHeard: Estimated? { fit.lastHeard }
  package var knowledge: Drive.Knowledge? { fit.knowledge }
}
