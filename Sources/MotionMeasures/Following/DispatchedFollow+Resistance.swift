import KymographCLibrary
import TimelineModel

extension DispatchedFollow {
  /// How something goes with ever less of a finger, over the finger's way beyond an edge.
  private enum Resistance {
    /// A way to a power.
    case power(Double)
    /// d D / (D + d), as UIKit's scroll views resist; D in points.
    case band(Double)

    func warped(_ way: Double) -> Double {
      let size = abs(way)
      let place =
        switch self {
        case .power(let exponent): pow(size, exponent)
        case .band(let length): size * length / (length + size)
        }
      return way < 0 ? -place : place
    }
  }

  /// How many exponents and lengths are tried, and how often the best one is looked at more closely.
  private static let (resistances, refinements) = (9, 3)
  /// The least exponent, and the shortest and longest length of a band, in ways of the finger.
  private static let (leastPower, bands) = (0.4, (shortest: 0.1, longest: 40.0))

  /// The squares of the noise by which more may be left than by the best: Student's t for 90 %, squared.
  private static let slack = 3.0

  /// How an item follows that resists from its first point on: it follows a finger whose way bends.
  ///
  /// Two families of bent ways, each with one free number, and a gain beside it. The lag's interval holds those of each way
  /// that the places' noise does not exclude.
  ///
  /// - Returns: nil if none explains the shown places but for the noise. How late it is cannot be told then.
  /// - Complexity: 72 fits.
  static func resisted(
    heard: [Double], shown: [Double], noise: Double
  ) -> DispatchedFollow? {
    guard let home = heard.first, let rest = shown.first, let end = shown.last else { return nil }
    let ways = heard.map { $0 - home }
    let longest = ways.map(abs).max() ?? 0
    guard longest > 0 else { return nil }
    var all: [DispatchedFollow] = []
    func fit(_ resistance: Resistance) -> Double {
      let bent = ways.map { resistance.warped($0) }
      // Its shape counts. It goes as far as the item, so that a gain of 1 is tried, too.
      let scale = bent.last.map { $0 == 0 ? 1 : (end - rest) / $0 } ?? 1
      let fitted = try? DispatchedFollow(
        heard: bent.map { $0 * scale }, shown: shown, noise: noise)
      guard let fit = fitted else { return .infinity }
      all.append(fit)
      return fit.rms.value
    }
    func search(_ range: ClosedRange<Double>, _ make: (Double) -> Resistance) {
      var (low, high) = (range.lowerBound, range.upperBound)
      for _ in 0...Self.refinements {
        let step = (high - low) / Double(Self.resistances - 1)
        let tried = (0..<Self.resistances).map { low + step * Double($0) }
        let left = tried.map { ($0, fit(make($0))) }
        guard let best = left.min(by: { $0.1 < $1.1 })?.0 else { return }
        (low, high) = (max(range.lowerBound, best - step), min(range.upperBound, best + step))
      }
    }
    search(Self.leastPower...1) { .power($0) }
    search(log(Self.bands.shortest)...log(Self.bands.longest)) { .band(longest * exp($0)) }
    guard var best = all.min(by: { $0.rms.value < $1.rms.value }), best.rms.value <= noise else {
      return nil
    }
    let count = Double(min(heard.count, shown.count, mostFrames))
    let most = best.rms.value * best.rms.value + Self.slack * noise * noise / count
    let possible = all.filter { $0.rms.value * $0.rms.value <= most }
    best.own = Estimated(
      best.own.value, low: possible.map(\.own.low).min() ?? best.own.low,
      high: possible.map(\.own.high).max() ?? best.own.high)
    return best
  }
}
