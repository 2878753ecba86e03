import TimelineModel
import TimelineSession

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

/// The least overlap at a shift, as a share of the shorter curve: with less, two ends at rest would
/// pass for agreement. No unit.
private let smallestOverlapShare = 0.5

/// By how much a larger shift must be better than a smaller one, as a share of A's range; no unit.
/// Below that it is rounding, and the smaller shift stands.
let smallestLagGain = 1e-12

/// Curves of so many samples together are searched through as they are; longer ones through some of their
/// instants first. A walk over so many takes about 20 µs.
private let longestPlainSearch = 4096

/// How far apart the shifts are at which the mean square is taken to find its lowest point once the search
/// is near it, in seconds: a parabola through three of them then tells it to a microsecond.
private let parabolaStep = 1e-4

extension CurvePair {
  /// The shift of B within the limit that makes the root mean square smallest: an even grid from 0
  /// outwards, then golden section around the best of it (``ShiftSearch``). Where several shifts are
  /// equally good, the smallest is taken.
  ///
  /// Of long curves the grid looks at ``ShiftSampler/nodeCount`` instants only, more of them where there is
  /// movement; the best shift is then told anew from all samples by a parabola through three shifts.
  ///
  /// - Parameters:
  ///   - limitSeconds: How far to search each way; below 0, or no number, counts as 0.
  ///   - range: A's extent, by which gains are judged.
  ///   - distance: The root mean square without a shift.
  /// - Complexity: linear in the samples, whatever they are.
  func lag(limitSeconds: Double, range: Double, distance: Double?) -> Lag {
    let search = ShiftSearch(limitSeconds: limitSeconds)
    let still = Lag(
      seconds: 0, residual: hasEnoughOverlap(shift: 0) ? distance : nil, isAtLimit: false)
    let gain = smallestLagGain * range
    guard (still.residual ?? .infinity) > gain else { return still }
    guard a.count + b.count > longestPlainSearch else {
      let found = search.best(gain: gain) { residual(shift: $0, limit: $1) }
      return Lag(
        seconds: found.shift, residual: found.value, isAtLimit: search.isAtLimit(found.shift))
    }
    let sampler = ShiftSampler(self)
    let rough = search.best(gain: gain) { shift, _ in
      hasEnoughOverlap(shift: shift)
        ? sampler.meanSquare(shift: shift).map { unscaled($0.squareRoot()) } : nil
    }
    var best = still
    func consider(_ shift: Double) -> Double? {
      guard abs(shift) <= search.limit, let value = residual(shift: shift) else { return nil }
      let isBetter = best.residual.map { value < $0 - gain } ?? true
      if isBetter { best = Lag(seconds: shift, residual: value, isAtLimit: false) }
      return value
    }
    if let middle = consider(rough.shift), middle > gain,
      let left = consider(rough.shift - parabolaStep),
      let right = consider(rough.shift + parabolaStep)
    {
      let (l, m, r) = (left * left, middle * middle, right * right)
      let bend = l - 2 * m + r
      if bend > 0 { _ = consider(rough.shift + parabolaStep * (l - r) / (2 * bend)) }
    }
    best.isAtLimit = search.isAtLimit(best.seconds)
    return best
  }

  /// Whether as much of the curves overlaps at a shift that their agreement means something.
  func hasEnoughOverlap(shift: Double) -> Bool {
    guard let overlap = overlap(shift: shift) else { return false }
    let shorter = min(durations.a, durations.b)
    return overlap.upperBound - overlap.lowerBound >= smallestOverlapShare * shorter
  }

  /// The root mean square at a shift; nil where too little of the curves overlaps, and where it is known to be
  /// above a limit before the walk is over.
  func residual(shift: Double, limit: Double = .infinity) -> Double? {
    guard hasEnoughOverlap(shift: shift) else { return nil }
    // A bit more than its square: what is rounded must not be taken for more than the limit.
    let most = limit / scale * (limit / scale) * 1.000_001
    return meanSquare(shift: shift, limit: most).map { unscaled($0.squareRoot()) }
  }

  /// The same without a unit and squared, quickly: what the common shift of several keys is told by.
  func quickMeanSquare() -> (Double) -> Double? {
    guard a.count + b.count > longestPlainSearch else {
      return { hasEnoughOverlap(shift: $0) ? meanSquare(shift: $0) : nil }
    }
    let sampler = ShiftSampler(self)
    return { hasEnoughOverlap(shift: $0) ? sampler.meanSquare(shift: $0) : nil }
  }
}
