import TimelineModel

/// How much each sample counts in a least-squares fit: the Weighting of the
/// LeastSquaresVelocityTrackerStrategy of Android and Chromium, with its numbers. A weight multiplies
/// the residual, so its square stands in the sum. Weights have no unit and lie between 0.5 and 1.
enum FitWeighting {
  /// 1 for every sample.
  case none
  /// By the time to the next sample: 0.5 + 0.05 per millisecond, 1 from 10 ms on and for the newest.
  case delta
  /// By age: 0.5 + 0.05 per millisecond below 10 ms, 1 to 50 ms, falling by 0.05 per millisecond to
  /// 0.5 at 60 ms.
  case central
  /// By age: 1 to 50 ms, falling by 0.01 per millisecond to 0.5 at 100 ms.
  case recent

  func weight(at index: Int, of samples: SampleBuffer) -> Double {
    let newest = samples.count - 1
    switch self {
    case .none: return 1
    case .delta:
      guard index < newest else { return 1 }
      return FitWeighting.rising(milliseconds(from: samples[index], to: samples[index + 1]))
    case .central:
      let age = milliseconds(from: samples[index], to: samples[newest])
      if age < 10 { return FitWeighting.rising(age) }
      return age < 50 ? 1 : FitWeighting.rising(60 - age)
    case .recent:
      let age = milliseconds(from: samples[index], to: samples[newest])
      return age < 50 ? 1 : 0.5 + 0.01 * max(0, 100 - age)
    }
  }

  private static func rising(_ milliseconds: Double) -> Double {
    min(1, 0.5 + 0.05 * max(0, milliseconds))
  }

  private func milliseconds(from earlier: Sample, to later: Sample) -> Double {
    Double(later.time.nanoseconds(since: earlier.time)) / 1e6
  }
}
