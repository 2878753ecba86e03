import TimelineModel

/// The samples that an estimate rests on, oldest first, in strictly rising time.
struct WindowedSamples {
  /// What is inside the window.
  var samples: ArraySlice<Sample>
  /// Nanoseconds from the newest sample to the lift; nil without a sample.
  var liftGapNanoseconds: Int64?
  /// Whether the value rested for longer than the stop gap before the lift. A single sample alone
  /// never counts as stopped: it cannot tell resting from moving.
  var hasStopped: Bool
}

extension EstimationWindow {
  /// Chooses the samples that count at the lift.
  ///
  /// In recording order: samples after the lift and values that are not finite are ignored, an equal
  /// time replaces the sample before, an earlier time is left out. Then the newest `historyLimit`
  /// are taken, those older than the horizon dropped, and everything before a pause longer than the
  /// stop gap forgotten. Linear in the number of samples.
  func select(_ samples: [Sample], lift: Instant) -> WindowedSamples {
    var ordered: [Sample] = []
    for sample in samples where sample.time <= lift && sample.value.isFinite {
      guard let newest = ordered.last else {
        ordered.append(sample)
        continue
      }
      if sample.time == newest.time {
        ordered[ordered.count - 1] = sample
      } else if sample.time > newest.time {
        ordered.append(sample)
      }
    }
    guard let newest = ordered.last else {
      return WindowedSamples(samples: [], liftGapNanoseconds: nil, hasStopped: false)
    }
    let liftGap = lift.nanoseconds(since: newest.time)
    var first = ordered.count - 1
    while first > 0, ordered.count - first < historyLimit {
      let candidate = ordered[first - 1].time
      guard newest.time.nanoseconds(since: candidate) <= horizonNanoseconds,
        ordered[first].time.nanoseconds(since: candidate) <= stopGapNanoseconds
      else { break }
      first -= 1
    }
    return WindowedSamples(
      samples: ordered[first...], liftGapNanoseconds: liftGap,
      hasStopped: ordered.count > 1 && liftGap > stopGapNanoseconds)
  }
}
