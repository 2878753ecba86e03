package import TimelineModel
import TimelineSession

/// When something sets off: when it is further from where it stood at first than 2 % of its own extent.
///
/// A share of the extent is the same part of a short and of a long motion, so that two that start together are told so
/// whatever their ways are. The crossing is on the straight line between samples. What goes at once to more than half of
/// its extent sets off with the sample that shows it.
package enum Onset {
  /// The share of the extent. No unit, ours.
  static let share = 0.02
  /// The least distance of a length, in its unit: less is rounding.
  static let leastLength = 0.05
  /// From this share of the extent on, a step is one. No unit.
  private static let step = 0.5
  /// How far an onset may be off, in seconds.
  package static let margin = 0.002

  /// Finds the onset in some samples.
  ///
  /// - Parameters:
  ///   - times: When the samples were. They rise.
  ///   - columns: The values, a column for each number of a place or a size.
  ///   - unit: Their unit.
  ///   - given: The distance that counts, in that unit. `nil`: ``share`` of the extent.
  ///   - error: By how much further it has to be, in that unit.
  /// - Returns: nil if the value never is so far from its first one, or if it always is.
  /// - Complexity: linear in the samples.
  package static func instant(
    _ times: some RandomAccessCollection<Instant>, _ columns: [[Double]], unit: String,
    beyond given: Double? = nil, and error: Double = 0
  ) -> Instant? {
    let times = Array(times)
    guard let home = columns.first.map({ _ in columns.compactMap(\.first) }),
      home.count == columns.count
    else { return nil }
    let extent = columns.reduce(0) { sum, values in
      let range = values[...].extremes ?? 0...0
      let side = range.upperBound - range.lowerBound
      return sum + side * side
    }.squareRoot()
    let distance = (given ?? max(share * extent, unit.isLength ? leastLength : 0)) + error
    guard distance >= 0 else { return nil }
    var before: Sample?
    for index in times.indices {
      var sum = 0.0
      for (values, home) in zip(columns, home) {
        sum += (values[index] - home) * (values[index] - home)
      }
      let way = Sample(time: times[index], value: sum.squareRoot())
      guard way.value <= distance else {
        guard let before, way.value - before.value < step * extent else { return way.time }
        return before.crossing(distance, to: way)
      }
      before = way
    }
    return nil
  }
}
