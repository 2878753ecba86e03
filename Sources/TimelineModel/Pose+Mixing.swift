extension Pose {
  /// The pose between two others: a pure function of the two and the progress, whatever came before.
  ///
  /// Center, size and alpha go linearly and are not clamped, so an overshoot shows; a size may become
  /// negative. The transform goes by `transforms`. The drawing order is the larger of the two ends'
  /// all the way, and the element is hidden only if both ends are. At progress 0 and 1 the numbers are
  /// exactly the end's own. Always finite for finite ends. For many mixes of the same two, make a
  /// ``PoseMix`` once.
  ///
  /// - Parameters:
  ///   - from: The pose at progress 0.
  ///   - to: The pose at progress 1.
  ///   - progress: No unit; may leave 0 to 1. What is not a number counts as 0.
  ///   - transforms: How the transforms are mixed.
  public static func mixed(
    _ from: Pose, _ to: Pose, progress: Double, transforms: TransformMixing
  ) -> Pose {
    if PoseMix.isUpright(from, to) { return UprightMix(from: from, to: to).lerped(at: progress) }
    return PoseMix(from: from, to: to, transforms: transforms).pose(at: progress)
  }
}
