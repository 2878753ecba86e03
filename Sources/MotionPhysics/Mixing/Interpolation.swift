package import TimelineModel

/// Linear interpolation, (1 - progress) · from + progress · to, which also goes on outside 0 to 1.
///
/// Exactly `from` at 0 and exactly `to` at 1. Always finite for finite ends: what overflows is held at
/// the largest number.
///
/// - Parameters:
///   - from: The value at progress 0.
///   - to: The value at progress 1.
///   - progress: No unit. May leave 0 to 1. NaN counts as 0.
package func lerp(_ from: Double, _ to: Double, _ progress: Double) -> Double {
  if progress == 0 || progress.isNaN { return from }
  if progress == 1 || from == to { return to }
  let mixed = (1 - progress) * from + progress * to
  if mixed.isFinite { return mixed }
  // One term overflowed, or both did in opposite directions: the sum without overflow tells which.
  let scaled = (1 - progress) * (from / 4) / 4 + progress * (to / 4) / 4
  if scaled.isNaN { return from }
  return clampedToFinite(scaled * 16)
}

/// The result of `lerp` for two pairs of numbers at once, unless the progress is 0 or 1 or the result is not
/// finite: then ask `lerp`.
@inline(__always)
func lerpInside(
  _ from: SIMD2<Double>, _ to: SIMD2<Double>, _ progress: Double
) -> SIMD2<Double> {
  ((1 - progress) * from + progress * to).replacing(with: to, where: from .== to)
}

/// The same for one pair of numbers.
@inline(__always)
func lerpInside(_ from: Double, _ to: Double, _ progress: Double) -> Double {
  from == to ? to : (1 - progress) * from + progress * to
}

/// Linear interpolation of a place, coordinate by coordinate, as for a number.
package func lerp(_ from: Point2D, _ to: Point2D, _ progress: Double) -> Point2D {
  Point2D(x: lerp(from.x, to.x, progress), y: lerp(from.y, to.y, progress))
}

/// Linear interpolation of an extent, side by side, as for a number. Outside 0 to 1 an
/// extent may become negative. It is kept as it is.
package func lerp(_ from: Size2D, _ to: Size2D, _ progress: Double) -> Size2D {
  Size2D(
    width: lerp(from.width, to.width, progress), height: lerp(from.height, to.height, progress))
}
