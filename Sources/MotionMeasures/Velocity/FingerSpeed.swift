import MotionPhysics
package import TimelineModel

/// A finger's speed at its last report, by the estimator `lsq-span`.
///
/// A lift that reports a position of its own is one of the finger's reports if it comes as soon and as near as the moves
/// before it do. The interval then holds what the moves alone say, too. One that comes later says how far the finger went,
/// but not when.
package struct FingerSpeed: Hashable, Sendable {
  /// Units of the samples per second. 0 of a finger that had stopped.
  package let velocity: Estimated
  /// Whether the finger rested before it was lifted, so long that its page forgets its speed.
  package let isStopped: Bool

  /// How far the skin rolls as a resting finger lifts, in points.
  private static let roll = 5.0
  /// A report that comes after so many steps of the finger, or so much further, is not one of its moves.
  private static let late = 1.5
  /// So many moves are looked at.
  private static let recent = 5
  /// How far a report may be from where the moves before it lead, in points.
  private static let skip = 2.0

  /// Takes the finger's reports.
  ///
  /// - Parameters:
  ///   - samples: In recording order. One at the lift is a position of the lift itself.
  ///   - resampled: Which of them the system computed.
  ///   - lift: When the finger was lifted, at the latest.
  ///   - seen: And at the earliest. `nil`: it was lifted at `lift`.
  ///   - pointsPerUnit: The points of a unit. `nil`: it has no length.
  /// - Throws: that there are too few samples, or that the finger went on unreported.
  package init(
    _ samples: [Sample], resampled: [Bool] = [], lift: Instant, seen: Instant? = nil,
    pointsPerUnit: Double? = 1
  ) throws(TooShortToTell) {
    let window = EstimationPreset.android.window(for: .lsqSpan)
      .measuring(pointsPerUnit: pointsPerUnit)
    let found = try FingerSpeed.estimate(
      samples, resampled: resampled, lift: lift, seen: seen, window: window)
    guard let velocity = found.velocity else { throw .fewFrames }
    isStopped = found.sampleCount == 0
    guard let low = isStopped ? 0 : found.low, let high = isStopped ? 0 : found.high else {
      throw .fewFrames
    }
    self.velocity = Estimated(velocity, low: low, high: high)
  }

  /// The estimate of the finger's velocity, along an axis: if nobody knows when it was lifted, the one when it was last seen.
  ///
  /// - Throws: that the finger went on unreported.
  static func estimate(
    _ samples: [Sample], resampled: [Bool], lift: Instant, seen: Instant?, window: EstimationWindow
  ) throws(TooShortToTell) -> VelocityEstimate {
    let seen = min(lift, seen ?? lift)
    var found = try estimate(samples, resampled: resampled, lift: seen, window: window)
    guard seen < lift else { return found }
    found.holdUnseen(from: seen, to: lift, samples) { moves, end in
      let earlier = try? estimate(moves, resampled: [], lift: end, window: window)
      return earlier?.velocity
    }
    found.liftGapNanoseconds = found.liftGapNanoseconds.map { $0 + lift.nanoseconds(since: seen) }
    return found
  }

  private static func estimate(
    _ samples: [Sample], resampled: [Bool], lift: Instant, window: EstimationWindow
  ) throws(TooShortToTell) -> VelocityEstimate {
    let reports = samples.filter { $0.time <= lift && $0.value.isFinite }
    let marks = zip(samples, resampled).filter { $0.0.time <= lift && $0.0.value.isFinite }.map(\.1)
    let times = reports.map { $0.time.seconds(since: lift) }
    let count = steps(times, reports.map(\.value), lift: 0)
    let moves = Array(reports.prefix(count))
    var estimate = Estimator.lsqSpan.estimate(
      moves, resampled: marks, lift: lift, window: window)
    guard let velocity = estimate.velocity, let last = moves.last else { return estimate }
    let points = window.leastError > 0 ? window.pointsPerUnit : .infinity
    let unreported = count < reports.count ? reports[reports.count - 1].value - last.value : 0
    guard estimate.sampleCount > 0 else {
      guard abs(unreported) <= roll / points else { throw .unreported }
      return estimate
    }
    guard let low = estimate.low, let high = estimate.high else { return estimate }
    var speeds = [low, high]
    if unreported != 0 {
      let gap = lift.seconds(since: last.time)
      let isLate = gap > late * step(times.prefix(count))
      let margin = max(high - velocity, velocity - low)
      // A finger that went on as before may have skipped a report.
      guard !isLate || abs(unreported - velocity * gap) <= margin * gap + skip / points else {
        throw .unreported
      }
      speeds.append(unreported / gap)
    }
    if last.time == lift, count > 1 {
      let alone = moves[count - 2].time
      speeds += [
        Estimator.lsqSpan.velocity(
          Array(moves.dropLast()), resampled: marks, lift: alone, window: window)
      ].compactMap { $0 }
    }
    estimate.low = speeds.min()
    estimate.high = speeds.max()
    return estimate
  }

  private init(_ velocity: Estimated, isStopped: Bool) {
    (self.velocity, self.isStopped) = (velocity, isStopped)
  }

  /// The speed in another unit.
  package func scaled(by factor: Double) -> FingerSpeed {
    FingerSpeed(velocity.scaled(by: factor), isStopped: isStopped)
  }

  /// How many of a finger's reports are moves: all but that of a lift that comes later or further than a move would.
  ///
  /// - Parameters:
  ///   - times: Seconds, rising. One at the lift is the time of the lift's own report.
  ///   - values: Points.
  ///   - lift: When the finger was lifted, in seconds.
  package static func steps(_ times: [Double], _ values: [Double], lift: Double) -> Int {
    let moves = times.partitioningIndex { $0 >= lift }
    guard moves > 0, moves < times.count, times.count == values.count else { return times.count }
    let ways = zip(values[..<moves].dropFirst(), values).suffix(recent).map { abs($0 - $1) }
    let isNear =
      lift - times[moves - 1] <= late * step(times[..<moves])
      && abs(values[times.count - 1] - values[moves - 1]) <= late * (ways.max() ?? 0) + skip
    return isNear ? times.count : moves
  }

  /// The usual time from one of the last reports to the next one, in seconds. 0 of one.
  private static func step(_ times: some BidirectionalCollection<Double>) -> Double {
    let near = times.suffix(recent + 1)
    return zip(near.dropFirst(), near).map { $0 - $1 }.upperMedian ?? 0
  }
}

extension VelocityEstimate {
  /// Takes into the interval of a finger's velocity what it may have been if the finger was lifted unseen between two
  /// instants: the velocity at the first one, and to what it came at the second one if it changed as it did between the last
  /// two reports. Without an interval, and of a finger that had stopped, nothing changes.
  ///
  /// - Parameters:
  ///   - seen: When the finger was last seen.
  ///   - lift: When it was gone.
  ///   - velocity: The velocity of some of the samples at an instant. `nil`: it cannot be told.
  mutating func holdUnseen(
    from seen: Instant, to lift: Instant, _ samples: [Sample],
    velocity: ([Sample], Instant) -> Double?
  ) {
    let moves = samples.filter { $0.time <= seen && $0.value.isFinite }
    guard let low, let high, sampleCount > 0, let last = moves.last,
      let before = moves.dropLast().last
    else { return }
    guard let now = velocity(moves, seen), let earlier = velocity(moves.dropLast(), before.time)
    else { return }
    let later =
      now + (now - earlier) * lift.seconds(since: seen) / last.time.seconds(since: before.time)
    self.low = min(low, now, later)
    self.high = max(high, now, later)
  }
}
