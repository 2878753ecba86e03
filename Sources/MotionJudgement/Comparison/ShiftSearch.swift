/// The search for the shift at which something is smallest: coarse to fine.
struct ShiftSearch {
  /// How far it goes each way, in seconds.
  let limit: Double

  /// The longest limit, in seconds. Beyond that it is another recording.
  private static let longestLimit = 60.0
  /// How far apart the coarse shifts are at most, in seconds, so that a swing of 10 Hz cannot hide a minimum
  /// between two of them. A long search goes in longer steps than that rather than take longer.
  private static let coarseStep = 0.002
  /// The fewest and the most coarse shifts each way: those of the default limit, and a second's.
  private static let coarseCounts = 25...500
  /// How finely the shift is told, in seconds: far below a frame.
  private static let finest = 1e-6

  /// Makes a search. A limit below 0, or no number, counts as 0.
  init(limitSeconds: Double) {
    limit = limitSeconds > 0 ? min(limitSeconds, Self.longestLimit) : 0
  }

  /// Whether a shift is at an end of the search, so that the true one may lie beyond.
  func isAtLimit(_ shift: Double) -> Bool { limit > 0 && limit - abs(shift) <= 2 * Self.finest }

  /// The best shift and the value there: an even grid from 0 outwards, then golden section (Kiefer 1953)
  /// around the best of it. Where several shifts are equally good, the smallest is taken.
  ///
  /// - Parameters:
  ///   - gain: By how much a later shift has to be better.
  ///   - value: What is to be small at a shift. `nil` where it is unknown, and may be nil where it is above
  ///     the limit, where its size is not used.
  func best(
    gain: Double, _ value: (_ shift: Double, _ limit: Double) -> Double?
  ) -> (shift: Double, value: Double?) {
    var best = (shift: 0.0, value: value(0, .infinity))
    func consider(_ shift: Double) {
      guard let found = value(shift, best.value ?? .infinity) else { return }
      if let current = best.value, found >= current - gain { return }
      best = (shift, found)
    }
    let count = Int(
      max(
        Double(Self.coarseCounts.lowerBound),
        min(Double(Self.coarseCounts.upperBound), (limit / Self.coarseStep).rounded(.up))))
    let step = limit / Double(count)
    guard step > 0, (best.value ?? .infinity) > gain else { return best }
    for index in 1...count {
      consider(Double(index) * step)
      consider(-Double(index) * step)
    }
    let center = best.shift
    consider(
      golden(from: max(-limit, center - step), through: min(limit, center + step)) {
        value($0, .infinity)
      })
    return best
  }

  /// Golden section: keeps the better part of the stretch until it is as fine as a shift is told.
  private func golden(
    from start: Double, through end: Double, _ value: (Double) -> Double?
  ) -> Double {
    let golden = (Double(5).squareRoot() - 1) / 2
    var (low, high) = (start, end)
    var left = high - golden * (high - low)
    var right = low + golden * (high - low)
    var leftValue = value(left) ?? .infinity
    var rightValue = value(right) ?? .infinity
    for _ in 0..<60 where high - low > Self.finest {
      if leftValue <= rightValue {
        (high, right, rightValue) = (right, left, leftValue)
        left = high - golden * (high - low)
        leftValue = value(left) ?? .infinity
      } else {
        (low, left, leftValue) = (left, right, rightValue)
        right = low + golden * (high - low)
        rightValue = value(right) ?? .infinity
      }
    }
    return (low + high) / 2
  }
}
