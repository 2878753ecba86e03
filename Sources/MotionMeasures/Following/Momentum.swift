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

  /// The share of the highest speed of a step that the second one has, and the share of the way that it may go back.
  private static let (leastFirst, leastBack) = (0.8, 0.03)
  /// A lone step is off its neighbours' mean by so many times the faster one, and by so many points.
  private static let (lone, leastLone) = (1.5, 4.0)

  /// The same without a lone step, which is a matter of its own. Frames may be missing, so speeds are compared.
  private static func withoutJump(_ times: [Double], _ values: [Double]) -> [Double] {
    func length(_ index: Int) -> Double { times[index] - times[index - 1] }
    func speed(_ index: Int) -> Double { (values[index] - values[index - 1]) / length(index) }
    guard
      let jump = (2..<values.count - 1).first(where: { index in
        let beside = [speed(index - 1), speed(index + 1)]
        let off = abs(speed(index) - (beside[0] + beside[1]) / 2)
        return off > lone * max(abs(beside[0]), abs(beside[1])) && off * length(index) > leastLone
      })
    else { return values }
    let way = length(jump) * (speed(jump) - (speed(jump - 1) + speed(jump + 1)) / 2)
    return values[..<jump] + values[jump...].map { $0 - way }
  }

  /// The time constants that are tried, in seconds, and in how many steps.
  private static let (constants, steps) = (0.02...4.0, 80)
  /// What is left of a decay at most, as a share of its way, and in its unit.
  private static let most = (share: 0.003, rest: 0.3)

  /// Whether values go to their end as one exponential: the speed is the same share of the way that is left throughout.
  ///
  /// - Parameters: as of ``runsOut(_:_:)``.
  /// - Complexity: 80 sums.
  package static func isDecay(_ times: [Double], _ values: [Double]) -> Bool {
    guard times.count >= fewest, times.count == values.count, let start = times.first else {
      return false
    }
    let extent = (values.max() ?? 0) - (values.min() ?? 0)
    let count = Double(values.count)
    let mean = values.reduce(0, +) / count
    let ratio = log(constants.upperBound / constants.lowerBound) / Double(steps)
    let least =
      (0...steps).map { step -> Double in
        let constant = constants.lowerBound * exp(ratio * Double(step))
        let shares = times.map { exp((start - $0) / constant) }
        let middle = shares.reduce(0, +) / count
        var (variance, covariance, total) = (0.0, 0.0, 0.0)
        for (share, value) in zip(shares, values) {
          variance += (share - middle) * (share - middle)
          covariance += (share - middle) * (value - mean)
          total += (value - mean) * (value - mean)
        }
        return variance > 0 ? max(0, total - covariance * covariance / variance) : total
      }.min() ?? .infinity
    return (least / count).squareRoot() <= max(most.rest, most.share * extent)
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
    let values = withoutJump(times, values)
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
    let paces = (1..<times.count).map { index in
      sign * (values[index] - values[index - 1]) / (times[index] - times[index - 1])
    }
    guard paces[1] >= leastFirst * (paces.dropFirst().max() ?? 0) else { return false }
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
