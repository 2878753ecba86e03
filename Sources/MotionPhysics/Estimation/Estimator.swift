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

extension EstimatorName {
  /// The name of an estimator that this version knows.
  package init(_ estimator: Estimator) { self.init(estimator.rawValue) }

  /// The estimator. `nil` for one that this version does not know, and where nothing was estimated.
  package var estimator: Estimator? { Estimator(rawValue: description) }
}
