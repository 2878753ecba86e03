import TimelineModel
import TimelineSession

/// How long each interval of a frame clock was expected to be.
///
/// Where the session records the display's own interval, that is what counts: the larger of what held at an
/// interval's begin and at its end, so that a change of rate is no hitch at whichever end it was recorded.
/// Elsewhere it is a steady rate: the mean of ``leastSteady`` or more intervals in a row each of which keeps
/// within ``steadyShare`` of those before it. An interval within such a stretch is held against the stretch's
/// rate, one in none against that of the stretch before it (at the start: of the first), and the one just before
/// a stretch against whichever of the two makes it less late. So a display that changes its rate misses nothing,
/// while a frame that is missed now and then, or every second one, is counted. A rate that is within
/// ``steadyShare`` of the session's refresh rate is taken for that. Without any such stretch the refresh rate
/// counts, else the median interval.
struct ExpectedIntervals {
  /// One interval between two frames.
  struct Interval {
    /// The place of the frame that ends it, in the clock.
    var frameIndex: Int
    /// How long it was, in nanoseconds. Above 0.
    var length: Int64
    /// Whether the interval before it in the list ends where it begins.
    var follows: Bool
  }

  /// So many intervals in a row are a rate of their own. Ours: a tenth of a second at 60 Hz.
  static let leastSteady = 6
  /// How far an interval of a steady stretch may be off its mean, no unit. Ours: more than a clock of whole
  /// milliseconds makes of 144 Hz, less than lies between two rates of a display.
  static let steadyShare = 0.15

  /// Nanoseconds expected of each interval. Empty where nothing tells.
  private(set) var lengths: [Double]
  /// What they were taken from.
  private(set) var source: FrameMetrics.Expectation?

  /// Finds what is expected of a clock's intervals.
  ///
  /// - Complexity: O(n log n).
  init(of intervals: [Interval], _ clock: Frames) {
    let nominal = clock.refreshRate.map { 1e9 / $0 }
    let sorted = intervals.map(\.length).sorted()
    let usual = nominal ?? (sorted.isEmpty ? nil : Double(FrameMetrics.rank(0.5, of: sorted)))
    lengths = []
    guard let usual else { return }
    source = nominal == nil ? .median : .refreshRate
    var known = ExpectedIntervals.steady(intervals, nominal: nominal)
    if known.contains(where: { $0 != nil && $0 != nominal }) { source = .steadyRates }
    var before = known.lazy.compactMap { $0 }.first ?? usual
    for (index, interval) in intervals.enumerated() {
      if let steady = known[index] {
        before = steady
      } else {
        let after = index + 1 < known.count ? known[index + 1] ?? before : before
        let isAfterNearer = late(interval.length, after) < late(interval.length, before)
        known[index] = isAfterNearer ? after : before
      }
    }
    lengths = known.map { $0 ?? usual }
    guard clock.displayInterval.count > 0 else { return }
    func recorded(_ frameIndex: Int) -> Double {
      clock.displayInterval.heldValue(at: clock.times[frameIndex]) ?? 0
    }
    for (index, interval) in intervals.enumerated() {
      let seconds = max(recorded(interval.frameIndex - 1), recorded(interval.frameIndex))
      guard seconds > 0 else { continue }
      lengths[index] = seconds * 1e9
      source = .displayInterval
    }
  }

  /// The rate of the steady stretch that each interval is in, in nanoseconds. `nil` for one in none.
  private static func steady(_ intervals: [Interval], nominal: Double?) -> [Double?] {
    var rates: [Double?] = Array(repeating: nil, count: intervals.count)
    var (start, sum) = (0, 0.0)
    for index in 0...intervals.count {
      let count = Double(index - start)
      if index < intervals.count {
        let length = Double(intervals[index].length)
        let isLike = abs(length * count - sum) <= steadyShare * sum
        if index == start || (intervals[index].follows && isLike) {
          sum += length
          continue
        }
      }
      if index - start >= leastSteady {
        let mean = sum / count
        let isNominal = nominal.map { abs(mean - $0) <= steadyShare * $0 } ?? false
        for frameIndex in start..<index { rates[frameIndex] = isNominal ? nominal : mean }
      }
      (start, sum) = (index, index < intervals.count ? Double(intervals[index].length) : 0)
    }
    return rates
  }

  /// How many nanoseconds an interval is late, in whole expected ones.
  private func late(_ length: Int64, _ expected: Double) -> Double {
    (max(1, (Double(length) / expected).rounded()) - 1) * expected
  }
}
