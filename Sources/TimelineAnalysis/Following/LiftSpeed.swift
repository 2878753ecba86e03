package import TimelineModel

/// A finger's speed when it is lifted.
///
/// The value is the slope of a parabola through the last 60 ms. The interval holds what its residuals allow and what a
/// parabola through 40 ms and a cubic through 80 ms say: what the three differ by is what a model of the hand costs.
///
/// A lift that reports a place of its own is one of these places if it comes as soon and as near as the moves before it do.
/// The interval then holds what the moves alone say, too. One that comes later says how far the finger went, but not when.
package struct LiftSpeed: Hashable, Sendable {
  /// Points per second; 0 of a finger that had stopped.
  package let velocity: Estimated
  /// Whether the finger rested before it was lifted, so long that its page forgets its speed.
  package let isStopped: Bool

  /// The polynomials by their degree and the time that they look at, in seconds; the last counts where others cannot.
  private static let looks = [(2, 0.06), (2, 0.04), (3, 0.08)]
  private static let lastLook = (1, 0.025)
  /// A finger that says nothing for longer than this had stopped, in seconds, as in Android's velocity tracker.
  private static let stop = 0.04
  /// How far the skin rolls as a resting finger lifts, in points.
  private static let roll = 5.0
  /// A place that comes after so many steps of the finger, or so much further, is not one of them; so many are looked at.
  private static let (late, recent) = (1.5, 5)
  /// How far a place may be from where the steps before it take it, in points.
  private static let skip = 2.0
  /// How exact a finger's place is, in points.
  private static let noise = 0.15
  /// The share of the interval of 90 % that is taken of one look, as the others widen it.
  private static let share = 0.66
  /// The most places that are looked at: 80 ms at 8 kHz.
  private static let mostPlaces = 640

  /// Takes the finger's places.
  ///
  /// - Parameters:
  ///   - times: Seconds, rising; places that go back in time are left out.
  ///   - values: Points; one at the lift is a place of the lift itself.
  ///   - lift: When the finger was lifted, in seconds.
  /// - Throws: that there are fewer than three places, or none that is a number, or that the finger went on unreported.
  package init(times: [Double], values: [Double], lift: Double) throws(TooShortToTell) {
    var (seconds, places): ([Double], [Double]) = ([], [])
    for (time, place) in zip(times, values).suffix(LiftSpeed.mostPlaces)
    where time.isFinite && place.isFinite && time > seconds.last ?? -.infinity {
      seconds.append(time)
      places.append(place)
    }
    let count = LiftSpeed.steps(seconds, places, lift: lift)
    let unreported = count > 0 && count < seconds.count ? (places.last ?? 0) - places[count - 1] : 0
    seconds.removeLast(seconds.count - count)
    places.removeLast(places.count - count)
    guard let last = seconds.last else { throw .fewFrames }
    let gap = lift - last
    if gap > LiftSpeed.stop {
      guard abs(unreported) <= LiftSpeed.roll else { throw .unreported }
      (velocity, isStopped) = (Estimated(0, low: 0, high: 0), true)
      return
    }
    isStopped = false
    func slopes(to end: Int) -> [PolynomialSlope] {
      guard end > 0 else { return [] }
      func slope(_ look: (degree: Int, seconds: Double)) -> PolynomialSlope? {
        let last = seconds[end - 1]
        let first = seconds[..<end].partitioningIndex { $0 >= last - look.seconds }
        return PolynomialSlope(
          times: seconds[first..<end].map { $0 - last }, values: Array(places[first..<end]),
          degree: look.degree, noise: LiftSpeed.noise)
      }
      let found = LiftSpeed.looks.compactMap(slope)
      return found.isEmpty ? [LiftSpeed.lastLook].compactMap(slope) : found
    }
    let own = slopes(to: seconds.count)
    guard let first = own.first else { throw .fewFrames }
    let margin = LiftSpeed.share * first.margin
    let (far, isLate) = (unreported / gap, gap > LiftSpeed.late * LiftSpeed.step(seconds))
    // A finger that went on as before may have skipped a report.
    guard
      unreported == 0 || !isLate
        || abs(unreported - first.slope * gap) <= margin * gap + LiftSpeed.skip
    else { throw .unreported }
    var all = own.map(\.slope)
    if last == lift { all += slopes(to: seconds.count - 1).prefix(1).map(\.slope) }
    if unreported != 0 { all.append(far) }
    velocity = Estimated(
      first.slope, low: all.reduce(first.slope - margin, min),
      high: all.reduce(first.slope + margin, max))
  }

  /// How many of a finger's places are steps of its way: all but that of a lift that comes later or further than a move would.
  ///
  /// - Parameters:
  ///   - times: Seconds, rising; one at the lift is the time of the lift's own place.
  ///   - values: Points.
  ///   - lift: When the finger was lifted, in seconds.
  static func steps(_ times: [Double], _ values: [Double], lift: Double) -> Int {
    let moves = times.partitioningIndex { $0 >= lift }
    guard moves > 0, moves < times.count, times.count == values.count else { return times.count }
    let ways = zip(values[..<moves].dropFirst(), values).suffix(recent).map { abs($0 - $1) }
    let isNear =
      lift - times[moves - 1] <= late * step(times[..<moves])
      && abs(values[times.count - 1] - values[moves - 1]) <= late * (ways.max() ?? 0) + skip
    return isNear ? times.count : moves
  }

  /// The usual time from one of the last places to the next one, in seconds; 0 of one place.
  private static func step(_ times: some BidirectionalCollection<Double>) -> Double {
    let near = times.suffix(recent + 1)
    let gaps = zip(near.dropFirst(), near).map { $0 - $1 }.sorted()
    return gaps.isEmpty ? 0 : gaps[gaps.count / 2]
  }
}
