import TimelineModel

/// How far the reference looks back and ahead, in nanoseconds: 22 ms, the reach of the reference by
/// which the estimators were ranked on recordings.
let referenceReach: Int64 = 22_000_000

/// Determinant of the normal equations, in units of the reach, below which the places lie too close
/// together for a parabola: ten thousand times the rounding of one number.
private let smallestReferenceDeterminant = 1e-12

/// The reference: the slope at a place, in units per second, of the parabola that fits best, in the
/// sense of least squares, to all places within 22 ms before and after it. An estimator at the lift
/// has no such view ahead. A recording has.
///
/// - Parameters:
///   - index: The place.
///   - samples: Places in strictly rising time.
///   - reach: The first and the last place within 22 ms.
/// - Returns: nil with fewer than three places within reach, or when the numbers overflow.
func localQuadraticSlope(
  at index: Int, of samples: ArraySlice<Sample>, reach: ClosedRange<Int>
) -> Double? {
  guard reach.count > 2 else { return nil }
  let sample = samples[index]
  var largest = 0.0
  for other in reach { largest = max(largest, abs(samples[other].value - sample.value)) }
  guard largest.isFinite else { return nil }
  guard largest > 0 else { return 0 }
  let unit = powerOfTwo(upTo: largest)
  var (s0, s1, s2, s3, s4) = (0.0, 0.0, 0.0, 0.0, 0.0)
  var (y0, y1, y2) = (0.0, 0.0, 0.0)
  for other in reach {
    let s = Double(samples[other].time.nanoseconds(since: sample.time)) / Double(referenceReach)
    let y = (samples[other].value - sample.value) / unit
    s0 += 1
    s1 += s
    s2 += s * s
    s3 += s * s * s
    s4 += s * s * s * s
    y0 += y
    y1 += y * s
    y2 += y * s * s
  }
  // Cramer's rule for the linear coefficient.
  let determinant =
    s0 * (s2 * s4 - s3 * s3) - s1 * (s1 * s4 - s2 * s3) + s2 * (s1 * s3 - s2 * s2)
  guard abs(determinant) > smallestReferenceDeterminant else { return nil }
  let numerator =
    s0 * (y1 * s4 - s3 * y2) - y0 * (s1 * s4 - s2 * s3) + s2 * (s1 * y2 - y1 * s2)
  let slope = numerator / determinant * unit / (Double(referenceReach) / 1e9)
  return slope.isFinite ? slope : nil
}
