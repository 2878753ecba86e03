import TimelineModel

/// How fast a pose changes, each number per second.
struct PoseVelocity: Hashable {
  var center: Point
  var size: Size
  var alpha: Double
  /// Of the six numbers of a flat transform; nil where one end of the measure is not flat.
  var transform: AffineTransform?

  /// The velocity between two poses.
  ///
  /// - Parameters:
  ///   - seconds: The time between them, above 0.
  init(from earlier: Pose, to later: Pose, seconds: Double) {
    func rate(_ from: Double, _ to: Double) -> Double { (to - from) / seconds }
    center = Point(
      x: rate(earlier.center.x, later.center.x), y: rate(earlier.center.y, later.center.y))
    size = Size(
      width: rate(earlier.size.width, later.size.width),
      height: rate(earlier.size.height, later.size.height))
    alpha = rate(earlier.alpha, later.alpha)
    if case .flat(let a) = earlier.transform, case .flat(let b) = later.transform {
      transform = AffineTransform(
        a: rate(a.a, b.a), b: rate(a.b, b.b), c: rate(a.c, b.c), d: rate(a.d, b.d),
        tx: rate(a.tx, b.tx), ty: rate(a.ty, b.ty))
    }
  }

  /// The fastest of its numbers, without sign.
  var largest: Double {
    var numbers = [center.x, center.y, size.width, size.height, alpha]
    if let transform { numbers += transform.components }
    return numbers.reduce(0) { max($0, abs($1)) }
  }

  /// The pose moved on by the velocity times a length of time; as it was where that is not finite.
  func carrying(_ pose: Pose, for seconds: Double) -> Pose {
    var moved = pose
    moved.center.x += center.x * seconds
    moved.center.y += center.y * seconds
    moved.size.width += size.width * seconds
    moved.size.height += size.height * seconds
    moved.alpha += alpha * seconds
    if let rate = transform, case .flat(let t) = pose.transform {
      moved.transform = .flat(
        AffineTransform(
          a: t.a + rate.a * seconds, b: t.b + rate.b * seconds, c: t.c + rate.c * seconds,
          d: t.d + rate.d * seconds, tx: t.tx + rate.tx * seconds, ty: t.ty + rate.ty * seconds))
    }
    return moved.isFinite ? moved : pose
  }
}
