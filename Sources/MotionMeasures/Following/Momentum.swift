import KymographCLibrary

/// Whether a motion runs out as what was thrown does: one way, ever slower, and no slower at the end than an exponential decay.
///
/// Friction of any kind passes: decay at a rate (v' = -v/T), a constant deceleration, an eased out tween. A spring that comes
/// near its target soon and creeps there does not: its rate falls.
package enum Momentum {
  /// The fewest values that say something.
  private static let fewest = 12
  /// The share of the first speed at which the end of a motion is not looked at: what is left is rounding.
  private static let end = 0.04
  /// By how much of the first speed a speed may grow again: rounding, and times that are off.
  private static let unrest = 0.12
  /// The share of its first rate that the last rate must have.
  private static let leastRate = 0.7

  /// The share of the longest step that the second one has, and the share of the way that it may go back.
  private static let (leastFirst, leastBack) = (0.8, 0.03)
  /// A lone step is so many times as far as its neighbours, and so many points more.
  private static let (lone, leastLone) = (3.0, 4.0)

  /// The same without a lone step, which is a matter of its own.
  private static func withoutJump(_ values: [Double]) -> [Double] {
    func step(_ index: Int) -> Double { values[index] - values[index - 1] }
    guard
      let jump = (2..<values.count - 1).first(where: { index in
        let near = max(abs(step(index - 1)), abs(step(index + 1)))
        return abs(step(index)) > lone * near + leastLone
      })
    else { return values }
    let way = step(jump) - (step(jump - 1) + step(jump + 1)) / 2
    return values[..<jump] + values[jump...].map { $0 - way }
  }

  /// Looks at values from the release on.
  ///
  /// - Parameters:
  ///   - times: Seconds, rising.
  ///   - values: As many.
  /// - Complexity: linear.
  package static func runsOut(_ times: [Double], _ values: [Double]) -> Bool {
    guard times.count >= fewest, times.count == values.count, let first = values.first,
      let last = values.last, first != last
    else { return false }
    let values = withoutJump(values)
    let sign: Double = last > first ? 1 : -1
    // Speeds over four steps, in which a rounding to whole pixels hardly shows.
    let wide = 4
    let speeds = (0..<times.count - wide).map { index in
      (
        time: (times[index + wide] + times[index]) / 2,
        speed: sign * (values[index + wide] - values[index]) / (times[index + wide] - times[index])
      )
    }
    guard let start = speeds.first, start.speed > 0 else { return false }
    // What sets off from rest is faster later. The first step may be a part of one.
    let steps = zip(values.dropFirst(), values).map { sign * ($0 - $1) }
    guard steps[1] >= leastFirst * (steps.dropFirst().max() ?? 0) else { return false }
    let extent = (values.max() ?? 0) - (values.min() ?? 0)
    guard abs(values[values.count - 1] - values[0]) >= (1 - leastBack) * extent else {
      return false
    }
    let moving = speeds.prefix { $0.speed > end * start.speed }
    guard moving.count >= fewest / 2, let stop = moving.last else { return false }
    var slowest = start.speed
    for (_, speed) in speeds {
      guard speed > -unrest * start.speed, speed < slowest + unrest * start.speed else {
        return false
      }
      slowest = min(slowest, speed)
    }
    let middle = moving[moving.count / 2]
    guard middle.time > start.time, stop.time > middle.time, middle.speed < start.speed else {
      return false
    }
    let early = log(start.speed / middle.speed) / (middle.time - start.time)
    let late = log(middle.speed / stop.speed) / (stop.time - middle.time)
    return late >= leastRate * early
  }
}
