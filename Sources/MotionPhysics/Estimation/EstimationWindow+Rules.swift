extension EstimationWindow {
  /// The end of a sample's age.
  package enum AgeOrigin: String, Hashable, Sendable, CaseIterable {
    /// To the newest sample: how long the value rested before the lift changes nothing.
    case newestSample
    /// To the lift: a pause pushes samples out of the window.
    case lift
  }

  /// Whose age is compared with the horizon.
  package enum AgeMeasure: String, Hashable, Sendable, CaseIterable {
    /// Each sample's own.
    case sample
    /// That of the segment which begins with the sample, told by the segment's end: the sample
    /// before the oldest one within the horizon counts as well.
    case segmentEnd
  }

  /// The answer when the samples are too few for an estimate.
  package enum AnswerForTooFew: String, Hashable, Sendable, CaseIterable {
    /// No velocity.
    case none
    /// A velocity of 0. `sampleCount` tells it from a rest.
    case zero
  }

  /// The fate of a sample at the time of the one before.
  package enum DuplicateRule: Hashable, Sendable {
    /// It takes the place of the one before.
    case replace
    /// Both count.
    case keep
    /// It is left out.
    case skip
    /// It is left out, and so is every sample up to so many nanoseconds after the last that counts.
    case merge(nanoseconds: Int64)
  }

  /// The fate of a sample before the time of the one before.
  package enum BackwardRule: String, Hashable, Sendable, CaseIterable {
    case leaveOut
    /// It is left out, and so is its step: every later sample counts as if it had not moved. As in niri and COSMIC,
    /// whose reports are distances.
    case leaveOutMovement
    /// It counts, whatever the formula makes of it.
    case keep
  }
}
