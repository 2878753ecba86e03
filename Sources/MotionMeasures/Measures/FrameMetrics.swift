package import TimelineModel
package import TimelineSession

/// How evenly a session's display was updated, from its frame clock.
///
/// It tells **update hitches**: a hitch is a frame that came late, which Android calls jank. The clock is that of the app's own updates. When a frame came onto the
/// glass is in no recording.
package struct FrameMetrics: Sendable, Hashable {
  /// What the expected intervals were taken from.
  package enum Expectation: String, Sendable, CaseIterable {
    /// The session's key `Frames/displayIntervalKey`, at least of some of them.
    case displayInterval = "display.interval"
    /// Rates that several intervals in a row keep, at least one of them another than the session's own.
    case steadyRates = "steady rates"
    /// The session's refresh rate.
    case refreshRate = "refresh rate"
    /// The median interval.
    case median
  }

  /// Percentiles of the intervals, in seconds: the smallest interval that so many percent do not exceed
  /// (nearest rank).
  package struct Intervals: Sendable, Hashable {
    /// Half are no longer.
    package var p50: Double
    /// 90 % are no longer.
    package var p90: Double
    /// 95 % are no longer.
    package var p95: Double
    /// 99 % are no longer.
    package var p99: Double
    /// The longest.
    package var longest: Double
  }

  /// What the frames are taken from.
  package var source: Frames.Source
  /// How many frames there are, those at rest too.
  package var frameCount: Int
  /// How many intervals were judged: those that begin while something moves, or all of them in a session
  /// in which nothing ever does.
  package var intervalCount: Int
  /// The interval that was expected, in seconds: the display's own where the session records it, else the steady
  /// rate around (see ``expectedFrom``). Of several the one that half of the intervals do not exceed. nil
  /// without an interval and a refresh rate.
  package var expectedSeconds: Double?
  /// What the expected intervals were taken from. `nil` where nothing tells.
  package var expectedFrom: Expectation?
  /// The frames that came late, by their places in the clock: rounded to more than one expected interval after
  /// the frame before.
  package var lateFrames: [Int]
  /// How long the judged intervals were. `nil` without one.
  package var intervals: Intervals?
  /// How long the judged intervals are together, in seconds.
  package var motionSeconds: Double
  /// Milliseconds of lateness in each second of motion: of every interval that is rounded to more than one
  /// expected one, those beyond the first. `nil` without an interval.
  package var hitchRatio: Double?
  /// Intervals above ``jankMultiple`` expected ones, in percent of all judged. `nil` without an interval.
  package var jankPercent: Double?
  /// What ``jankPercent`` was counted by. No unit.
  package var jankMultiple: Double
  /// How often an interval was longer than the one before by another whole expected one.
  package var growthCount: Int
  /// How many frames have the instant of the frame before.
  package var duplicateCount: Int
  /// How many frames come before the frame before.
  package var backwardCount: Int

  /// JankStats' multiple: an interval of more than two expected ones is jank.
  package static let usualJankMultiple = 2.0
  /// By what part of an expected interval one may be longer before it is jank: two frames whose times are
  /// rounded, or come from a clock with a little jitter, are no more than two frames. No unit, ours.
  package static let jankSlack = 0.05
  /// The band of ``hitchRatio``. `nil` without one.
  package var band: HitchBand? { hitchRatio.map { HitchBand($0) } }

  /// Tells a clock's figures.
  ///
  /// - Parameters:
  ///   - clock: The frames.
  ///   - jankMultiple: How many expected intervals are jank when exceeded.
  /// - Complexity: O(n log n).
  package init(
    _ clock: Frames, jankMultiple: Double = FrameMetrics.usualJankMultiple
  ) {
    source = clock.source
    frameCount = clock.times.count
    self.jankMultiple = jankMultiple
    duplicateCount = 0
    backwardCount = 0
    growthCount = 0
    motionSeconds = 0
    lateFrames = []
    let judgesAll = !clock.isMoving.contains(true)
    var judged: [ExpectedIntervals.Interval] = []
    // Where intervals that follow each other are apart: a growth is one from the interval just before.
    var isBroken = true
    for index in clock.times.indices.dropFirst() {
      let length = clock.times[index].nanoseconds(since: clock.times[index - 1])
      if length == 0 { duplicateCount += 1 }
      if length < 0 { backwardCount += 1 }
      guard length > 0, judgesAll || clock.isMoving[index - 1] else {
        isBroken = isBroken || length != 0
        continue
      }
      judged.append(
        ExpectedIntervals.Interval(frameIndex: index, length: length, follows: !isBroken))
      isBroken = false
    }
    intervalCount = judged.count
    let expected = ExpectedIntervals(of: judged, clock)
    expectedFrom = expected.source
    expectedSeconds = clock.refreshRate.map { 1 / $0 }
    let sorted = judged.map(\.length).sorted()
    guard let last = sorted.last else { return }
    expectedSeconds = FrameMetrics.rank(0.5, of: expected.lengths.sorted()) / 1e9
    intervals = Intervals(
      p50: Double(FrameMetrics.rank(0.5, of: sorted)) / 1e9,
      p90: Double(FrameMetrics.rank(0.9, of: sorted)) / 1e9,
      p95: Double(FrameMetrics.rank(0.95, of: sorted)) / 1e9,
      p99: Double(FrameMetrics.rank(0.99, of: sorted)) / 1e9, longest: Double(last) / 1e9)
    var (lateness, motion) = (0.0, 0.0)
    var jankCount = 0
    var before = 1.0
    for (interval, expected) in zip(judged, expected.lengths) {
      let length = Double(interval.length)
      let frames = max(1, (length / expected).rounded())
      motion += length
      lateness += (frames - 1) * expected
      if frames > 1 { lateFrames.append(interval.frameIndex) }
      if length > (jankMultiple + FrameMetrics.jankSlack) * expected { jankCount += 1 }
      if interval.follows, frames > before { growthCount += 1 }
      before = frames
    }
    motionSeconds = motion / 1e9
    hitchRatio = lateness / motion * 1000
    jankPercent = 100 * Double(jankCount) / Double(intervalCount)
  }

  /// The smallest of the sorted numbers that a share of them does not exceed.
  static func rank<Number>(_ share: Double, of sorted: [Number]) -> Number {
    sorted[max(0, Int((share * Double(sorted.count)).rounded(.up)) - 1)]
  }
}

extension FrameMetrics: ResultRow {
  /// How even the updates were, in the order of rows and of a session's numbers.
  package static let fields: [ResultField<Self>] = makeFields()

  private static func makeFields() -> [ResultField<Self>] {
    [
      ResultField(.frames, "1", "Frames, or instants of samples.", isJudged: false, \.frameCount),
      ResultField(
        .intervalP50, "ms", "The median interval.", isJudged: false, \.intervals?.p50.milliseconds),
      ResultField(
        "interval_p90_ms", "The 90 % quantile.", inTable: false, \.intervals?.p90.milliseconds),
      ResultField(.intervalP95, "ms", "The 95 % quantile.", \.intervals?.p95.milliseconds),
      ResultField(
        .intervalP99, "ms", "The 99 % quantile.", isJudged: false, \.intervals?.p99.milliseconds),
      ResultField("interval_max_ms", "The longest interval.", \.intervals?.longest.milliseconds),
      ResultField(.hitchRatio, "ms/s", "Lateness of frames per second of motion.", \.hitchRatio),
      ResultField("band", "The grade of the hitches: good, warning or critical.", \.band),
      ResultField(.jank, "%", "Intervals above jank_multiple expected intervals.", \.jankPercent),
      ResultField("growths", "Intervals a frame or more longer than the previous.", \.growthCount),
      ResultField("doubled", "Frames at the instant of the previous frame.", \.duplicateCount),
      ResultField("backward", "Frames before the previous frame.", inTable: false, \.backwardCount),
      ResultField("jank_multiple", "Limit in expected intervals.", inTable: false, \.jankMultiple),
      ResultField(
        "expected_ms", "The expected interval.", inTable: false, \.expectedSeconds.milliseconds),
      ResultField("expected_from", "The source of expected_ms.", inTable: false, \.expectedFrom),
      ResultField("from", "The source of frames: frames or samples.", inTable: false, \.source),
    ]
  }
}

/// How smooth a motion is by its hitch time ratio, in the bands that Apple's documentation gives for scrolling:
/// below 5 ms of lateness a second is good, above 10 a user sees it.
package enum HitchBand: String, Sendable, CaseIterable {
  /// Below 5 ms/s.
  case good
  /// From 5 to 10 ms/s.
  case warning
  /// Above 10 ms/s.
  case critical

  /// Where the warning begins, in ms/s.
  package static let warningAt = 5.0
  /// Above this it is critical, in ms/s.
  package static let criticalAbove = 10.0

  /// The band of a ratio in milliseconds of lateness a second.
  package init(_ ratio: Double) {
    self =
      ratio > HitchBand.criticalAbove
      ? .critical : ratio >= HitchBand.warningAt ? .warning : .good
  }
}

extension Frames {
  /// Seconds from one frame to the next: that of the refresh rate, else what is usually expected. `nil` if nothing tells.
  package var interval: Double? {
    refreshRate.map { 1 / $0 } ?? (times.isEmpty ? nil : FrameMetrics(self).expectedSeconds)
  }
}
