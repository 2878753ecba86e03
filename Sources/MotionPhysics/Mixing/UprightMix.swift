import TimelineModel

/// The path from one pose to another without the transform.
struct UprightMix: Sendable {
  private let fromCenter: SIMD2<Double>
  private let fromSize: SIMD2<Double>
  private let toCenter: SIMD2<Double>
  private let toSize: SIMD2<Double>
  private let fromAlpha: Double
  private let toAlpha: Double
  private let zIndex: Int
  private let isHidden: Bool

  init(from: Pose, to: Pose) {
    fromCenter = SIMD2(from.center.x, from.center.y)
    fromSize = SIMD2(from.size.width, from.size.height)
    fromAlpha = from.alpha
    toCenter = SIMD2(to.center.x, to.center.y)
    toSize = SIMD2(to.size.width, to.size.height)
    toAlpha = to.alpha
    zIndex = max(from.zIndex, to.zIndex)
    isHidden = from.isHidden && to.isHidden
  }

  /// The pose under a transform, two numbers at once and without a branch for each.
  ///
  /// - Returns: nil at the ends, where a number overflows, and where the progress is not finite;
  ///   ``lerped(at:)`` knows these.
  @inline(__always)
  func quickPose(at progress: Double, _ transform: ElementTransform) -> Pose? {
    let center = lerpInside(fromCenter, toCenter, progress)
    let size = lerpInside(fromSize, toSize, progress)
    let alpha = lerpInside(fromAlpha, toAlpha, progress)
    // A finite number less itself is 0. Any other is not.
    let differences = (center - center) + (size - size)
    guard differences.x + differences.y + (alpha - alpha) == 0, progress != 0, progress != 1,
      progress.isFinite
    else { return nil }
    return Pose(
      center: Point2D(x: center.x, y: center.y), size: Size2D(width: size.x, height: size.y),
      transform: transform, alpha: alpha, zIndex: zIndex, isHidden: isHidden)
  }

  /// The pose under no transform, number by number.
  func lerped(at progress: Double) -> Pose {
    Pose(
      center: Point2D(
        x: lerp(fromCenter.x, toCenter.x, progress), y: lerp(fromCenter.y, toCenter.y, progress)),
      size: Size2D(
        width: lerp(fromSize.x, toSize.x, progress), height: lerp(fromSize.y, toSize.y, progress)),
      alpha: lerp(fromAlpha, toAlpha, progress), zIndex: zIndex, isHidden: isHidden)
  }
}
