#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What "settled" means: systems differ by a factor of two for one spring, so a report names the
/// definition beside the time. The raw values are the names in reports.
public enum SettleDefinition: String, CaseIterable, Sendable {
  /// As CASpringAnimation's `settlingDuration` counts it; see ``SettleMotion/settlingTimeSeconds()``.
  case coreAnimation = "core-animation"
}

/// The share of the way that counts as still unsettled; no unit. Core Animation's own.
public let settleEpsilon = 0.001

/// The step of the walk that looks for the end where there is no formula, in seconds. Core
/// Animation's own; the steps are added up, with the rounding that this has.
private let settleStep = 0.1

/// Where the walk gives up, in seconds: the 102.4 s that SwiftUI's walk is bounded by.
private let longestSettle = 102.4

/// How near to 1 a damping ratio counts as critical; no unit. Springs written by duration and bounce
/// miss it by rounding, and the formula for swinging ones would then grow without bound.
private let criticalTolerance = 1e-9

extension SettleMotion {
  /// Seconds after which the motion counts as over, by the `core-animation` definition with the
  /// epsilon 0.001. It depends on the relative velocity alone, not on the distance.
  ///
  /// - Swinging: ln((1 + |beta - relative velocity| / wd) / epsilon) / beta, the time after which an
  ///   envelope stays within epsilon of the distance.
  /// - Critical or creeping: the first of the steps 0.1 s, 0.2 s, … (added up) from which on the way left
  ///   is below epsilon of the distance; at most 102.4 s.
  /// - Swinging for ever: the largest 32-bit float, 3.4e38, which is Core Animation's answer; bound it
  ///   before waiting for it.
  ///
  /// At the target the relative velocity is 0, so the time is that of a motion from rest. At most 1024
  /// evaluations.
  public func settlingTimeSeconds() -> Double {
    let relative = relativeVelocity(initialVelocity, remaining: clampedToFinite(to - from))
    switch curve {
    case .under(let decay, let swing):
      guard decay > 0 else { return Double(Float.greatestFiniteMagnitude) }
      let frequency = (decay * decay + swing * swing).squareRoot()
      if decay / frequency > 1 - criticalTolerance {
        return walk(.critical(frequency: frequency, stopsAtTarget: false), relative)
      }
      let time = log((1 + abs(decay - relative) / swing) / settleEpsilon) / decay
      return min(time, Double(Float.greatestFiniteMagnitude))
    case .slide(let rate) where rate == 0:
      return Double(Float.greatestFiniteMagnitude)
    case .critical, .over, .slide:
      return walk(curve, relative)
    }
  }

  /// Walks the curve over the distance 1 until it is settled for good.
  ///
  /// A step at which a thrown value only passes through its target, to come back later, is not the
  /// end: Core Animation's walk stops there, and a settle that did would lose its overshoot.
  private func walk(_ curve: SettleCurve, _ relativeVelocity: Double) -> Double {
    var settled: Double?
    var time = settleStep
    while time < longestSettle {
      let left = curve.offset(-1, velocity: relativeVelocity, atSeconds: time)
      if abs(left) >= settleEpsilon { settled = nil } else { settled = settled ?? time }
      time += settleStep
    }
    return settled ?? longestSettle
  }
}
