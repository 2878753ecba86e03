import KymographCLibrary
import TimelineModel

/// The path of one value on a spring: how it is damped, and where and how fast it starts. Definitions of
/// "settled" are functions of this.
struct SpringPath: Sendable, Hashable {
  /// The closed form.
  let curve: SettleCurve
  /// The offset from the target at the start, in the value's unit.
  let offset: Double
  /// The velocity at the start, units per second.
  let velocity: Double

  /// The offset at a time. The start's own at 0 and before. May be no number where the start is absurd.
  func offset(atSeconds time: Double) -> Double {
    time > 0 ? curve.offset(offset, velocity: velocity, atSeconds: time) : offset
  }

  /// The velocity at a time. The start's own at 0 and before. May be no number where the start is absurd.
  func velocity(atSeconds time: Double) -> Double {
    time > 0 ? curve.velocity(offset, velocity: velocity, atSeconds: time) : velocity
  }

  /// The path of the velocity, which obeys the same equation: it starts with the velocity and changes by
  /// the acceleration -(w0^2 y + 2 beta v).
  var ofVelocity: SpringPath {
    SpringPath(
      curve: curve, offset: velocity,
      velocity: clampedToFinite(
        0 - curve.frequency * curve.frequency * offset - 2 * curve.decayRate * velocity))
  }
}

extension SettleCurve {
  /// The frequency w0 without damping, in radians per second.
  var frequency: Double {
    switch self {
    case .under(let decay, let swing): (decay * decay + swing * swing).squareRoot()
    case .critical(let frequency, _): frequency
    case .over(_, let frequency, _): frequency
    case .slide: 0
    }
  }

  /// The decay rate beta, per second.
  var decayRate: Double {
    switch self {
    case .under(let decay, _): decay
    case .critical(let frequency, _): frequency
    case .over(let decay, _, _): decay
    case .slide(let rate): rate / 2
    }
  }

  /// The same curve, taken as critical where it misses that by rounding alone: springs made of a duration
  /// and a bounce do, and formulas for swinging ones would grow without bound.
  var cleared: SettleCurve {
    let frequency = frequency
    switch self {
    case .under, .over:
      guard abs(decayRate / frequency - 1) <= SettleCurve.criticalTolerance else { return self }
      return .critical(frequency: frequency, stopsAtTarget: false)
    case .critical, .slide: return self
    }
  }

  /// How near to 1 a damping ratio counts as critical. No unit. Our own choice, far above rounding and far
  /// below what anybody could see.
  private static let criticalTolerance = 1e-9
}

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

extension SpringPath {
  /// `compose`: when the amplitude of a swinging spring, sqrt(y^2 + ((v + beta y) / wd)^2) e^(-beta t), is
  /// at the threshold, and when the offset of one that does not swing comes below it for the last time.
  ///
  /// Without swinging, Compose looks for that crossing with Newton's steps until one is shorter than a
  /// millisecond, from a start left of the root or, behind a way that turns beyond the threshold on the
  /// other side, between the turn and the bend after it. So its answer is the crossing to well below a
  /// millisecond. Here the same crossing is found by halving, which always ends. A motion that starts within
  /// the threshold and stays there is settled at once, where Compose's formula turns negative.
  func composeTime(_ threshold: Double) -> Double? {
    guard case .under(let decay, let swing) = curve else { return lastEntry(below: threshold) }
    let side = (velocity + decay * offset) / swing
    let amplitude = hypot(offset, side)
    if amplitude < threshold { return 0 }
    guard decay > 0 else { return nil }
    return log(amplitude / threshold) / decay
  }

  /// `flutter`: the last of the times at which the offset comes within the distance tolerance and the
  /// velocity within the velocity tolerance, from which on `SpringSimulation.isDone` holds. The velocity is
  /// the exact derivative.
  func flutterTime(_ distance: Double, speed: Double) -> Double? {
    guard let position = lastEntry(below: distance), let rest = ofVelocity.lastEntry(below: speed)
    else { return nil }
    return max(position, rest)
  }

  /// `wave`: -ln(share) / (zeta w0), where a damping ratio of 1 or more counts as the number just below 1 and
  /// the time is 1.25 times as long. nil without damping or without stiffness.
  func waveTime(_ share: Double) -> Double? {
    switch curve {
    case .under(let decay, _): return decay > 0 ? -log(share) / decay : nil
    case .critical, .over:
      return -log(share) / ((1 - Double.ulpOfOne) * curve.frequency) * SpringPath.waveCalmFactor
    case .slide: return nil
    }
  }

  private static let waveCalmFactor = 1.25
}

/// Definitions that look at the motion once a frame. All of them take the closed form at the frame, where
/// Rebound and pop integrate in steps of 1 ms (Runge-Kutta): the values agree far below any threshold as long
/// as such steps are stable, and stiff springs do not run away.
extension SpringPath {
  /// `motion`: the first of the steps 0, 50 ms, 100 ms, … at which offset and speed are at most their
  /// thresholds. `nil` from 20 s on.
  func motionTime(_ delta: Double, speed: Double) -> Double? {
    firstFrame(from: 0, to: 399, everySeconds: (1, 20)) { time in
      abs(offset(atSeconds: time)) <= delta && abs(velocity(atSeconds: time)) <= speed
    }
  }

  /// `rebound`: the first frame of 16 ms at which speed and offset are at most their thresholds. Without
  /// stiffness the speed alone decides. nil after 102.4 s.
  ///
  /// Rebound shows, and tests, the state of one millisecond before the frame. Here it is the frame's own.
  func reboundTime(_ displacement: Double, speed: Double) -> Double? {
    let hasTension = curve.frequency > 0
    return firstFrame(from: 1, to: 6400, everySeconds: (2, 125)) { time in
      abs(velocity(atSeconds: time)) <= speed
        && (!hasTension || abs(offset(atSeconds: time)) <= displacement)
    }
  }

  /// `pop`: the first frame of 1/60 s at which either the solver has converged, the offset below threshold/2,
  /// the square of the speed below 25 threshold and that of the acceleration below 625 threshold^2, or the
  /// offset and the change since the frame before are both below threshold/5. The acceleration is the mean of
  /// the last millisecond, as the solver has it. nil after 102.4 s.
  func popTime(_ threshold: Double) -> Double? {
    let (rate, step) = (60.0, 0.001)
    return firstFrame(from: 1, to: 6144, everySeconds: (1, 60)) { time in
      let (position, pace) = (offset(atSeconds: time), velocity(atSeconds: time))
      let force = (pace - velocity(atSeconds: time - step)) / step
      let hasConverged =
        abs(position) < threshold / 2 && pace * pace < 25 * threshold
        && force * force < 625 * threshold * threshold
      let change = position - offset(atSeconds: time - 1 / rate)
      return hasConverged || (abs(position) < threshold / 5 && abs(change) < threshold / 5)
    }
  }

  /// The time of the first frame at which something holds. The time between frames is a fraction, so that
  /// times come out as they would be written.
  private func firstFrame(
    from first: Int, to last: Int, everySeconds step: (Int, Int), _ holds: (Double) -> Bool
  ) -> Double? {
    for number in first...last {
      let time = Double(number * step.0) / Double(step.1)
      if holds(time) { return time }
    }
    return nil
  }
}

/// When a way on a spring comes to stay within a threshold of the target.
extension SpringPath {
  /// Seconds from which on the offset stays below the threshold. `nil` where it never does.
  ///
  /// Between two turning points the offset runs one way, so the last entry lies after the last turning
  /// point that is not below the threshold, and is found there by halving.
  ///
  /// - Complexity: at most about 2,300 evaluations, usually 60.
  func lastEntry(below threshold: Double) -> Double? {
    guard threshold > 0, offset.isFinite, velocity.isFinite else { return nil }
    if offset == 0, velocity == 0 { return 0 }
    switch curve {
    case .under(let decay, let swing): return lastEntry(below: threshold, decay, swing)
    case .critical(let frequency, _):
      let time = velocity / frequency / (velocity + frequency * offset)
      return lastEntry(below: threshold, turningAt: time)
    case .over(let decay, let frequency, let split):
      let share = velocity * split / (decay * velocity + frequency * frequency * offset)
      return lastEntry(below: threshold, turningAt: atanh(share) / split)
    case .slide(let rate):
      let rest = rate > 0 ? offset + velocity / rate : (velocity == 0 ? offset : .infinity)
      guard abs(rest) < threshold else { return nil }
      return abs(offset) < threshold ? 0 : entry(below: threshold, from: 0)
    }
  }

  /// The last entry of a way that turns at most once, at a time that may not be there.
  private func lastEntry(below threshold: Double, turningAt turn: Double) -> Double? {
    if turn > 0, turn.isFinite {
      let peak = offset(atSeconds: turn)
      if abs(peak) >= threshold { return entry(below: threshold, from: turn) }
      // It comes in before it turns, perhaps through the target.
      return abs(offset) < threshold ? 0 : entry(below: threshold, from: 0, to: turn)
    }
    return abs(offset) < threshold ? 0 : entry(below: threshold, from: 0)
  }

  /// The last entry of a swinging way: its turning points follow each other after half a swing, each
  /// e^(-beta pi / wd) of the one before.
  private func lastEntry(below threshold: Double, _ decay: Double, _ swing: Double) -> Double? {
    let halfSwing = Double.pi / swing
    // Where the velocity v cos(wd t) - pull sin(wd t) is 0 for the first time after the start.
    let pull = (decay * velocity + (decay * decay + swing * swing) * offset) / swing
    var turn = atan2(velocity, pull) / swing
    while turn <= 0 { turn += halfSwing }
    let peak = abs(offset(atSeconds: turn))
    guard peak.isFinite, turn.isFinite else { return nil }
    guard peak >= threshold else {
      return abs(offset) < threshold ? 0 : entry(below: threshold, from: 0, to: turn)
    }
    guard decay > 0 else { return nil }
    let count = (log(peak / threshold) / (decay * halfSwing)).rounded(.down)
    // From that turning point on, e^(-beta s)(cos wd s + beta/wd sin wd s) of it, falling to 0.
    let last = peak * exp(-decay * halfSwing * count)
    let zero = (Double.pi / 2 + atan(decay / swing)) / swing
    let after = SpringPath.bisection(in: 0, zero) { time in
      last * exp(-decay * time) * (cos(swing * time) + decay * (sin(swing * time) / swing))
        >= threshold
    }
    return turn + count * halfSwing + after
  }

  /// The time at which an offset that is not below the threshold, and runs one way, comes below it.
  private func entry(below threshold: Double, from start: Double, to end: Double? = nil) -> Double?
  {
    let side: Double = offset(atSeconds: start) < 0 ? -1 : 1
    var high = end ?? max(start, 1e-3 / max(curve.frequency, curve.decayRate))
    if end == nil {
      while side * offset(atSeconds: high) >= threshold {
        high *= 2
        guard high.isFinite else { return nil }
      }
    }
    return SpringPath.bisection(in: start, high) { side * offset(atSeconds: $0) >= threshold }
  }

  /// The border between the numbers for which something holds and the larger ones, to the last digit.
  static func bisection(
    in low: Double, _ high: Double, _ holds: (Double) -> Bool
  ) -> Double {
    var (low, high) = (low, high)
    while true {
      let middle = low + (high - low) / 2
      guard middle > low, middle < high else { return high }
      if holds(middle) { low = middle } else { high = middle }
    }
  }
}

extension SpringPath {
  /// `libadwaita`: -ln(epsilon) / beta up to critical damping, whatever the velocity. Creeping, Newton's
  /// steps from there towards offset 0, with the slope over a millisecond and times cut to whole milliseconds,
  /// until the distance left is at most epsilon, a length in the value's unit (`calculate_duration` of
  /// `adw-spring-animation.c`).
  ///
  /// After 1000 steps without an end libadwaita answers 0. Here the last entry is found by halving then.
  func libadwaitaTime(_ epsilon: Double) -> Double? {
    guard curve.decayRate > 0, curve.frequency > 0 else { return nil }
    let start = -log(epsilon) / curve.decayRate
    guard case .over = curve else { return start }
    func position(_ time: Double) -> Double {
      offset(atSeconds: (time * 1000).rounded(.towardZero) / 1000)
    }
    var time = max(0, start)
    for _ in 0..<SpringPath.mostNewtonSteps {
      let here = position(time)
      let slope = (position(time + SpringPath.slopeSeconds) - here) / SpringPath.slopeSeconds
      time -= here / slope
      guard time.isFinite, time >= 0 else { break }
      if abs(position(time)) <= epsilon { return time }
    }
    return lastEntry(below: epsilon)
  }

  private static let slopeSeconds = 0.001
  private static let mostNewtonSteps = 1000
}
