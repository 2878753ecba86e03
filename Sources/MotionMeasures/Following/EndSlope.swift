package import TimelineModel

/// The speed with which a stretch of motion begins or ends, without a model of it: parabolas through its first five and six values,
/// and a cubic through seven. The interval holds what each of them leaves. The value is the middle one.
package struct EndSlope: Hashable, Sendable {
  /// Units per second.
  package let velocity: Estimated

  private static let looks = [(degree: 2, count: 5), (degree: 2, count: 6), (degree: 3, count: 7)]
  /// How exact a value is, in its unit.
  private static let noise = 0.05

  /// Takes values, of which the first seven count.
  ///
  /// - Throws: that there are fewer than five, or that times do not rise.
  package init(times: [Double], values: [Double]) throws(TooShortToTell) {
    guard let first = times.first, min(times.count, values.count) >= EndSlope.looks[0].count
    else { throw .fewFrames }
    let slopes = EndSlope.looks.filter { $0.count <= min(times.count, values.count) }
      .compactMap { look in
        PolynomialSlope(
          times: times.prefix(look.count).map { $0 - first },
          values: Array(values.prefix(look.count)), degree: look.degree, noise: EndSlope.noise)
      }.sorted { $0.slope < $1.slope }
    guard let middle = slopes.upperMiddle, let low = slopes.map({ $0.slope - $0.margin }).min(),
      let high = slopes.map({ $0.slope + $0.margin }).max()
    else { throw .outOfRange }
    velocity = Estimated(middle.slope, low: low, high: high)
  }

  /// The speed with which a stretch ends: that with which it begins, seen backwards.
  ///
  /// - Throws: as for the speed with which it begins.
  package init(lastOf times: [Double], values: [Double]) throws(TooShortToTell) {
    let count = min(times.count, values.count)
    let backwards = try EndSlope(
      times: times.prefix(count).reversed().map { -$0 }, values: values.prefix(count).reversed())
    velocity = backwards.velocity.scaled(by: -1)
  }
}
