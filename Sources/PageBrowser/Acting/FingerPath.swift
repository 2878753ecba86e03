import KymographCLibrary

/// How a finger goes from one place to another: share of the distance over share of the time.
package enum FingerPath: String, CaseIterable, Sendable {
  /// Fastest at the lift: u^1.6.
  case `throw`
  /// Slow at first and still moving at the lift: 1 − cos 0.8πu, over its value at 1.
  case drag
  /// At one speed.
  case even

  /// The time between two places, in milliseconds: a panel of 125 Hz.
  package static let spacing = 8.0
  /// The fewest steps, so that a short flick has a speed.
  package static let fewestSteps = 6

  /// The share of the distance at a share of the time. Both 0 to 1.
  package func share(at time: Double) -> Double {
    switch self {
    case .throw: pow(time, 1.6)
    case .drag: (1 - cos(0.8 * .pi * time)) / (1 - cos(0.8 * .pi))
    case .even: time
    }
  }

  /// The instants of the places, in milliseconds from the landing, and the share of the distance at each.
  package func places(duration: Double) -> [(time: Double, share: Double)] {
    let steps = max(Self.fewestSteps, Int(duration / Self.spacing))
    return (0...steps).map { step in
      let time = duration * Double(step) / Double(steps)
      return (time, step == steps ? 1 : share(at: time / duration))
    }
  }
}
