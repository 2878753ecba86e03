import TimelineModel

/// Takes samples in recording order and says of each whether it counts: the plain definition of the
/// rules for doubled and backward times, one sample at a time.
struct SampleAcceptance {
  /// The fate of a sample.
  enum Disposition {
    case accepted
    /// It counts, and the newest one so far no longer does.
    case replacesNewest
    case leftOut(LeftOutSamples.Reason)
  }

  private let duplicates: EstimationWindow.DuplicateRule
  private let backward: EstimationWindow.BackwardRule
  private var newest: Instant?
  /// The value of the last sample that was measured at all.
  private var previous: Double?
  /// How far the samples that were left out with their movement have gone.
  private var leftOutMovement = 0.0

  init(_ window: EstimationWindow) {
    duplicates = window.duplicates
    backward = window.backward
  }

  /// A sample as it counts: without the movement of those that were left out with theirs.
  func counted(_ sample: Sample) -> Sample {
    leftOutMovement == 0
      ? sample : Sample(time: sample.time, value: sample.value - leftOutMovement)
  }

  mutating func take(_ sample: Sample, isResampled: Bool) -> Disposition {
    guard sample.value.isFinite else { return .leftOut(.notFinite) }
    guard !isResampled else { return .leftOut(.resampled) }
    defer { previous = sample.value }
    guard let newest else {
      self.newest = sample.time
      return .accepted
    }
    if sample.time < newest, backward != .keep {
      if backward == .leaveOutMovement, let previous { leftOutMovement += sample.value - previous }
      return .leftOut(.backward)
    }
    switch duplicates {
    case .merge(let nanoseconds) where sample.time.nanoseconds(since: newest) <= nanoseconds:
      return .leftOut(sample.time < newest ? .backward : .duplicate)
    case .replace where sample.time == newest: return .replacesNewest
    case .skip where sample.time == newest: return .leftOut(.duplicate)
    case .replace, .skip, .keep, .merge:
      self.newest = sample.time
      return .accepted
    }
  }
}
