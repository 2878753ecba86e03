import KymographCLibrary
import TimelineModel

/// The path from one flat transform to another, for every progress but 0 and 1: three pairs of numbers go
/// linearly, and beside them an angle where the transforms are decomposed.
struct FlatTransformMix: Sendable {
  /// tx and ty.
  private let fromShift: SIMD2<Double>
  private let toShift: SIMD2<Double>
  /// The scales along x and y. By components a and d.
  private let fromScale: SIMD2<Double>
  private let toScale: SIMD2<Double>
  /// The shear and nothing. By components b and c.
  private let fromShear: SIMD2<Double>
  private let toShear: SIMD2<Double>
  /// nil by components.
  private let arc: Arc?

  /// An angle that goes the shorter way round. Exactly half a turn goes as its numbers say: from pi
  /// to 0 down through pi/2.
  private struct Arc {
    /// The first angle, in radians, its cosine and its sine: those of the whole way when nothing turns.
    let angle: Double
    let cosine: Double
    let sine: Double
    /// How far it turns, in radians.
    let turn: Double

    init(from: Double, to: Double) {
      angle = from
      cosine = cos(from)
      sine = sin(from)
      var turn = to - from
      if turn > .pi + halfTurnTolerance { turn -= 2 * .pi }
      if turn < -.pi - halfTurnTolerance { turn += 2 * .pi }
      self.turn = turn
    }
  }

  /// The path by components.
  init(numbersFrom from: Transform2D, to: Transform2D) {
    fromShift = SIMD2(from.tx, from.ty)
    toShift = SIMD2(to.tx, to.ty)
    fromScale = SIMD2(from.a, from.d)
    toScale = SIMD2(to.a, to.d)
    fromShear = SIMD2(from.b, from.c)
    toShear = SIMD2(to.b, to.c)
    arc = nil
  }

  /// The path part by part. `nil` when one of the two has no parts.
  init?(partsFrom from: Transform2D, to: Transform2D) {
    guard let start = from.decomposed, let end = to.decomposed else { return nil }
    fromShift = SIMD2(start.translation.x, start.translation.y)
    toShift = SIMD2(end.translation.x, end.translation.y)
    fromScale = SIMD2(start.scale.width, start.scale.height)
    toScale = SIMD2(end.scale.width, end.scale.height)
    fromShear = SIMD2(start.shear, 0)
    toShear = SIMD2(end.shear, 0)
    arc = Arc(from: start.angle, to: end.angle)
  }

  /// The transform at a progress other than 0, 1 and NaN.
  @inline(__always)
  func transform(at progress: Double) -> Transform2D {
    var shift = lerpInside(fromShift, toShift, progress)
    var scale = lerpInside(fromScale, toScale, progress)
    var shear = lerpInside(fromShear, toShear, progress)
    let differences = (shift - shift) + (scale - scale) + (shear - shear)
    if differences.x + differences.y != 0 {
      shift = FlatTransformMix.lerped(fromShift, toShift, progress)
      scale = FlatTransformMix.lerped(fromScale, toScale, progress)
      shear = FlatTransformMix.lerped(fromShear, toShear, progress)
    }
    guard let arc else {
      return Transform2D(
        a: scale.x, b: shear.x, c: shear.y, d: scale.y, tx: shift.x, ty: shift.y)
    }
    let angle: Double = clampedToFinite(arc.angle + progress * arc.turn)
    let parts = Transform2D.Decomposition(
      translation: Point2D(x: shift.x, y: shift.y), angle: angle, shear: shear.x,
      scale: Size2D(width: scale.x, height: scale.y))
    return angle.bitPattern == arc.angle.bitPattern
      ? Transform2D(parts, cosine: arc.cosine, sine: arc.sine) : Transform2D(parts)
  }

  @inline(never)
  private static func lerped(
    _ from: SIMD2<Double>, _ to: SIMD2<Double>, _ progress: Double
  ) -> SIMD2<Double> {
    SIMD2(lerp(from.x, to.x, progress), lerp(from.y, to.y, progress))
  }
}
