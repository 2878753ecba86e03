import TimelineModel

/// Takes samples in recording order and says of each whether it counts: the plain definition of the
/// rules for doubled and backward times, one sample at a time.
struct SampleIntake {
  /// What becomes of a sample.
  enum Disposition {
    case accepted
    /// It counts, and the newest one so far no longer does.
    case replacesNewest
    case leftOut(LeftOutSamples.Reason)
  }

  private let duplicates: EstimationWindow.DuplicateRule
  private let backward: EstimationWindow.BackwardRule
  private var newest: Instant?

  init(_ window: EstimationWindow) {
    duplicates = window.duplicates
    backward = window.backward
  }

  mutating func take(_ sample: Sample, isResampled: Bool) -> Disposition {
    guard sample.value.isFinite else { return .leftOut(.notFinite) }
    guard !isResampled else { return .leftOut(.resampled) }
    guard let newest else {
      self.newest = sample.time
      return .accepted
    }
    if sample.time < newest, backward == .leaveOut { return .leftOut(.backward) }
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
