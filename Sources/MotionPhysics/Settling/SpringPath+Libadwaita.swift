import KymographCLibrary

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
