extension Pose {
  /// The pose between two others: a pure function of the two and the progress, whatever came before.
  ///
  /// Center, size and alpha go linearly and are not clamped, so an overshoot shows; a size may become
  /// negative. The transform goes by `transforms`. The drawing order is the larger of the two ends'
  /// all the way, and the element is hidden only if both ends are. At progress 0 and 1 the numbers are
  /// exactly the end's own. Always finite for finite ends.
  ///
  /// - Parameters:
  ///   - from: The pose at progress 0.
  ///   - to: The pose at progress 1.
  ///   - progress: No unit; may leave 0 to 1. What is not a number counts as 0.
  ///   - transforms: How the transforms are mixed.
  public static func mixed(
    _ from: Pose, _ to: Pose, progress: Double, transforms: TransformMixing
  ) -> Pose {
    Pose(
      center: lerp(from.center, to.center, progress),
      size: lerp(from.size, to.size, progress),
      transform: .mixed(from.transform, to.transform, progress: progress, mixing: transforms),
      alpha: lerp(from.alpha, to.alpha, progress),
      zIndex: max(from.zIndex, to.zIndex),
      isHidden: from.isHidden && to.isHidden)
  }
}
