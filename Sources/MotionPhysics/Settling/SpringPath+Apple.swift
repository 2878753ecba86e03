import KymographCLibrary

/// Apple's three definitions of "settled".
extension SpringPath {
  /// `core-animation`: swinging, ln((1 + |beta - r| / wd) / epsilon) / beta with the relative velocity r,
  /// the time after which an envelope stays within epsilon of the distance. Critical or creeping, the first
  /// of the steps 0.1 s, 0.2 s, … (added up) from which on the distance left is below epsilon of the distance. At
  /// most 102.4 s. Swinging for ever, the largest 32-bit float.
  ///
  /// It depends on the relative velocity alone. At the target that is 0, so the time is that of a motion from
  /// rest. A step at which a thrown value only passes through its target, to come back later, is not the end:
  /// Core Animation's walk stops there, and a settle that did would lose its overshoot. A spring that creeps is
  /// taken as it is: CASpringAnimation takes it as critical, and then moves it so.
  func coreAnimationTime(_ epsilon: Double) -> Double? {
    let way = SpringPath(
      curve: curve, offset: -1, velocity: relativeVelocity(velocity, remaining: 0 - offset))
    let never = Double(Float.greatestFiniteMagnitude)
    switch curve {
    case .under(let decay, let swing):
      guard decay > 0 else { return never }
      return min(-log(epsilon / (1 + abs(decay - way.velocity) / swing)) / decay, never)
    case .slide(let rate) where rate == 0: return never
    case .critical, .over, .slide:
      var settled: Double?
      var time = appleStepSeconds
      while time < longestWalkSeconds {
        if abs(way.offset(atSeconds: time)) >= epsilon {
          settled = nil
        } else {
          settled = settled ?? time
        }
        time += appleStepSeconds
      }
      return settled ?? longestWalkSeconds
    }
  }

  /// `swiftui`: swinging, ln((|beta D - v| + |D|) / epsilon) / beta with D from the start to the target, so
  /// a longer way takes longer. Critical or creeping, the first of the steps 0, 0.1 s, 0.2 s, … (added up,
  /// 1024 of them) from which on the distance left is below epsilon for more than a second. Epsilon is a length
  /// in the value's unit in both (OpenSwiftUI, `Spring+VectorArithmetic.swift`).
  ///
  /// SwiftUI answers 0 for a spring that creeps so slowly that the steps run out. Here the last entry is
  /// found by halving then, and taken to the next step.
  func swiftUITime(_ epsilon: Double) -> Double? {
    switch curve {
    case .under(let decay, _):
      guard decay > 0 else { return nil }
      // The offset is -D, so this is |beta D - v| with its sign turned.
      let reach = abs(decay * offset + velocity) + abs(offset)
      return reach > 0 ? max(0, -log(epsilon / reach) / decay) : 0
    case .critical, .over, .slide:
      var settled: Double?
      var time = 0.0
      for _ in 0..<SpringPath.swiftUISteps {
        if abs(offset(atSeconds: time)) >= epsilon {
          settled = nil
        } else if let settled {
          if time - settled > SpringPath.swiftUIQuietSeconds { return settled }
        } else {
          settled = time
        }
        time += appleStepSeconds
      }
      return lastEntry(below: epsilon).map {
        ($0 / appleStepSeconds).rounded(.up) * appleStepSeconds
      }
    }
  }

  /// `fluid`: FluidSpringAnimation's own integration in steps of 1/300 s, of which each moves the velocity by
  /// half a step, the offset by a whole one, and the velocity by the other half with the new force. The
  /// stiffness per mass is at most 45000. Settled after the first step with speed and force per mass at most
  /// `speed` and the distance left at most epsilon of the distance. nil after 102.4 s.
  func fluidTime(_ epsilon: Double, speed: Double) -> Double? {
    let ratio = curve.frequency > 0 ? curve.decayRate / curve.frequency : 0
    let stiffness = min(curve.frequency * curve.frequency, SpringPath.fluidStiffest)
    let damping =
      curve.frequency > 0 ? 2 * ratio * stiffness.squareRoot() : 2 * curve.decayRate
    let (step, distance) = (1.0 / SpringPath.fluidRate, abs(offset))
    var (position, pace, force) = (offset, velocity, 0.0)
    for count in 1...Int(longestWalkSeconds * SpringPath.fluidRate) {
      let half = pace + force * (step / 2)
      position += half * step
      force = -damping * half - stiffness * position
      pace = half + force * (step / 2)
      guard position.isFinite, force.isFinite else { return nil }
      let isStill = abs(pace) <= speed && abs(force) <= speed
      if isStill, distance == 0 || abs(position) <= epsilon * distance {
        return Double(count) / SpringPath.fluidRate
      }
    }
    return nil
  }

  private static let swiftUISteps = 1024
  private static let swiftUIQuietSeconds = 1.0
  private static let fluidRate = 300.0
  private static let fluidStiffest = 45_000.0
}

/// The step of Apple's walks that look for the end where there is no formula, in seconds. The steps are
/// added up, with the rounding that this has.
private let appleStepSeconds = 0.1
