/// Which samples an estimator looks at, and what it answers if they do not suffice.
///
/// Every rule of the peers is a parameter here. `EstimationPreset` has each peer's values. All
/// estimators see the samples that the window lets through: the filters start at its oldest one.
package struct EstimationWindow: Sendable, Hashable {
  /// Name of the preset ("android").
  package var name: String
  /// How far back a sample may lie, in nanoseconds, counted as `ageOrigin` and `ageMeasure` say.
  package var horizonNanoseconds: Int64
  /// Whether a sample exactly at the horizon counts.
  package var horizonIncludesItsEnd = true
  /// The end of a sample's age.
  package var ageOrigin = AgeOrigin.newestSample
  package var ageMeasure = AgeMeasure.sample
  /// A longer pause between two samples, in nanoseconds, forgets everything before it.
  package var stopGapNanoseconds: Int64
  /// Whether a pause of exactly the stop gap, or of the lift gap, is a stop too.
  package var stopGapIncludesItsEnd = false
  /// A longer pause between the newest sample and the lift, in nanoseconds, means that the value had
  /// stopped. `nil`: the stop gap.
  package var liftGapNanoseconds: Int64?
  /// The rest of the velocity after each millisecond between the newest sample and the lift: 1
  /// keeps it whole. No unit, above 0, at most 1.
  package var idleDecayPerMillisecond = 1.0
  /// How many of the newest samples are looked at at most. At least one always is.
  package var historyLimit: Int
  /// With fewer samples than this there is no estimate.
  package var minimumSamples = 2
  /// The answer when the samples are too few for an estimate.
  package var answerForTooFew = AnswerForTooFew.none
  /// The fate of a sample at the time of the one before.
  package var duplicates = DuplicateRule.replace
  /// The fate of a sample before the time of the one before.
  package var backward = BackwardRule.leaveOut
  /// A step of at most this many nanoseconds waits for the next one in `int1` and `int2`: 2 ms in
  /// Android's VelocityTracker (MIN_TIME_DELTA).
  package var filterStepNanoseconds: Int64 = 2_000_000
  /// The bounds of `clampedVelocity`. `nil`: nothing is clamped. `velocity` stays as measured.
  package var clamp: SpeedLimits?

  /// How many points a unit of the samples is, above 0. `step-mean` and `last-two` ask for it, whose first points do
  /// not count. Of a progress it is its rule's distance. Not among what a session keeps: whoever asks knows it.
  package var pointsPerUnit = 1.0
  /// The least standard deviation of a sample, in its unit. `lsq-span` asks for it. 0 of a unit without a length. Not
  /// among what a session keeps.
  package private(set) var leastError = 0.0

  /// How exact a finger's position is, in points.
  private static let leastErrorInPoints = 0.15

  /// A duration or a number of samples that nothing exceeds.
  package static let unlimited = Int64.max

  /// Makes a window with Android's rules unless other rules are given. Times are nanoseconds.
  package init(
    name: String, horizonNanoseconds: Int64, stopGapNanoseconds: Int64, historyLimit: Int
  ) {
    self.name = name
    self.horizonNanoseconds = horizonNanoseconds
    self.stopGapNanoseconds = stopGapNanoseconds
    self.historyLimit = historyLimit
  }

  /// The same window, on samples of which a unit is so many points. `nil`: a unit without a length.
  package func measuring(pointsPerUnit: Double?) -> EstimationWindow {
    var window = self
    window.pointsPerUnit = pointsPerUnit ?? 1
    window.leastError = pointsPerUnit.map { EstimationWindow.leastErrorInPoints / $0 } ?? 0
    return window
  }

  /// The points of a unit: 1 of points and of pixels, nil of a unit without a length.
  package static func points(of unit: String) -> Double? {
    unit == "pt" || unit == "px" ? 1 : nil
  }

  /// Lets pauses longer than this count as a stop, both between two samples and before the lift.
  package mutating func setStopGap(nanoseconds: Int64) {
    stopGapNanoseconds = nanoseconds
    liftGapNanoseconds = nil
  }

  /// The window of Android's VelocityTracker: horizon 100 ms, stop gap 40 ms, 20 samples (the
  /// constants HORIZON, ASSUME_POINTER_STOPPED_TIME and HISTORY_SIZE of its published source). An
  /// equal time replaces. An earlier time is left out, where Android computes nonsense.
  package static let android = EstimationWindow(
    name: "android", horizonNanoseconds: 100_000_000, stopGapNanoseconds: 40_000_000,
    historyLimit: 20)
}

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
