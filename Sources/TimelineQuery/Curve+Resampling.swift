public import TimelineModel

extension Curve {
  /// The value at an instant, on the straight line between the samples around it; exact at a sample.
  ///
  /// - Returns: nil before the first and after the last sample.
  /// - Complexity: O(log n).
  public func value(at time: Instant) -> Double? {
    guard let index = indexOfSample(atOrBefore: time) else { return nil }
    if times[index] == time { return values[index] }
    guard index + 1 < times.count else { return nil }
    let share =
      time.seconds(since: times[index]) / times[index + 1].seconds(since: times[index])
    return lerp(values[index], values[index + 1], share)
  }

  /// The value of the last sample at or before an instant: what a step holds.
  ///
  /// - Returns: nil before the first sample.
  /// - Complexity: O(log n).
  public func heldValue(at time: Instant) -> Double? {
    indexOfSample(atOrBefore: time).map { values[$0] }
  }

  /// The curve read at other instants by ``value(at:)``; those outside the curve are left out.
  ///
  /// - Complexity: O(m log n).
  public func resampled(at instants: some Sequence<Instant>) -> Curve {
    Curve(
      instants.lazy.compactMap { time in value(at: time).map { Sample(time: time, value: $0) } })
  }

  /// The number of the last sample at or before an instant; nil before the first.
  private func indexOfSample(atOrBefore time: Instant) -> Int? {
    var low = 0
    var high = times.count
    while low < high {
      let middle = low + (high - low) / 2
      if times[middle] <= time { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? low - 1 : nil
  }
}
