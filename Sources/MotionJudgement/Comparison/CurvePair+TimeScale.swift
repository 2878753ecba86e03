import KymographCLibrary
import TimelineSession

/// Time scales are searched for from half to twice as long: beyond that it is another motion. No unit, ours.
private let largestTimeScale = 2.0

/// Scales tried each way before the best is narrowed down; each is 1.4 % from the next, below which two
/// neighbours of a curve of a second differ by less than a frame.
private let timeScaleCount = 50

/// A root mean square of less than this share of A's range is agreement: a fifth of what `kymo compare` lets pass.
private let agreementShare = 0.001

/// Curves of more samples together are not searched: it takes a hundred walks through both.
private let longestScaledSearch = 4096

extension CurvePair {
  /// The factor of B's time, counted from an instant, that makes the root mean square smallest: an even grid of
  /// its logarithm, then golden section (``ShiftSearch`` does the same for a shift).
  ///
  /// Curves that agree as they are have the factor 1.
  ///
  /// - Parameters:
  ///   - zero: The instant that stays where it is, in seconds since A's first sample.
  ///   - range: A's extent, by which agreement is judged.
  /// - Returns: nil for long curves, and where nothing overlaps.
  /// - Complexity: a hundred walks through both curves, of at most 4,096 samples together.
  func timeScale(about zero: Double, range: Double) -> CurveComparison.TimeScale? {
    guard a.count + b.count <= longestScaledSearch else { return nil }
    var best: CurveComparison.TimeScale?
    func residual(_ exponent: Double, limit: Double = .infinity) -> Double {
      let factor = exp2(exponent)
      var scaled = self
      scaled.b.times = b.times.map { zero + ($0 - zero) / factor }
      guard let value = scaled.residual(shift: 0, limit: limit) else { return .infinity }
      if value < best?.residual ?? .infinity {
        best = CurveComparison.TimeScale(factor: factor, residual: value)
      }
      return value
    }
    var center = (exponent: 0.0, value: residual(0))
    guard center.value > agreementShare * range else { return best }
    let step = log2(largestTimeScale) / Double(timeScaleCount)
    for index in 1...timeScaleCount {
      for exponent in [Double(index) * step, -Double(index) * step] {
        let value = residual(exponent, limit: center.value)
        if value < center.value { center = (exponent, value) }
      }
    }
    let golden = (Double(5).squareRoot() - 1) / 2
    var (low, high) = (center.exponent - step, center.exponent + step)
    for _ in 0..<timeScaleNarrowings {
      let (left, right) = (high - golden * (high - low), low + golden * (high - low))
      if residual(left) <= residual(right) { high = right } else { low = left }
    }
    return best
  }
}

/// Each makes the stretch 0.6 times as long: after 20 it is a millionth of an octave.
private let timeScaleNarrowings = 20
