public import TimelineModel

/// What a circle layout is made from. Lengths are in points; the defaults are those of Apple's
/// CircleLayout example, which PSTCollectionView carries too.
public struct CircleLayoutParameters: Hashable, Sendable {
  /// The size of every item.
  public var itemSize = Size(width: 70, height: 70)
  /// From the middle of the viewport to the center of every item; nil takes the viewport's shorter side
  /// divided by ``sideToRadius``.
  public var radius: Double?

  /// How many radii the viewport's shorter side is long: a little more than a diameter, so that the items
  /// stay inside. No unit; from the example.
  public static let sideToRadius = 2.5

  /// How large a deleted item is at its end, as a share of its size; from the example.
  public static let deletedScale = 0.1

  /// Makes the default parameters.
  public init() {}
}
