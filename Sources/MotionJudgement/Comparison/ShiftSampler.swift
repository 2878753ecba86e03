import TimelineSession

/// The distance of two long curves at some of their instants, for the search of a shift: half of the instants
/// lie evenly in time, half evenly in the movement of either curve, so that a short motion in a long rest
/// is seen.
struct ShiftSampler {
  private let pair: CurvePair
  /// Instants, A's values at them, and the time that each stands for.
  private var times: [Double] = []
  private var values: [Double] = []
  private var weights: [Double] = []
  /// The last sample of B at or before each instant, at no shift.
  private var positions: [Int] = []

  /// How many instants are looked at: with the same ones at every shift, errors of the mean cancel out of
  /// the comparison of two shifts.
  static let nodeCount = 1024

  init(_ pair: CurvePair) {
    self.pair = pair
    let half = Self.nodeCount / 2
    let span = pair.a.last - pair.a.first
    times = (0...half).map { pair.a.first + span * Double($0) / Double(half) }
    times += Self.movementQuantiles(pair.a, count: half / 2)
    times += Self.movementQuantiles(pair.b, count: half / 2)
    times.sort()
    for (position, time) in times.enumerated() {
      let before = position > 0 ? times[position - 1] : time
      let after = position + 1 < times.count ? times[position + 1] : time
      weights.append((after - before) / 2)
    }
    values = pair.read(pair.a, at: times)
    positions = times.map { pair.b.index(atOrBefore: $0) }
  }

  /// The mean of the squared distance at a shift of B, by the trapezoid rule over the instants at which B has
  /// a value. `nil` where it has none.
  func meanSquare(shift: Double) -> Double? {
    var (sum, total) = (0.0, 0.0)
    let b = pair.b
    for node in times.indices {
      let time = times[node] + shift
      guard time >= b.first, time <= b.last else { continue }
      guard times[node] >= pair.a.first, times[node] <= pair.a.last else { continue }
      var index = positions[node]
      while index + 1 < b.count, b.times[index + 1] <= time { index += 1 }
      while index > 0, b.times[index] > time { index -= 1 }
      let distance = Self.value(b, at: time, index, pair.isStep) - values[node]
      sum += weights[node] * distance * distance
      total += weights[node]
    }
    return total > 0 ? sum / total : nil
  }

  /// Instants between which a curve moves equally far.
  private static func movementQuantiles(_ track: CurvePair.Track, count: Int) -> [Double] {
    var movement = 0.0
    for index in track.values.indices.dropFirst() {
      movement += abs(track.values[index] - track.values[index - 1])
    }
    guard movement > 0, movement.isFinite else { return [] }
    var found: [Double] = []
    var gone = 0.0
    for index in track.values.indices.dropFirst() {
      let step = abs(track.values[index] - track.values[index - 1])
      while found.count < count {
        let mark = movement * (Double(found.count) + 0.5) / Double(count)
        guard mark <= gone + step, step > 0 else { break }
        let share = max(0, min(1, (mark - gone) / step))
        found.append(
          track.times[index - 1] + share * (track.times[index] - track.times[index - 1]))
      }
      gone += step
    }
    return found
  }

  private static func value(
    _ track: CurvePair.Track, at time: Double, _ index: Int, _ isStep: Bool
  ) -> Double {
    track.times.withUnsafeBufferPointer { times in
      track.values.withUnsafeBufferPointer { values in
        CurvePair.value(times, values, at: time, index, isStep)
      }
    }
  }
}
