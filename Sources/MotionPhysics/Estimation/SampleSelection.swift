package import TimelineModel

/// Samples that count, oldest first: the view that every formula computes with.
typealias SampleBuffer = UnsafeBufferPointer<Sample>

/// The samples that a window keeps at a lift.
struct SampleSelection {
  /// The samples inside the window, oldest first.
  var samples: SampleBuffer
  /// Nanoseconds from the newest sample that counts to the lift. `nil` without a sample.
  var liftGapNanoseconds: Int64?
  /// Whether the value rested too long before the lift. A single sample alone never counts as
  /// stopped: it cannot tell resting from moving.
  var hasStopped = false
  /// The samples outside, by reason.
  var leftOut = LeftOutSamples()
}

extension EstimationWindow {
  /// Chooses the samples that count at a lift, and hands them to a body.
  ///
  /// In recording order: samples after the lift are passed over. Values that are not finite and
  /// samples marked as resampled are left out. Doubled and backward times go by their rules. Then the
  /// window is walked back from the newest sample until the history limit, a stop gap or the horizon
  /// ends it. The first of them that does is the reason for everything before.
  ///
  /// Samples in strictly rising time are not copied. Others are taken one by one into a scratch of
  /// the window's size. Linear in the number of samples, with one comparison for each before the
  /// window: a single sample from the future at the start of a recording makes all others backward.
  func withSelection<Answer>(
    of samples: SampleBuffer, resampled: UnsafeBufferPointer<Bool>, lift: Instant,
    _ body: (SampleSelection) -> Answer
  ) -> Answer {
    var end = samples.count
    while end > 0, samples[end - 1].time > lift { end -= 1 }
    let recorded = SampleBuffer(rebasing: samples[..<end])
    guard !isInPlainOrder(recorded, resampled: resampled) else {
      return body(selection(from: recorded, olderCount: 0, leftOut: LeftOutSamples(), lift: lift))
    }
    let limit = min(max(1, historyLimit), end)
    return withUnsafeTemporaryAllocation(of: Sample.self, capacity: 2 * limit) { scratch in
      var acceptance = SampleAcceptance(self)
      var leftOut = LeftOutSamples()
      var count = 0
      var olderCount = 0
      for (index, sample) in recorded.enumerated() where sample.time <= lift {
        let isResampled = index < resampled.count && resampled[index]
        switch acceptance.take(sample, isResampled: isResampled) {
        case .accepted:
          if count == 2 * limit {
            for kept in 0..<limit { scratch[kept] = scratch[limit + kept] }
            count = limit
            olderCount += limit
          }
          scratch.initializeElement(at: count, to: acceptance.counted(sample))
          count += 1
        case .replacesNewest:
          scratch[count - 1] = acceptance.counted(sample)
          leftOut[.duplicate] += 1
        case .leftOut(let reason): leftOut[reason] += 1
        }
      }
      let accepted = SampleBuffer(rebasing: scratch[..<count])
      return body(
        selection(from: accepted, olderCount: olderCount, leftOut: leftOut, lift: lift))
    }
  }

  /// Whether the window ends among some samples, so that those before them change no velocity: what is selected at a lift
  /// is not all of them.
  ///
  /// - Parameters:
  ///   - samples: The last samples before the lift, in rising time.
  ///   - lift: When the value was let go.
  /// - Returns: false also where doubled times are merged, since it then depends on all samples which of them count.
  package func ends(among samples: [Sample], lift: Instant) -> Bool {
    if case .merge = duplicates { return false }
    return samples.withUnsafeBufferPointer { samples in
      withSelection(of: samples, resampled: UnsafeBufferPointer(start: nil, count: 0), lift: lift) {
        samples.count > 1 && $0.samples.count < samples.count
      }
    }
  }

  /// Whether every sample counts as it stands: finite, measured, each after the one before.
  private func isInPlainOrder(_ samples: SampleBuffer, resampled: UnsafeBufferPointer<Bool>) -> Bool
  {
    for isResampled in resampled.prefix(samples.count) where isResampled { return false }
    var mergedNanoseconds: Int64 = 0
    if case .merge(let nanoseconds) = duplicates { mergedNanoseconds = max(0, nanoseconds) }
    guard var previous = samples.first else { return true }
    guard previous.value.isFinite else { return false }
    for sample in samples.dropFirst() {
      guard sample.time.nanoseconds(since: previous.time) > mergedNanoseconds,
        sample.value.isFinite
      else { return false }
      previous = sample
    }
    return true
  }

  /// Walks back over the samples that count. `olderCount` more lie before them.
  func selection(
    from accepted: SampleBuffer, olderCount: Int, leftOut: LeftOutSamples, lift: Instant
  ) -> SampleSelection {
    guard let newest = accepted.last else {
      return SampleSelection(samples: accepted, liftGapNanoseconds: nil, leftOut: leftOut)
    }
    let liftGap = lift.nanoseconds(since: newest.time)
    var selection = SampleSelection(
      samples: accepted, liftGapNanoseconds: liftGap, leftOut: leftOut)
    let total = accepted.count + olderCount
    if total > 1, isStop(liftGap, limit: liftGapNanoseconds ?? stopGapNanoseconds) {
      selection.hasStopped = true
      selection.leftOut[.gap] += total
      selection.samples = SampleBuffer(rebasing: accepted[accepted.count...])
      return selection
    }
    let (first, reason) = oldest(of: accepted, lift: lift)
    selection.samples = SampleBuffer(rebasing: accepted[first...])
    selection.leftOut[reason] += first + olderCount
    return selection
  }

  /// The index of the oldest sample in the window, and why those before it are not.
  func oldest(of accepted: SampleBuffer, lift: Instant) -> (
    index: Int, reason: LeftOutSamples.Reason
  ) {
    let count = accepted.count
    guard let newest = accepted.last else { return (0, .history) }
    let origin = ageOrigin == .lift ? lift : newest.time
    var first = count
    while first > 0, count - first < max(1, historyLimit) {
      let candidate = accepted[first - 1].time
      if first < count {
        let next = accepted[first].time
        // Where backward times are kept, a step back is as long as one ahead.
        let gap = max(
          next.nanoseconds(since: candidate), candidate.nanoseconds(since: next))
        if isStop(gap, limit: stopGapNanoseconds) { return (first, .gap) }
        let aged = ageMeasure == .segmentEnd ? next : candidate
        if !isWithinHorizon(origin.nanoseconds(since: aged)) { return (first, .age) }
      } else if ageOrigin == .lift, !isWithinHorizon(origin.nanoseconds(since: candidate)) {
        return (first, .age)
      }
      first -= 1
    }
    return (first, .history)
  }

  private func isStop(_ gap: Int64, limit: Int64) -> Bool {
    guard limit != EstimationWindow.unlimited else { return false }
    return stopGapIncludesItsEnd ? gap >= limit : gap > limit
  }

  private func isWithinHorizon(_ age: Int64) -> Bool {
    guard horizonNanoseconds != EstimationWindow.unlimited else { return true }
    return horizonIncludesItsEnd ? age <= horizonNanoseconds : age < horizonNanoseconds
  }
}
