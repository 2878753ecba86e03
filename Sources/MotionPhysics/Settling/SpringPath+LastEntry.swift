import KymographCLibrary

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
