public import TimelineModel

/// How far two curves are apart, B minus A, in the key's unit.
///
/// Means are over time, not over samples: between the instants at which either curve has a sample both
/// are straight lines, so that the integrals are exact. A stretch with many samples weighs no more
/// than one with few.
public struct CurveDifference: Sendable, Hashable {
  /// The largest distance, never negative.
  public var maximum: Double
  /// When the largest distance first occurs, on A's clock.
  public var timeOfMaximum: Instant
  /// The mean of the distance, never negative.
  public var meanAbsolute: Double
  /// The root of the mean of the squared distance (RMSE), never negative.
  public var rootMeanSquare: Double
  /// The mean of B minus A; positive where B lies above A.
  public var bias: Double
  /// The distance that is not exceeded for 95 % of the time, never negative. Each stretch between two
  /// instants counts with the distance in its middle.
  public var percentile95: Double

  /// Makes a difference from its figures.
  public init(
    maximum: Double, timeOfMaximum: Instant, meanAbsolute: Double, rootMeanSquare: Double,
    bias: Double, percentile95: Double
  ) {
    self.maximum = maximum
    self.timeOfMaximum = timeOfMaximum
    self.meanAbsolute = meanAbsolute
    self.rootMeanSquare = rootMeanSquare
    self.bias = bias
    self.percentile95 = percentile95
  }
}
