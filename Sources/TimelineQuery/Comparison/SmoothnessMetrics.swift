import TimelineModel

/// How evenly a session's display was updated, from its frame clock.
///
/// It tells **update hitches**: the clock is that of the app's own updates. When a frame came onto the
/// glass is in no recording.
public struct SmoothnessMetrics: Sendable, Hashable {
  /// Apple's bands of the hitch time ratio.
  public enum Band: String, Sendable, CaseIterable {
    /// Less than 5 ms of lateness in a second.
    case good
    /// 5 to 10 ms.
    case warning
    /// More than 10 ms.
    case critical
  }

  /// Percentiles of the intervals, in seconds: the smallest interval that so many percent do not exceed
  /// (nearest rank).
  public struct Intervals: Sendable, Hashable {
    /// Half are no longer.
    public var p50: Double
    /// 90 % are no longer.
    public var p90: Double
    /// 95 % are no longer.
    public var p95: Double
    /// 99 % are no longer.
    public var p99: Double
    /// The longest.
    public var longest: Double
  }

  /// What the frames are taken from.
  public var source: FrameClock.Source
  /// How many frames there are, those at rest too.
  public var frameCount: Int
  /// How many intervals were judged: those that begin while something moves, or all of them in a session
  /// in which nothing ever does.
  public var intervalCount: Int
  /// The interval that was expected, in seconds: one over the refresh rate, or else the median interval; nil
  /// without either.
  public var expectedSeconds: Double?
  /// Whether ``expectedSeconds`` is the session's own refresh rate rather than its median interval.
  public var expectedIsRecorded: Bool
  /// How long the judged intervals were; nil without one.
  public var intervals: Intervals?
  /// How long the judged intervals are together, in seconds.
  public var motionSeconds: Double
  /// Milliseconds of lateness in each second of motion: of every interval that is rounded to more than one
  /// expected one, those beyond the first; nil without an interval.
  public var hitchRatio: Double?
  /// Intervals above ``jankMultiple`` expected ones, in percent of all judged; nil without an interval.
  public var jankPercent: Double?
  /// What ``jankPercent`` was counted by; no unit.
  public var jankMultiple: Double
  /// How often an interval was longer than the one before by another whole expected one.
  public var growthCount: Int
  /// How many frames have the instant of the frame before.
  public var duplicateCount: Int
  /// How many frames come before the frame before.
  public var backwardCount: Int

  /// JankStats' multiple: an interval of more than two expected ones is jank.
  public static let usualJankMultiple = 2.0
  /// By what part of an expected interval one may be longer before it is jank: two frames whose times are
  /// rounded, or come from a clock with a little jitter, are no more than two frames. No unit, ours.
  public static let jankSlack = 0.05
  /// Apple's bound between good and warning, in milliseconds per second.
  public static let warningHitchRatio = 5.0
  /// Apple's bound between warning and critical, in milliseconds per second.
  public static let criticalHitchRatio = 10.0

  /// The band of ``hitchRatio``; nil without one.
  public var band: Band? {
    hitchRatio.map {
      $0 > SmoothnessMetrics.criticalHitchRatio
        ? .critical : $0 >= SmoothnessMetrics.warningHitchRatio ? .warning : .good
    }
  }

  /// Tells a clock's figures.
  ///
  /// - Parameters:
  ///   - clock: The frames.
  ///   - jankMultiple: How many expected intervals are jank when exceeded.
  /// - Complexity: O(n log n).
  public init(
    _ clock: FrameClock, jankMultiple: Double = SmoothnessMetrics.usualJankMultiple
  ) {
    source = clock.source
    frameCount = clock.times.count
    self.jankMultiple = jankMultiple
    duplicateCount = 0
    backwardCount = 0
    growthCount = 0
    motionSeconds = 0
    let judgesAll = !clock.isMoving.contains(true)
    var lengths: [Int64] = []
    // Where intervals that follow each other are apart: a growth is one from the interval just before.
    var isBroken = true
    var followsAnother: [Bool] = []
    for index in clock.times.indices.dropFirst() {
      let length = clock.times[index].nanoseconds(since: clock.times[index - 1])
      if length == 0 { duplicateCount += 1 }
      if length < 0 { backwardCount += 1 }
      guard length > 0, judgesAll || clock.isMoving[index - 1] else {
        isBroken = isBroken || length != 0
        continue
      }
      lengths.append(length)
      followsAnother.append(!isBroken)
      isBroken = false
    }
    intervalCount = lengths.count
    let sorted = lengths.sorted()
    expectedIsRecorded = clock.refreshRate != nil
    expectedSeconds =
      clock.refreshRate.map { 1 / $0 }
      ?? (sorted.isEmpty ? nil : Double(SmoothnessMetrics.rank(0.5, of: sorted)) / 1e9)
    guard let last = sorted.last, let expectedSeconds else { return }
    intervals = Intervals(
      p50: Double(SmoothnessMetrics.rank(0.5, of: sorted)) / 1e9,
      p90: Double(SmoothnessMetrics.rank(0.9, of: sorted)) / 1e9,
      p95: Double(SmoothnessMetrics.rank(0.95, of: sorted)) / 1e9,
      p99: Double(SmoothnessMetrics.rank(0.99, of: sorted)) / 1e9, longest: Double(last) / 1e9)
    let expected = expectedSeconds * 1e9
    var (lateFrames, motion) = (0.0, 0.0)
    var jankCount = 0
    var before = 1.0
    for (length, follows) in zip(lengths, followsAnother) {
      let frames = max(1, (Double(length) / expected).rounded())
      motion += Double(length)
      lateFrames += frames - 1
      if Double(length) > (jankMultiple + SmoothnessMetrics.jankSlack) * expected { jankCount += 1 }
      if follows, frames > before { growthCount += 1 }
      before = frames
    }
    motionSeconds = motion / 1e9
    hitchRatio = lateFrames * expectedSeconds / motionSeconds * 1000
    jankPercent = 100 * Double(jankCount) / Double(intervalCount)
  }

  /// The smallest of the sorted numbers that a share of them does not exceed.
  private static func rank(_ share: Double, of sorted: [Int64]) -> Int64 {
    sorted[max(0, Int((share * Double(sorted.count)).rounded(.up)) - 1)]
  }
}
