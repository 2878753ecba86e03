import TestSupport
import TimelineModel

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A recording made from a formula: a place for every step, with noise that is the same in every run.
///
/// - Parameters:
///   - count: How many samples.
///   - milliseconds: From one to the next.
///   - noise: The standard deviation of what is added, about normally distributed.
///   - position: The place at a time in seconds.
func recording(
  count: Int, every milliseconds: Int64, noise: Double = 0, _ position: (Double) -> Double
) -> [Sample] {
  var dice = SplitMix(seed: 42)
  return (0..<count).map { index in
    let time = Instant(nanoseconds: Int64(index) * milliseconds * 1_000_000)
    // The sum of twelve uniform numbers less six has the variance 1.
    var deviation = -6.0
    for _ in 0..<12 { deviation += Double.random(in: 0..<1, using: &dice) }
    return Sample(time: time, value: position(time.seconds) + noise * deviation)
  }
}

/// A finger that speeds up all the way: 16 places, 8 ms apart, up to about 3000 points per second.
let quickening = recording(count: 16, every: 8) { 3000 * $0 * $0 / 0.24 }

/// sin(t) under noise, 100 places a second for six seconds.
let noisySine = recording(count: 600, every: 10, noise: 0.06) { sin($0) }

/// A slow drag in whole device units, to and fro.
let slowDrag = recording(count: 400, every: 12) { (200 * sin(1.5 * $0)).rounded() }
