import KymographCLibrary
import TimelineModel

/// Where an item stands on the stage, in the parts that animation formats know: first scaled, then skewed, turned
/// and moved, all about its center.
struct StagePose: Equatable {
  /// The center, in points from the viewport's left upper corner.
  var x: Double
  var y: Double
  /// The size before the transform, in points.
  var width: Double
  var height: Double
  /// The turn, in degrees, clockwise as y points downwards.
  var angle: Double
  /// How far the item's y axis leans over, in degrees.
  var skew: Double
  /// The scales along x and y, in percent. Negative where it is mirrored.
  var scaleX: Double
  var scaleY: Double
  /// Opacity in percent, 0 to 100.
  var opacity: Double
  /// A transform in space, 16 numbers. Its shift is not in `x` and `y`.
  var spatial: [Double]?

  /// A lean below this, in degrees, is rounding: it moves an edge of a thousand points by a thousandth.
  static let leastSkew = 1e-4

  /// Whether it leans.
  var isSkewed: Bool { abs(skew) > StagePose.leastSkew }

  /// Takes a recorded pose apart.
  ///
  /// - Parameter offset: Where the viewport's corner lies in the content.
  init(_ pose: Pose, offset: Point2D) {
    width = pose.size.width
    height = pose.size.height
    opacity = max(0, min(1, pose.alpha)) * 100
    x = pose.center.x - offset.x
    y = pose.center.y - offset.y
    let flat: Transform2D
    switch pose.transform {
    case .flat(let transform): flat = transform
    case .spatial(let transform):
      spatial = transform.components
      let w = transform.m44 == 0 ? 1 : transform.m44
      flat = Transform2D(
        a: transform.m11 / w, b: transform.m12 / w, c: transform.m21 / w, d: transform.m22 / w,
        tx: transform.m41 / w, ty: transform.m42 / w)
    }
    (angle, skew, scaleX, scaleY) = (0, 0, 100, 100)
    // A transform in space brings its own shift.
    if spatial == nil { move(by: flat) }
    guard flat != .identity else { return }
    take(flat)
  }

  /// The flat part of a transform in space, for formats that know no more.
  mutating func flatten() {
    guard let m = spatial else { return }
    let w = m[15] == 0 ? 1 : m[15]
    x += m[12] / w
    y += m[13] / w
    spatial = nil
  }

  private mutating func move(by flat: Transform2D) {
    x += flat.tx
    y += flat.ty
  }

  private mutating func take(_ flat: Transform2D) {
    let lengthX = hypot(flat.a, flat.b)
    let degrees = 180 / Double.pi
    guard lengthX > 0 else {
      // The x axis has gone. The turn is that of the y axis.
      scaleX = 0
      scaleY = hypot(flat.c, flat.d) * 100
      angle = scaleY > 0 ? atan2(-flat.c, flat.d) * degrees : 0
      return
    }
    angle = atan2(flat.b, flat.a) * degrees
    scaleX = lengthX * 100
    let height = (flat.a * flat.d - flat.b * flat.c) / lengthX
    scaleY = height * 100
    let lean = (flat.a * flat.c + flat.b * flat.d) / lengthX
    if height != 0 { skew = atan(lean / height) * degrees }
  }

  /// The same turn by whole turns nearer to another one, so that no way between them is longer than half a turn.
  mutating func turn(near other: Double) {
    guard angle.isFinite, other.isFinite else { return }
    angle += ((other - angle) / 360).rounded() * 360
  }

  /// Whether every number is finite.
  var isFinite: Bool {
    x.isFinite && y.isFinite && width.isFinite && height.isFinite && angle.isFinite
      && skew.isFinite && scaleX.isFinite && scaleY.isFinite && opacity.isFinite
      && (spatial?.allSatisfy(\.isFinite) ?? true)
  }
}

/// Numbers of animations.
enum StageNumber {
  /// Digits behind the point that a thinned animation keeps: a ten-thousandth is far below any tolerance that
  /// can be seen.
  private static let kept = 10_000.0

  /// The number with four digits behind the point, unless nothing may be off.
  static func rounded(_ value: Double, tolerance: Double) -> Double {
    guard tolerance > 0, abs(value) < 1e11 else { return value }
    let rounded = (value * kept).rounded() / kept
    return rounded == 0 ? 0 : rounded
  }
}

extension Int64 {
  /// A length rounded up to a whole number.
  init(clamping length: Double) {
    self = Int64(exactly: length.rounded(.up)) ?? Int64(Int32.max)
  }
}
