import TimelineModel

/// The lowest cutoff frequency of the filtered place, in hertz: Android's touch resampler.
private let lowestCutoff = 4.7

/// How much the cutoff rises with the speed, in hertz per unit per second: Android's touch resampler.
private let cutoffPerSpeed = 0.01

/// The cutoff frequency of the filtered speed, in hertz: the value of the filter's paper, and
/// kDefaultSpeedCutoffFreq of Android's OneEuroFilter.
private let speedCutoff = 1.0

/// The filtered difference of the 1 euro filter, in units per second (G. Casiez, N. Roussel, D. Vogel,
/// 1 € Filter, CHI 2012, algorithm 1; the constants of Android's resampler).
///
/// From the oldest place on, at rest: u = (x - X)/dt with X the filtered place; v += (u - v) a(1 Hz);
/// X += (x - X) a(4.7 Hz + 0.01 |v|), where a(f) = dt / (dt + 1/(2 pi f)). The answer is v. As the
/// speed starts at 0 and is filtered at 1 Hz, it lags by a sixth of a second. Steps that take no
/// time are passed over.
///
/// - Returns: nil with fewer than two samples at different times.
func oneEuroVelocity(of places: Places) -> Double? {
  guard var last = places.first else { return nil }
  var place = last.value
  var velocity: Double?
  for sample in places.dropFirst() where sample.time > last.time {
    let step = sample.time.seconds(since: last.time)
    last = sample
    let difference = (sample.value - place) / step
    let before = velocity ?? 0
    let filtered = before + (difference - before) * share(of: step, cutoff: speedCutoff)
    velocity = filtered
    let cutoff = lowestCutoff + cutoffPerSpeed * abs(filtered)
    place += (sample.value - place) * share(of: step, cutoff: cutoff)
  }
  return velocity
}

/// How far a low-pass filter moves towards a new value in a step of so many seconds.
private func share(of step: Double, cutoff: Double) -> Double {
  step / (step + 1 / (2 * .pi * cutoff))
}
