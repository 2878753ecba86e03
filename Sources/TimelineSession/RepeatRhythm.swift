/// Repeated pictures of an app that draws more slowly than its screen is recorded.
package enum RepeatRhythm {
  /// So many repeats make a rhythm.
  private static let fewest = 4

  /// Every so many pictures one repeats, such as 5 of an app at 48 Hz that was recorded at 60. `nil`: there is no rhythm.
  ///
  /// - Parameter numbers: The numbers of the repeated pictures, rising.
  package static func every(_ numbers: [Int]) -> Int? {
    guard numbers.count >= fewest else { return nil }
    let steps = zip(numbers.dropFirst(), numbers).map { $0 - $1 }
    let counts = Dictionary(grouping: steps) { $0 }.mapValues(\.count)
    guard let best = counts.max(by: { ($0.value, -$0.key) < ($1.value, -$1.key) }),
      best.key > 1, 10 * best.value >= 8 * steps.count
    else { return nil }
    return best.key
  }
}
