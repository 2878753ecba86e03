import KymographCLibrary
import TimelineModel

/// Two columns whose parallelogram is smaller than this share of the product of their lengths count as
/// one line: then no angle between them can be told. No unit.
private let smallestDeterminant = 1e-12

/// An angle this near to half a turn, in radians, counts as half a turn: sin(pi) is not 0 in binary,
/// and the sign of what is left must not choose the direction.
let halfTurnTolerance = 1e-12

extension Transform2D {
  /// A flat transform in parts: translate · rotate · shear · scale.
  ///
  /// The single-shear form, whose mixes are those that the published web-platform-tests expect. The
  /// pseudo-code of CSS Transforms 1 keeps a 2 × 2 rest instead and differs under shear.
  struct Decomposition {
    /// The shift, in points.
    var translation: Point2D
    /// The turn, in radians, above -pi and at most pi.
    var angle: Double
    /// How far y leans into x. No unit.
    var shear: Double
    /// The scales along x and y. One is negative for a mirrored transform. No unit.
    var scale: Size2D
  }

  /// The parts. `nil` for a transform that maps onto a line or a point, or is not finite.
  var decomposed: Decomposition? {
    var lengthX = hypot(a, b)
    guard lengthX > 0, lengthX.isFinite, tx.isFinite, ty.isFinite else { return nil }
    var unitX = Point2D(x: a / lengthX, y: b / lengthX)
    var shear = unitX.x * c + unitX.y * d
    let restX = c - shear * unitX.x
    let restY = d - shear * unitX.y
    var lengthY = hypot(restX, restY)
    let columnY = hypot(c, d)
    guard columnY.isFinite, lengthY > smallestDeterminant * columnY else { return nil }
    shear /= lengthY
    let isMirrored = unitX.x * restY - unitX.y * restX < 0
    if isMirrored {
      // One axis is flipped: the one whose unit vector lies further from where it was.
      if a < d {
        lengthX.negate()
        unitX = Point2D(x: -unitX.x, y: -unitX.y)
      } else {
        lengthY.negate()
      }
      shear.negate()
    }
    guard shear.isFinite else { return nil }
    var angle = atan2(unitX.y, unitX.x)
    if abs(angle) > .pi - halfTurnTolerance { angle = .pi }
    return Decomposition(
      translation: Point2D(x: tx, y: ty), angle: angle, shear: shear,
      scale: Size2D(width: lengthX, height: lengthY))
  }

  /// Puts the parts together again.
  init(_ parts: Decomposition) {
    self.init(parts, cosine: cos(parts.angle), sine: sin(parts.angle))
  }

  /// Puts the parts together again, the angle's cosine and sine being known.
  init(_ parts: Decomposition, cosine: Double, sine: Double) {
    self.init(
      a: clampedToFinite(parts.scale.width * cosine), b: clampedToFinite(parts.scale.width * sine),
      c: clampedToFinite(parts.scale.height * (parts.shear * cosine - sine)),
      d: clampedToFinite(parts.scale.height * (parts.shear * sine + cosine)),
      tx: parts.translation.x, ty: parts.translation.y)
  }
}
