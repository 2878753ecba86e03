import TimelineModel

/// A finger's speed when it is lifted.
///
/// The value is the slope of a parabola through the last 60 ms. The interval holds what its residuals allow and what a
/// parabola through 40 ms and a cubic through 80 ms say: what the three differ by is what a model of the hand costs.
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
  ///   - values: Points.
  ///   - lift: When the finger was lifted, in seconds.
  /// - Throws: that there are fewer than three places, or none that is a number.
  package init(times: [Double], values: [Double], lift: Double) throws(TooShortToTell) {
    var (seconds, places): ([Double], [Double]) = ([], [])
    for (time, place) in zip(times, values).suffix(LiftSpeed.mostPlaces)
    where time.isFinite && place.isFinite && time > seconds.last ?? -.infinity {
      seconds.append(time)
      places.append(place)
    }
    guard let last = seconds.last else { throw .fewFrames }
    if lift - last > LiftSpeed.stop {
      (velocity, isStopped) = (Estimated(0, low: 0, high: 0), true)
      return
    }
    isStopped = false
    func slope(_ look: (degree: Int, seconds: Double)) -> PolynomialSlope? {
      let first = seconds.partitioningIndex { $0 >= last - look.seconds }
      return PolynomialSlope(
        times: seconds[first...].map { $0 - last }, values: Array(places[first...]),
        degree: look.degree, noise: LiftSpeed.noise)
    }
    var slopes = LiftSpeed.looks.compactMap(slope)
    if slopes.isEmpty { slopes = [LiftSpeed.lastLook].compactMap(slope) }
    guard let first = slopes.first else { throw .fewFrames }
    let margin = LiftSpeed.share * first.margin
    velocity = Estimated(
      first.slope, low: slopes.map(\.slope).reduce(first.slope - margin, min),
      high: slopes.map(\.slope).reduce(first.slope + margin, max))
  }
}
