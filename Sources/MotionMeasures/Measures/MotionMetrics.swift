package import TimelineModel
package import TimelineSession

/// How one value went from where it began to where it came to rest: the figures of a step response.
///
/// The way is the last value minus the first. If it is less than a tenth of all that the value covered, the value came
/// back, and nothing rose. Between samples the value is a straight line, or the last sample's for a step key.
package struct MotionMetrics: Sendable, Hashable {
  /// How many samples the stretch has.
  package var sampleCount: Int
  /// The first value, in the key's unit.
  package var firstValue: Double
  /// The last value, in the key's unit.
  package var finalValue: Double
  /// The largest value minus the smallest.
  package var extent: Double
  /// Seconds from a tenth of the way to nine tenths of it, each where it is first reached. `nil` where the
  /// value came back or never moved.
  package var riseSeconds: Double?
  /// Seconds from the release until the value stays within 2 % of its way left then. Without a release from the first
  /// sample, and of the whole way. nil for fewer than two samples. See `Settle`.
  package var settle2Seconds: Double?
  /// The same within 5 %.
  package var settle5Seconds: Double?
  /// ``Settle/overshootPercent``. `nil` without a way.
  package var overshootPercent: Double?
  /// ``Settle/overshootTime``. `nil` if nothing was beyond.
  package var overshootTime: Instant?
  /// ``Settle/undershootPercent``. `nil` as ``overshootPercent``.
  package var undershootPercent: Double?
  /// How often the value turned round. A movement of less than ``turnShare`` of its extent is none.
  package var turnCount: Int
  /// The steepest slope in units per second, with its sign. `nil` for fewer than two samples and for step
  /// keys.
  package var peakVelocity: Double?
  /// The middle of the stretch in which ``peakVelocity`` was.
  package var peakTime: Instant?

  /// The movement below which a turn is noise, as a share of the extent. No unit, ours: half of what
  /// `kymo compare` lets pass.
  package static let turnShare = 0.0025
  /// A slope is taken over at least this many seconds, half a frame at 120 Hz, so that two values set
  /// within a moment do not pass for speed.
  package static let shortestSecantSeconds = 0.004

  /// The figures of no sample, to be filled in.
  package init() {
    (sampleCount, turnCount) = (0, 0)
    (firstValue, finalValue, extent) = (0, 0, 0)
  }

  /// Tells the figures of a stretch of a curve. `nil` where the curve has no sample in it.
  ///
  /// - Parameters:
  ///   - curve: The values.
  ///   - stretch: Which part of them.
  ///   - unit: The value's unit. A length has a least band.
  ///   - isStep: Whether the value holds between samples.
  ///   - settle: How an element comes to rest. `nil`: as the samples of the stretch say.
  /// - Complexity: linear in the stretch's samples.
  package init?(
    _ curve: Curve, in stretch: MotionStretch = .everything, unit: String, isStep: Bool = false,
    settle: Settle? = nil
  ) {
    let first = curve.times.partitioningIndex { $0 >= stretch.start }
    let end = curve.times.partitioningIndex { $0 > stretch.end }
    guard first < end else { return nil }
    let track = StretchTrack(
      times: curve.times[first..<end], values: curve.values[first..<end], isStep: isStep)
    sampleCount = end - first
    firstValue = track.values[first]
    finalValue = track.values[end - 1]
    let all = track.values.extremes ?? firstValue...firstValue
    extent = min(all.upperBound - all.lowerBound, .greatestFiniteMagnitude)
    turnCount = track.turnCount(atLeast: extent * MotionMetrics.turnShare)
    let way = max(
      -Double.greatestFiniteMagnitude,
      min(.greatestFiniteMagnitude, finalValue - firstValue))
    if way != 0, abs(way) >= Settle.leastWayShare * extent {
      riseSeconds = track.riseSeconds(from: firstValue, way: way)
    }
    let release = max(stretch.release ?? curve.times[first], curve.times[first])
    guard
      let settle = settle
        ?? Settle(
          times: track.times, values: track.values, release: release, unit: unit, isStep: isStep)
    else { return }
    overshootPercent = settle.overshootPercent
    overshootTime = settle.overshootTime
    undershootPercent = settle.undershootPercent
    guard sampleCount > 1 else { return }
    func seconds(_ percent: Double) -> Double? {
      settle.rest(within: percent).map { max(0, $0.time.seconds(since: release)) }
    }
    (settle2Seconds, settle5Seconds) = (seconds(2), seconds(5))
    if !isStep, let peak = track.steepest(over: MotionMetrics.shortestSecantSeconds) {
      (peakVelocity, peakTime) = (peak.velocity, peak.time)
    }
  }
}

extension MotionMetrics: ResultRow {
  /// The figures of a motion in the order of rows, sessions and verdicts. A line more is a figure more in all of them.
  package static let fields: [ResultField<Self>] = makeFields()

  private static func makeFields() -> [ResultField<Self>] {
    [
      ResultField(.rise, "ms", "Time from 10 to 90 % of the distance.", \.riseSeconds.milliseconds),
      ResultField(.settle2, "ms", "Time to within 2 % of the end.", \.settle2Seconds.milliseconds),
      ResultField(.settle5, "ms", "Time to within 5 % of the end.", \.settle5Seconds.milliseconds),
      ResultField(.overshoot, "%", "Movement past the end, of the distance.", \.overshootPercent),
      ResultField(.undershoot, "%", "Opposite movement, of the distance.", \.undershootPercent),
      ResultField(.turns, "1", "The number of changes of direction.", \.turnCount),
      ResultField("first_value", "The first value, in the key's unit.", \.firstValue),
      ResultField(.finalValue, "", "The last value, in the key's unit.", \.finalValue),
      ResultField(.peakVelocity, "/s", "The largest velocity, with its sign.", \.peakVelocity),
      ResultField("peak_at_s", "The instant of the largest velocity.", \.peakTime?.seconds),
    ]
  }
}

/// The samples of a stretch.
private struct StretchTrack {
  let times: ArraySlice<Instant>
  let values: ArraySlice<Double>
  let isStep: Bool

  /// Where the value first reaches a level on its way, between the samples. The level lies on the way.
  private func firstReach(_ level: Double, rising: Bool) -> Instant? {
    let reaches: (Double) -> Bool = { rising ? $0 >= level : $0 <= level }
    guard let index = values.indices.first(where: { reaches(values[$0]) }) else { return nil }
    guard index > values.startIndex, !isStep else { return times[index] }
    return crossing(of: level, between: index - 1, and: index)
  }

  func riseSeconds(from first: Double, way: Double) -> Double? {
    guard let low = firstReach(first + 0.1 * way, rising: way > 0),
      let high = firstReach(first + 0.9 * way, rising: way > 0)
    else { return nil }
    return high.seconds(since: low)
  }

  /// When the straight line between two samples has a value.
  private func crossing(of level: Double, between i: Int, and j: Int) -> Instant {
    Sample(time: times[i], value: values[i])
      .crossing(level, to: Sample(time: times[j], value: values[j]))
  }

  /// Counts the turns of the value that lead away by at least a distance, as a zigzag drawn through it.
  func turnCount(atLeast distance: Double) -> Int {
    guard var high = values.first, distance > 0 else { return 0 }
    var low = high
    var direction = 0
    var turns = 0
    for value in values {
      switch direction {
      case 0:
        (low, high) = (min(low, value), max(high, value))
        if value - low >= distance {
          (direction, high) = (1, value)
        } else if high - value >= distance {
          (direction, low) = (-1, value)
        }
      case 1:
        high = max(high, value)
        if high - value >= distance { (direction, low, turns) = (-1, value, turns + 1) }
      default:
        low = min(low, value)
        if value - low >= distance { (direction, high, turns) = (1, value, turns + 1) }
      }
    }
    return turns
  }

  /// The steepest secant over at least this many seconds, the earliest of equal ones. A stretch that is shorter is one
  /// secant.
  func steepest(over seconds: Double) -> (velocity: Double, time: Instant)? {
    guard times.count > 1 else { return nil }
    let shortest = Int64(seconds * 1e9)
    return times.withUnsafeBufferPointer { times in
      values.withUnsafeBufferPointer { values in
        var best: (velocity: Double, time: Instant)?
        // Below this part of the steepest rise in a nanosecond nothing is divided: rounding does not bridge a millionth.
        var leastRise = 0.0
        func consider(_ i: Int, _ j: Int, _ span: Int64) {
          let rise = values[j] - values[i]
          if abs(rise) < leastRise * Double(span) { return }
          let velocity = rise / (Double(span) / 1e9)
          guard velocity.isFinite, abs(velocity) > abs(best?.velocity ?? -1) || best == nil else {
            return
          }
          best = (velocity, times[i].advanced(byNanoseconds: span / 2))
          let least = abs(velocity) / 1e9 * 0.999_999
          leastRise = least > 1e-250 && least < 1e250 ? least : 0
        }
        var j = 0
        for i in times.indices {
          let start = times[i].nanoseconds
          var span: Int64 = 0
          while j < times.count {
            span = times[j].nanoseconds.saturatingDistance(from: start)
            if span >= shortest { break }
            j += 1
          }
          guard j < times.count else { break }
          consider(i, j, span)
        }
        if best == nil {
          consider(
            0, times.count - 1, times[times.count - 1].nanoseconds(since: times[0]))
        }
        return best
      }
    }
  }
}

extension Int64 {
  /// The distance from an earlier number. The largest number if 64 bits do not hold it.
  fileprivate func saturatingDistance(from earlier: Int64) -> Int64 {
    let (distance, overflow) = subtractingReportingOverflow(earlier)
    return overflow ? self < 0 ? .min : .max : distance
  }
}
