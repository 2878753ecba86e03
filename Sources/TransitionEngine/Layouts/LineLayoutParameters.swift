public import TimelineModel

/// What a line layout is made from. Lengths are in points; the defaults are those of Apple's LineLayout
/// example, which PSTCollectionView carries too.
public struct LineLayoutParameters: Hashable, Sendable {
  /// The way the line runs.
  public var scrollDirection: FlowLayoutParameters.ScrollDirection = .horizontal
  /// The size of every item, before it is zoomed.
  public var itemSize = Size(width: 200, height: 200)
  /// The distance between neighbours; a negative one lets them overlap, at most wholly.
  public var spacing = 50.0
  /// The free border round the line.
  public var inset = EdgeInsets.zero
  /// By how much an item grows that stands in the middle of the viewport. A share of its size, at
  /// least −1, which makes it vanish.
  public var zoomFactor = 0.3
  /// How far from the middle of the viewport an item still grows.
  public var activeDistance = 200.0

  /// Makes the default parameters.
  public init() {}
}
