package import TimelineModel
import TimelineSession

/// How a value comes to rest: when it stays near its target, and how far it passes that.
///
/// A settle is the step from the release on. Its size is the furthest distance from the target in it, or without a release
/// the whole way. The time to rest is the last crossing of a band about the target, on the straight
/// line between samples. The overshoot is a share of the longer of two ways to the target: from the first sample, and
/// from the release. The way left after a long drag is short, and its share misleads. Both are terms of step responses
/// (K. Ogata, Modern Control Engineering, section 5.3).
package struct Settle: Sendable {
  /// Where the value should end, in its unit.
  package let target: Double
  /// The size of the settle, in the value's unit: the furthest distance from ``target`` behind the release. Without a
  /// release it is the way from the first sample, if the value has one.
  package let reach: Double
  /// How far the value passes ``target``, in its unit. `nil`: it has no way to pass it on.
  package private(set) var beyond: Double?
  /// ``beyond`` in percent of the longer way.
  package private(set) var overshootPercent: Double?
  /// When the value was furthest beyond its target. `nil`: it never was.
  package private(set) var overshootTime: Instant?
  /// How far the value went the wrong way from the beginning of the longer way, in percent of it. `nil` as ``beyond``.
  package private(set) var undershootPercent: Double?

  /// The largest value minus the smallest.
  package let extent: Double

  /// Whether it never moves so far that anybody sees it, so that it has no way to pass its target on.
  package var isStill: Bool { extent <= leastBand }

  /// When its last sample is.
  package var last: Instant { times[times.endIndex - 1] }

  private let times: ArraySlice<Instant>
  private let values: ArraySlice<Double>
  private let held: Int
  private let isStep: Bool
  private let leastBand: Double
  private let path: Double

  /// When a value is within its band for good.
  package struct Rest: Hashable, Sendable {
    /// When the value crosses into the band for the last time. Of a step key, the sample that is inside.
    package var time: Instant
    /// The first sample of those that stay inside.
    package var sample: Int
  }

  /// The band that counts if nothing else is said, in percent of ``reach``.
  package static let usualPercent = 2.0
  /// An overshoot of less is not printed in sentences, in percent.
  package static let leastPrinted = 0.8
  /// The half band of a length, in its unit: nobody sees less.
  package static let leastLength = 0.5
  /// What changes by less between two samples rests, in points.
  package static let leastStep = 0.02
  /// So many samples near the last one make a rest.
  private static let samplesOfRest = 4
  /// The least part of its extent that a value has to end away from its beginning to have a way. No unit, ours.
  package static let leastWayShare = 0.1

  /// Measures samples.
  ///
  /// - Parameters:
  ///   - times: The samples of a motion, from its beginning to its end. They rise.
  ///   - values: As many.
  ///   - held: The last sample at or before the release. The first one if there is no release.
  ///   - first: The first sample at or behind the release.
  ///   - target: Where the value should end. `nil`: its last one.
  ///   - unit: The value's unit, which tells whether it is a length.
  ///   - isStep: Whether the value holds between samples.
  /// - Returns: nil without a sample.
  /// - Complexity: linear in the samples.
  package init?(
    times: ArraySlice<Instant>, values: ArraySlice<Double>, held: Int, first: Int,
    target: Double? = nil, unit: String, isStep: Bool = false
  ) {
    guard let begin = values.first, let last = values.last else { return nil }
    (self.times, self.values, self.held, self.isStep) = (times, values, held, isStep)
    leastBand = unit.isLength ? Settle.leastLength : 0
    let target = target ?? last
    self.target = target
    let furthest = Settle.finite(values[held...].lazy.map { abs($0 - target) }.max() ?? 0)
    let (way, left) = (Settle.finite(target - begin), Settle.finite(target - values[held]))
    let isWhole = abs(way) >= abs(left)
    let (home, path) = isWhole ? (begin, way) : (values[held], left)
    self.path = path
    let settled = values[first...].extremes
    let all = values.extremes
    extent = all.map { Settle.finite($0.upperBound - $0.lowerBound) } ?? 0
    let isReleased = held > values.startIndex || abs(way) < Settle.leastWayShare * extent
    reach = isReleased ? furthest : abs(way)
    let part = isWhole ? all : settled
    let (low, high) = (min(home, part?.lowerBound ?? home), max(home, part?.upperBound ?? home))
    guard path != 0, !isStill, abs(path) >= Settle.leastWayShare * Settle.finite(high - low) else {
      return
    }
    let sign: Double = path > 0 ? 1 : -1
    let end = (path > 0 ? settled?.upperBound : settled?.lowerBound) ?? target
    let beyond = max(0, (end - target) * sign)
    self.beyond = beyond
    overshootPercent = beyond / abs(path) * 100
    overshootTime = beyond > 0 ? values[first...].firstIndex(of: end).map { times[$0] } : nil
    undershootPercent = max(0, (home - (path > 0 ? low : high)) * sign / abs(path)) * 100
  }

  /// Measures a stretch of samples.
  ///
  /// - Parameter release: When the value is let go. `nil`, or before the first sample: at that.
  /// - Returns: nil without a sample.
  package init?(
    times: ArraySlice<Instant>, values: ArraySlice<Double>, release: Instant?,
    target: Double? = nil, unit: String, isStep: Bool = false
  ) {
    guard let first = times.first else { return nil }
    let release = max(release ?? first, first)
    self.init(
      times: times, values: values,
      held: max(times.startIndex, times.partitioningIndex { $0 > release } - 1),
      first: times.partitioningIndex { $0 >= release }, target: target, unit: unit, isStep: isStep)
  }

  /// A length in percent of the longer way, as ``overshootPercent`` is. `nil`: it has no way.
  package func percent(of length: Double) -> Double? {
    beyond == nil ? nil : length / abs(path) * 100
  }

  private static func finite(_ number: Double) -> Double {
    max(-.greatestFiniteMagnitude, min(.greatestFiniteMagnitude, number))
  }

  /// How far from its target the value may be to count as at rest, in its unit.
  ///
  /// - Parameter percent: The share of ``reach``, in percent. Of a length at least ``leastLength`` counts.
  package func band(within percent: Double) -> Double { max(percent / 100 * reach, leastBand) }

  /// When the value is at rest for good. `nil`: it never is.
  ///
  /// - Parameters:
  ///   - percent: As of ``band(within:)``.
  ///   - length: By how much wider the half band is, in the value's unit.
  package func rest(within percent: Double, wider length: Double = 0) -> Rest? {
    let band = band(within: percent) + length
    guard band >= 0 else { return nil }
    guard let last = values[held...].indices.last(where: { abs(values[$0] - target) > band }) else {
      return Rest(time: times[held], sample: held)
    }
    // The last value is within its own band. Within another target's it may never be.
    let next = last + 1
    guard next < values.endIndex else { return nil }
    if isStep { return Rest(time: times[next], sample: next) }
    let edge = values[last] > target ? target + band : target - band
    let time = Sample(time: times[last], value: values[last])
      .crossing(edge, to: Sample(time: times[next], value: values[next]))
    return Rest(time: time, sample: next)
  }

  /// Whether the value moves until its last sample, so that it may come to rest anywhere. A few samples near each other
  /// make a rest.
  ///
  /// - Parameter percent: As of ``band(within:)``.
  package func isMoving(within percent: Double) -> Bool {
    guard let rest = rest(within: percent), values.count > 1 else { return false }
    let last = values.endIndex - 1
    return last - rest.sample < Settle.samplesOfRest - 1
      && abs(values[last] - values[last - 1]) > Settle.leastStep
  }
}

extension String {
  /// Whether it is the unit of a length on the screen: points, or pixels of a page.
  package var isLength: Bool { self == "pt" || self == "px" }
}
