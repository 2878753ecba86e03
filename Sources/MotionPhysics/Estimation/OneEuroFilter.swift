import TimelineModel

/// The lowest cutoff frequency of the filtered place, in hertz: Android's touch resampler.
private let lowestCutoff = 4.7

/// How much the cutoff rises with the speed, in hertz per unit per second: Android's touch resampler.
private let cutoffPerSpeed = 0.01

/// The cutoff frequency of the filtered speed, in hertz: the value of the filter's paper, and
/// kDefaultSpeedCutoffFreq of Android's OneEuroFilter.
private let speedCutoff = 1.0

/// The difference of the last two places that the 1 euro filter gives, in units per second (G. Casiez, N.
/// Roussel, D. Vogel, 1 € Filter, CHI 2012, algorithm 1. The constants of Android's resampler).
///
/// From the oldest place on, at rest: u = (x - X)/dt with X the filtered place; w += (u - w) a(1 Hz);
/// X' = X + (x - X) a(4.7 Hz + 0.01 |w|), where a(f) = dt / (dt + 1/(2 pi f)). The answer is (X' - X)/dt
/// of the last step. It lags by a thirtieth of a second where the motion is slow, and less where it is
/// fast. The filter's inner speed w is not a velocity of the motion: u divides the whole lag of X by one
/// step, and so tells a steady drag at 120 Hz five times as fast as it is. Steps that take no time are
/// passed over.
///
/// - Returns: nil with fewer than two samples at different times.
func oneEuroVelocity(of samples: SampleBuffer) -> Double? {
  guard var last = samples.first else { return nil }
  var position = last.value
  var inner = 0.0
  var velocity: Double?
  for sample in samples.dropFirst() where sample.time > last.time {
    let step = sample.time.seconds(since: last.time)
    last = sample
    let left = sample.value - position
    inner += (left / step - inner) * share(of: step, cutoff: speedCutoff)
    let cutoff = lowestCutoff + cutoffPerSpeed * abs(inner)
    let moved = left * share(of: step, cutoff: cutoff)
    position += moved
    velocity = moved / step
  }
  return velocity
}

/// How far a low-pass filter moves towards a new value in a step of so many seconds.
private func share(of step: Double, cutoff: Double) -> Double {
  step / (step + 1 / (2 * .pi * cutoff))
}
