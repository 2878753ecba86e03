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
  /// The step to which a browser rounds its clock for a page, in milliseconds. It rounds an instant between two steps up or
  /// down by chance (https://chromium.googlesource.com/chromium/src/+/main/third_party/blink/renderer/core/timing/time_clamper.cc).
  static let step = 0.1
  /// An instant in milliseconds that no browser rounds: the nearest step.
  static func onStep(_ time: Double) -> Double { (time / step).rounded() / (1 / step) }
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
      let time = Self.onStep(duration * Double(step) / Double(steps))
      return (time, step == steps ? 1 : share(at: min(time / duration, 1)))
    }
  }
}
