/// The way from one pose to another: what ``Pose/mixed(_:_:progress:transforms:)`` gives, for every
/// progress, with all of the work done once that does not depend on the progress.
///
/// ```swift
/// let way = PoseMix(from: small, to: large, transforms: .decomposed)
/// let quarter = way.pose(at: 0.25)
/// ```
///
/// Two upright poses take seven interpolations; a turn adds a sine and a cosine. No pose touches the
/// heap; making the mix does where one of the two is not upright.
public struct PoseMix: Sendable {
  private let fromCenter: Point
  private let fromSize: Size
  private let fromAlpha: Double
  private let toCenter: Point
  private let toSize: Size
  private let toAlpha: Double
  private let zIndex: Int
  private let isHidden: Bool
  /// nil when both transforms are the identity.
  private let transform: TransformMix?

  /// Takes two poses apart.
  ///
  /// - Parameters:
  ///   - from: The pose at progress 0.
  ///   - to: The pose at progress 1.
  ///   - transforms: How the transforms are mixed.
  public init(from: Pose, to: Pose, transforms: TransformMixing) {
    fromCenter = from.center
    fromSize = from.size
    fromAlpha = from.alpha
    toCenter = to.center
    toSize = to.size
    toAlpha = to.alpha
    zIndex = max(from.zIndex, to.zIndex)
    isHidden = from.isHidden && to.isHidden
    transform =
      from.transform.isExactlyIdentity && to.transform == .identity
      ? nil : TransformMix(from: from.transform, to: to.transform, mixing: transforms)
  }

  /// The pose at a progress.
  ///
  /// - Parameter progress: No unit; may leave 0 to 1. What is not a number counts as 0.
  /// - Complexity: O(1), without allocating.
  public func pose(at progress: Double) -> Pose {
    Pose(
      center: lerp(fromCenter, toCenter, progress), size: lerp(fromSize, toSize, progress),
      transform: transform?.transform(at: progress) ?? .identity,
      alpha: lerp(fromAlpha, toAlpha, progress), zIndex: zIndex, isHidden: isHidden)
  }
}

extension Transform {
  /// Whether the numbers are those of the identity, held as six, and no zero is negative.
  fileprivate var isExactlyIdentity: Bool {
    guard case .flat(let flat) = self, flat == .identity else { return false }
    return flat.b.sign == .plus && flat.c.sign == .plus && flat.tx.sign == .plus
      && flat.ty.sign == .plus
  }
}
