package import TimelineModel

/// The path from one pose to another: the result of ``Pose/mixed(_:_:progress:transforms:)``, for every
/// progress, with all of the work done once that does not depend on the progress.
///
/// ```swift
/// let way = PoseMix(from: small, to: large, transforms: .decomposed)
/// let quarter = way.pose(at: 0.25)
/// ```
///
/// It is large. For the poses of many elements see ``PoseMixes``.
package struct PoseMix: Sendable {
  let upright: UprightMix
  /// nil when both transforms are the identity.
  let transform: TransformMix?

  /// Takes two poses apart.
  ///
  /// - Parameters:
  ///   - from: The pose at progress 0.
  ///   - to: The pose at progress 1.
  ///   - transforms: How the transforms are mixed.
  package init(from: Pose, to: Pose, transforms: TransformMixing) {
    upright = UprightMix(from: from, to: to)
    transform =
      PoseMix.isUpright(from, to)
      ? nil : TransformMix(from: from.transform, to: to.transform, mixing: transforms)
  }

  /// Whether the transform is the identity at every progress.
  static func isUpright(_ from: Pose, _ to: Pose) -> Bool {
    from.transform.isExactlyIdentity && to.transform == .identity
  }

  /// The pose at a progress.
  ///
  /// - Parameter progress: No unit. May leave 0 to 1. NaN counts as 0.
  /// - Complexity: O(1), without allocating.
  package func pose(at progress: Double) -> Pose {
    var pose = upright.lerped(at: progress)
    if let transform { pose.transform = transform.transform(at: progress) }
    return pose
  }
}

extension ElementTransform {
  /// Whether the numbers are those of the identity, held as six, and no zero is negative.
  fileprivate var isExactlyIdentity: Bool {
    guard case .flat(let flat) = self, flat == .identity else { return false }
    return flat.b.sign == .plus && flat.c.sign == .plus && flat.tx.sign == .plus
      && flat.ty.sign == .plus
  }
}

extension Pose {
  /// The pose between two others: a pure function of the two and the progress, whatever came before.
  ///
  /// Center, size and alpha go linearly and are not clamped, so an overshoot shows. A size may become
  /// negative. The transform goes by `transforms`. The drawing order is the larger of the two ends'
  /// at every progress, and the element is hidden only if both ends are. At progress 0 and 1 the numbers are
  /// exactly the end's own. Always finite for finite ends. For many mixes of the same two, make a
  /// `PoseMix` once.
  ///
  /// - Parameters:
  ///   - from: The pose at progress 0.
  ///   - to: The pose at progress 1.
  ///   - progress: No unit. May leave 0 to 1. NaN counts as 0.
  ///   - transforms: How the transforms are mixed.
  package static func mixed(
    _ from: Pose, _ to: Pose, progress: Double, transforms: TransformMixing
  ) -> Pose {
    if PoseMix.isUpright(from, to) { return UprightMix(from: from, to: to).lerped(at: progress) }
    return PoseMix(from: from, to: to, transforms: transforms).pose(at: progress)
  }
}
