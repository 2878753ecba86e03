public import TimelineModel

/// What one sample did to an estimate.
public struct SampleStory: Hashable, Sendable {
  /// The sample itself.
  public var sample: Sample
  /// Its place in the recording, from 0.
  public var index: Int
  /// Why it was left out; nil: it was used.
  public var reason: LeftOutSamples.Reason?
  /// What it weighs in the fit, no unit: its residual counts this much. 1 outside the weighted fits,
  /// 0 when it was left out.
  public var weight: Double
  /// The answer without it, in units per second; nil when it was left out, or cannot be spared.
  public var leaveOneOut: Double?

  /// Makes a story.
  public init(
    sample: Sample, index: Int, reason: LeftOutSamples.Reason? = nil, weight: Double,
    leaveOneOut: Double? = nil
  ) {
    self.sample = sample
    self.index = index
    self.reason = reason
    self.weight = weight
    self.leaveOneOut = leaveOneOut
  }
}
