/// Which samples an estimator looks at, counted back from the newest one.
public struct EstimationWindow: Sendable, Hashable {
  /// Name of the preset ("android").
  public var name: String
  /// How far back from the newest sample a sample may lie, in nanoseconds; exactly this far counts.
  public var horizonNanoseconds: Int64
  /// A longer pause between two samples, in nanoseconds, forgets everything before it; a longer one
  /// between the newest sample and the lift means that the value had stopped.
  public var stopGapNanoseconds: Int64
  /// How many of the newest samples are looked at at most.
  public var historyLimit: Int

  /// Makes a window; times are nanoseconds.
  public init(
    name: String, horizonNanoseconds: Int64, stopGapNanoseconds: Int64, historyLimit: Int
  ) {
    self.name = name
    self.horizonNanoseconds = horizonNanoseconds
    self.stopGapNanoseconds = stopGapNanoseconds
    self.historyLimit = historyLimit
  }

  /// The window of Android's VelocityTracker: horizon 100 ms, stop gap 40 ms, 20 samples (the
  /// constants HORIZON, ASSUME_POINTER_STOPPED_TIME and HISTORY_SIZE of its published source).
  public static let android = EstimationWindow(
    name: "android", horizonNanoseconds: 100_000_000, stopGapNanoseconds: 40_000_000,
    historyLimit: 20)
}
