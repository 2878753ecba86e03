package import TimelineModel

/// A way to estimate a velocity from samples. The raw values are the names in scenario files and of
/// `--estimator`. Each formula and its source stand with the function that computes it.
public enum Estimator: String, CaseIterable, Hashable, Sendable {
  /// The slope of the best line.
  case lsq1
  /// The slope at the newest sample of the best parabola.
  case lsq2
  /// The slope at the newest sample of the best cubic.
  case lsq3
  /// `lsq3`, with an interval that holds the slopes of other degrees and spans.
  case lsqSpan = "lsq-span"
  /// `lsq2`, but 0 where its sign opposes the displacement from the oldest sample to the newest.
  case lsq2Restricted = "lsq2-restricted"
  /// `lsq2` in which a sample weighs by the time to the next one.
  case wlsq2Delta = "wlsq2-delta"
  /// `lsq2` in which the newest and the old samples weigh less.
  case wlsq2Central = "wlsq2-central"
  /// `lsq2` in which old samples weigh less.
  case wlsq2Recent = "wlsq2-recent"
  /// Segment velocities through a low-pass filter.
  case int1
  /// Segment velocities through a low-pass filter that also follows the acceleration.
  case int2
  /// A running average of the velocities since the oldest sample.
  case legacy
  /// The speed at which the work done along the path would have left a body.
  case impulse
  /// The impulse in the form of its first publication, which overshoots.
  case impulse2017 = "impulse-2017"
  /// The displacement from the oldest sample to the newest by its time.
  case mean
  /// The average of the newest five segment velocities.
  case mean5
  /// Flutter's likeness of the iOS scroll view: 0.60, 0.35 and 0.05 of the newest three segments,
  /// the oldest first.
  case ios3
  /// Flutter's likeness of the macOS scroll view: 0.15, 0.65 and 0.20.
  case macos3
  /// SwiftUI's 0.75 of the segment before the newest and 0.25 of the newest.
  case swiftui
  /// The newest segment.
  case twoPoint = "two-point"
  /// A Kalman filter for a body of constant velocity.
  case kalmanConstantVelocity = "kalman-cv"
  /// A Kalman filter for a body of constant acceleration.
  case kalmanConstantAcceleration = "kalman-ca"
  /// The difference of the last two places that the 1 euro filter gives.
  case oneEuro = "one-euro"
  /// The steps of the reports of the last 150 ms, the oldest one's own too, by the time from the oldest report to the
  /// newest, or to the lift: niri's and COSMIC's.
  case meanSteps = "mean-steps"
  /// The mean length of the steps of a whole swipe, in units *per report*: Hyprland's.
  case stepMean = "step-mean"
  /// The sum of the last two steps, in units *per two reports*: Wayfire's.
  case lastTwo = "last-two"
  /// Whichever of the others tells held-out samples of the same recording best.
  case auto

  /// Every estimator with a formula of its own: all but `auto`.
  public static let single: [Estimator] = allCases.filter { $0 != .auto }
}

extension Estimator {
  /// All that is particular to the estimator.
  package var definition: EstimatorDefinition {
    guard let found = EstimatorDefinition.all.first(where: { $0.estimator == self }) else {
      preconditionFailure("Add the estimator \(rawValue) to EstimatorDefinition.all.")
    }
    return found
  }
}

extension Estimator: OfferedNames {
  package static let unoffered: [Estimator] = [.int1, .int2, .legacy, .impulse2017]
}

extension EstimatorName {
  /// The name of an estimator that this version knows.
  package init(_ estimator: Estimator) { self.init(estimator.rawValue) }

  /// The estimator. `nil` for one that this version does not know, and where nothing was estimated.
  package var estimator: Estimator? { Estimator(rawValue: description) }
}

extension Estimator {
  /// The estimate of `estimate(_:resampled:lift:window:)`, and for `auto` the ranking that it rests on, which
  /// is worked out once for both. `nil` for the other estimators.
  package func answer(
    _ samples: [Sample], resampled: [Bool] = [], lift: Instant, window: EstimationWindow = .android
  ) -> (estimate: VelocityEstimate, ranking: EstimatorRanking?) {
    guard self == .auto else {
      return (estimate(samples, resampled: resampled, lift: lift, window: window), nil)
    }
    let ranked = RankedCandidates(samples, resampled: resampled, lift: lift, window: window)
    return (
      autoEstimate(samples, resampled: resampled, lift: lift, ranked: ranked), ranked.ranking
    )
  }
}

/// The answer of `auto`: the estimate of the candidate that tells held-out samples of the same recording
/// best (`EstimatorRanking`), named in `chosen`, with an interval from its errors there.
///
/// All but the interval is the chosen candidate's own estimate. `low` and `high` are meant to hold, in
/// 90 of 100 places, the slope that a parabola within 22 ms before and after the lift would have: see
/// `RankedCandidates.reachOfInterval()`. `standardError` is the interval's half width by the normal
/// distribution's 1.645. A value that had stopped is 0 without an interval, as everywhere.
///
/// Pure, and a few milliseconds for a recording of any length beyond 400 places.
private func autoEstimate(
  _ samples: [Sample], resampled: [Bool], lift: Instant, ranked: RankedCandidates
) -> VelocityEstimate {
  let chosen = ranked.candidates[ranked.chosen]
  var estimate = chosen.estimator.estimate(
    samples, resampled: resampled, lift: lift, window: chosen.window)
  estimate.estimator = EstimatorName(.auto)
  estimate.chosen = chosen.name
  guard let velocity = estimate.velocity, estimate.sampleCount > 1 else { return estimate }
  estimate.low = nil
  estimate.high = nil
  estimate.standardError = nil
  guard let reach = ranked.reachOfInterval() else { return estimate }
  let low = velocity - reach
  let high = velocity + reach
  guard low.isFinite, high.isFinite else { return estimate }
  estimate.low = low
  estimate.high = high
  estimate.standardError = reach / normalQuantile95
  return estimate
}

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
