import TimelineSession

/// Two curves laid on each other by stretching and squeezing time a little: dynamic time warping (Sakoe and
/// Chiba 1978) within a band.
///
/// A secondary figure. Warping hides delay by design, so that what it leaves is a bound below every other
/// distance, and the warp itself says how uneven the delay is.
package struct CurveWarp: Hashable, Sendable {
  /// The summed distance along the best path, divided by the number of instants, in the key's unit.
  package var meanCost: Double
  /// The largest time between two instants that the best path lays on each other, in seconds. Never more
  /// than the limit.
  package var largestSeconds: Double
  /// The step in time at which both curves were read, in seconds: the shorter median interval of the two,
  /// but not less than an eighth of the limit. ``largestSeconds`` is told to this.
  package var stepSeconds: Double
  /// How many instants were read of each curve.
  package var count: Int

  /// So many steps of the band each way at most, so that the time grows with the curves' length alone.
  static let mostBandSteps = 8.0
  /// So many instants at most, four hours at the finest step of the default limit. Beyond that no warp is
  /// told.
  static let mostInstants = 1 << 21
}

extension CurvePair {
  /// Warps B to A where both have values, as the clocks are. `nil` where they have no time in common, or where
  /// that is longer than can be warped.
  ///
  /// - Parameter limitSeconds: By how much two instants that are laid on each other differ at most.
  /// - Complexity: linear in the overlap, memory for one row of the band.
  func warp(limitSeconds: Double) -> CurveWarp? {
    guard let overlap = overlap(shift: 0) else { return nil }
    let length = overlap.upperBound - overlap.lowerBound
    let finest = min(CurvePair.medianInterval(a.times), CurvePair.medianInterval(b.times))
    let limit = limitSeconds > 0 ? min(limitSeconds, 60) : 0
    let step = max(finest, limit / CurveWarp.mostBandSteps)
    guard step > 0, step.isFinite, length / step < Double(CurveWarp.mostInstants) else {
      return nil
    }
    // A little more, so that a whole number of steps stays one after rounding.
    let count = Int(length / step + 1e-6) + 1
    // The best path of equal curves lays each instant on itself.
    guard !isOfEqualCurves else {
      return CurveWarp(meanCost: 0, largestSeconds: 0, stepSeconds: step, count: count)
    }
    let band = Int(limit / step + 1e-6)
    let instants = (0..<count).map {
      min(overlap.upperBound, overlap.lowerBound + Double($0) * step)
    }
    let found = warpedDistance(read(a, at: instants), read(b, at: instants), band: band)
    return CurveWarp(
      meanCost: unscaled(found.sum / Double(count)), largestSeconds: Double(found.farthest) * step,
      stepSeconds: step, count: count)
  }

  /// A curve's values at rising instants. Those at its ends also outside of it.
  func read(_ track: Track, at instants: [Double]) -> [Double] {
    track.times.withUnsafeBufferPointer { times in
      track.values.withUnsafeBufferPointer { values in
        var index = 0
        return instants.map { time in
          while index + 1 < times.count, times[index + 1] <= time { index += 1 }
          return CurvePair.value(times, values, at: time, index, isStep)
        }
      }
    }
  }

  /// The middle one of the intervals between samples. Infinite for fewer than two samples. Of long curves
  /// every so many intervals are looked at.
  static func medianInterval(_ times: [Double]) -> Double {
    guard times.count > 1 else { return .infinity }
    let stride = max(1, (times.count - 1) / 1024)
    var intervals: [Double] = []
    var index = 1
    while index < times.count {
      intervals.append(times[index] - times[index - 1])
      index += stride
    }
    intervals.sort()
    return intervals[(intervals.count - 1) / 2]
  }
}

/// The least sum of distances along a path from the first pair to the last that goes on by at most one in
/// each list, and the farthest apart that the path takes two places. Of paths that cost the same, the
/// one that goes on in both lists is taken, then the one in the first.
///
/// - Parameters:
///   - a: Numbers.
///   - b: As many numbers.
///   - band: How far apart two places may be.
func warpedDistance(
  _ a: [Double], _ b: [Double], band: Int
) -> (sum: Double, farthest: Int) {
  guard !a.isEmpty, a.count == b.count else { return (0, 0) }
  let width = 2 * band + 1
  // Place k of a row is the pair (i, i + k - band). One place of padding stands at each end.
  var sums = Array(repeating: Double.infinity, count: width + 2)
  var farthest = Array(repeating: Int32(0), count: width + 2)
  // The pair before the first costs nothing.
  sums[band + 1] = 0
  b.withUnsafeBufferPointer { b in
    sums.withUnsafeMutableBufferPointer { sums in
      farthest.withUnsafeMutableBufferPointer { farthest in
        for (i, value) in a.enumerated() {
          let first = max(0, i - band) - i + band
          let last = min(b.count - 1, i + band) - i + band
          // A row takes the place of the one before: of that, places beyond k are still as they were.
          var (left, leftFar) = (Double.infinity, Int32(0))
          for k in first...last {
            // In the row before, the pair (i - 1, j - 1) has the same place, (i - 1, j) the one after it.
            var (best, far) = (sums[k + 1], farthest[k + 1])
            if sums[k + 2] < best { (best, far) = (sums[k + 2], farthest[k + 2]) }
            if left < best { (best, far) = (left, leftFar) }
            left = best + abs(value - b[i + k - band])
            leftFar = max(far, Int32(abs(k - band)))
            (sums[k + 1], farthest[k + 1]) = (left, leftFar)
          }
          for k in 0..<first { sums[k + 1] = .infinity }
          for k in last + 1..<width + 1 { sums[k + 1] = .infinity }
        }
      }
    }
  }
  return (sums[band + 1], Int(farthest[band + 1]))
}
