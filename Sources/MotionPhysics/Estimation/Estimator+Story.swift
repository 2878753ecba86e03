package import TimelineModel

extension Estimator {
  /// Tells of each sample at or before the lift, in recording order, whether it counts in
  /// `estimate(_:resampled:lift:window:)`, why not, and what the answer were without it.
  ///
  /// The reasons agree with the estimate's `leftOut`, and the answers with its leave-one-out bounds.
  /// Where the value had stopped, all samples are left out as before a gap. For `auto`, the story of
  /// what it chose. Allocates, and is linear in the number of samples outside the window.
  package func story(
    of samples: [Sample], resampled: [Bool] = [], lift: Instant, window: EstimationWindow
  ) -> [SampleStory] {
    guard self != .auto else {
      let chosen = EstimatorRanking(samples, resampled: resampled, lift: lift, window: window)
        .chosen
      return chosen.estimator.story(
        of: samples, resampled: resampled, lift: lift, window: chosen.window)
    }
    let definition = definition
    var stories: [SampleStory] = []
    var accepted: [Int] = []
    var kept: [Sample] = []
    var acceptance = SampleAcceptance(window)
    for (index, sample) in samples.enumerated() where sample.time <= lift {
      let isResampled = index < resampled.count && resampled[index]
      var story = SampleStory(sample: sample, index: index, weight: 0)
      switch acceptance.take(sample, isResampled: isResampled) {
      case .accepted:
        accepted.append(stories.count)
        kept.append(acceptance.counted(sample))
      case .replacesNewest:
        stories[accepted[accepted.count - 1]].reason = .duplicate
        accepted[accepted.count - 1] = stories.count
        kept[kept.count - 1] = acceptance.counted(sample)
      case .leftOut(let reason): story.reason = reason
      }
      stories.append(story)
    }
    kept.withUnsafeBufferPointer { kept in
      let selection = window.selection(
        from: kept, olderCount: 0, leftOut: LeftOutSamples(), lift: lift)
      let first = kept.count - selection.samples.count
      let reason = selection.hasStopped ? .gap : window.oldest(of: kept, lift: lift).reason
      for position in accepted[..<first] { stories[position].reason = reason }
      let used = accepted[first...]
      for (offset, position) in used.enumerated() {
        stories[position].weight = definition.family.weighting.weight(
          at: offset, of: selection.samples)
      }
      let idle = window.idleShare(after: selection.liftGapNanoseconds)
      definition.leaveOneOut(selection, window: window) { offset, answer in
        stories[used[first + offset]].leaveOneOut = answer.map { $0 * idle }
      }
    }
    return stories
  }
}

/// The effect of one sample on an estimate.
package struct SampleStory: Hashable, Sendable {
  package var sample: Sample
  /// Its place in the recording, from 0.
  package var index: Int
  /// Why it was left out. `nil`: it was used.
  package var reason: LeftOutSamples.Reason?
  /// Its weight in the fit, no unit: its residual counts this much. 1 outside the weighted fits,
  /// 0 when it was left out.
  package var weight: Double
  /// The answer without it, in units per second. `nil` when it was left out, or cannot be spared.
  package var leaveOneOut: Double?
}
