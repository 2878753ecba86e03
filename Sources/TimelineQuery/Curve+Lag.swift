/// By how much one curve is later than another.
struct Lag {
  /// Seconds; positive where B is later than A.
  var seconds: Double
  /// The root mean square that is left at this shift; nil where the curves never overlap.
  var residual: Double?
  /// Whether the best shift is at the end of the search, so that the true one may lie beyond.
  var isAtLimit: Bool
}

/// How far the search for a lag goes each way by default, in seconds: three frames at 60 Hz.
public let defaultLagLimitSeconds = 0.05

/// Shifts tried each way before the best is refined. With the default limit they are 2 ms apart, so
/// that a swing of 10 Hz cannot hide a minimum between two of them.
private let coarseSteps = 25

/// How finely the lag is told, in seconds: far below a frame.
private let finestLag = 1e-6

/// The least overlap at a shift, as a share of the shorter curve: with less, two ends at rest would
/// pass for agreement. No unit.
private let smallestOverlapShare = 0.5

/// By how much a larger shift must be better than a smaller one, as a share of A's range; no unit.
/// Below that it is rounding, and the smaller shift stands.
private let smallestGain = 1e-12

extension CurvePair {
  /// The shift of B within the limit that makes the root mean square smallest: an even grid from 0
  /// outwards, then golden section (Kiefer 1953) around the best of it. Where several shifts are equally
  /// good, the smallest is taken. At most 51 + 2 · 30 walks over the samples, whatever the input.
  ///
  /// - Parameters:
  ///   - limitSeconds: How far to search each way; below 0, or no number, counts as 0.
  ///   - range: A's extent, by which gains are judged.
  func lag(limitSeconds: Double, range: Double) -> Lag {
    let limit = limitSeconds > 0 ? min(limitSeconds, CurvePair.largestLagLimit) : 0
    let gain = smallestGain * range
    var best = Lag(seconds: 0, residual: residual(shift: 0), isAtLimit: false)
    func consider(_ shift: Double) {
      guard let residual = residual(shift: shift) else { return }
      if let current = best.residual, residual >= current - gain { return }
      best = Lag(seconds: shift, residual: residual, isAtLimit: false)
    }
    let step = limit / Double(coarseSteps)
    guard step > 0, (best.residual ?? .infinity) > gain else { return best }
    for index in 1...coarseSteps {
      consider(Double(index) * step)
      consider(-Double(index) * step)
    }
    let center = best.seconds
    consider(goldenMinimum(from: max(-limit, center - step), through: min(limit, center + step)))
    best.isAtLimit = limit - abs(best.seconds) <= 2 * finestLag
    return best
  }

  /// The longest lag that is searched for, in seconds; beyond that it is another recording.
  private static let largestLagLimit = 60.0

  /// The root mean square at a shift; nil where too little of the curves overlaps.
  private func residual(shift: Double) -> Double? {
    guard let overlap = overlap(shift: shift) else { return nil }
    let shorter = min(durations.a, durations.b)
    guard overlap.upperBound - overlap.lowerBound >= smallestOverlapShare * shorter else {
      return nil
    }
    return difference(shift: shift)?.rootMeanSquare
  }

  /// Golden section: keeps the better part of the stretch until it is as fine as a lag is told.
  private func goldenMinimum(from start: Double, through end: Double) -> Double {
    let golden = (Double(5).squareRoot() - 1) / 2
    var (low, high) = (start, end)
    var left = high - golden * (high - low)
    var right = low + golden * (high - low)
    var leftValue = residual(shift: left) ?? .infinity
    var rightValue = residual(shift: right) ?? .infinity
    for _ in 0..<60 where high - low > finestLag {
      if leftValue <= rightValue {
        (high, right, rightValue) = (right, left, leftValue)
        left = high - golden * (high - low)
        leftValue = residual(shift: left) ?? .infinity
      } else {
        (low, left, leftValue) = (left, right, rightValue)
        right = low + golden * (high - low)
        rightValue = residual(shift: right) ?? .infinity
      }
    }
    return (low + high) / 2
  }
}
