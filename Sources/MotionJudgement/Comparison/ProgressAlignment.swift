import MotionMeasures
import TimelineModel
import TimelineSession

/// Lays B's time on A's so that equal progress falls together while a transition is driven.
///
/// A finger rests and turns back, so that one progress is reached more than once. What counts is the
/// **monotone envelope**: the farthest that the progress has come so far in the driven part, which only ever
/// grows. Each instant at which B's envelope first reaches a value is laid on the one at which A's does. Where
/// both rest at a value, the rests are laid on each other from end to end. In between and beyond, time
/// runs on evenly: a settle keeps its own pace.
///
/// The first driven part of A belongs to the first of B, the second to the second.
struct ProgressAlignment {
  /// What falls together.
  let map: TimeMap

  /// - Throws: ``MotionMeasures/QueryError`` where there is nothing to align by: no progress key, no driven part, or no
  ///   progress that both reach.
  init(_ a: SessionData, _ b: SessionData) throws(QueryError) {
    let partsOfA = try ProgressAlignment.drivenParts(of: a, "A")
    let partsOfB = try ProgressAlignment.drivenParts(of: b, "B")
    var knots: [TimeMap.Knot] = []
    for (partOfA, partOfB) in zip(partsOfA, partsOfB) {
      knots += ProgressAlignment.knots(partOfA, partOfB)
    }
    guard let map = TimeMap(knots) else {
      throw QueryError(
        "The two sessions have no driven progress in common. Align them with start or xcorr.")
    }
    self.map = map
  }

  /// The envelopes of the driven parts, one for each motion that has one.
  private static func drivenParts(
    of run: SessionData, _ name: String
  ) throws(QueryError) -> [Envelope] {
    guard let key = run.progressKey else {
      throw QueryError(
        "Session \(name) has no key of the progress. Align with start or xcorr.")
    }
    let (times, values) = (key.curve.times, key.curve.values)
    let parts = run.stretches.compactMap { stretch -> Envelope? in
      let end = min(stretch.end, stretch.release ?? stretch.end)
      let first = times.partitioningIndex { $0 >= stretch.start }
      let driven = (first..<max(first, times.partitioningIndex { $0 > end })).filter {
        key.phases[$0] == .driving
      }
      return Envelope(Curve(driven.map { Sample(time: times[$0], value: values[$0]) }))
    }
    guard !parts.isEmpty else {
      throw QueryError(
        "Session \(name) has no driven progress that moves. Align with start or xcorr.")
    }
    return parts
  }

  /// Where two envelopes reach the same values, from the first that both have to the last.
  private static func knots(_ a: Envelope, _ b: Envelope) -> [TimeMap.Knot] {
    guard a.sign == b.sign else { return [] }
    let low = max(a.lowest, b.lowest)
    let high = min(a.highest, b.highest)
    guard low < high else { return [] }
    var levels = (a.values + b.values).filter { $0 > low && $0 < high } + [low, high]
    levels.sort()
    var knots: [TimeMap.Knot] = []
    var before: Double?
    for level in levels where level != before {
      before = level
      knots.append(TimeMap.Knot(ofB: b.firstReach(level), ofA: a.firstReach(level)))
      if level < high {
        knots.append(TimeMap.Knot(ofB: b.lastStay(level), ofA: a.lastStay(level)))
      }
    }
    return knots
  }
}

/// The farthest that a value has come so far, as a line that rises and rests.
private struct Envelope {
  /// 1 where the value goes upwards, -1 where it goes downwards and everything here is mirrored.
  let sign: Double
  /// Corners in the order of time. Values never fall.
  private(set) var times: [Instant] = []
  private(set) var values: [Double] = []

  /// nil where nothing moves.
  init?(_ curve: Curve) {
    guard let first = curve.values.first, let range = curve.valueRange else { return nil }
    sign = range.upperBound - first >= first - range.lowerBound ? 1 : -1
    for index in curve.times.indices {
      let value = sign * curve.values[index]
      guard let highest = values.last else {
        (times, values) = ([curve.times[index]], [value])
        continue
      }
      guard value > highest else { continue }
      let before = sign * curve.values[index - 1]
      if before < highest {
        // It comes back to where it had been, and goes on from there.
        let last = Sample(time: curve.times[index - 1], value: before)
        times.append(last.crossing(highest, to: Sample(time: curve.times[index], value: value)))
        values.append(highest)
      } else if let last = times.last, last < curve.times[index - 1] {
        times.append(curve.times[index - 1])
        values.append(highest)
      }
      times.append(curve.times[index])
      values.append(value)
    }
    guard values.count > 1 else { return nil }
  }

  var lowest: Double { values[0] }
  var highest: Double { values[values.count - 1] }

  /// When a value within the envelope is first reached.
  func firstReach(_ value: Double) -> Instant {
    let position = values.partitioningIndex { $0 >= value }
    guard position > 0, position < values.count, values[position] > value else {
      return times[min(position, times.count - 1)]
    }
    return between(position - 1, value)
  }

  /// When a value within the envelope is left behind.
  func lastStay(_ value: Double) -> Instant {
    let position = values.partitioningIndex { $0 > value }
    guard position > 0, position < values.count, values[position - 1] < value else {
      return times[max(0, position - 1)]
    }
    return between(position - 1, value)
  }

  private func between(_ position: Int, _ value: Double) -> Instant {
    Sample(time: times[position], value: values[position])
      .crossing(value, to: Sample(time: times[position + 1], value: values[position + 1]))
  }
}
