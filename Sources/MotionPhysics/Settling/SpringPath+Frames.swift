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
