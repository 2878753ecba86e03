import MotionPhysics
import TestSupport
import Testing
import TimelineModel

/// How often an interval contains the velocity of a motion that is known.
@Suite struct IntervalCoverageTests {
  /// 300 straight drags of 8 to 24 reports at 120 Hz, whose positions have an error of up to half a unit.
  private static let drags: [(velocity: Double, samples: [Sample])] = {
    var random = SplitMix(seed: 71)
    return (0..<300).map { _ in
      let velocity = Double.random(in: -3000...3000, using: &random)
      let count = Int.random(in: 8...24, using: &random)
      return (
        velocity,
        (0..<count).map { index in
          let time = Int64(index) * 8_333_333
          return Sample(
            time: Instant(nanoseconds: time),
            value: velocity * Double(time) / 1e9 + Double.random(in: -0.5...0.5, using: &random))
        }
      )
    }
  }()

  @Test(arguments: Estimator.ofSamples)
  func `an interval contains the true velocity of most straight drags, or there is none`(
    estimator: Estimator
  ) {
    var (told, held) = (0, 0)
    for (velocity, samples) in Self.drags {
      let found = estimator.estimate(samples, lift: samples[samples.count - 1].time)
      guard let low = found.low, let high = found.high else { continue }
      told += 1
      if low <= velocity, velocity <= high { held += 1 }
    }
    if estimator == .oneEuro {
      #expect(told == 0)
    } else {
      #expect(told == 300, "\(estimator): \(held) of \(told)")
      #expect(held >= 246, "\(estimator): \(held) of \(told)")
    }
  }
}
